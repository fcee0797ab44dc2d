//! From a request to a checked choice: which opening it answers, whether it is an answer at all,
//! and whether it may be one.

use super::effect::{Effect, FeedbackKind};
use super::event::{Evidence, Instruction, Intent, OperationId};
use super::opening::{Closing, Hold, Opening, OpeningId, RECENT_MS, Speech};
use super::operation::{Dispatch, End, Operation, Registered, Stage};
use super::options::{Partial, Requirement, Speakers};
use super::{Call, Life, Purpose, say};
use crate::answer::{Malformed, Payload, Progress};
use crate::choice::{self, Heard};
use crate::question::SpokenQuestion;
use crate::refusal::{Reason, Refusal};

/// How long a classifier, or evidence, is waited for (milliseconds).
const CLASSIFY_MS: u64 = 8_000;

/// Which opening a request belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binding {
    /// Its last page had been read out when the person began to speak.
    To(OpeningId),
    /// It was open then, and had not been read out.
    NotReadOut(OpeningId),
    /// Several were open then, or it cannot be told which one was meant.
    Ambiguous(Reason),
    /// None was open then.
    Nothing,
}

impl Binding {
    /// The one opening it is about, read out or not.
    fn opening(self) -> Option<OpeningId> {
        match self {
            Self::To(id) | Self::NotReadOut(id) => Some(id),
            Self::Ambiguous(_) | Self::Nothing => None,
        }
    }
}

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
        if !local || nothing {
            self.receipt(id, say::FORWARDED);
            self.end(id, End::Forwarded);
            return;
        }
        let deadline = self.now.saturating_add(CLASSIFY_MS);
        self.set_stage(id, Stage::Classifying { deadline });
        self.receipt(id, say::RECEIVED);
        if self.options.app_classifies {
            let opening = binding.opening().and_then(|opening| self.openings.get(opening));
            let parts = opening.and_then(Opening::parts);
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

    /// The question a classifier may see: the one an operation is bound to, if it is shared.
    #[must_use]
    pub fn seen_question(&self, id: OperationId) -> Option<&SpokenQuestion> {
        let opening = self.openings.get(self.binding(id).opening()?)?;
        matches!(opening.speech, Speech::Reading(_)).then(|| &**opening.question())
    }

    /// Without a classifier of the app: the person's own words where the app has them.
    fn classify_here(&mut self, id: OperationId, binding: Binding) {
        let Some(operation) = self.ledger.get(id) else { return };
        let instruction = &operation.instruction;
        let text = instruction.evidence.utterance.as_ref().unwrap_or(&instruction.text);
        if let Binding::Ambiguous(reason) = binding {
            // It cannot be told which question it answers; if it answers any, that is why not.
            let answers_one = self
                .openings
                .open_ones()
                .any(|opening| choice::read(opening.question(), text) != Heard::Nothing);
            return if answers_one {
                self.refuse(id, Refusal::new(reason));
            } else {
                self.end(id, End::Forwarded);
            };
        }
        let opening = binding.opening().and_then(|opening| self.openings.get(opening));
        let heard = opening.map_or(Heard::Nothing, |one| choice::read(one.question(), text));
        match heard {
            Heard::Nothing => self.classified(id, Some(Intent::Other)),
            Heard::Unsure => self.classified(id, None),
            Heard::Choice(payload) => self.classified(id, Some(Intent::Answer(Ok(payload)))),
        }
    }

    pub(super) fn heard(&mut self, request_id: &str, evidence: Evidence) {
        let Some(id) = self.ledger.of_request(request_id).map(|one| one.id) else { return };
        let Some(operation) = self.ledger.get_mut(id) else { return };
        match &operation.stage {
            Stage::Classifying { .. } => operation.instruction.evidence.add(evidence),
            Stage::AwaitingEvidence { payload, .. } => {
                let payload = payload.clone();
                operation.instruction.evidence.add(evidence);
                self.answer(id, payload);
            }
            // What is being handed over, or has ended, was decided on what was known then.
            Stage::Confirming { .. } | Stage::HandedOver { .. } | Stage::Final(_) => {}
        }
    }

    pub(super) fn classified(&mut self, id: OperationId, intent: Option<Intent>) {
        let Some(operation) = self.ledger.get(id) else { return };
        if !matches!(operation.stage, Stage::Classifying { .. }) {
            return;
        }
        match intent {
            Some(Intent::Other) => self.end(id, End::Forwarded),
            Some(Intent::Answer(payload)) => self.answer(id, payload),
            None => {
                // It may have been an answer: passing it on as work would be answering unchecked.
                if let Some(opening) = self.binding(id).opening() {
                    self.bind(id, opening);
                }
                self.refuse(id, Refusal::new(Reason::NotUnderstood));
            }
        }
    }

    /// The opening whose last page had been read out when the person began to speak; without
    /// evidence of that, when the request arrived.
    fn binding(&self, id: OperationId) -> Binding {
        let Some(operation) = self.ledger.get(id) else { return Binding::Nothing };
        let spoke = operation.instruction.evidence.speech_started_at;
        let time = spoke.unwrap_or(operation.received_at).min(self.now);
        let mut then = self.openings.all().filter(|opening| opening.was_open_at(time));
        let (first, second) = (then.next(), then.next());
        let Some(opening) = first else {
            return match self.openings.open_ones().count() {
                0 => Binding::Nothing,
                _ if spoke.is_some() => Binding::Ambiguous(Reason::QuestionNotReadOut),
                _ => Binding::Ambiguous(Reason::QuestionChanged),
            };
        };
        if second.is_some() {
            return Binding::Ambiguous(Reason::SeveralOpenQuestions);
        }
        let recent = time.saturating_sub(RECENT_MS);
        let another = self.openings.all().any(|other| {
            other.id != opening.id && other.closed.is_some_and(|(at, _)| at >= recent && at <= time)
        });
        if spoke.is_none() && another {
            return Binding::Ambiguous(Reason::QuestionChanged);
        }
        if opening.was_read_out_at(time) {
            Binding::To(opening.id)
        } else {
            Binding::NotReadOut(opening.id)
        }
    }

    /// A `respond-input`: accepted for dispatch, kept as a part, or refused with a reason.
    fn answer(&mut self, id: OperationId, payload: Result<Payload, Malformed>) {
        let opening = match self.binding(id) {
            Binding::To(opening) | Binding::NotReadOut(opening) => opening,
            Binding::Ambiguous(reason) => return self.refuse(id, Refusal::new(reason)),
            Binding::Nothing if self.others.is_empty() => {
                return self.refuse(id, Refusal::new(Reason::NoOpenQuestion));
            }
            Binding::Nothing => return self.refuse(id, Refusal::new(Reason::NotAQuestion)),
        };
        self.bind(id, opening);
        match self.check(id, opening, &payload) {
            Check::Choice(choice) => self.confirm(id, opening, choice),
            Check::Part(part) => self.collect(id, opening, part),
            Check::Refused(refusal) => self.refuse(id, refusal),
            Check::Wait => {
                let deadline = self.ledger.get(id).map_or(0, |one| one.received_at + CLASSIFY_MS);
                self.set_stage(id, Stage::AwaitingEvidence { payload, deadline });
            }
        }
    }

    fn check(
        &self,
        id: OperationId,
        opening: OpeningId,
        payload: &Result<Payload, Malformed>,
    ) -> Check {
        let (Some(operation), Some(opening)) = (self.ledger.get(id), self.openings.get(opening))
        else {
            return Check::Refused(Refusal::new(Reason::QuestionClosed));
        };
        // What is open.
        if let Some(reason) = opening.refuses() {
            return Check::Refused(Refusal::new(reason));
        }
        if self.openings.open_ones().count() > 1 {
            return Check::Refused(Refusal::new(Reason::SeveralOpenQuestions));
        }
        // Whether it can be answered by voice.
        if let Speech::Not(why) = opening.speech {
            return Check::Refused(why);
        }
        let evidence = &operation.instruction.evidence;
        let waits = self.now < operation.received_at.saturating_add(CLASSIFY_MS);
        if evidence.speech_started_at.is_none() && self.options.evidence == Requirement::Required {
            return if waits { Check::Wait } else { refused(Reason::NoUserSpeech) };
        }
        let spoke = evidence.speech_started_at.unwrap_or(operation.received_at).min(self.now);
        if !opening.was_read_out_at(spoke) {
            return refused(Reason::QuestionNotReadOut);
        }
        // What was said.
        let Ok(payload) = payload else { return refused(Reason::MalformedAnswer) };
        let progress = match self.options.partial_answers {
            Partial::Refuse => opening.question().choose_from(payload).map(Progress::Whole),
            Partial::Collect => opening.question().choose_part(payload, &opening.collected),
        };
        let progress = match progress {
            Ok(progress) => progress,
            Err(refusal) => return Check::Refused(refusal),
        };
        if let Some(utterance) = &evidence.utterance
            && choice::contradicts(opening.question(), utterance, payload)
        {
            return refused(Reason::NotUnderstood);
        }
        // Who said it.
        let speaker = evidence.speaker.as_ref().map(|speaker| speaker.id.as_str());
        let allowed = |id: &str| match &self.options.speakers {
            Speakers::These(ids) => ids.iter().any(|other| other == id),
            Speakers::Any | Speakers::Known => true,
        };
        let asked_of = opening.asked.asked_of.as_deref();
        match speaker {
            None if asked_of.is_none() && self.options.speakers == Speakers::Any => {}
            None if waits => return Check::Wait,
            None => return refused(Reason::SpeakerUnknown),
            Some(id) if !allowed(id) || asked_of.is_some_and(|other| other != id) => {
                return refused(Reason::SpeakerNotAllowed);
            }
            Some(_) => {}
        }
        match progress {
            Progress::Whole(choice) => Check::Choice(choice),
            Progress::Part(part) => Check::Part(part),
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
    fn confirm(&mut self, id: OperationId, opening_id: OpeningId, choice: Vec<Vec<usize>>) {
        let Some(opening) = self.openings.get_mut(opening_id) else { return };
        let older = opening.hold;
        opening.hold = Hold::Confirming(id);
        if let Hold::Confirming(older) = older {
            self.reads.running.retain(|read| read.purpose != Purpose::Confirm(older));
            self.end(older, End::Refused(Refusal::new(Reason::Superseded)));
        }
        let deadline = self.now.saturating_add(super::LIST_MS * u64::from(super::READS));
        self.set_stage(id, Stage::Confirming { choice, deadline });
        self.read_list(Purpose::Confirm(id), 1);
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
        self.reads.running.retain(|read| read.purpose != Purpose::Confirm(id));
        self.refuse(id, Refusal::new(reason));
    }

    /// The time an operation waited for has come.
    pub(super) fn operation_due(&mut self, id: OperationId) {
        let Some(operation) = self.ledger.get(id) else { return };
        match &operation.stage {
            Stage::Classifying { .. } => self.classified(id, None),
            Stage::AwaitingEvidence { payload, .. } => {
                let payload = payload.clone();
                self.answer(id, payload);
            }
            Stage::Confirming { .. } => self.confirmed(id, false, 0),
            Stage::HandedOver { dispatch: Dispatch::Calling { .. }, .. } => self.overdue(id),
            Stage::HandedOver { dispatch: Dispatch::Unknown { .. }, .. } => self.look_up_due(id),
            Stage::Final(_) => {}
        }
    }

    fn bind(&mut self, id: OperationId, opening: OpeningId) {
        let input_id = self.openings.get(opening).map(|one| one.question().input_id().to_owned());
        if let Some(operation) = self.ledger.get_mut(id) {
            operation.opening = Some(opening);
            operation.input_id = input_id;
        }
    }

    /// A refused answer: counted against its opening, said once.
    pub(super) fn refuse(&mut self, id: OperationId, refusal: Refusal) {
        let opening = self.ledger.get(id).and_then(|one| one.opening);
        if let Some(opening) = opening.and_then(|opening| self.openings.get_mut(opening)) {
            opening.attempts = opening.attempts.saturating_add(1);
            if opening.hold == Hold::Confirming(id) {
                opening.hold = Hold::Free;
            }
        }
        self.end(id, End::Refused(refusal));
    }

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

    /// The one way into a final state, and there is none out.
    pub(super) fn end(&mut self, id: OperationId, end: End) {
        if self.ledger.get(id).is_none_or(Operation::is_final) {
            return;
        }
        self.set_stage(id, Stage::Final(end));
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

/// What a `respond-input` came to.
enum Check {
    Choice(Vec<Vec<usize>>),
    Part(Vec<Option<Vec<usize>>>),
    Refused(Refusal),
    /// Evidence may still come.
    Wait,
}

fn refused(reason: Reason) -> Check {
    Check::Refused(Refusal::new(reason))
}
