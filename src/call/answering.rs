//! From a request to a checked choice: whether it is an answer at all, and what becomes of it.

use super::binding::Binding;
use super::check::Check;
use super::effect::{Effect, FeedbackKind};
use super::event::{Evidence, Instruction, Intent, OperationId};
use super::opening::{Closing, Hold, Opening, OpeningId};
use super::operation::{Dispatch, End, Operation, Registered, Said, Seen, Stage, Text};
use super::reads::Purpose;
use super::{Call, Life, say};
use crate::choice::{self, Heard};
use crate::refusal::{Reason, Refusal};

/// How long a classifier, or evidence, is waited for (milliseconds).
pub(super) const CLASSIFY_MS: u64 = 8_000;

impl Call {
    pub(super) fn instruct(&mut self, instruction: Instruction) {
        let id = match self.ledger.register(instruction, self.now) {
            Registered::Again(id) => {
                let receipt = self.ledger.get(id).map_or("", |one| one.receipt);
                self.effects.push(Effect::Receipt(id, receipt));
                return;
            }
            Registered::Refused(id, reason) => {
                self.receipt(id, reason.message());
                self.end(id, End::Refused(Refusal::new(reason)));
                return;
            }
            Registered::New(id) => id,
        };
        if self.life != Life::Open {
            self.receipt(id, Reason::CallClosed.message());
            self.end(id, End::Withdrawn);
            return;
        }
        let binding = self.binding(id);
        let local = self.session.as_ref().is_some_and(|session| session.local);
        let nothing = matches!(binding, Binding::Nothing) && self.others.is_empty();
        let opening = binding.opening().and_then(|opening| self.openings.get(opening));
        // Of a private question nobody is asked: whether it was answered would say what it offers.
        let private = opening.is_some_and(|opening| opening.asked.private);
        if !local || nothing || private {
            self.receipt(id, say::FORWARDED);
            self.end(id, End::Forwarded);
            return;
        }
        let parts = opening.and_then(Opening::parts);
        let words = self.ledger.get(id).and_then(Operation::words);
        let text = match words {
            Some(_) if !self.options.app_classifies => Text::Utterance,
            // The app's classifier reads the instruction, and the words are held against it.
            _ => Text::Instruction,
        };
        let seen = Seen { opening: binding.opening(), text };
        let deadline = self.now.saturating_add(CLASSIFY_MS);
        self.set_stage(id, Stage::Classifying { seen, deadline });
        self.receipt(id, say::RECEIVED);
        if self.options.app_classifies {
            self.effects.push(Effect::Classify(id, parts));
        } else {
            self.classify_here(id, binding);
        }
    }

    fn receipt(&mut self, id: OperationId, text: &'static str) {
        if let Some(operation) = self.ledger.get_mut(id) {
            operation.receipt = text;
        }
        self.effects.push(Effect::Receipt(id, text));
    }

    /// Without a classifier of the app: the person's own words where the app has them.
    fn classify_here(&mut self, id: OperationId, binding: Binding) {
        let Some(operation) = self.ledger.get(id) else { return };
        let text = operation.words().unwrap_or(&operation.instruction.text);
        if let Binding::Ambiguous(reason) = binding {
            // It cannot be told which question it answers; if it answers any, that is why not.
            let answers_one = self
                .openings
                .open_ones()
                .filter(|opening| opening.is_shared())
                .any(|opening| choice::read(opening.question(), text) != Heard::Nothing);
            return if answers_one {
                self.refuse(id, Refusal::new(reason));
            } else {
                self.end(id, End::Forwarded);
            };
        }
        let opening = binding.opening().and_then(|opening| self.openings.get(opening));
        let heard =
            opening.filter(|opening| opening.is_shared()).map_or(Heard::Nothing, |opening| {
                choice::read_rest(opening.question(), &opening.collected, text)
            });
        match heard {
            Heard::Nothing => self.classified(id, Some(Intent::Other)),
            Heard::Unsure => self.classified(id, None),
            Heard::Choice(payload) => self.classified(id, Some(Intent::Answer(Ok(payload)))),
        }
    }

    pub(super) fn heard(&mut self, request_id: &str, evidence: Evidence) {
        let Some(id) = self.ledger.of_request(request_id).map(|one| one.id) else { return };
        let Some(operation) = self.ledger.get_mut(id) else { return };
        // What was handed over, or has ended, was decided on what was known then.
        if matches!(operation.stage, Stage::HandedOver { .. } | Stage::Final(_)) {
            return;
        }
        let evidence = evidence.of_request_at(operation.received_at);
        operation.instruction.evidence.add(evidence);
        match &operation.stage {
            Stage::AwaitingEvidence { said, .. } => {
                let said = said.clone();
                self.answer(id, said);
            }
            Stage::Confirming { said, .. } => {
                let said = said.clone();
                if let Err(refusal) = self.still_holds(id, &said) {
                    self.refuse(id, refusal);
                }
            }
            Stage::Classifying { .. } | Stage::HandedOver { .. } | Stage::Final(_) => {}
        }
    }

