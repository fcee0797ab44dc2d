//! The fingerprint of a host question: which question an answer was given to.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::open_question::OpenQuestion;

/// Names the encoding below; it changes whenever the encoding does.
const VERSION: &str = "1";

/// `1:` and 64 hexadecimal digits: SHA-256 over everything the host said, so that it changes when
/// anything does.
///
/// The encoding starts with `spoken-answer/1`; then every text is its length in bytes (eight,
/// big-endian) and its bytes, every list its length (eight) and its entries, every optional text
/// one byte (0 absent, 1 present) and then the text, `multiSelect` one byte. In order: input id,
/// session id, turn id, questions; of a question: text, `multiSelect`, options; of an option:
/// label, description. A plain label and an object with only a label are the same.
pub(crate) fn digest(question: &OpenQuestion) -> String {
    let mut hash = Hash(Sha256::new_with_prefix(format!("spoken-answer/{VERSION}")));
    hash.text(&question.input_id);
    hash.text(&question.session_id);
    hash.optional(question.turn_id.as_deref());
    hash.length(question.questions.len());
    for question in &question.questions {
        hash.text(&question.text);
        hash.0.update([u8::from(question.multi_select)]);
        hash.length(question.options.len());
        for option in &question.options {
            hash.text(&option.label);
            hash.optional(option.description.as_deref());
        }
    }
    let mut out = format!("{VERSION}:");
    for byte in hash.0.finalize() {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

struct Hash(Sha256);

impl Hash {
    fn length(&mut self, length: usize) {
        self.0.update((length as u64).to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.update(text);
    }

    fn optional(&mut self, text: Option<&str>) {
        self.0.update([u8::from(text.is_some())]);
        if let Some(text) = text {
            self.text(text);
        }
    }
}
