//! Events and options as JavaScript objects, read within bounds, each part once.
//!
//! The driver of a call is trusted to name the event; what the event carries comes from hosts,
//! providers and classifiers and is not.

mod host;
mod options;
mod scalar;

use host::{host_event, open_inputs, reply, settlement};
use scalar::{any_text, number, text, time, word};

use super::event::{
    Event, Evidence, FeedbackId, Instruction, Intent, OperationId, Outcome, ReadId, Reply, Session,
    Settlement,
};
use super::operation::INSTRUCTION_BYTES;
use crate::answer::{Payload, RESPOND_INPUT};
use crate::limits;
use crate::provenance::Speaker;
use crate::untrusted::{Kind, Untrusted};

/// Bytes of a person's own words that are looked at; longer ones are not an answer.
const UTTERANCE_BYTES: usize = INSTRUCTION_BYTES;

impl Event {
    /// Reads an event. `None` where it is none of this call's, or says too little to mean
    /// anything.
    pub fn read<V: Untrusted>(value: V) -> Option<Self> {
        let name = word(value.field(c"type")?)?;
        Some(match name.as_str() {
            "setSession" => Self::SetSession(Session {
                id: text(value.field(c"id")?, limits::ID_BYTES)?,
                local: value.field(c"local")?.kind() != Kind::Boolean(false),
            }),
            "instruct" => Self::Instruct(Instruction {
                request_id: any_text(value.field(c"requestId")?),
                text: any_text(value.field(c"instruction")?),
                evidence: evidence(value.field(c"evidence")?),
            }),
            "heard" => Self::Heard(
                text(value.field(c"requestId")?, limits::ID_BYTES)?,
                evidence(value.field(c"evidence")?),
            ),
            "delivered" => Self::Delivered(
                FeedbackId(number(value.field(c"id")?)?),
                outcome(value.field(c"outcome")?),
            ),
            "voiceReset" => Self::VoiceReset,
            "host" => Self::Host(host_event(value.field(c"event")?)?),
            "listed" => Self::Listed(
                ReadId(number(value.field(c"id")?)?),
                open_inputs(value.field(c"inputs")?),
                time(value.field(c"wall")?).unwrap_or(0),
            ),
            "classified" => Self::Classified(
                OperationId(number(value.field(c"id")?)?),
                match value.field(c"failed")?.kind() {
                    Kind::Boolean(true) => None,
                    _ => Some(intent(value.field(c"intent")?)),
                },
            ),
            "replied" => Self::Replied(
                OperationId(number(value.field(c"id")?)?),
                reply(value.field(c"reply")?).unwrap_or(Reply::Unknown),
            ),
            "lookedUp" => Self::LookedUp(
                OperationId(number(value.field(c"id")?)?),
                settlement(value.field(c"settlement")?).unwrap_or(Settlement::Unknown),
            ),
            "close" => Self::Close,
            _ => Self::Wake,
        })
    }
}

/// What a classifier made of an instruction: an answer where it says so, or has the shape of one.
fn intent<V: Untrusted>(value: V) -> Intent {
    match value.kind() {
        Kind::List => Intent::Answer(Payload::read(value)),
        Kind::Text if value.units() <= limits::ANSWER_BYTES => {
            let json = value.text().unwrap_or_default();
            match Payload::parse(&json) {
                Err(_) if !json.contains(RESPOND_INPUT) => Intent::Other,
                payload => Intent::Answer(payload),
            }
        }
        Kind::Object => {
            let kind = value.field(c"kind");
            let is_ours = kind.and_then(word).is_some_and(|kind| kind == RESPOND_INPUT);
            let has_none = kind.is_some_and(|kind| kind.kind() == Kind::Undefined);
            let answers = value.field(c"answers");
            let is_list = answers.is_some_and(|answers| answers.kind() == Kind::List);
            match answers {
                Some(answers) if is_ours || has_none && is_list => {
                    Intent::Answer(Payload::read_entries(answers))
                }
                _ => Intent::Other,
            }
        }
        _ => Intent::Other,
    }
}

fn outcome<V: Untrusted>(value: V) -> Outcome {
    match word(value).as_deref() {
        Some("not-sent") => Outcome::NotSent,
        Some("context-only") => Outcome::ContextOnly,
        Some("sent") => Outcome::Sent,
        Some("spoken") => Outcome::Spoken,
        Some("interrupted") => Outcome::Interrupted,
        _ => Outcome::Unknown,
    }
}

fn evidence<V: Untrusted>(value: V) -> Evidence {
    if value.kind() != Kind::Object {
        return Evidence::default();
    }
    let speaker = value.field(c"speaker").filter(|speaker| speaker.kind() == Kind::Object);
    Evidence {
        utterance: value.field(c"utterance").and_then(|value| text(value, UTTERANCE_BYTES)),
        speech_started_at: value.field(c"speechStartedAt").and_then(time),
        speaker: speaker.and_then(|speaker| {
            Some(Speaker {
                id: text(speaker.field(c"id")?, limits::ID_BYTES).filter(|id| !id.is_empty())?,
                attribution: text(speaker.field(c"attribution")?, limits::ID_BYTES)
                    .unwrap_or_default(),
            })
        }),
    }
}
