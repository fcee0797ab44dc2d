//! Short ways to say what a test is about.

use serde_json::{Value, json};
use spoken_answer::call::event::{OpenInput, OtherKind, Utterance};
use spoken_answer::{CallerMistake, SpokenQuestion, Verdict, validate_answer};

/// An open input with these questions.
pub(crate) fn input(questions: &Value) -> Value {
    json!({ "inputId": "input-1", "sessionId": "session-1", "questions": questions })
}

/// An open input with one question that has these options.
pub(crate) fn one(options: &Value) -> Value {
    input(&json!([{ "question": "Which?", "options": options }]))
}

pub(crate) fn spoken(question: &Value) -> SpokenQuestion {
    SpokenQuestion::read(Some(question)).expect("an object")
}

/// The verdict as JavaScript gets it.
pub(crate) fn validate(open: &Value, answers: &Value) -> Value {
    to_json(validate_answer(Some(open), Some(answers), None))
}

pub(crate) fn to_json(verdict: Result<Verdict, CallerMistake>) -> Value {
    serde_json::to_value(verdict.expect("no mistake of the caller")).unwrap()
}

/// Why a question cannot be answered, as JavaScript gets it.
pub(crate) fn unanswerable(question: &Value) -> Value {
    serde_json::to_value(spoken(question).unanswerable()).unwrap()
}

/// The reason of a refusal, or `accepted`.
pub(crate) fn outcome(verdict: &Value) -> &str {
    verdict["reason"].as_str().unwrap_or_else(|| verdict["status"].as_str().unwrap())
}

/// The person's own words.
pub(crate) fn words(text: &str) -> Utterance {
    Utterance::Words(text.to_owned())
}

/// An input that is no question, of a host that does not say of which session.
pub(crate) fn waits(kind: OtherKind, id: &str) -> OpenInput {
    OpenInput::Other { kind, input_id: id.to_owned(), session_id: None }
}
