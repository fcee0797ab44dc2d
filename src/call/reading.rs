//! Reading one opening out: which page is next, and whether all of them were heard.
//!
//! Nothing is remembered but what became of each delivery; where the reading stands follows from
//! that, so a late or worse outcome can come at any time.

use super::event::{FeedbackId, Outcome};
use crate::provenance::ReadOut;

/// A delivery that is not handed over in this time is aborted and tried anew (milliseconds).
pub(super) const HAND_OVER_MS: u64 = 30_000;
/// How often a page is delivered in all, to one opening.
pub(super) const DELIVERIES: usize = 3;
/// How long after the first and the second one that was not passed on the next one waits
/// (milliseconds): what cannot be reached now can often be reached in a moment.
const RETRIES_MS: [u64; DELIVERIES - 1] = [500, 1_500];

/// The pages of one opening and what became of their deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pages: Vec<String>,
    deliveries: Vec<Delivery>,
    /// Since when all pages count.
    done_at: Option<u64>,
    gave_up: bool,
    /// When a page that was not passed on is delivered again.
    retry_at: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Delivery {
    id: FeedbackId,
    page: usize,
    since: u64,
    /// `None` until the app has said anything.
    outcome: Option<Outcome>,
    /// When it said so.
    at: u64,
    aborted: bool,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Wait for an outcome, or nothing is left to do.
    Wait,
    /// Deliver this page, which is this text.
    Deliver(usize, String),
    /// It was delivered often enough; tell the person to use the card. Said once.
    GiveUp,
}

impl Reading {
    pub(super) fn new(pages: Vec<String>) -> Self {
        Self { pages, deliveries: Vec::new(), done_at: None, gave_up: false, retry_at: None }
    }

    /// Since when all pages count as read out.
    pub(super) fn done_at(&self) -> Option<u64> {
        self.done_at
    }

    /// Where the reading stands now. Deliveries that are not wanted any more are added to `abort`.
    pub(super) fn step(
        &mut self,
        read_out: ReadOut,
        now: u64,
        abort: &mut Vec<FeedbackId>,
    ) -> Step {
        self.retry_at = None;
        let Some(page) = (0..self.pages.len()).find(|page| !self.counts(*page, read_out)) else {
            self.done_at.get_or_insert(now);
            // Another delivery of a page that was heard after all is one too many.
            self.abort_all(abort);
            return Step::Wait;
        };
        self.done_at = None;
        if self.gave_up {
            self.abort_all(abort);
            return Step::Wait;
        }
        let mut waits = false;
        for delivery in &mut self.deliveries {
            if delivery.page == page && delivery.is_awaited(now) {
                waits = true;
            } else {
                delivery.abort(abort);
            }
        }
        if waits {
            return Step::Wait;
        }
        let before = self.deliveries.iter().filter(|one| one.page == page).count();
        if before >= DELIVERIES {
            self.gave_up = true;
            return Step::GiveUp;
        }
        let last = self.deliveries.iter().rfind(|one| one.page == page);
        if let Some(last) = last.filter(|one| one.outcome == Some(Outcome::NotSent)) {
            let after = RETRIES_MS.get(before - 1).copied().unwrap_or(0);
            self.retry_at = Some(last.at.saturating_add(after)).filter(|at| now < *at);
            if self.retry_at.is_some() {
                return Step::Wait;
            }
        }
        Step::Deliver(page, self.pages.get(page).cloned().unwrap_or_default())
    }

    /// A page has been given to the driver.
    pub(super) fn delivered(&mut self, id: FeedbackId, page: usize, now: u64) {
        self.deliveries.push(Delivery {
            id,
            page,
            since: now,
            outcome: None,
            at: now,
            aborted: false,
        });
    }

    /// What became of a delivery; outcomes only get better, and one that was talked over stays so.
    /// `false` where it is not a delivery of this reading.
    pub(super) fn outcome(&mut self, id: FeedbackId, outcome: Outcome, now: u64) -> bool {
        let Some(delivery) = self.deliveries.iter_mut().find(|one| one.id == id) else {
            return false;
        };
        if delivery.outcome != Some(Outcome::Interrupted) {
            let better = delivery.outcome.max(Some(outcome));
            if delivery.outcome != better {
                (delivery.outcome, delivery.at) = (better, now);
            }
        }
        true
    }

    /// When the next delivery has waited long enough.
    pub(super) fn next_wake(&self) -> Option<u64> {
        let awaited = self.deliveries.iter().filter(|one| one.has_deadline());
        awaited.map(Delivery::deadline).chain(self.retry_at).min()
    }

    /// Forgets everything: the provider did, or the question is read anew.
    pub(super) fn restart(&mut self, abort: &mut Vec<FeedbackId>) {
        self.abort_all(abort);
        *self = Self::new(std::mem::take(&mut self.pages));
    }

    /// Nothing of it is wanted any more.
    pub(super) fn abort_all(&mut self, abort: &mut Vec<FeedbackId>) {
        self.retry_at = None;
        for delivery in &mut self.deliveries {
            delivery.abort(abort);
        }
    }

    fn counts(&self, page: usize, read_out: ReadOut) -> bool {
        let counts = |outcome| match read_out {
            ReadOut::Sent => matches!(outcome, Outcome::Sent | Outcome::Spoken),
            ReadOut::Spoken => outcome == Outcome::Spoken,
        };
        self.deliveries.iter().any(|one| one.page == page && one.outcome.is_some_and(counts))
    }
}

impl Delivery {
    /// Whether something may still become of it.
    fn is_awaited(&self, now: u64) -> bool {
        match self.outcome {
            // Handed over: it may still be said to the end, however long that takes.
            Some(Outcome::Sent) => true,
            Some(Outcome::NotSent | Outcome::Interrupted | Outcome::Spoken) => false,
            None | Some(Outcome::Unknown | Outcome::ContextOnly) => {
                !self.aborted && now < self.deadline()
            }
        }
    }

    fn has_deadline(&self) -> bool {
        !self.aborted
            && matches!(self.outcome, None | Some(Outcome::Unknown | Outcome::ContextOnly))
    }

    fn deadline(&self) -> u64 {
        self.since.saturating_add(HAND_OVER_MS)
    }

    /// Aborts it where the app has not said yet what became of it.
    fn abort(&mut self, abort: &mut Vec<FeedbackId>) {
        if self.outcome.is_none() && !self.aborted {
            abort.push(self.id);
        }
        self.aborted = true;
    }
}
