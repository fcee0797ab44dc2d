//! What happens to a live call. Times are milliseconds of one clock that never goes back; wall
//! time, milliseconds since 1970, comes with the event that needs it.

use std::rc::Rc;

use crate::answer::{Malformed, Payload};
use crate::provenance::Speaker;
use crate::question::SpokenQuestion;

/// One thing that happened. Ids are those that the effects named.
#[derive(Debug, Clone)]
pub enum Event {
    /// The call is about this session from now on.
    SetSession(Session),
    /// The provider passed on what the person said, or what it made of it.
    Instruct(Instruction),
    /// The app learned more about a request: a late transcript, or who spoke.
    Heard(String, Evidence),
    /// What became of a delivery.
    Delivered(FeedbackId, Outcome),
    /// The provider reconnected or forgot: nothing counts as read out any more.
    VoiceReset,
    /// The host's stream.
    Host(HostEvent),
    /// The list that was asked for, with the wall time; `None` where reading it failed.
    Listed(ReadId, Option<Vec<OpenInput>>, u64),
    /// What the app's classifier made of an instruction; `None` where it failed.
    Classified(OperationId, Option<Intent>),
    /// What the host said to a resolution.
    Replied(OperationId, Reply),
    /// What a look-up found.
    LookedUp(OperationId, Settlement),
    /// The time that [`Call::next_wake`](super::Call::next_wake) named has come.
    Wake,
    /// The call ends.
    Close,
}

/// A message to the provider, numbered from 1 in each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct FeedbackId(pub u32);

/// A request of the provider, numbered from 1 in each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct OperationId(pub u32);

/// A reading of the host's list, numbered from 1 in each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct ReadId(pub u32);

/// The session a call is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The host's id.
    pub id: String,
    /// Whether it runs on this machine; only then it is answered by voice (ADR 0315).
    pub local: bool,
}

/// One function call of the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// The provider's id of it; the same id is the same request.
    pub request_id: String,
    /// What the provider says the person wants. Untrusted.
    pub text: String,
    /// What the app itself knows.
    pub evidence: Evidence,
}

/// What the app itself knows about a request; never taken from the provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The person's own words.
    pub utterance: Option<Utterance>,
    /// When the person began to speak. A time after the request is none: it cannot have come of it.
    pub speech_started_at: Option<u64>,
    /// Who spoke.
    pub speaker: Option<Speaker>,
}

/// The person's own words, as far as they can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Utterance {
    /// These.
    Words(String),
    /// There are words, too many or broken: they may say anything, so no answer rests on them.
    Unusable,
}

impl Evidence {
    /// What counts for a request that was received at this time.
    pub(super) fn of_request_at(mut self, received_at: u64) -> Self {
        self.speech_started_at = self.speech_started_at.filter(|at| *at <= received_at);
        self
    }

    /// Adds what was learned later. What was known stays: a speaker or a beginning is not changed
    /// once an answer may have been bound to it.
    pub(super) fn add(&mut self, later: Self) {
        self.utterance = self.utterance.take().or(later.utterance);
        self.speech_started_at = self.speech_started_at.or(later.speech_started_at);
        self.speaker = self.speaker.take().or(later.speaker);
    }
}

/// What became of a delivery, from worst to best. Nothing follows `Interrupted` or `Spoken`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It was not passed on.
    NotSent,
    /// It may have been.
    Unknown,
    /// The provider has it, but will not say it.
    ContextOnly,
    /// The provider has it and will say it.
    Sent,
    /// The person talked over it.
    Interrupted,
    /// It was said to the end.
    Spoken,
}

/// One event of the host's stream.
#[derive(Debug, Clone)]
pub enum HostEvent {
    /// The host waits for something.
    Requested(OpenInput),
    /// An input was answered.
    Resolved(String, Resolved),
    /// An input will not be answered any more.
    Canceled(String),
    /// Events may have been lost.
    Gap,
}

/// What is known of how an input was answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolved {
    /// The chosen positions, where the host tells.
    pub option_indexes: Option<Vec<Vec<usize>>>,
    /// Who answered, where the host keeps it.
    pub by: Option<Answerer>,
    /// The host says that it never confirms this one: the answer was handed over, and no more is known.
    pub unproved: bool,
}

/// Who answered an input, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answerer {
    /// An operation of a live call, by the id it was dispatched with.
    Voice(String),
    /// Anybody else.
    Other,
}

/// Something the host waits for.
#[derive(Debug, Clone)]
pub enum OpenInput {
    /// A question; only this can be answered by voice.
    Question(AskedQuestion),
    /// A permission, a plan, a goal, or what no adapter recognises.
    Other {
        /// Which of these.
        kind: OtherKind,
        /// The host's id; empty where it cannot be read.
        input_id: String,
        /// The session it belongs to, where that is known.
        session_id: Option<String>,
    },
}

impl OpenInput {
    /// Whether it says that it belongs to another session.
    pub(super) fn is_foreign_to(&self, session: &Session) -> bool {
        match self {
            Self::Question(asked) => {
                let id = asked.question.session_id();
                !id.is_empty() && id != session.id
            }
            Self::Other { session_id, .. } => {
                session_id.as_ref().is_some_and(|id| *id != session.id)
            }
        }
    }
}

/// A question with what the host says about it.
#[derive(Debug, Clone)]
pub struct AskedQuestion {
    /// The bounded view; immutable, so openings and operations share it.
    pub question: Rc<SpokenQuestion>,
    /// Only this speaker may answer.
    pub asked_of: Option<String>,
    /// Never spoken, never classified.
    pub private: bool,
    /// Wall time after which the host takes no answer.
    pub expires_at: Option<u64>,
}

impl AskedQuestion {
    /// Whether it is the same asking: the same question, for the same ears. Its time may differ.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.question == other.question
            && self.asked_of == other.asked_of
            && self.private == other.private
    }
}

/// What is open and is no question, in the order in which it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OtherKind {
    /// An authority the agent asks for.
    Permission,
    /// A plan to be approved.
    Plan,
    /// A goal to be approved.
    Goal,
    /// Anything else.
    Other,
}

/// What a classifier made of an instruction.
#[derive(Debug, Clone)]
pub enum Intent {
    /// It answers: `respond-input`, the one intent that is ours.
    Answer(Result<Payload, Malformed>),
    /// Anything else; it goes to the app untouched.
    Other,
}

/// What the host said to a resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// It took this answer.
    Resolved,
    /// It has the answer and never confirms.
    Submitted,
    /// It did not take it.
    Rejected(Rejection),
    /// It was never reached.
    NotSent,
    /// It may or may not have taken it; also a call that failed after sending.
    Unknown,
}

/// Why a host did not take an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejection {
    /// There is no such input, or nobody waits for its answer any more.
    NotFound,
    /// The digest is another one.
    QuestionChanged,
    /// Somebody answered first.
    AlreadyResolved,
    /// Anything else.
    Invalid,
}

/// What a look-up found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settlement {
    /// It is still open.
    Open,
    /// It was withdrawn.
    Canceled,
    /// It was answered.
    Resolved(Resolved),
    /// Nobody knows; also a look-up that failed.
    Unknown,
}
