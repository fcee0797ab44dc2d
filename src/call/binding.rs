//! Which opening a request belongs to.

use super::Call;
use super::event::OperationId;
use super::opening::{OpeningId, RECENT_MS, Speech};
use crate::question::SpokenQuestion;
use crate::refusal::Reason;

/// Which opening a request belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// The one that was open when the person began to speak. Whether it had been read out by then
    /// is checked of an answer.
    To(OpeningId),
    /// Several were open then, or it cannot be told which one was meant.
    Ambiguous(Reason),
    /// None was open then.
    Nothing,
}

impl Binding {
    /// The one opening it is about.
    pub(super) fn opening(self) -> Option<OpeningId> {
        match self {
            Self::To(id) => Some(id),
            Self::Ambiguous(_) | Self::Nothing => None,
        }
    }
}

impl Call {
    /// The opening that was open when the person began to speak; without evidence of that, when the
    /// request arrived.
    pub(super) fn binding(&self, id: OperationId) -> Binding {
        let Some(operation) = self.ledger.get(id) else { return Binding::Nothing };
        let spoke = operation.instruction.evidence.speech_started_at;
        let time = operation.spoken_at();
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
        Binding::To(opening.id)
    }

    /// The question a classifier may see: the one an operation is bound to, if it is shared.
    #[must_use]
    pub fn seen_question(&self, id: OperationId) -> Option<&SpokenQuestion> {
        let opening = self.openings.get(self.binding(id).opening()?)?;
        matches!(opening.speech, Speech::Reading(_)).then(|| &**opening.question())
    }

    pub(super) fn bind(&mut self, id: OperationId, opening: OpeningId) {
        let input_id = self.openings.get(opening).map(|one| one.question().input_id().to_owned());
        if let Some(operation) = self.ledger.get_mut(id) {
            operation.opening = Some(opening);
            operation.input_id = input_id;
        }
    }
}
