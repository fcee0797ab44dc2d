//! What the host waits for, as its stream and its list tell it.

use super::effect::Effect;
use super::event::{AskedQuestion, HostEvent, OpenInput, OtherKind, ReadId, Resolved, Session};
use super::handed::Entry;
use super::opening::{Closing, Hold, OpeningId, Speech};
use super::operation::{End, Stage};
use super::reading::Reading;
use super::reads::Purpose;
use super::{Call, Life, OTHERS};
use crate::question::SpokenQuestion;
use crate::refusal::{Reason, Refusal};

impl Call {
    pub(super) fn set_session(&mut self, session: Session) {
        if self.session.as_ref() == Some(&session) || self.life != Life::Open {
            return;
        }
        self.forget_inputs();
        self.effects.push(Effect::Watch(session.local.then(|| session.id.clone())));
        self.session = Some(session);
        self.read_list(Purpose::Sync);
    }

    /// The session, where its inputs are this call's business.
    fn local_session(&self) -> Option<&Session> {
        self.session.as_ref().filter(|session| session.local)
    }

    /// Another session: what was open is none of this call's business any more.
    fn forget_inputs(&mut self) {
        let ids: Vec<_> = self.openings.open_ones().map(|opening| opening.id).collect();
        for id in ids {
            self.close_opening(id, Closing::Gone);
        }
        self.others.clear();
        self.gap = false;
        let reads = self.reads.drop_all();
        self.abort_reads(reads);
    }

    pub(super) fn host(&mut self, event: HostEvent) {
        if self.local_session().is_none() {
            return;
        }
        self.reads.outdate();
        match event {
            HostEvent::Requested(input) => self.input(input),
            HostEvent::Resolved(id, resolved) => self.resolved(&id, &resolved),
            HostEvent::Canceled(id) => self.gone(&id),
            HostEvent::Gap => {
                self.gap = true;
                self.read_list(Purpose::Sync);
            }
        }
    }

    /// Something is open. What says that it belongs to another session is not this call's.
    fn input(&mut self, input: OpenInput) {
        if self.local_session().is_none_or(|session| input.is_foreign_to(session)) {
            return;
        }
        match input {
            OpenInput::Question(asked) => self.requested(asked),
            OpenInput::Other { kind, input_id, .. } => self.other_requested(kind, input_id),
        }
    }

    fn requested(&mut self, asked: AskedQuestion) {
        if let Some(open) = self.openings.of_input(asked.question.input_id()) {
            let id = open.id;
            if open.asked.is_same(&asked) {
                // Repeated: the very question that is open. Its time may have been changed.
                if let Some(open) = self.openings.get_mut(id) {
                    open.asked.expires_at = asked.expires_at;
                }
                return;
            }
            self.close_opening(id, Closing::Replaced);
        }
        let (speech, hold) = (self.speech(&asked), self.hold(&asked));
        self.openings.open(asked, speech, hold, self.now);
    }

    /// Whether an answer to the very question may have reached the host before this opening.
    fn hold(&self, asked: &AskedQuestion) -> Hold {
        let session = self.session.as_ref();
        let handed = session.and_then(|session| self.handed.find(&session.id, &asked.question));
        let Some(id) = handed else { return Hold::Free };
        match self.ledger.get(id).map(|one| &one.stage) {
            Some(Stage::HandedOver { .. }) => Hold::HandedOver(id),
            Some(Stage::Final(End::Accepted)) => Hold::Answered,
            _ => Hold::InDoubt,
        }
    }

