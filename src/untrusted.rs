//! Values that somebody else made, read piece by piece.
//!
//! A host's question and a model's answer arrive as JavaScript objects that may be huge, cyclic,
//! a proxy, or throw when looked at. What is read, in which order and how often is decided in
//! this crate, against this trait; the addon only performs single reads. Each read happens once,
//! their number is bounded, and lengths are known before anything is copied.

use std::ffi::CStr;

use serde_json::Value;

/// What a value is, before anything of it is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Absent.
    Undefined,
    /// Null.
    Null,
    /// True or false.
    Boolean(bool),
    /// A number, as JavaScript has it.
    Number(f64),
    /// A text; its length is [`Untrusted::units`].
    Text,
    /// A real array; its length is [`Untrusted::length`].
    List,
    /// Any other object, proxies of arrays among them.
    Object,
    /// A function, symbol or big integer.
    Other,
}

impl Kind {
    /// Whether there is no value. Hosts write `null` for what they leave out.
    #[must_use]
    pub fn is_absent(self) -> bool {
        matches!(self, Self::Undefined | Self::Null)
    }
}

/// A reference to a value that somebody else made.
pub trait Untrusted: Copy {
    /// What it is. Runs no foreign code.
    fn kind(self) -> Kind;
    /// One property of an object. `None` where reading it failed.
    fn field(self, name: &'static CStr) -> Option<Self>;
    /// The length of a list; 0 for anything else. Runs no foreign code.
    fn length(self) -> usize;
    /// One entry of a list. `None` where reading it failed.
    fn item(self, index: usize) -> Option<Self>;
    /// The length of a text in UTF-16 units, never more than its bytes; 0 for anything else.
    fn units(self) -> usize;
    /// A copy of a text. `None` where it is no text or ill-formed UTF-16.
    fn text(self) -> Option<String>;
    /// A copy of the first `units` UTF-16 units of a text, without a character that this cuts in half;
    /// any other half is U+FFFD. `None` where it is no text. For texts that people are shown, where a strict reading helps nobody.
    fn start(self, units: usize) -> Option<String> {
        let text = self.text()?;
        let start: Vec<_> = text.encode_utf16().take(units).collect();
        Some(start_of(&start, start.len() < self.units()))
    }
}

/// The text of these units. Where there were more, a character that was cut in half is left out.
pub(crate) fn start_of(units: &[u16], more: bool) -> String {
    let whole = match units {
        [whole @ .., 0xD800..=0xDBFF] if more => whole,
        _ => units,
    };
    String::from_utf16_lossy(whole)
}

/// JSON as Rust programs hold it; `None` is what JavaScript calls `undefined`.
impl Untrusted for Option<&Value> {
    fn kind(self) -> Kind {
        match self {
            None => Kind::Undefined,
            Some(Value::Null) => Kind::Null,
            Some(Value::Bool(value)) => Kind::Boolean(*value),
            Some(Value::Number(number)) => number.as_f64().map_or(Kind::Other, Kind::Number),
            Some(Value::String(_)) => Kind::Text,
            Some(Value::Array(_)) => Kind::List,
            Some(Value::Object(_)) => Kind::Object,
        }
    }

    fn field(self, name: &'static CStr) -> Option<Self> {
        Some(self?.get(name.to_str().ok()?))
    }

    fn length(self) -> usize {
        self.and_then(Value::as_array).map_or(0, Vec::len)
    }

    fn item(self, index: usize) -> Option<Self> {
        Some(self?.get(index))
    }

    fn units(self) -> usize {
        self.and_then(Value::as_str).map_or(0, |text| text.encode_utf16().count())
    }

    fn text(self) -> Option<String> {
        self.and_then(Value::as_str).map(str::to_owned)
    }
}
