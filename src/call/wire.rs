//! Events and options as JavaScript objects, read within bounds, each part once.
//!
//! The driver of a call is trusted to name the event; what the event carries comes from hosts,
//! providers and classifiers and is not.

use std::rc::Rc;

use super::event::{
    Answerer, AskedQuestion, Event, Evidence, FeedbackId, HostEvent, Instruction, Intent,
    OpenInput, OperationId, OtherKind, Outcome, ReadId, Rejection, Reply, Resolved, Session,
    Settlement,
};
use super::operation::INSTRUCTION_BYTES;
use super::options::{Options, Partial, Requirement, Speakers};
use crate::answer::{Payload, RESPOND_INPUT};
use crate::error::CallerMistake;
use crate::limits;
use crate::provenance::{ReadOut, Speaker};
use crate::question::SpokenQuestion;
use crate::untrusted::{Kind, Untrusted};

/// Bytes of a person's own words that are looked at; longer ones are not an answer.
const UTTERANCE_BYTES: usize = INSTRUCTION_BYTES;
/// Inputs of a list that are looked at.
const LISTED: usize = limits::OPEN_INPUTS;

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

impl Options {
    /// Reads the options of a call.
    ///
    /// # Errors
    /// [`CallerMistake::Option`] names the first that is wrong.
    pub fn read<V: Untrusted>(value: V) -> Result<Self, CallerMistake> {
        let wrong = CallerMistake::Option;
        let field = |name: &'static std::ffi::CStr, named| value.field(name).ok_or(wrong(named));
        let call_id = text(field(c"callId", "callId")?, limits::ID_BYTES - 16)
            .filter(|id| !id.is_empty())
            .ok_or(wrong("callId"))?;
        let mut options = Self::new(&call_id);
        let provider = field(c"provider", "voice.name")?;
        if provider.kind() != Kind::Undefined {
            options.provider = Some(text(provider, limits::ID_BYTES).ok_or(wrong("voice.name"))?);
        }
        options.budget = match field(c"budget", "budget")?.kind() {
            Kind::Undefined => options.budget,
            Kind::Number(bytes) if (0.0..=1e9).contains(&bytes) && bytes.fract() == 0.0 => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "checked"
                )]
                let bytes = bytes as usize;
                bytes
            }
            _ => return Err(wrong("budget")),
        };
        options.read_out = choice(
            field(c"readOut", "readOut")?,
            &[("sent", ReadOut::Sent), ("spoken", ReadOut::Spoken)],
        )
        .ok_or(wrong("readOut"))?
        .unwrap_or(options.read_out);
        options.evidence = choice(
            field(c"evidence", "evidence")?,
            &[("optional", Requirement::Optional), ("required", Requirement::Required)],
        )
        .ok_or(wrong("evidence"))?
        .unwrap_or(options.evidence);
        options.partial_answers = choice(
            field(c"partialAnswers", "partialAnswers")?,
            &[("refuse", Partial::Refuse), ("collect", Partial::Collect)],
        )
        .ok_or(wrong("partialAnswers"))?
        .unwrap_or(options.partial_answers);
        options.speakers = speakers(field(c"speakers", "speakers")?).ok_or(wrong("speakers"))?;
        let flag = |value: V, default, named| match value.kind() {
            Kind::Undefined => Ok(default),
            Kind::Boolean(value) => Ok(value),
            _ => Err(wrong(named)),
        };
        options.may_share_questions =
            flag(field(c"mayShareQuestions", "mayShareQuestions")?, true, "mayShareQuestions")?;
        options.app_classifies = flag(field(c"appClassifies", "classify")?, false, "classify")?;
        options.journal = flag(field(c"journal", "journal")?, false, "journal")?;
        options.host_proves =
            choice(field(c"proof", "host.proof")?, &[("host", true), ("none", false)])
                .flatten()
                .ok_or(wrong("host.proof"))?;
        Ok(options)
    }
}

fn speakers<V: Untrusted>(value: V) -> Option<Speakers> {
    if value.kind() == Kind::List {
        if value.length() > 256 {
            return None;
        }
        let ids = (0..value.length()).map(|index| text(value.item(index)?, limits::ID_BYTES));
        return ids.collect::<Option<_>>().map(Speakers::These);
    }
    choice(value, &[("any", Speakers::Any), ("known", Speakers::Known)])
        .map(|chosen| chosen.unwrap_or(Speakers::Any))
}

/// One of a few words; `Some(None)` where there is none.
#[expect(clippy::option_option, reason = "absent and wrong are two answers here")]
fn choice<V: Untrusted, T: Clone>(value: V, choices: &[(&str, T)]) -> Option<Option<T>> {
    if value.kind() == Kind::Undefined {
        return Some(None);
    }
    let name = word(value)?;
    choices.iter().find(|(other, _)| *other == name).map(|(_, chosen)| Some(chosen.clone()))
}

fn host_event<V: Untrusted>(value: V) -> Option<HostEvent> {
    match word(value.field(c"type")?)?.as_str() {
        "input.requested" => open_input(value.field(c"input")?).map(HostEvent::Requested),
        "input.resolved" => {
            let id = text(value.field(c"inputId")?, limits::ID_BYTES)?;
            Some(HostEvent::Resolved(id, resolved(value)))
        }
        "input.canceled" => {
            text(value.field(c"inputId")?, limits::ID_BYTES).map(HostEvent::Canceled)
        }
        // Whatever else a host says, something may have changed.
        _ => Some(HostEvent::Gap),
    }
}

