//! What the host waits for, as its stream and its list tell it.

use super::effect::Effect;
use super::event::{AskedQuestion, HostEvent, OpenInput, OtherKind, ReadId, Resolved, Session};
use super::opening::{Closing, OpeningId, Speech};
use super::reading::Reading;
use super::{Call, LIST_MS, Life, OTHERS, Purpose, READS, Read};
use crate::question::SpokenQuestion;
use crate::refusal::{Reason, Refusal};

impl Call {
    pub(super) fn set_session(&mut self, session: Session) {
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

    pub(super) fn host(&mut self, event: HostEvent) {
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
            let id = open.id;
            if open.question() == &asked.question {
                // Repeated: the very question that is open. Its time may have been changed.
                if let Some(open) = self.openings.get_mut(id) {
                    open.asked.expires_at = asked.expires_at;
                }
                return;
            }
            self.close_opening(id, Closing::Replaced);
        }
        let speech = self.speech(&asked);
        self.openings.open(asked, speech, self.now);
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

    pub(super) fn read_list(&mut self, purpose: Purpose, in_a_row: u8) {
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

    pub(super) fn listed(&mut self, id: ReadId, inputs: Option<Vec<OpenInput>>, wall: u64) {
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
