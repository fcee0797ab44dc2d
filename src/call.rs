//! One live call as a state machine without I/O: events and times in, effects out. The same events
//! at the same times give the same effects.
//!
//! The parts are `opening` (what the host waits for), `reading` (reading one opening out),
//! `operation` (what the provider asked), `answering` (which opening an answer belongs to, and
//! whether it is one) and `dispatch` (handing it over, at most once).

mod answering;
mod dispatch;
pub mod effect;
pub mod event;
mod opening;
mod operation;
pub mod options;
mod reading;
mod say;
mod wire;

use effect::{Effect, Feedback, FeedbackKind, Pending, PendingKind};
use event::{
    AskedQuestion, Event, FeedbackId, HostEvent, OpenInput, OperationId, OtherKind, Outcome,
    ReadId, Resolved, Session,
};
use opening::{Closing, OpeningId, Openings, Speech};
use operation::{End, Ledger, Stage};
use options::Options;
use reading::{Reading, Step};

use crate::question::SpokenQuestion;
use crate::refusal::{Reason, Refusal};

/// How long a reading of the host's list may take (milliseconds).
const LIST_MS: u64 = 2_000;
/// How long the end of a call waits for what was handed over (milliseconds).
const CLOSE_MS: u64 = 1_000;
/// Readings of the list in a row that a stream event made stale.
const READS: u8 = 3;
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
    reads: Reads,
    last_feedback: u32,
    /// What the provider has been told waits, so that it is told once.
    told: Told,
    pending: Option<Pending>,
    life: Life,
    effects: Vec<Effect>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Told {
    several: bool,
    something: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Open,
    Closing { until: u64 },
    Closed,
}

