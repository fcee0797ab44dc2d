//! Cleaning and cutting: what of a host's text is read out, and when two texts are the same.
//!
//! The rules are those of ADR 0315 with the units fixed: a character is a Unicode scalar value,
//! and a cut keeps grapheme clusters whole.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;
use unicode_segmentation::UnicodeSegmentation;

/// Ends a text that was cut.
const ELLIPSIS: char = '…';

/// A text as it is read out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    text: String,
    shortened: bool,
}

impl Heard {
    /// Cleans `raw` and cuts it to `limit` characters.
    ///
    /// `None` where nothing is left that a person could hear or see: the text is blank, or its
    /// first grapheme cluster alone is over the limit.
    #[must_use]
    pub fn new(raw: &str, limit: usize) -> Option<Self> {
        let cleaned = clean(raw);
        let kept = cut(&cleaned, limit);
        if look(kept.unwrap_or(&cleaned)).is_empty() {
            return None;
        }
        Some(match kept {
            Some(kept) => Self { text: format!("{kept}{ELLIPSIS}"), shortened: true },
            None => Self { text: cleaned.into_owned(), shortened: false },
        })
    }

    /// The text that is read out.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the host's text was longer.
    #[must_use]
    pub fn shortened(&self) -> bool {
        self.shortened
    }
}

/// Runs of white space become one space, ends are trimmed, and what has no shape of its own is
/// dropped: control, bidi-control, zero-width, invisible-filler and tag characters.
///
/// Zero-width joiners and variation selectors stay, for they change what is seen.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_clean_ascii(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars() {
        if is_white_space(c) {
            space = !out.is_empty();
        } else if !is_dropped(c) {
            if space {
                out.push(' ');
                space = false;
            }
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// As [`clean`], but lines and indentation stay: every line break is one `\n`, other white space but
/// tabs is a space, and white space at the ends of the text is trimmed.
#[must_use]
pub fn clean_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let kept = text.chars().filter_map(|c| match c {
        '\t' => Some('\t'),
        '\n' | '\r' | '\u{0B}' | '\u{0C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
        c if is_white_space(c) => Some(' '),
        c if is_dropped(c) => None,
        c => Some(c),
    });
    let kept: String = kept.collect();
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\n');
    kept.trim_end_matches(is_blank).trim_start_matches('\n').to_owned()
}

/// The form in which two cleaned labels are compared: NFC. Letter case counts.
#[must_use]
pub fn nfc(cleaned: &str) -> Cow<'_, str> {
    ComposingNormalizerBorrowed::new_nfc().normalize(cleaned)
}

/// What is left of a cleaned text when nothing invisible counts. Two options are alike when this
/// is equal, and a text is blank when this is empty.
#[must_use]
pub fn look(cleaned: &str) -> Cow<'_, str> {
    if !cleaned.chars().any(is_joiner_or_selector) {
        return nfc(cleaned);
    }
    let visible: String = cleaned.chars().filter(|c| !is_joiner_or_selector(*c)).collect();
    Cow::Owned(nfc(&clean(&visible)).into_owned())
}

/// The longest run of whole grapheme clusters that leaves room for the ellipsis, or `None` where
/// the text is within `limit` characters as it is.
fn cut(text: &str, limit: usize) -> Option<&str> {
    // A byte count within the limit is a character count within it.
    if text.len() <= limit || text.chars().nth(limit).is_none() {
        return None;
    }
    let mut chars = 0;
    let mut end = 0;
    for cluster in text.graphemes(true) {
        chars += cluster.chars().count();
        if chars >= limit {
            break;
        }
        end += cluster.len();
    }
    text.get(..end)
}

/// Most labels are plain ASCII with single spaces; they are clean as they are.
fn is_clean_ascii(text: &str) -> bool {
    let mut before = b' ';
    for byte in text.bytes() {
        if !(b' '..=b'~').contains(&byte) || (byte == b' ' && before == b' ') {
            return false;
        }
        before = byte;
    }
    text.is_empty() || before != b' '
}

/// Unicode `White_Space`, and U+FEFF as JavaScript has it.
fn is_white_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}

/// ZWNJ, ZWJ and the variation selectors: invisible, but they change their neighbours.
fn is_joiner_or_selector(c: char) -> bool {
    matches!(c,
        '\u{200C}' | '\u{200D}'
        | '\u{180B}'..='\u{180D}' | '\u{180F}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{E0100}'..='\u{E01EF}')
}

/// Characters without a shape of their own that are not white space.
///
/// All of `Default_Ignorable_Code_Point` but [`is_joiner_or_selector`] (bidi controls, zero-width
/// spaces, Hangul and Khmer fillers, tags), the controls (`Cc`), the noncharacters, the format marks
/// of annotations, Brahmi numbers and hieroglyphs, and the blanks of braille, hieroglyphs, Khitan
/// and music. A test holds this table against an independent one.
fn is_dropped(c: char) -> bool {
    if is_joiner_or_selector(c) {
        return false;
    }
    matches!(c,
        '\u{00}'..='\u{1F}' | '\u{7F}'..='\u{9F}'
        | '\u{AD}' | '\u{034F}' | '\u{061C}'
        | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180E}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{2800}' | '\u{3164}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{1107F}' | '\u{13430}'..='\u{13440}'
        | '\u{13441}' | '\u{13442}' | '\u{16FE4}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D159}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        || c as u32 & 0xFFFE == 0xFFFE
}
