//! One live call as a state machine without I/O: events and times in, effects out. The same events
//! at the same times give the same effects.
//!
//! The parts are `inputs` and `opening` (what the host waits for), `speaking` and `reading` (what is
//! read out), `operation` (what the provider asked), `answering` (whether it is an answer), `binding`
//! (which opening it belongs to), `check` (whether it may be one), `dispatch` (handing it over, at
//! most once) and `ending` (who is told).

mod answering;
mod binding;
mod check;
mod dispatch;
pub mod effect;
mod ending;
pub mod event;
mod handed;
mod inputs;
mod opening;
mod operation;
pub mod options;
mod reading;
mod reads;
mod say;
mod speaking;
mod told;
mod wire;

use effect::{Effect, Pending};
use event::{Event, OtherKind, Session};
use handed::Handed;
use opening::{Openings, Speech};
use operation::{End, Ledger, Stage};
use options::Options;
use reading::Reading;
use reads::{Purpose, Reads};
use told::Told;

/// How long the end of a call waits for what was handed over (milliseconds).
const CLOSE_MS: u64 = 1_000;
/// Other inputs that are remembered; more are counted as one.
const OTHERS: usize = 64;

/// One live call.
#[derive(Debug, Clone)]
pub struct Call {
    options: Options,
    session: Option<Session>,
    now: u64,
    openings: Openings,
    /// What is open and is no question.
    others: Vec<(OtherKind, String)>,
    ledger: Ledger,
    handed: Handed,
    reads: Reads,
    /// Events may have been lost: the same question may be a new opening.
    gap: bool,
    last_feedback: u32,
    /// What the provider has been told waits, so that it is told once.
    told: Told,
    pending: Option<Pending>,
    life: Life,
    effects: Vec<Effect>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Open,
    Closing { until: u64 },
    Closed,
}

impl Call {
    /// A call about no session yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            session: None,
            now: 0,
            openings: Openings::default(),
            others: Vec::new(),
            ledger: Ledger::default(),
            handed: Handed::default(),
            reads: Reads::default(),
            gap: false,
            last_feedback: 0,
            told: Told::default(),
            pending: None,
            life: Life::Open,
            effects: Vec::new(),
        }
    }

    /// The id of the call.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.options.call_id
    }

    /// Takes in what happened at `now` and returns what is to be done, in this order. A `now`
    /// before an earlier one counts as that earlier one.
    pub fn handle(&mut self, event: Event, now: u64) -> Vec<Effect> {
        self.now = self.now.max(now);
        if self.life != Life::Closed {
            self.take(event);
            self.expire();
            self.speak();
            self.show_pending();
            self.finish_closing();
        }
        std::mem::take(&mut self.effects)
    }

    /// When [`Event::Wake`] is due next, if nothing else happens.
    #[must_use]
    pub fn next_wake(&self) -> Option<u64> {
        let closing = match self.life {
            Life::Closed => return None,
            Life::Closing { until } => Some(until),
            Life::Open => None,
        };
        let operations = self.ledger.pending().filter_map(operation::Operation::next_wake);
        let readings = self.openings.open_ones().filter_map(|opening| match &opening.speech {
            Speech::Reading(reading) => reading.next_wake(),
            Speech::Not { .. } => None,
        });
        operations.chain(self.reads.next_wake()).chain(readings).chain(closing).min()
    }

    /// Every operation that is remembered, oldest first.
    pub fn operations(&self) -> impl Iterator<Item = effect::OperationView> {
        self.ledger.all().map(operation::Operation::view)
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::SetSession(session) => self.set_session(session),
            Event::Instruct(instruction) => self.instruct(instruction),
            Event::Heard(request_id, evidence) => self.heard(&request_id, evidence),
            Event::Delivered(id, outcome) => self.delivered(id, outcome),
            Event::VoiceReset => self.voice_reset(),
            Event::Host(event) => self.host(event),
            Event::Listed(read, inputs, wall) => self.listed(read, inputs, wall),
            Event::Classified(operation, intent) => self.classified(operation, intent),
            Event::Replied(operation, reply) => self.replied(operation, reply),
            Event::LookedUp(operation, settlement) => self.looked_up(operation, &settlement),
            Event::Wake => {}
            Event::Close => self.close(),
        }
    }

    /// What has waited long enough.
    fn expire(&mut self) {
        let now = self.now;
        for read in self.reads.take_late(now) {
            self.effects.push(Effect::AbortList(read.id));
            self.read_failed(read.purpose);
        }
        if self.reads.retry_is_due(now) {
            self.read_list(Purpose::Sync);
        }
        let due = |one: &&operation::Operation| one.next_wake().is_some_and(|at| at <= now);
        let due: Vec<_> = self.ledger.pending().filter(due).map(|one| one.id).collect();
        for id in due {
            self.operation_due(id);
        }
    }

    fn close(&mut self) {
        if self.life != Life::Open {
            return;
        }
        self.life = Life::Closing { until: self.now.saturating_add(CLOSE_MS) };
        let waiting: Vec<_> = self
            .ledger
            .pending()
            .filter(|one| !matches!(one.stage, Stage::HandedOver { .. }))
            .map(|one| one.id)
            .collect();
        for id in waiting {
            self.end(id, End::Withdrawn);
        }
        self.change_readings(Reading::abort_all);
        let reads = self.reads.drop_all();
        self.abort_reads(reads);
    }

    fn finish_closing(&mut self) {
        let Life::Closing { until } = self.life else { return };
        if until <= self.now {
            let left: Vec<_> = self.ledger.pending().map(|one| one.id).collect();
            for id in left {
                self.effects.push(Effect::AbortResolve(id));
                self.end(id, End::Unknown);
            }
        }
        if self.ledger.pending().next().is_none() {
            self.life = Life::Closed;
            self.effects.push(Effect::Closed);
        }
    }
}