    /// How a question is read out, or why it is not.
    fn speech(&self, asked: &AskedQuestion) -> Speech {
        if asked.private || !self.options.may_share_questions {
            return Speech::Not(Refusal::new(Reason::NotShared));
        }
        match pages(&asked.question, self.options.budget) {
            Ok(pages) => Speech::Reading(Reading::new(pages)),
            Err(why) => Speech::Not(why),
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
        self.closed_by_host(input_id, Closing::Resolved, Some(resolved));
    }

    fn gone(&mut self, input_id: &str) {
        self.others.retain(|(_, other)| other != input_id);
        self.closed_by_host(input_id, Closing::Gone, None);
    }

    /// Where the list is ahead of the stream, the stream may speak of an earlier asking under the
    /// same id. So an answer that is on its way is decided by its own end; and one that arrived is
    /// not what an input was closed with that was canceled, or answered otherwise.
    fn closed_by_host(&mut self, input_id: &str, how: Closing, resolved: Option<&Resolved>) {
        let mut handed = std::mem::take(&mut self.handed);
        if let Some(session) = &self.session {
            handed.closed(&session.id, input_id, |entry| self.is_of_another(entry, resolved));
        }
        self.handed = handed;
        if let Some(id) = self.openings.of_input(input_id).map(|opening| opening.id) {
            self.close_opening(id, how);
        }
    }

    fn is_of_another(&self, entry: &Entry, resolved: Option<&Resolved>) -> bool {
        match self.ledger.get(entry.operation).map(|one| &one.stage) {
            Some(Stage::HandedOver { .. }) => true,
            Some(Stage::Final(End::Accepted | End::Submitted)) => resolved
                .is_none_or(|by| self.is_of(entry.operation, &entry.choice, by) == Some(false)),
            _ => false,
        }
    }

    fn close_opening(&mut self, id: OpeningId, how: Closing) {
        let mut abort = Vec::new();
        self.openings.close(id, how, self.now, &mut abort);
        self.abort(abort);
        self.opening_closed(id, how);
    }

    pub(super) fn read_list(&mut self, purpose: Purpose) {
        if self.local_session().is_some()
            && let Some(id) = self.reads.begin(purpose, self.now)
        {
            self.effects.push(Effect::List(id));
        }
    }

    pub(super) fn abort_reads(&mut self, reads: Vec<ReadId>) {
        self.effects.extend(reads.into_iter().map(Effect::AbortList));
    }

    pub(super) fn listed(&mut self, id: ReadId, inputs: Option<Vec<OpenInput>>, wall: u64) {
        let Some(read) = self.reads.end(id) else { return };
        if read.is_stale() {
            match self.reads.again(read, self.now) {
                Some(again) => self.effects.push(Effect::List(again)),
                None => self.read_failed(read.purpose),
            }
            return;
        }
        let Some(inputs) = inputs else { return self.read_failed(read.purpose) };
        self.reads.succeeded();
        self.apply_list(inputs);
        if let Purpose::Confirm(operation) = read.purpose {
            self.confirmed(operation, true, wall);
        }
    }

    /// The list could not be read, or not in time.
    pub(super) fn read_failed(&mut self, purpose: Purpose) {
        match purpose {
            Purpose::Sync => self.reads.failed(self.now),
            Purpose::Confirm(operation) => self.confirmed(operation, false, 0),
        }
    }

    /// What is on the list is open, what is not is gone.
    fn apply_list(&mut self, mut inputs: Vec<OpenInput>) {
        if let Some(session) = self.local_session() {
            inputs.retain(|input| !input.is_foreign_to(session));
        }
        let gap = std::mem::take(&mut self.gap);
        let listed = |id: &str| {
            inputs.iter().any(|input| match input {
                OpenInput::Question(asked) => asked.question.input_id() == id,
                OpenInput::Other { .. } => false,
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
            self.input(input);
        }
    }
}

/// All pages of a question, or why it is not read out.
fn pages(question: &SpokenQuestion, budget: usize) -> Result<Vec<String>, Refusal> {
    let mut pages = Vec::new();
    let mut next = Some(0);
    while let Some(from) = next {
        let page = question.feedback(budget, from);
        if let Some(reason) = page.reason {
            return Err(Refusal::new(reason));
        }
        pages.push(page.text);
        next = page.next;
    }
    Ok(pages)
}
