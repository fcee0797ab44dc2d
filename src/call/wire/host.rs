//! What a host says: its stream, its list, its replies.

use std::rc::Rc;

use super::scalar::{number, text, time, word};
use crate::call::event::{
    Answerer, AskedQuestion, HostEvent, OpenInput, OtherKind, Rejection, Reply, Resolved,
    Settlement,
};
use crate::limits;
use crate::question::SpokenQuestion;
use crate::untrusted::{Kind, Untrusted};

pub(super) fn host_event<V: Untrusted>(value: V) -> Option<HostEvent> {
    match word(value.field(c"type")?)?.as_str() {
        "input.requested" => {
            let input = value.field(c"input").and_then(open_input);
            Some(input.map_or(HostEvent::Gap, HostEvent::Requested))
        }
        "input.resolved" => {
            let id = text(value.field(c"inputId")?, limits::ID_BYTES)?;
            Some(HostEvent::Resolved(id, resolved(value)))
        }
        "input.canceled" => {
            text(value.field(c"inputId")?, limits::ID_BYTES).map(HostEvent::Canceled)
        }
        // Whatever else a host says, and what of it cannot be read, something may have changed.
        _ => Some(HostEvent::Gap),
    }
}

pub(super) fn open_inputs<V: Untrusted>(list: V) -> Option<Vec<OpenInput>> {
    if list.kind() != Kind::List || list.length() > limits::OPEN_INPUTS {
        return None;
    }
    // One entry that cannot be read hides no other; it may be anything, so it waits as well.
    let entry = |index| list.item(index).and_then(open_input).unwrap_or_else(unreadable);
    Some((0..list.length()).map(entry).collect())
}

fn unreadable() -> OpenInput {
    OpenInput::Other { kind: OtherKind::Other, input_id: String::new(), session_id: None }
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
        let input_id = text(value.field(c"inputId")?, limits::ID_BYTES)?;
        let session_id = text(value.field(c"sessionId")?, limits::ID_BYTES);
        return Some(OpenInput::Other { kind, input_id, session_id });
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
    let unproved = value.field(c"proof").and_then(word).is_some_and(|proof| proof == "none");
    Resolved { option_indexes, by, unproved }
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

pub(super) fn reply<V: Untrusted>(value: V) -> Option<Reply> {
    Some(match word(value.field(c"status")?)?.as_str() {
        "resolved" => Reply::Resolved,
        "submitted" => Reply::Submitted,
        "not-sent" => Reply::NotSent,
        "rejected" => Reply::Rejected(match value.field(c"code").and_then(word).as_deref() {
            Some("not-found" | "not-taken") => Rejection::NotFound,
            Some("question-changed") => Rejection::QuestionChanged,
            Some("already-resolved") => Rejection::AlreadyResolved,
            _ => Rejection::Invalid,
        }),
        _ => Reply::Unknown,
    })
}

pub(super) fn settlement<V: Untrusted>(value: V) -> Option<Settlement> {
    Some(match word(value.field(c"status")?)?.as_str() {
        "open" => Settlement::Open,
        "canceled" => Settlement::Canceled,
        "resolved" => Settlement::Resolved(resolved(value)),
        _ => Settlement::Unknown,
    })
}
