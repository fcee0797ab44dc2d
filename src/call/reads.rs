//! Readings of the host's list: one at a time to know what is open and one for each answer that is
//! to be confirmed. One that failed is tried again, less and less often.

use super::event::{OperationId, ReadId};

/// How long a reading of the host's list may take (milliseconds).
const LIST_MS: u64 = 2_000;
/// Readings of the list in a row that a stream event made stale.
const IN_A_ROW: u8 = 3;
/// How long after a failure the list is read again (milliseconds); the last one for all that follow.
const RETRIES_MS: [u64; 4] = [500, 1_500, 5_000, 10_000];

/// All readings of a call.
#[derive(Debug, Clone, Default)]
pub(super) struct Reads {
    last: u32,
    running: Vec<Read>,
    /// How often in a row it could not be known what is open, and when that is tried again.
    failed: usize,
    retry_at: Option<u64>,
}

/// One reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) id: ReadId,
    pub(super) purpose: Purpose,
    deadline: u64,
    in_a_row: u8,
    /// Something happened since it began, so it may not say what is open.
    stale: bool,
}

/// What a reading is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To know what is open.
    Sync,
    /// To confirm the answer of an operation.
    Confirm(OperationId),
}

impl Reads {
    /// Begins a reading, unless one for the same purpose is running: that one is then read once
    /// more when it has come to its end, however often it is asked for.
    pub(super) fn begin(&mut self, purpose: Purpose, now: u64) -> Option<ReadId> {
        if let Some(running) = self.running.iter_mut().find(|one| one.purpose == purpose) {
            running.stale = true;
            return None;
        }
        Some(self.start(purpose, 1, now))
    }

    /// Begins a reading anew that was stale; `None` where that was done often enough.
    pub(super) fn again(&mut self, read: Read, now: u64) -> Option<ReadId> {
        (read.in_a_row < IN_A_ROW).then(|| self.start(read.purpose, read.in_a_row + 1, now))
    }

    fn start(&mut self, purpose: Purpose, in_a_row: u8, now: u64) -> ReadId {
        if purpose == Purpose::Sync {
            self.retry_at = None;
        }
        self.last += 1;
        let id = ReadId(self.last);
        let deadline = now.saturating_add(LIST_MS);
        self.running.push(Read { id, purpose, deadline, in_a_row, stale: false });
        id
    }

    /// Something happened that the running ones may not know of.
    pub(super) fn outdate(&mut self) {
        for read in &mut self.running {
            read.stale = true;
        }
    }

    /// Ends a reading; `None` where it is not wanted any more.
    pub(super) fn end(&mut self, id: ReadId) -> Option<Read> {
        let index = self.running.iter().position(|read| read.id == id)?;
        Some(self.running.remove(index))
    }

    /// Drops the readings for a purpose, and says which.
    pub(super) fn drop_for(&mut self, purpose: Purpose) -> Vec<ReadId> {
        self.take(|read| read.purpose == purpose).into_iter().map(|read| read.id).collect()
    }

    /// Drops everything, the next attempt as well.
    pub(super) fn drop_all(&mut self) -> Vec<ReadId> {
        (self.failed, self.retry_at) = (0, None);
        self.take(|_| true).into_iter().map(|read| read.id).collect()
    }

    /// Drops those that have taken too long.
    pub(super) fn take_late(&mut self, now: u64) -> Vec<Read> {
        self.take(|read| read.deadline <= now)
    }

    fn take(&mut self, which: impl Fn(&Read) -> bool) -> Vec<Read> {
        self.running.extract_if(.., |read| which(read)).collect()
    }

    /// It is known what is open.
    pub(super) fn succeeded(&mut self) {
        (self.failed, self.retry_at) = (0, None);
    }

    /// It could not be known what is open.
    pub(super) fn failed(&mut self, now: u64) {
        let [.., last] = RETRIES_MS;
        let after = RETRIES_MS.get(self.failed).copied().unwrap_or(last);
        self.failed = self.failed.saturating_add(1);
        self.retry_at = Some(now.saturating_add(after));
    }

    /// Whether the next attempt is due.
    pub(super) fn retry_is_due(&self, now: u64) -> bool {
        self.retry_at.is_some_and(|at| at <= now)
    }

    /// When something must be done about any of them.
    pub(super) fn next_wake(&self) -> Option<u64> {
        self.running.iter().map(|read| read.deadline).chain(self.retry_at).min()
    }
}

impl Read {
    pub(super) fn is_stale(&self) -> bool {
        self.stale
    }
}
