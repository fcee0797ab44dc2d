//! The ledger: every request of the provider, from receipt to its final state.

use super::effect::{OperationView, Resolution, State};
use super::event::{Instruction, OperationId, Utterance};
use super::opening::OpeningId;
use crate::answer::{Malformed, Payload};
use crate::choice::{self, Heard};
use crate::question::SpokenQuestion;
use crate::refusal::{Reason, Refusal};

/// Operations remembered, so that a repeated request is recognised.
pub(super) const REMEMBERED: usize = 256;
/// Operations that are not final; more are refused.
pub(super) const PENDING: usize = 16;
/// Bytes of an instruction.
pub(super) const INSTRUCTION_BYTES: usize = 8_192;

/// One request of the provider.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    pub(super) id: OperationId,
    pub(super) instruction: Instruction,
    pub(super) received_at: u64,
    pub(super) receipt: &'static str,
    /// The opening it answers, once that is known.
    pub(super) opening: Option<OpeningId>,
    /// The id of that opening's input, which is told though the opening may be forgotten.
    pub(super) input_id: Option<String>,
    pub(super) stage: Stage,
    /// What the app was shown last.
    pub(super) shown: Option<OperationView>,
}

/// Where an operation stands, with what belongs to it there and only there.
#[derive(Debug, Clone)]
pub(super) enum Stage {
    /// A classifier is asked.
    Classifying { seen: Seen, deadline: u64 },
    /// It is an answer; who spoke, or that somebody did, is still to be said.
    AwaitingEvidence { said: Said, deadline: u64 },
    /// The host's list is read once more before the answer is handed over.
    Confirming { said: Said, choice: Vec<Vec<usize>> },
    /// The host has been called, once, with this.
    HandedOver { resolution: Box<Resolution>, dispatch: Dispatch },
    /// Nothing follows.
    Final(End),
}

/// What a classifier is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// The opening that the request belonged to then; an answer is for no other.
    pub(super) opening: Option<OpeningId>,
    pub(super) text: Text,
}

/// Which text a choice is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    /// The person's own words.
    Utterance,
    /// The provider's words for them.
    Instruction,
}

/// An answer as a classifier made it.
#[derive(Debug, Clone)]
pub(super) struct Said {
    pub(super) payload: Result<Payload, Malformed>,
    pub(super) seen: Seen,
}

impl Said {
    /// Whether these words are the same answer.
    pub(super) fn is_read_in(&self, question: &SpokenQuestion, words: &str) -> bool {
        let Ok(payload) = &self.payload else { return false };
        match choice::read(question, words) {
            Heard::Choice(heard) => {
                question.choose_part(&heard, &[]) == question.choose_part(payload, &[])
            }
            Heard::Nothing | Heard::Unsure => false,
        }
    }
}

/// The one call of the host, and what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dispatch {
    /// It has not answered yet.
    Calling { at: u64 },
    /// It answered nothing that settles it, or nothing in time; look-ups follow.
    Unknown { at: u64, next: LookUp },
}

/// The look-ups of one dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LookUp {
    /// How many were begun.
    pub(super) begun: usize,
    /// When the next one is due, or the running one is given up.
    pub(super) due: u64,
    /// Whether one is running.
    pub(super) running: bool,
}

/// How an operation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Forwarded,
    Collected,
    Accepted,
    Submitted,
    Refused(Refusal),
    Unknown,
    Withdrawn,
}

impl Operation {
    pub(super) fn is_final(&self) -> bool {
        matches!(self.stage, Stage::Final(_))
    }

    /// The person's own words, where they can be read.
    pub(super) fn words(&self) -> Option<&str> {
        match &self.instruction.evidence.utterance {
            Some(Utterance::Words(words)) => Some(words),
            Some(Utterance::Unusable) | None => None,
        }
    }

    /// When the person began to speak; without evidence of that, when the request arrived.
    pub(super) fn spoken_at(&self) -> u64 {
        self.instruction.evidence.speech_started_at.unwrap_or(self.received_at)
    }

    pub(super) fn view(&self) -> OperationView {
        let (state, refusal) = match &self.stage {
            Stage::Classifying { .. } | Stage::AwaitingEvidence { .. } => {
                (State::Classifying, None)
            }
            Stage::Confirming { .. } | Stage::HandedOver { .. } => (State::Dispatching, None),
            Stage::Final(end) => match end {
                End::Forwarded => (State::Forwarded, None),
                End::Collected => (State::Collecting, None),
                End::Accepted => (State::Accepted, None),
                End::Submitted => (State::Submitted, None),
                End::Refused(refusal) => (State::Refused, Some(*refusal)),
                End::Unknown => (State::Unknown, None),
                End::Withdrawn => (State::Withdrawn, Some(Refusal::new(Reason::CallClosed))),
            },
        };
        OperationView {
            id: self.id,
            request_id: self.instruction.request_id.clone(),
            state,
            refusal,
            input_id: self.input_id.clone(),
        }
    }

