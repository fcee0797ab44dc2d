//! Until when somebody's words are acted on.

use std::cell::Cell;
use std::rc::Rc;

use super::binding::BINDING_MS;
use super::deadline::{Deadline, Moment};

/// Whether a connection to a voice provider is still there. All that came of it know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Connection(Rc<Cell<bool>>);

impl Connection {
    pub(super) fn new() -> Self {
        Self(Rc::new(Cell::new(true)))
    }

    pub(super) fn is_open(&self) -> bool {
        self.0.get()
    }

    pub(super) fn close(&self) {
        self.0.set(false);
    }
}

/// How long what somebody said is good for: from the binding over the plan to the prompt, and never
/// beyond the connection that they said it in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Expiry {
    since: Moment,
    until: Deadline,
    connection: Connection,
}

impl Expiry {
    pub(super) fn new(connection: &Connection, now: Moment) -> Self {
        let until = Deadline::new(BINDING_MS, now);
        Self { since: now, until, connection: connection.clone() }
    }

    /// Takes note of the time; whether it is too late.
    pub(super) fn is_over(&mut self, now: Moment) -> bool {
        self.until.passed(now) || !self.connection.is_open()
    }

    /// Whether `now` is a time of another clock: on the one that does not go back, it is before the
    /// beginning.
    pub(super) fn is_before(&self, now: Moment) -> bool {
        now.monotonic < self.since.monotonic
    }
}
