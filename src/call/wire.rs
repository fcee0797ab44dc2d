//! Events and options as JavaScript objects, read within bounds, each part once.
//!
//! The driver of a call is trusted to name the event; what the event carries comes from hosts,
//! providers and classifiers and is not.

mod caller;
mod host;
mod options;
mod scalar;

use caller::{evidence, feedback_id, request, session};
use host::{host_event, open_inputs, reply, settlement};
use scalar::{number, text, time, word};

use super::event::{Event, Instruction, Intent, OperationId, Outcome, ReadId, Reply, Settlement};
use crate::answer::{Payload, RESPOND_INPUT};
use crate::error::CallerMistake;
use crate::limits;
use crate::untrusted::{Kind, Untrusted};

impl Event {
    /// Reads an event of the call with this id. `None` where it is none of this call's, or says too
    /// little to mean anything.
    ///
    /// # Errors
    /// A [`CallerMistake`] names the argument that the calling program got wrong.
    pub fn read<V: Untrusted>(value: V, call_id: &str) -> Result<Option<Self>, CallerMistake> {
        let Some(name) = value.field(c"type").and_then(word) else { return Ok(None) };
        Ok(match name.as_str() {
            "setSession" => Some(Self::SetSession(session(value.field(c"session"))?)),
            "instruct" => {
                let (request_id, text) = request(value.field(c"request"))?;
                let evidence = evidence(value.field(c"evidence"))?;
                Some(Self::Instruct(Instruction { request_id, text, evidence }))
            }
            "heard" => {
                let evidence = evidence(value.field(c"evidence"))?;
                let id = value.field(c"requestId").and_then(|id| text(id, limits::ID_BYTES));
                id.map(|id| Self::Heard(id, evidence))
            }
            "delivered" => {
                let id = feedback_id(value.field(c"feedbackId"), call_id)?;
                id.zip(value.field(c"outcome")).map(|(id, of)| Self::Delivered(id, outcome(of)))
            }
            "voiceReset" => Some(Self::VoiceReset),
            "close" => Some(Self::Close),
            name => Self::read_result(name, value),
        })
    }

    /// What came of something that the driver did.
    fn read_result<V: Untrusted>(name: &str, value: V) -> Option<Self> {
        Some(match name {
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