    /// When it must be looked at again.
    pub(super) fn next_wake(&self) -> Option<u64> {
        match &self.stage {
            Stage::Classifying { deadline, .. } | Stage::AwaitingEvidence { deadline, .. } => {
                Some(*deadline)
            }
            Stage::HandedOver { dispatch: Dispatch::Calling { at }, .. } => {
                Some(at.saturating_add(super::dispatch::HAND_OVER_MS))
            }
            Stage::HandedOver { dispatch: Dispatch::Unknown { next, .. }, .. } => Some(next.due),
            // The reading of the list has a time of its own.
            Stage::Confirming { .. } | Stage::Final(_) => None,
        }
    }
}

/// All operations of a call that are remembered, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    list: Vec<Operation>,
    last: u32,
}

/// What a request is to the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Registered {
    /// A new operation.
    New(OperationId),
    /// The same request again.
    Again(OperationId),
    /// A new operation that is refused at once.
    Refused(OperationId, Reason),
}

impl Ledger {
    /// Takes a request in. Whatever is wrong with it, it becomes an operation that ends.
    pub(super) fn register(&mut self, instruction: Instruction, now: u64) -> Registered {
        let malformed = instruction.is_malformed();
        let mut instruction = instruction.bounded();
        let same =
            self.list.iter().find(|one| one.instruction.request_id == instruction.request_id);
        let refused = match same {
            Some(same) if same.instruction.text == instruction.text => {
                return Registered::Again(same.id);
            }
            Some(_) => Some(Reason::RequestConflict),
            None if malformed => Some(Reason::MalformedAnswer),
            None if self.pending().count() >= PENDING => Some(Reason::TooBusy),
            None => None,
        };
        let evidence = std::mem::take(&mut instruction.evidence);
        if refused.is_none() {
            instruction.evidence = evidence.of_request_at(now);
        }
        self.last += 1;
        let id = OperationId(self.last);
        self.list.push(Operation {
            id,
            instruction,
            received_at: now,
            receipt: "",
            opening: None,
            input_id: None,
            stage: Stage::Classifying {
                seen: Seen { opening: None, text: Text::Instruction },
                deadline: now,
            },
            shown: None,
        });
        if self.list.len() > REMEMBERED
            && let Some(oldest) = self.list.iter().position(Operation::is_final)
        {
            self.list.remove(oldest);
        }
        refused.map_or(Registered::New(id), |reason| Registered::Refused(id, reason))
    }

    pub(super) fn get(&self, id: OperationId) -> Option<&Operation> {
        self.list.iter().find(|one| one.id == id)
    }

    pub(super) fn get_mut(&mut self, id: OperationId) -> Option<&mut Operation> {
        self.list.iter_mut().find(|one| one.id == id)
    }

    /// The operation of a request; not one that was refused for having the same id.
    pub(super) fn of_request(&self, request_id: &str) -> Option<&Operation> {
        self.list.iter().find(|one| one.instruction.request_id == request_id)
    }

    /// Those that are not final.
    pub(super) fn pending(&self) -> impl Iterator<Item = &Operation> {
        self.list.iter().filter(|one| !one.is_final())
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Operation> {
        self.list.iter()
    }
}

impl Instruction {
    fn is_malformed(&self) -> bool {
        let id = self.request_id.len();
        id == 0 || id > crate::limits::ID_BYTES || self.text.len() > INSTRUCTION_BYTES
    }

    /// What is kept of it, so that it is known again: of what is too long, only that it is.
    fn bounded(mut self) -> Self {
        if self.request_id.len() > crate::limits::ID_BYTES {
            // Still too long, so that it is never the id of another request.
            let end = self.request_id.char_indices().map(|(start, one)| start + one.len_utf8());
            let end = end.take_while(|end| *end <= crate::limits::ID_BYTES + 4).last().unwrap_or(0);
            self.request_id.truncate(end);
        }
        if self.text.len() > INSTRUCTION_BYTES {
            self.text = " ".repeat(INSTRUCTION_BYTES + 1);
        }
        self
    }
}
