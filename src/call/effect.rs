//! What the driver of a call is to do. It performs effects in their order and decides nothing.

use serde::Serialize;

use super::event::{FeedbackId, OperationId, OtherKind, ReadId};
use crate::provenance::ResolvedBy;
use crate::refusal::Refusal;

/// One thing to do. In JavaScript an object: its `type`, and the `value` or values it carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", content = "value", rename_all = "camelCase")]
pub enum Effect {
    /// Follow the host's stream for this session, and no other; none where there is none.
    Watch(Option<String>),
    /// Read the host's list of open inputs.
    List(ReadId),
    /// The list is not waited for any more.
    AbortList(ReadId),
    /// Answer the provider's function call: the operation it became, and the text.
    Receipt(OperationId, &'static str),
    /// Give a text to the provider.
    Deliver(Feedback),
    /// A text is no longer wanted.
    AbortDelivery(FeedbackId),
    /// Ask the app's classifier about an operation's instruction, and show it
    /// [`Call::seen_question`](super::Call::seen_question) and what was answered of it before,
    /// where that is anything.
    Classify(OperationId, Option<Vec<Answer>>),
    /// Hand an answer to the host, once.
    Resolve(OperationId, Resolution),
    /// The answer is not waited for any more; it may have arrived.
    AbortResolve(OperationId),
    /// Look an input up, without changing anything.
    LookUp(OperationId, String),
    /// Write this to the app's journal.
    Journal(Resolution),
    /// An operation has a new state.
    View(OperationView),
    /// The instruction of an operation is the app's ordinary work.
    Forward(OperationId),
    /// What waits has changed.
    Pending(Option<Pending>),
    /// The call has ended; nothing follows.
    Closed,
}

/// A text for the provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Feedback {
    /// By which outcomes name it.
    pub id: FeedbackId,
    /// What it is.
    pub kind: FeedbackKind,
    /// At most the budget of the call.
    pub text: String,
}

/// What a text for the provider is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeedbackKind {
    /// A page of a question.
    InteractionRequired,
    /// Something the person should know.
    Status,
    /// Why an answer was refused.
    Refusal,
}

/// What was chosen for one question, as labels that were read out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// Which question, from 0.
    pub question_index: usize,
    /// In the order in which they were read out.
    pub options: Vec<String>,
}

/// An answer on its way to the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resolution {
    /// The host's id of the input.
    pub input_id: String,
    /// The session it belongs to.
    pub session_id: String,
    /// Compared by the host in the step in which it writes.
    pub expect_digest: String,
    /// The host's own labels.
    pub answers: Vec<Vec<String>>,
    /// The same as positions.
    pub option_indexes: Vec<Vec<usize>>,
    /// Who answers.
    pub resolved_by: ResolvedBy,
}

/// What the app sees of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationView {
    /// Which one.
    pub id: OperationId,
    /// The provider's id of it.
    pub request_id: String,
    /// Where it stands.
    pub state: State,
    /// Why not, where it was refused.
    pub refusal: Option<Refusal>,
    /// The input it is about, once that is known.
    pub input_id: Option<String>,
}

/// Where an operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The classifier, or evidence, is waited for.
    Classifying,
    /// A part of an answer, kept until the rest was said. Final for this operation.
    Collecting,
    /// It is on its way to the host.
    Dispatching,
    /// It is the app's ordinary work. Final.
    Forwarded,
    /// The host took it. Final.
    Accepted,
    /// The host has it and never confirms. Final.
    Submitted,
    /// It was refused. Final.
    Refused,
    /// Nobody knows whether the host took it, and nobody is asked any more. Final.
    Unknown,
    /// The call ended before it was handed over. Final.
    Withdrawn,
}

impl State {
    /// Whether nothing follows.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Classifying | Self::Dispatching)
    }
}

/// What waits, for a bar or panel. There is nothing to answer or approve with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// A question, or something else.
    pub kind: PendingKind,
    /// The first question, or a fixed sentence.
    pub text: String,
    /// How many further inputs wait.
    pub more: usize,
}

/// What kind of input waits first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PendingKind {
    /// A question.
    Question,
    /// Anything else.
    #[serde(untagged)]
    Other(OtherKind),
}
