//! How operations change and end, and who is told.

use super::effect::{Effect, FeedbackKind};
use super::event::OperationId;
use super::opening::Hold;
use super::operation::{End, Operation, Stage};
use super::reads::Purpose;
use super::{Call, Life, say};
use crate::refusal::{Reason, Refusal};

impl Call {
    pub(super) fn set_stage(&mut self, id: OperationId, stage: Stage) {
        let Some(operation) = self.ledger.get_mut(id) else { return };
        let before = operation.shown.take();
        operation.stage = stage;
        let view = operation.view();
        operation.shown = Some(view.clone());
        if before.as_ref() != Some(&view) {
            self.effects.push(Effect::View(view));
        }
    }

    /// A refused answer: counted against its opening, said once.
    pub(super) fn refuse(&mut self, id: OperationId, refusal: Refusal) {
        let opening = self.ledger.get(id).and_then(|one| one.opening);
        if let Some(opening) = opening.and_then(|opening| self.openings.get_mut(opening)) {
            // Who spoke before the question was read out has not tried to answer it.
            if refusal.reason != Reason::QuestionNotReadOut {
                opening.attempts = opening.attempts.saturating_add(1);
            }
            if opening.hold == Hold::Confirming(id) {
                opening.hold = Hold::Free;
            }
        }
        self.end(id, End::Refused(refusal));
    }

    /// The one way into a final state, and there is none out.
    pub(super) fn end(&mut self, id: OperationId, end: End) {
        if self.ledger.get(id).is_none_or(Operation::is_final) {
            return;
        }
        self.set_stage(id, Stage::Final(end));
        // Nobody waits for the list any more, if it was being read for this one.
        let reads = self.reads.drop_for(Purpose::Confirm(id));
        self.abort_reads(reads);
        if end == End::Forwarded {
            self.effects.push(Effect::Forward(id));
        }
        if self.life != Life::Open {
            return;
        }
        match end {
            End::Refused(refusal) => {
                self.say(FeedbackKind::Refusal, refusal.reason.message().to_owned());
            }
            End::Submitted => {
                self.say(FeedbackKind::Status, say::SUBMITTED.to_owned());
            }
            End::Unknown => {
                self.say(FeedbackKind::Status, say::UNKNOWN.to_owned());
            }
            // Accepted reads the choice back, where it is known; the others have been told.
            End::Accepted | End::Collected | End::Forwarded | End::Withdrawn => {}
        }
    }
}
