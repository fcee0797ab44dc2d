//! Who answered: the record that goes with an accepted answer (ADR 0315: the input's resolved
//! event records it). It holds ids and facts about the call, no text of the user or the question.

use serde::Serialize;

use crate::answer::Accepted;

/// The voice record of one accepted answer. Only [`ResolvedBy::voice`] makes one, so the digest
/// and `shortened` are always those of the checked answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedBy {
    kind: Kind,
    #[serde(flatten)]
    facts: Facts,
    digest: String,
    shortened: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Voice,
}

/// What a call knows about an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// The live call.
    pub call_id: String,
    /// The operation inside the call.
    pub operation_id: String,
    /// The provider's own request id.
    pub request_id: String,
    /// The voice provider, where the app named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Who spoke, where the app knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speaker: Option<Speaker>,
    /// How sure we are that the question was read out.
    pub read_out: ReadOut,
    /// What the choice was taken from.
    pub basis: Basis,
    /// Wall clock, milliseconds since 1970, as the app told it.
    pub at: u64,
}

/// A speaker as the app identified them; never inferred from the audio (ADR 0105).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Speaker {
    /// The app's id of the person.
    pub id: String,
    /// How the app knows.
    pub attribution: String,
}

/// How sure we are that a question was read out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadOut {
    /// The provider has the text.
    Sent,
    /// The provider says that it was heard to the end.
    Spoken,
}

/// What a choice was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The user's own words.
    Utterance,
    /// The provider's words for them.
    Instruction,
    /// Both, and they agree.
    Both,
}

impl ResolvedBy {
    /// The record of an answer given by voice.
    #[must_use]
    pub fn voice(accepted: &Accepted, facts: Facts) -> Self {
        Self {
            kind: Kind::Voice,
            facts,
            digest: accepted.digest().to_owned(),
            shortened: accepted.shortened(),
        }
    }
}