    /// Whether an answer that is not handed over yet is one with what was learned since.
    fn still_holds(&self, id: OperationId, said: &Said) -> Result<(), Refusal> {
        let opening = self.opening_of(id, said)?;
        match self.check(id, opening, &said.payload) {
            Check::Refused(refusal) => Err(refusal),
            Check::Choice(_) | Check::Part(_) | Check::Wait => Ok(()),
        }
    }

    /// The opening that an answer is for: the one it belongs to, if that is the one it was made for.
    fn opening_of(&self, id: OperationId, said: &Said) -> Result<OpeningId, Refusal> {
        Err(Refusal::new(match self.binding(id) {
            Binding::To(opening) if said.seen.opening == Some(opening) => return Ok(opening),
            Binding::To(_) => Reason::QuestionChanged,
            Binding::Ambiguous(reason) => reason,
            Binding::Nothing if self.others.is_empty() => Reason::NoOpenQuestion,
            Binding::Nothing => Reason::NotAQuestion,
        }))
    }

    pub(super) fn classified(&mut self, id: OperationId, intent: Option<Intent>) {
        let Some(operation) = self.ledger.get(id) else { return };
        let Stage::Classifying { seen, .. } = operation.stage else { return };
        match intent {
            Some(Intent::Other) => self.end(id, End::Forwarded),
            Some(Intent::Answer(payload)) => self.answer(id, Said { payload, seen }),
            None => {
                // It may have been an answer: passing it on as work would be answering unchecked.
                let bound = self.binding(id).opening();
                if let Some(opening) = bound {
                    self.bind(id, opening);
                }
                let opening = bound.and_then(|opening| self.openings.get(opening));
                let why = opening.and_then(Opening::takes_none);
                self.refuse(id, why.unwrap_or(Refusal::new(Reason::NotUnderstood)));
            }
        }
    }

    /// A `respond-input`: accepted for dispatch, kept as a part, or refused with a reason.
    fn answer(&mut self, id: OperationId, said: Said) {
        let opening = match self.opening_of(id, &said) {
            Ok(opening) => opening,
            Err(refusal) => return self.refuse(id, refusal),
        };
        self.bind(id, opening);
        match self.check(id, opening, &said.payload) {
            Check::Choice(choice) => self.confirm(id, opening, said, choice),
            Check::Part(part) => self.collect(id, opening, part),
            Check::Refused(refusal) => self.refuse(id, refusal),
            Check::Wait => {
                let deadline = self.ledger.get(id).map_or(0, |one| one.received_at + CLASSIFY_MS);
                self.set_stage(id, Stage::AwaitingEvidence { said, deadline });
            }
        }
    }

    /// A part of an answer is kept in the call; this operation ends with it.
    fn collect(&mut self, id: OperationId, opening: OpeningId, part: Vec<Option<Vec<usize>>>) {
        if let Some(opening) = self.openings.get_mut(opening) {
            opening.collected = part;
        }
        self.say(FeedbackKind::Status, say::COLLECTED.to_owned());
        self.end(id, End::Collected);
    }

    /// The host's list is read once more; an older answer that was not handed over yet gives way.
    fn confirm(
        &mut self,
        id: OperationId,
        opening_id: OpeningId,
        said: Said,
        choice: Vec<Vec<usize>>,
    ) {
        let Some(opening) = self.openings.get_mut(opening_id) else { return };
        let older = opening.hold;
        opening.hold = Hold::Confirming(id);
        if let Hold::Confirming(older) = older {
            self.end(older, End::Refused(Refusal::new(Reason::Superseded)));
        }
        self.set_stage(id, Stage::Confirming { said, choice });
        self.read_list(Purpose::Confirm(id));
    }

    /// An opening has closed: what was about to be handed over to it is refused.
    pub(super) fn opening_closed(&mut self, opening: OpeningId, how: Closing) {
        let Some(Hold::Confirming(id)) = self.openings.get(opening).map(|one| one.hold) else {
            return;
        };
        let reason = match how {
            Closing::Resolved => Reason::AnsweredElsewhere,
            Closing::Replaced => Reason::QuestionChanged,
            Closing::Gone => Reason::QuestionClosed,
        };
        self.refuse(id, Refusal::new(reason));
    }

    /// The time an operation waited for has come.
    pub(super) fn operation_due(&mut self, id: OperationId) {
        let Some(operation) = self.ledger.get(id) else { return };
        match &operation.stage {
            Stage::Classifying { .. } => self.classified(id, None),
            Stage::AwaitingEvidence { said, .. } => {
                let said = said.clone();
                self.answer(id, said);
            }
            Stage::HandedOver { dispatch: Dispatch::Calling { .. }, .. } => self.overdue(id),
            Stage::HandedOver { dispatch: Dispatch::Unknown { .. }, .. } => self.look_up_due(id),
            Stage::Confirming { .. } | Stage::Final(_) => {}
        }
    }
}