/// Readings of the host's list that are under way.
#[derive(Debug, Clone, Default)]
struct Reads {
    last: u32,
    /// Which, for what, how often in a row, until when.
    running: Vec<Read>,
    /// After a gap the same question may be a new opening.
    gap: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Read {
    id: ReadId,
    purpose: Purpose,
    deadline: u64,
    in_a_row: u8,
    /// A stream event came since it began.
    stale: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To know what is open.
    Sync,
    /// To confirm the answer of an operation.
    Confirm(OperationId),
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
            reads: Reads::default(),
            last_feedback: 0,
            told: Told::default(),
            pending: None,
            life: Life::Open,
            effects: Vec::new(),
        }
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
        let reads = self.reads.running.iter().map(|read| read.deadline);
        let readings = self.openings.open_ones().filter_map(|opening| match &opening.speech {
            Speech::Reading(reading) => reading.next_wake(),
            Speech::Not { .. } => None,
        });
        operations.chain(reads).chain(readings).chain(closing).min()
    }

    /// Every operation that is remembered, oldest first.
    pub fn operations(&self) -> impl Iterator<Item = effect::OperationView> {
        self.ledger.all().map(operation::Operation::view)
    }

    /// What waits, for a bar or panel.
    #[must_use]
    pub fn pending(&self) -> Option<&Pending> {
        self.pending.as_ref()
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

    // ---- what is open ----

    fn set_session(&mut self, session: Session) {
        if self.session.as_ref() == Some(&session) || self.life != Life::Open {
            return;
        }
        self.forget_inputs();
        if session.local {
            self.effects.push(Effect::Watch(session.id.clone()));
        }
        let local = session.local;
        self.session = Some(session);
        if local {
            self.read_list(Purpose::Sync, 1);
        }
    }

    /// Another session: what was open is none of this call's business any more.
    fn forget_inputs(&mut self) {
        let ids: Vec<_> = self.openings.open_ones().map(|opening| opening.id).collect();
        for id in ids {
            self.close_opening(id, Closing::Gone);
        }
        self.others.clear();
        self.reads.running.retain(|read| read.purpose != Purpose::Sync);
    }

    fn host(&mut self, event: HostEvent) {
        for read in &mut self.reads.running {
            read.stale = true;
        }
        match event {
            HostEvent::Requested(OpenInput::Question(asked)) => self.requested(asked),
            HostEvent::Requested(OpenInput::Other(kind, id)) => self.other_requested(kind, id),
            HostEvent::Resolved(id, resolved) => self.resolved(&id, &resolved),
            HostEvent::Canceled(id) => self.gone(&id),
            HostEvent::Gap => {
                self.reads.gap = true;
                self.read_list(Purpose::Sync, 1);
            }
        }
    }

    fn requested(&mut self, asked: AskedQuestion) {
        if let Some(open) = self.openings.of_input(asked.question.input_id()) {
            // Repeated: the very question that is open.
            if open.question() == &asked.question {
                return;
            }
            self.close_opening(open.id, Closing::Replaced);
        }
        let speech = self.speech(&asked);
        self.openings.open(asked, speech, self.now);
    }

    /// How a question is read out, or why it is not.
    fn speech(&self, asked: &AskedQuestion) -> Speech {
        if asked.private || !self.options.may_share_questions {
            return Speech::Not { why: Refusal::new(Reason::NotShared), pointer: None };
        }
        match pages(&asked.question, self.options.budget) {
            Ok(pages) => Speech::Reading(Reading::new(pages)),
            Err((why, pointer)) => {
                Speech::Not { why, pointer: Some(pointer).filter(|text| !text.is_empty()) }
            }
        }
    }

    fn other_requested(&mut self, kind: OtherKind, id: String) {
        let known = self.others.iter().any(|(_, other)| *other == id);
        if !known && self.others.len() < OTHERS {
            self.others.push((kind, id));
        }
    }

    fn resolved(&mut self, input_id: &str, resolved: &Resolved) {
        self.others.retain(|(_, other)| other != input_id);
        let id = self.openings.of_input(input_id).map(|opening| opening.id);
        self.settle_by_stream(id, resolved);
        if let Some(id) = id {
            self.close_opening(id, Closing::Resolved);
        }
    }

    fn gone(&mut self, input_id: &str) {
        self.others.retain(|(_, other)| other != input_id);
        if let Some(id) = self.openings.of_input(input_id).map(|opening| opening.id) {
            self.close_opening(id, Closing::Gone);
        }
    }

    fn close_opening(&mut self, id: OpeningId, how: Closing) {
        let mut abort = Vec::new();
        self.openings.close(id, how, self.now, &mut abort);
        self.abort(abort);
        self.opening_closed(id, how);
    }

    // ---- the host's list ----

    fn read_list(&mut self, purpose: Purpose, in_a_row: u8) {
        if self.session.as_ref().is_none_or(|session| !session.local) {
            return;
        }
        // One reading serves whoever wants to know what is open.
        self.reads.running.retain(|read| read.purpose != purpose);
        self.reads.last += 1;
        let id = ReadId(self.reads.last);
        let deadline = self.now.saturating_add(LIST_MS);
        self.reads.running.push(Read { id, purpose, deadline, in_a_row, stale: false });
        self.effects.push(Effect::List(id));
    }

    fn listed(&mut self, id: ReadId, inputs: Option<Vec<OpenInput>>, wall: u64) {
        let Some(index) = self.reads.running.iter().position(|read| read.id == id) else { return };
        let read = self.reads.running.remove(index);
        if read.stale && read.in_a_row < READS {
            self.read_list(read.purpose, read.in_a_row + 1);
            return;
        }
        let inputs = inputs.filter(|_| !read.stale);
        if let Some(inputs) = &inputs {
            self.apply_list(inputs);
        }
        if let Purpose::Confirm(operation) = read.purpose {
            self.confirmed(operation, inputs.is_some(), wall);
        }
    }

    /// What is on the list is open, what is not is gone.
    fn apply_list(&mut self, inputs: &[OpenInput]) {
        let gap = std::mem::take(&mut self.reads.gap);
        let listed = |id: &str| {
            inputs.iter().any(|input| match input {
                OpenInput::Question(asked) => asked.question.input_id() == id,
                OpenInput::Other(..) => false,
            })
        };
        // After a gap an input of the same id may have been answered and asked again since: it is
        // read out anew. Unless an answer to it may have arrived: then it could as well be the same.
        let gone: Vec<_> = self
            .openings
            .open_ones()
            .filter(|opening| {
                gap && !opening.may_be_answered() || !listed(opening.question().input_id())
            })
            .map(|opening| opening.id)
            .collect();
        for id in gone {
            self.close_opening(id, Closing::Gone);
        }
        self.others.clear();
        for input in inputs {
            match input.clone() {
                OpenInput::Question(asked) => self.requested(asked),
                OpenInput::Other(kind, id) => self.other_requested(kind, id),
            }
        }
    }

    // ---- reading out ----

    fn delivered(&mut self, id: FeedbackId, outcome: Outcome) {
        for opening in self.openings.open_ones_mut() {
            if let Speech::Reading(reading) = &mut opening.speech
                && reading.outcome(id, outcome)
            {
                return;
            }
        }
    }

    fn voice_reset(&mut self) {
        self.told = Told::default();
        self.restart_readings();
        self.read_list(Purpose::Sync, 1);
    }

    fn restart_readings(&mut self) {
        let mut abort = Vec::new();
        for opening in self.openings.open_ones_mut() {
            if let Speech::Reading(reading) = &mut opening.speech {
                reading.restart(&mut abort);
            }
        }
        self.abort(abort);
    }

    /// Reads out what is to be read out, after everything that happened is known.
    fn speak(&mut self) {
        if self.life != Life::Open {
            return;
        }
        let open: Vec<_> = self.openings.open_ones().map(|opening| opening.id).collect();
        if open.len() > 1 {
            // None is read out, and none counts as read out when it is the only one again.
            self.restart_readings();
            if !self.told.several {
                self.told.several = true;
                self.say(FeedbackKind::Status, say::SEVERAL.to_owned());
            }
        } else {
            self.told.several = false;
            if let [id] = open[..] {
                self.read_out(id);
            }
        }
        let hidden = self.openings.open_ones().any(|opening| {
            matches!(&opening.speech, Speech::Not { why, .. } if why.reason == Reason::NotShared)
        });
        let something = hidden || !self.others.is_empty();
        if something && !self.told.something {
            self.say(FeedbackKind::Status, say::SOMETHING_WAITS.to_owned());
        }
        self.told.something = something;
    }

    fn read_out(&mut self, id: OpeningId) {
        let (now, read_out) = (self.now, self.options.read_out);
        let Some(opening) = self.openings.get_mut(id) else { return };
        let mut abort = Vec::new();
        if opening.refuses().is_some() {
            // No answer by voice is wanted any more, so nothing of it is read out.
            if let Speech::Reading(reading) = &mut opening.speech {
                reading.abort_all(&mut abort);
            }
            return self.abort(abort);
        }
        let mut text = None;
        match &mut opening.speech {
            Speech::Not { pointer, .. } => {
                text = pointer.take().map(|text| (FeedbackKind::Status, text, None));
            }
            Speech::Reading(reading) => match reading.step(read_out, now, &mut abort) {
                Step::Wait => {}
                Step::Deliver(page) => {
                    let page_text = reading.page(page).to_owned();
                    text = Some((FeedbackKind::InteractionRequired, page_text, Some(page)));
                }
                Step::GiveUp => {
                    text = Some((FeedbackKind::Status, say::NOT_READ_OUT.to_owned(), None));
                }
            },
        }
        self.abort(abort);
        let Some((kind, text, page)) = text else { return };
        let feedback = self.say(kind, text);
        if let Some(page) = page
            && let Some(opening) = self.openings.get_mut(id)
            && let Speech::Reading(reading) = &mut opening.speech
        {
            reading.delivered(feedback, page, now);
        }
    }

    fn say(&mut self, kind: FeedbackKind, text: String) -> FeedbackId {
        self.last_feedback += 1;
        let id = FeedbackId(self.last_feedback);
        if text.len() <= self.options.budget {
            self.effects.push(Effect::Deliver(Feedback { id, kind, text }));
        }
        id
    }

    fn abort(&mut self, deliveries: Vec<FeedbackId>) {
        self.effects.extend(deliveries.into_iter().map(Effect::AbortDelivery));
    }

    // ---- time, the end, the panel ----

    /// What has waited long enough.
    fn expire(&mut self) {
        let now = self.now;
        let late: Vec<_> =
            self.reads.running.iter().filter(|read| read.deadline <= now).copied().collect();
        for read in late {
            self.reads.running.retain(|other| other.id != read.id);
            if let Purpose::Confirm(operation) = read.purpose {
                self.confirmed(operation, false, 0);
            }
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
        let mut abort = Vec::new();
        for opening in self.openings.open_ones_mut() {
            if let Speech::Reading(reading) = &mut opening.speech {
                reading.abort_all(&mut abort);
            }
        }
        self.abort(abort);
        self.reads.running.clear();
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

    fn show_pending(&mut self) {
        let questions = self.openings.open_ones().count();
        let first_question = self.openings.open_ones().next().map(|opening| {
            let shown = opening.question().questions().first().filter(|_| !opening.asked.private);
            let text = shown.map_or("A question is waiting.", |question| question.question());
            (PendingKind::Question, text.to_owned())
        });
        let first = first_question.or_else(|| {
            let (kind, _) = self.others.iter().min_by_key(|(kind, _)| *kind)?;
            let text = match kind {
                OtherKind::Permission => "A permission is waiting.",
                OtherKind::Plan => "A plan is waiting.",
                OtherKind::Goal => "A goal is waiting.",
                OtherKind::Other => "Something is waiting.",
            };
            Some((PendingKind::Other(*kind), text.to_owned()))
        });
        let more = (questions + self.others.len()).saturating_sub(1);
        let pending = first.map(|(kind, text)| Pending { kind, text, more });
        if pending != self.pending {
            self.effects.push(Effect::Pending(pending.clone()));
            self.pending = pending;
        }
    }
}

/// All pages of a question, or why it is not read out and what is said instead.
fn pages(question: &SpokenQuestion, budget: usize) -> Result<Vec<String>, (Refusal, String)> {
    let mut pages = Vec::new();
    let mut next = Some(0);
    while let Some(from) = next {
        let page = question.feedback(budget, from);
        if let Some(reason) = page.reason {
            return Err((Refusal::new(reason), page.text));
        }
        pages.push(page.text);
        next = page.next;
    }
    Ok(pages)
}
