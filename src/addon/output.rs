//! Results on their way back: each is written as JSON and parsed by the engine, one crossing
//! however many values it holds.

use napi::bindgen_prelude::{
    Env, FnArgs, FromNapiValue, Function, FunctionRef, JsObjectValue, JsValue, Object, Unknown,
};
use serde::Serialize;

use super::js::call;
use crate::{Next, Reason, SpokenQuestion, limits};

/// The engine's `JSON.parse`, taken when the addon is loaded, so that nothing that is done to the
/// global later changes what is returned. It belongs to one environment and dies with it.
struct JsonParse(FunctionRef<FnArgs<(String,)>, Unknown<'static>>);

/// Takes `JSON.parse` for this environment.
pub(super) fn prepare(env: &Env) -> napi::Result<()> {
    let json: Object<'_> = env.get_global()?.get_named_property("JSON")?;
    let parse: Function<'_, FnArgs<(String,)>, Unknown<'static>> =
        json.get_named_property("parse")?;
    env.set_instance_data(JsonParse(parse.create_ref()?), (), |_| {})
}

/// A value as JavaScript has it.
pub(super) fn give<'env>(env: &'env Env, value: &impl Serialize) -> napi::Result<Unknown<'env>> {
    let text = serde_json::to_string(value).map_err(|e| napi::Error::from_reason(e.to_string()))?;
    let parse = env.get_instance_data::<JsonParse>()?;
    let parse = parse.ok_or_else(|| napi::Error::from_reason("the addon was not initialised"))?;
    call(env, &parse.0.borrow_back(env)?, &text)
}

/// The chosen options: a character for each question, in which bit `n` stands for option `n`. At
/// most 8 options are read out, so each is a character of Latin-1.
pub(super) fn positions<'env>(
    env: &'env Env,
    option_indexes: &[Vec<usize>],
) -> napi::Result<Unknown<'env>> {
    let bits = |indexes: &Vec<usize>| indexes.iter().fold(0, |bits, index| bits | 1_u8 << index);
    let text: Vec<u8> = option_indexes.iter().map(bits).collect();
    Ok(env.create_string_latin1(&text)?.to_unknown())
}

/// What every accepted verdict on a question has in common.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AcceptedParts<'a> {
    input_id: &'a str,
    digest: &'a str,
    shortened: bool,
    /// The host's own labels of what was read out.
    labels: Vec<Vec<&'a str>>,
}

impl<'a> From<&'a SpokenQuestion> for AcceptedParts<'a> {
    fn from(question: &'a SpokenQuestion) -> Self {
        let labels = question.questions().iter().map(|one| one.host_labels().collect());
        Self {
            input_id: question.input_id(),
            digest: question.digest(),
            shortened: question.shortened(),
            labels: labels.collect(),
        }
    }
}

/// `REFUSALS`: every reason with its sentence, frozen.
pub(super) fn refusals(env: &Env) -> napi::Result<Object<'_>> {
    #[derive(Serialize)]
    struct Row {
        message: &'static str,
        next: Next,
    }
    let mut refusals = Object::new(env)?;
    for reason in Reason::ALL {
        let row = Row { message: reason.message(), next: reason.next() };
        refusals.set(reason.name(), frozen(env, &row)?)?;
    }
    refusals.freeze()?;
    Ok(refusals)
}

/// `LIMITS`: the bounds that a caller meets, frozen.
pub(super) fn limits(env: &Env) -> napi::Result<Object<'_>> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Limits {
        questions: usize,
        options: usize,
        question_chars: usize,
        option_chars: usize,
        feedback_bytes: usize,
        answer_bytes: usize,
        host_options: usize,
        host_bytes: usize,
        id_bytes: usize,
    }
    let limits = Limits {
        questions: limits::QUESTIONS,
        options: limits::OPTIONS,
        question_chars: limits::QUESTION_CHARS,
        option_chars: limits::OPTION_CHARS,
        feedback_bytes: limits::FEEDBACK_BYTES,
        answer_bytes: limits::ANSWER_BYTES,
        host_options: limits::HOST_OPTIONS,
        host_bytes: limits::HOST_BYTES,
        id_bytes: limits::ID_BYTES,
    };
    frozen(env, &limits)
}

/// A value that cannot be changed.
pub(super) fn frozen<'env>(env: &'env Env, value: &impl Serialize) -> napi::Result<Object<'env>> {
    let mut object = Object::from_unknown(give(env, value)?)?;
    object.freeze()?;
    Ok(object)
}
