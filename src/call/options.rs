//! How a call is to be held. Fixed when it is opened.

use crate::limits;
use crate::provenance::ReadOut;

/// The options of one call.
#[expect(clippy::struct_excessive_bools, reason = "each is an independent yes or no of the app")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The id of the call; part of every operation's id.
    pub call_id: String,
    /// The voice provider, for the record.
    pub provider: Option<String>,
    /// Bytes of one message.
    pub budget: usize,
    /// What it takes for a page to count as read out.
    pub read_out: ReadOut,
    /// Whether an answer needs the app's own evidence that somebody spoke.
    pub evidence: Requirement,
    /// What is done with an answer to some of the questions.
    pub partial_answers: Partial,
    /// Who may answer.
    pub speakers: Speakers,
    /// Whether texts of questions may leave for the provider.
    pub may_share_questions: bool,
    /// Whether the app classifies; else the crate does.
    pub app_classifies: bool,
    /// Whether the host proves that it took an answer.
    pub host_proves: bool,
    /// Whether the app keeps a journal of what was answered.
    pub journal: bool,
}

/// Whether something must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// It need not.
    Optional,
    /// It must.
    Required,
}

/// What is done with an answer to some of the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partial {
    /// It is refused (ADR 0315).
    Refuse,
    /// It is kept in the call until the rest was said; the host never sees a part.
    Collect,
}

/// Who may answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Speakers {
    /// Whoever speaks.
    Any,
    /// Whoever the app can name.
    Known,
    /// These, by id.
    These(Vec<String>),
}

impl Options {
    /// The defaults, for a call of this id.
    #[must_use]
    pub fn new(call_id: &str) -> Self {
        Self {
            call_id: call_id.to_owned(),
            provider: None,
            budget: limits::FEEDBACK_BYTES,
            read_out: ReadOut::Sent,
            evidence: Requirement::Optional,
            partial_answers: Partial::Refuse,
            speakers: Speakers::Any,
            may_share_questions: true,
            app_classifies: false,
            host_proves: true,
            journal: false,
        }
    }
}
