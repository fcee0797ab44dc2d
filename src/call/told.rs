//! What the provider was told about what waits, so that each state of waiting is said once, and not
//! again while the person has yet to hear the sentence that is on its way.

use super::event::{FeedbackId, Outcome};

/// How long a sentence that was handed over may take to be heard (milliseconds).
const HEARD_MS: u64 = 10_000;

/// The sentences that are about a state of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Told {
    /// Several questions are open.
    pub(super) several: Status,
    /// Something is that is never answered by voice.
    pub(super) something: Status,
}

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Status {
    /// Whether what it is about is so.
    holds: bool,
    /// The one on its way, and when it was handed over.
    last: Option<(FeedbackId, u64)>,
}

impl Status {
    /// Whether it must be said now that it `holds`, or does not.
    pub(super) fn is_to_be_said(&mut self, holds: bool, now: u64) -> bool {
        let begins = holds && !self.holds;
        self.holds = holds;
        // The one on its way says it as well.
        let unheard = self.last.is_some_and(|(_, at)| now < at.saturating_add(HEARD_MS));
        begins && !unheard
    }

    pub(super) fn said(&mut self, id: FeedbackId, now: u64) {
        self.last = Some((id, now));
    }

    /// What became of a message.
    pub(super) fn delivered(&mut self, id: FeedbackId, outcome: Outcome) {
        let over = matches!(outcome, Outcome::NotSent | Outcome::Interrupted | Outcome::Spoken);
        if over && self.last.is_some_and(|(last, _)| last == id) {
            self.last = None;
        }
    }
}
