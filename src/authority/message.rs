//! What was said, as far as it is read.

use super::wire::short_text;
use crate::error::CallerMistake;
use crate::text;
use crate::untrusted::{Kind, Untrusted};

pub(super) const REQUEST_CHARS: usize = 8_000;
pub(super) const UTTERANCE_CHARS: usize = 2_000;
pub(super) const SPEAKER_CHARS: usize = 120;
pub(super) const LINE_CHARS: usize = 500;
const LINES: usize = 50;
/// UTF-16 units that are read for one character shown: some characters are dropped.
const UNITS: usize = 4;

/// What was said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    /// Who asks, by the name that the room knows.
    pub speaker: Words,
    /// What is asked for, as the voice model or the message words it.
    pub request: Words,
    /// The speaker's own words, where there is a transcript.
    pub utterance: Option<Words>,
    /// What was said before, oldest first.
    pub context: Vec<Line>,
    /// How many lines before those were not even read.
    pub earlier: usize,
}

/// One line of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Who said it.
    pub who: Who,
    /// What.
    pub text: Words,
}

/// Who said a line. What this crate itself knows of them stands outside of the quotation marks,
/// where no name that somebody gave themselves can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// The agent, in a turn that had a session of its own.
    Agent,
    /// Somebody, by the name that the room knows.
    Person {
        /// The name.
        name: Words,
        /// Whether it is the one who asks, by id: anybody can have the same name.
        asks: bool,
    },
}

/// A text of somebody, as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words {
    text: String,
    /// Whether there was more.
    more: bool,
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), more: false }
    }
}

impl Words {
    /// Whether there is nothing in it that anybody could see or hear.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        text::look(&text::clean(&self.text)).is_empty()
    }

    /// What was read of it.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether there was more.
    pub(super) fn has_more(&self) -> bool {
        self.more
    }

    /// Whether there is nothing to show: nothing visible, and nothing that was not read.
    pub(super) fn is_absent(&self) -> bool {
        !self.more && self.is_blank()
    }

    pub(super) fn read<V: Untrusted>(value: V, chars: usize) -> Option<Self> {
        let units = chars * UNITS;
        let text = value.start(units)?;
        Some(Self { text, more: value.units() > units })
    }
}

impl Message {
    /// Reads a message. The request is a model's: where it is no text, it is blank.
    ///
    /// # Errors
    /// [`CallerMistake::Message`] names the part that is none of its values.
    pub fn read<V: Untrusted>(value: V) -> Result<Self, CallerMistake> {
        let wrong = CallerMistake::Message;
        let part = |value: V, name: &'static std::ffi::CStr, named| {
            if value.kind() == Kind::Object { value.field(name) } else { None }.ok_or(wrong(named))
        };
        let words = |value: V, chars, named| match value.kind() {
            Kind::Text => Words::read(value, chars).ok_or(wrong(named)),
            _ => Err(wrong(named)),
        };
        let request = part(value, c"request", "(all)")?;
        let request = match request.kind() {
            Kind::Text => Words::read(request, REQUEST_CHARS).unwrap_or_default(),
            _ => Words::default(),
        };
        let utterance = part(value, c"utterance", "utterance")?;
        let utterance = if utterance.kind().is_absent() {
            None
        } else {
            Some(words(utterance, UTTERANCE_CHARS, "utterance")?)
        };
        let speaker = words(part(value, c"speaker", "speaker")?, SPEAKER_CHARS, "speaker")?;
        let lines = part(value, c"context", "context")?;
        if lines.kind() != Kind::List && !lines.kind().is_absent() {
            return Err(wrong("context"));
        }
        let earlier = lines.length().saturating_sub(LINES);
        let id = |value: V, named| {
            let id = part(value, c"actorId", named)?;
            match id.kind() {
                Kind::Undefined | Kind::Null => Ok(None),
                Kind::Text => Ok(short_text(id).filter(|id| !id.is_empty())),
                _ => Err(wrong(named)),
            }
        };
        let asking = id(value, "actorId")?;
        let line = |index| {
            let line = lines.item(index).ok_or(wrong("context"))?;
            let text = words(part(line, c"text", "context")?, LINE_CHARS, "context")?;
            // Only the driver of turns says so; what an app passes has no such part.
            if part(line, c"agent", "context")?.kind() == Kind::Boolean(true) {
                return Ok(Line { who: Who::Agent, text });
            }
            let name = words(part(line, c"speaker", "context")?, SPEAKER_CHARS, "context")?;
            let asks = id(line, "context")?.is_some_and(|id| asking.as_ref() == Some(&id));
            Ok(Line { who: Who::Person { name, asks }, text })
        };
        let context = (earlier..lines.length()).map(line).collect::<Result<_, _>>()?;
        Ok(Self { speaker, request, utterance, context, earlier })
    }
}
