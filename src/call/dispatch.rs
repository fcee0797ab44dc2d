//! Handing a checked choice over: once, and then only looking. It is never handed over again.

use super::effect::{Effect, FeedbackKind, Resolution};
use super::event::{Answerer, OperationId, Rejection, Reply, Resolved, Settlement};
use super::opening::{Hold, OpeningId};
use super::operation::{Dispatch, End, LookUp, Operation, Said, Stage, Text};
use super::{Call, say};
use crate::provenance::{Basis, Facts, ResolvedBy};
use crate::refusal::{Reason, Refusal};

/// How long the host may take to say anything (milliseconds).
pub(super) const HAND_OVER_MS: u64 = 2_000;
/// When an unknown answer is looked up, after the dispatch (milliseconds).
const LOOK_UPS_MS: [u64; 4] = [500, 1_500, 5_000, 10_000];
/// How long one look-up may take (milliseconds).
const LOOK_UP_MS: u64 = 2_000;

impl Call {
    /// The list was read for this operation: with exactly its question on it, the answer goes out.
    pub(super) fn confirmed(&mut self, id: OperationId, read: bool, wall: u64) {
        let Some(operation) = self.ledger.get(id) else { return };
        let Stage::Confirming { said, choice } = &operation.stage else { return };
        let (said, choice) = (said.clone(), choice.clone());
        if !read {
            return self.refuse(id, Refusal::new(Reason::HostUnavailable));
        }
        // Still open: where it closes, and where a newer answer comes, this operation ends.
        let opening = operation.opening.and_then(|opening| self.openings.get(opening));
        let Some(opening) = opening else {
            return self.refuse(id, Refusal::new(Reason::QuestionClosed));
        };
        if self.openings.open_ones().count() > 1 {
            return self.refuse(id, Refusal::new(Reason::SeveralOpenQuestions));
        }
        if opening.asked.expires_at.is_some_and(|at| at <= wall) {
            return self.refuse(id, Refusal::new(Reason::QuestionClosed));
        }
        let opening_id = opening.id;
        let Some(resolution) = self.resolution(id, opening_id, &said, choice, wall) else {
            return self.refuse(id, Refusal::new(Reason::HostUnavailable));
        };
        if let Some(opening) = self.openings.get_mut(opening_id) {
            opening.hold = Hold::HandedOver(id);
            let over = |id| self.ledger.get(id).is_none_or(Operation::is_final);
            let choice = resolution.option_indexes.clone();
            self.handed.add(&resolution.session_id, opening.question(), id, choice, over);
        }
        let dispatch = Dispatch::Calling { at: self.now };
        self.set_stage(
            id,
            Stage::HandedOver { resolution: Box::new(resolution.clone()), dispatch },
        );
        self.effects.push(Effect::Resolve(id, resolution));
    }

    fn resolution(
        &self,
        id: OperationId,
        opening: OpeningId,
        said: &Said,
        choice: Vec<Vec<usize>>,
        wall: u64,
    ) -> Option<Resolution> {
        let operation = self.ledger.get(id)?;
        let instruction = &operation.instruction;
        let question = self.openings.get(opening)?.question();
        let accepted = question.accept(choice);
        let same = |text: &str| said.is_read_in(question, text);
        let basis = match said.seen.text {
            Text::Utterance if same(&instruction.text) => Basis::Both,
            Text::Utterance => Basis::Utterance,
            Text::Instruction if operation.words().is_some_and(same) => Basis::Both,
            Text::Instruction => Basis::Instruction,
        };
        let facts = Facts {
            call_id: self.options.call_id.clone(),
            operation_id: self.operation_id(id),
            request_id: instruction.request_id.clone(),
            provider: self.options.provider.clone(),
            speaker: instruction.evidence.speaker.clone(),
            read_out: self.options.read_out,
            basis,
            at: wall,
        };
        Some(Resolution {
            input_id: accepted.input_id().to_owned(),
            session_id: self.session.as_ref()?.id.clone(),
            expect_digest: accepted.digest().to_owned(),
            answers: accepted.answers().to_vec(),
            option_indexes: accepted.option_indexes().to_vec(),
            resolved_by: ResolvedBy::voice(&accepted, facts),
        })
    }

    /// The id by which a host and the app know an operation.
    #[must_use]
    pub fn operation_id(&self, id: OperationId) -> String {
        format!("{}:{}", self.options.call_id, id.0)
    }

