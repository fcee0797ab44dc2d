//! The ledger: every request of the provider, from receipt to its final state.

use super::effect::{OperationView, State};
use super::event::{Evidence, Instruction, OperationId};
use super::opening::OpeningId;
use crate::answer::{Malformed, Payload};
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
    /// The app's classifier is asked.
    Classifying { deadline: u64 },
    /// It is an answer; who spoke, or that somebody did, is still to be said.
    AwaitingEvidence { payload: Result<Payload, Malformed>, deadline: u64 },
    /// The host's list is read once more before the answer is handed over.
    Confirming { choice: Vec<Vec<usize>> },
    /// The host has been called, once.
    HandedOver { choice: Vec<Vec<usize>>, dispatch: Dispatch, wall: u64 },
    /// Nothing follows.
    Final(End),
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
            Stage::Classifying { deadline } | Stage::AwaitingEvidence { deadline, .. } => {
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
        let same =
            self.list.iter().find(|one| one.instruction.request_id == instruction.request_id);
        let refused = match same {
            Some(same) if same.instruction.text == instruction.text => {
                return Registered::Again(same.id);
            }
            Some(_) => Some(Reason::RequestConflict),
            None if instruction.is_malformed() => Some(Reason::MalformedAnswer),
            None if self.pending().count() >= PENDING => Some(Reason::TooBusy),
            None => None,
        };
        self.last += 1;
        let id = OperationId(self.last);
        self.list.push(Operation {
            id,
            instruction: if refused.is_some() { instruction.without_text() } else { instruction },
            received_at: now,
            receipt: "",
            opening: None,
            input_id: None,
            stage: Stage::Classifying { deadline: now },
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

    /// What is kept of a request that is refused at once.
    fn without_text(mut self) -> Self {
        self.request_id = self.request_id.chars().take(64).collect();
        Self { request_id: self.request_id, text: String::new(), evidence: Evidence::default() }
    }
}
