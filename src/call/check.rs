//! Whether an answer may be one: of this question, by this person, at this time.

use super::Call;
use super::answering::CLASSIFY_MS;
use super::event::{OperationId, Utterance};
use super::opening::{OpeningId, Speech};
use super::options::{Partial, Requirement, Speakers};
use crate::answer::{Malformed, Payload, Progress};
use crate::choice;
use crate::refusal::{Reason, Refusal};

/// What a `respond-input` came to.
pub(super) enum Check {
    Choice(Vec<Vec<usize>>),
    Part(Vec<Option<Vec<usize>>>),
    Refused(Refusal),
    /// Evidence may still come.
    Wait,
}

impl Call {
    pub(super) fn check(
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
        if !opening.was_read_out_at(operation.spoken_at()) {
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
        let contradicts = match &evidence.utterance {
            None => false,
            Some(Utterance::Unusable) => true,
            Some(Utterance::Words(words)) => {
                choice::contradicts(opening.question(), words, payload)
            }
        };
        if contradicts {
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
}

fn refused(reason: Reason) -> Check {
    Check::Refused(Refusal::new(reason))
}