    pub(super) fn replied(&mut self, id: OperationId, reply: Reply) {
        let Some(dispatch) = self.dispatch_of(id) else { return };
        match (reply, dispatch) {
            // Also of a host that proves others: this answer it will never confirm.
            (Reply::Submitted, _) => self.settle(id, End::Submitted),
            (Reply::Resolved, _) => self.accept(id),
            (Reply::Rejected(why), _) => self.settle(id, End::Refused(rejection(why))),
            (Reply::NotSent, Dispatch::Calling { .. }) => {
                self.settle(id, End::Refused(Refusal::new(Reason::HostUnavailable)));
            }
            // Said after it was given up: it may have arrived all the same.
            (Reply::NotSent | Reply::Unknown, _) => self.becomes_unknown(id),
        }
    }

    /// The host has said nothing in time.
    pub(super) fn overdue(&mut self, id: OperationId) {
        self.effects.push(Effect::AbortResolve(id));
        self.becomes_unknown(id);
    }

    fn becomes_unknown(&mut self, id: OperationId) {
        let now = self.now;
        if let Some(Dispatch::Calling { at }) = self.dispatch_of(id) {
            let due = at.saturating_add(LOOK_UPS_MS[0]).max(now);
            self.set_dispatch(
                id,
                Dispatch::Unknown { at, next: LookUp { begun: 0, due, running: false } },
            );
            self.look_up_due(id);
        }
    }

    /// A look-up is due, or the running one has taken too long.
    pub(super) fn look_up_due(&mut self, id: OperationId) {
        let Some(Dispatch::Unknown { at, next }) = self.dispatch_of(id) else { return };
        if next.running {
            return self.look_up_ended(id, at, next);
        }
        if self.now < next.due {
            return;
        }
        let Some(input_id) = self.ledger.get(id).and_then(|one| one.input_id.clone()) else {
            return;
        };
        let next = LookUp {
            begun: next.begun + 1,
            due: self.now.saturating_add(LOOK_UP_MS),
            running: true,
        };
        self.set_dispatch(id, Dispatch::Unknown { at, next });
        self.effects.push(Effect::LookUp(id, input_id));
    }

    pub(super) fn looked_up(&mut self, id: OperationId, settlement: &Settlement) {
        let Some(Dispatch::Unknown { at, next }) = self.dispatch_of(id) else { return };
        if !next.running {
            return;
        }
        // A look-up names an input, and the host may have asked another question under that id
        // since. So it can only prove that our answer arrived, never that it did not.
        if let Settlement::Resolved(resolved) = settlement
            && self.proves(id, resolved) == Some(true)
            && (resolved.by.is_some() || !self.asked_again(id))
        {
            self.took(id, resolved);
        } else {
            self.look_up_ended(id, at, next);
        }
    }

    /// Whether the input of an operation has been opened again since.
    fn asked_again(&self, id: OperationId) -> bool {
        let opening = self.ledger.get(id).and_then(|one| one.opening);
        let Some(opening) = opening.and_then(|opening| self.openings.get(opening)) else {
            return true;
        };
        let input_id = opening.question().input_id();
        self.openings
            .all()
            .any(|other| other.id > opening.id && other.question().input_id() == input_id)
    }

    /// One look-up found nothing: the next one is due later, or there is none.
    fn look_up_ended(&mut self, id: OperationId, at: u64, last: LookUp) {
        match LOOK_UPS_MS.get(last.begun) {
            Some(after) => {
                let due = at.saturating_add(*after).max(self.now);
                let next = LookUp { due, running: false, ..last };
                self.set_dispatch(id, Dispatch::Unknown { at, next });
                self.look_up_due(id);
            }
            None => self.settle(id, End::Unknown),
        }
    }

    /// The host's stream says how an input was answered. Like a look-up it can only prove that an
    /// answer of ours arrived: it may speak of an earlier asking under the same id, late.
    pub(super) fn settle_by_stream(&mut self, opening: Option<OpeningId>, resolved: &Resolved) {
        let held = opening.and_then(|opening| match self.openings.get(opening)?.hold {
            Hold::HandedOver(id) => Some(id),
            _ => None,
        });
        // Where its question was met again, it may be another asking.
        let held = held.filter(|id| self.ledger.get(*id).is_some_and(|one| one.opening == opening));
        let named = match &resolved.by {
            Some(Answerer::Voice(name)) => {
                self.ledger.pending().map(|one| one.id).find(|id| self.operation_id(*id) == *name)
            }
            // Without our id it may speak of an earlier asking with the same choice. As long as the
            // host's own reply is awaited, that tells.
            _ => held.filter(|id| matches!(self.dispatch_of(*id), Some(Dispatch::Unknown { .. }))),
        };
        if let Some(id) = named.filter(|id| self.proves(*id, resolved) == Some(true)) {
            self.took(id, resolved);
        }
    }

