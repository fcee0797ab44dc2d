//! Texts and numbers within bounds.

use crate::call::operation::INSTRUCTION_BYTES;
use crate::untrusted::{Kind, Untrusted};

/// A text of at most so many bytes.
pub(super) fn text<V: Untrusted>(value: V, bytes: usize) -> Option<String> {
    if value.kind() != Kind::Text || value.units() > bytes {
        return None;
    }
    value.text().filter(|text| text.len() <= bytes)
}

/// A short fixed word.
pub(super) fn word<V: Untrusted>(value: V) -> Option<String> {
    text(value, 32)
}

/// A text that the ledger judges; one that is far too long, or none, is one byte too long.
pub(super) fn any_text<V: Untrusted>(value: V) -> String {
    text(value, INSTRUCTION_BYTES).unwrap_or_else(|| " ".repeat(INSTRUCTION_BYTES + 1))
}

/// A whole number of at most 32 bits.
pub(super) fn number<V: Untrusted>(value: V) -> Option<u32> {
    time(value).and_then(|number| u32::try_from(number).ok())
}

/// Milliseconds, rounded down; none where it is negative or beyond counting.
pub(super) fn time<V: Untrusted>(value: V) -> Option<u64> {
    match value.kind() {
        Kind::Number(number) if (0.0..=9_007_199_254_740_991.0).contains(&number) =>
        {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
            Some(number as u64)
        }
        _ => None,
    }
}