fn open_inputs<V: Untrusted>(list: V) -> Option<Vec<OpenInput>> {
    if list.kind() != Kind::List || list.length() > LISTED {
        return None;
    }
    (0..list.length()).map(|index| open_input(list.item(index)?)).collect()
}

fn open_input<V: Untrusted>(value: V) -> Option<OpenInput> {
    if value.kind() != Kind::Object {
        return None;
    }
    let kind = value.field(c"kind")?;
    let is_question = kind.kind() == Kind::Undefined
        || kind.units() == "question".len() && word(kind).is_some_and(|kind| kind == "question");
    if !is_question {
        let kind = match word(kind).as_deref() {
            Some("permission") => OtherKind::Permission,
            Some("plan") => OtherKind::Plan,
            Some("goal") => OtherKind::Goal,
            _ => OtherKind::Other,
        };
        let id = text(value.field(c"inputId")?, limits::ID_BYTES)?;
        return Some(OpenInput::Other(kind, id));
    }
    let question = SpokenQuestion::read_known(value);
    let asked_of = value.field(c"askedOf")?;
    let asked_of = match asked_of.kind() {
        Kind::Undefined | Kind::Null => None,
        // An id that cannot be read is nobody's, so nobody may answer.
        _ => Some(text(asked_of, limits::ID_BYTES).unwrap_or_default()),
    };
    let private = !matches!(
        value.field(c"private")?.kind(),
        Kind::Undefined | Kind::Null | Kind::Boolean(false)
    );
    let expires_at = time(value.field(c"expiresAt")?);
    Some(OpenInput::Question(AskedQuestion {
        question: Rc::new(question),
        asked_of,
        private,
        expires_at,
    }))
}

fn resolved<V: Untrusted>(value: V) -> Resolved {
    let option_indexes = value.field(c"optionIndexes").and_then(indexes);
    let by = value.field(c"resolvedBy").filter(|by| by.kind() == Kind::Object).map(|by| {
        let voice = by.field(c"kind").and_then(word).is_some_and(|kind| kind == "voice");
        let operation = by.field(c"operationId").and_then(|id| text(id, limits::ID_BYTES));
        match operation {
            Some(operation) if voice => Answerer::Voice(operation),
            _ => Answerer::Other,
        }
    });
    Resolved { option_indexes, by }
}

fn indexes<V: Untrusted>(value: V) -> Option<Vec<Vec<usize>>> {
    let list = |value: V, most| {
        (value.kind() == Kind::List && value.length() <= most).then(|| value.length())
    };
    let questions = list(value, limits::QUESTIONS)?;
    (0..questions)
        .map(|question| {
            let chosen = value.item(question)?;
            let options = list(chosen, limits::OPTIONS)?;
            (0..options).map(|n| number(chosen.item(n)?).map(|index| index as usize)).collect()
        })
        .collect()
}

fn reply<V: Untrusted>(value: V) -> Option<Reply> {
    Some(match word(value.field(c"status")?)?.as_str() {
        "resolved" => Reply::Resolved,
        "submitted" => Reply::Submitted,
        "not-sent" => Reply::NotSent,
        "rejected" => Reply::Rejected(match value.field(c"code").and_then(word).as_deref() {
            Some("not-found") => Rejection::NotFound,
            Some("question-changed") => Rejection::QuestionChanged,
            Some("already-resolved") => Rejection::AlreadyResolved,
            _ => Rejection::Invalid,
        }),
        _ => Reply::Unknown,
    })
}

fn settlement<V: Untrusted>(value: V) -> Option<Settlement> {
    Some(match word(value.field(c"status")?)?.as_str() {
        "open" => Settlement::Open,
        "canceled" => Settlement::Canceled,
        "resolved" => Settlement::Resolved(resolved(value)),
        _ => Settlement::Unknown,
    })
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

/// A text of at most so many bytes.
fn text<V: Untrusted>(value: V, bytes: usize) -> Option<String> {
    if value.kind() != Kind::Text || value.units() > bytes {
        return None;
    }
    value.text().filter(|text| text.len() <= bytes)
}

/// A short fixed word.
fn word<V: Untrusted>(value: V) -> Option<String> {
    text(value, 32)
}

/// A text that the ledger judges; one that is far too long, or none, is one byte too long.
fn any_text<V: Untrusted>(value: V) -> String {
    text(value, INSTRUCTION_BYTES).unwrap_or_else(|| " ".repeat(INSTRUCTION_BYTES + 1))
}

/// A whole number of at most 32 bits.
fn number<V: Untrusted>(value: V) -> Option<u32> {
    time(value).and_then(|number| u32::try_from(number).ok())
}

/// Milliseconds, rounded down; none where it is negative or beyond counting.
fn time<V: Untrusted>(value: V) -> Option<u64> {
    match value.kind() {
        Kind::Number(number) if (0.0..=9_007_199_254_740_991.0).contains(&number) =>
        {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
            Some(number as u64)
        }
        _ => None,
    }
}