    /// The host says that it was our answer; whether that is proof, it says as well.
    fn took(&mut self, id: OperationId, resolved: &Resolved) {
        if resolved.unproved { self.settle(id, End::Submitted) } else { self.accept(id) }
    }

    /// Whether it was our answer that arrived: by our operation's id, or, where the host keeps
    /// none, because exactly our choice did. `None` where it cannot be told.
    fn proves(&self, id: OperationId, resolved: &Resolved) -> Option<bool> {
        let Stage::HandedOver { resolution, .. } = &self.ledger.get(id)?.stage else { return None };
        self.is_of(id, &resolution.option_indexes, resolved)
    }

    /// Whether an input was closed with this operation's choice.
    pub(super) fn is_of(
        &self,
        id: OperationId,
        choice: &[Vec<usize>],
        resolved: &Resolved,
    ) -> Option<bool> {
        match (&resolved.by, &resolved.option_indexes) {
            (Some(Answerer::Voice(operation)), _) => Some(*operation == self.operation_id(id)),
            (Some(Answerer::Other), _) => Some(false),
            (None, Some(indexes)) => Some(indexes == choice),
            (None, None) => None,
        }
    }

    /// The host took it, or, where it never proves anything, says so.
    fn accept(&mut self, id: OperationId) {
        if !self.options.host_proves {
            return self.settle(id, End::Submitted);
        }
        let operation = self.ledger.get(id);
        let Some((choice, opening)) = operation.and_then(|one| match &one.stage {
            Stage::HandedOver { resolution, .. } => {
                Some((resolution.option_indexes.clone(), one.opening?))
            }
            _ => None,
        }) else {
            return;
        };
        let text = self.openings.get(opening).map(|opening| {
            say::accepted(opening.question().questions(), &choice, self.options.budget)
        });
        self.settle(id, End::Accepted);
        if let Some(text) = text.filter(|_| self.life == super::Life::Open) {
            self.say(FeedbackKind::Status, text);
        }
    }

    /// The end of something that was handed over. Whatever it is, its opening takes no second
    /// answer unless the host has said that it did not take this one.
    fn settle(&mut self, id: OperationId, end: End) {
        let Some(operation) = self.ledger.get(id) else { return };
        if operation.is_final() {
            return;
        }
        let hold = match end {
            End::Refused(_) => Hold::Free,
            End::Accepted => Hold::Answered,
            _ => Hold::InDoubt,
        };
        if hold == Hold::Free {
            self.handed.not_taken(id);
        }
        // The opening it was handed over for, or the one in which its question was met again.
        for opening in self.openings.open_ones_mut() {
            if opening.hold == Hold::HandedOver(id) {
                opening.hold = hold;
            }
        }
        if self.options.journal
            && matches!(end, End::Accepted | End::Submitted)
            && let Some(Stage::HandedOver { resolution, .. }) =
                self.ledger.get(id).map(|one| &one.stage)
        {
            self.effects.push(Effect::Journal((**resolution).clone()));
        }
        match end {
            End::Refused(refusal) => self.refuse(id, refusal),
            end => self.end(id, end),
        }
    }

    fn dispatch_of(&self, id: OperationId) -> Option<Dispatch> {
        match &self.ledger.get(id)?.stage {
            Stage::HandedOver { dispatch, .. } => Some(*dispatch),
            _ => None,
        }
    }

    fn set_dispatch(&mut self, id: OperationId, new: Dispatch) {
        if let Some(operation) = self.ledger.get_mut(id)
            && let Stage::HandedOver { dispatch, .. } = &mut operation.stage
        {
            *dispatch = new;
        }
    }
}

fn rejection(why: Rejection) -> Refusal {
    Refusal::new(match why {
        Rejection::NotFound => Reason::QuestionClosed,
        Rejection::QuestionChanged => Reason::QuestionChanged,
        Rejection::AlreadyResolved => Reason::AnsweredElsewhere,
        Rejection::Invalid => Reason::HostRejected,
    })
}
