//! The Node-API surface: converts, calls, converts back. It decides nothing.
//!
//! Every export catches unwinding, so that a defect in this crate is an `Error` in JavaScript and
//! never the end of the process.
#![allow(unreachable_pub, reason = "what is `pub` here is what JavaScript sees")]
#![allow(clippy::doc_markdown, reason = "the documentation is for TypeScript readers")]
#![allow(clippy::trivially_copy_pass_by_ref, reason = "napi-derive passes the environment so")]

mod argument;
mod authority;
mod call;
mod js;
mod output;
#[cfg(feature = "panic-probe")]
mod probe;

use napi::bindgen_prelude::{Env, Object, Unknown};
use napi_derive::napi;

use argument::throw;
use js::Js;
use output::give;

use crate::Verdict;

/// Checks an answer against what is open.
///
/// `question` is one open input, the host's whole list of them as it is, or nothing. Only
/// questions count: an input whose `kind` is there and not `'question'` (a permission, a plan) is
/// never answered.
///
/// `answers` is what a model or a provider said: the array of {@link Answer}s, the parsed object
/// `{ kind?: 'respond-input', answers }`, or the JSON text of either (at most 131 072 bytes,
/// nothing around it, no unknown and no duplicate key). It is untrusted: whatever is wrong with it
/// is a refusal, never an exception. Of an object only the properties that belong to an answer are
/// looked at.
///
/// Checked in this order: what is open, whether it can be answered by voice, the shape of the
/// answer, question indexes (out of range, repeated, missing), options by question (ADR 0315).
///
/// @param expected The digest the answer was given to; the question must still have it, else
/// `question-changed`.
/// @throws {TypeError} `INVALID_QUESTION` where `question` or an entry of the list is no object,
/// `INVALID_EXPECTED` where `expected` is no text.
#[napi(
    catch_unwind,
    ts_args_type = "question: OpenInput | readonly OpenInput[] | null | undefined, answers: unknown, expected?: string",
    ts_return_type = "Verdict"
)]
pub fn validate_answer<'env>(
    env: &'env Env,
    question: Unknown<'env>,
    answers: Unknown<'env>,
    expected: Unknown<'env>,
) -> napi::Result<Unknown<'env>> {
    argument::probe();
    let verdict = crate::validate_answer(Js::from(question), Js::from(answers), Js::from(expected));
    give(env, &verdict.map_err(|mistake| throw(*env, mistake))?)
}

/// The question as text for a voice provider: whole questions only, at most `budget` bytes of
/// UTF-8, from question `from` on.
///
/// Send every page in turn until `next` is `null`. All pages before the last tell the provider to
/// listen on; the last one asks it to pass the person's choice on. Where `answerable` is false the
/// text, if any, only points at the card on the screen.
///
/// @param budget Bytes of UTF-8, a whole number. Default 1100.
/// @param from The question to start with, counted from 0. Default 0. Past the last question there
/// is nothing left: the text is empty.
/// @throws {TypeError} `INVALID_QUESTION`, `INVALID_BUDGET` or `INVALID_FROM`.
#[napi(
    catch_unwind,
    ts_args_type = "question: OpenQuestion, budget?: number, from?: number",
    ts_return_type = "QuestionFeedback"
)]
pub fn format_question_feedback<'env>(
    env: &'env Env,
    question: Unknown<'env>,
    budget: Unknown<'env>,
    from: Unknown<'env>,
) -> napi::Result<Unknown<'env>> {
    argument::probe();
    let question =
        crate::SpokenQuestion::read(Js::from(question)).map_err(|mistake| throw(*env, mistake))?;
    feedback(env, &question, budget, from)
}

fn feedback<'env>(
    env: &'env Env,
    question: &crate::SpokenQuestion,
    budget: Unknown<'env>,
    from: Unknown<'env>,
) -> napi::Result<Unknown<'env>> {
    let budget = argument::budget(Js::from(budget)).map_err(|mistake| throw(*env, mistake))?;
    let from = argument::from(Js::from(from)).map_err(|mistake| throw(*env, mistake))?;
    give(env, &question.feedback(budget, from))
}

/// What a person's words choose from a question: offline, without a model, and never a guess. See
/// {@link Match}. Prepare the question once with {@link SpokenQuestion} where several utterances are
/// matched against it.
///
/// An utterance chooses only where every word of it is explained: as part of a label, a position
/// ("the second one", "option B", "the last two"), a connective, a negation, an exception, a later
/// correction, a word of the question, or a word that says nothing. Otherwise, and where two
/// readings remain, it is `unsure`. An utterance of over 128 words or 8 KiB chooses nothing.
///
/// @param options.language The language of the utterance. Default: whichever of the six it is.
/// @throws {TypeError} `INVALID_QUESTION`, `INVALID_UTTERANCE`, `INVALID_OPTIONS` or
/// `INVALID_LANGUAGE`.
#[napi(
    catch_unwind,
    ts_args_type = "question: OpenQuestion, utterance: string, options?: { language?: Language | undefined }",
    ts_return_type = "Match"
)]
pub fn match_utterance<'env>(
    env: &'env Env,
    question: Unknown<'env>,
    utterance: Unknown<'env>,
    options: Unknown<'env>,
) -> napi::Result<Unknown<'env>> {
    argument::probe();
    let question =
        crate::SpokenQuestion::read(Js::from(question)).map_err(|mistake| throw(*env, mistake))?;
    matched(env, &question, utterance, options)
}

fn matched<'env>(
    env: &'env Env,
    question: &crate::SpokenQuestion,
    utterance: Unknown<'env>,
    options: Unknown<'env>,
) -> napi::Result<Unknown<'env>> {
    let utterance =
        argument::utterance(Js::from(utterance)).map_err(|mistake| throw(*env, mistake))?;
    let language = argument::language(Js::from(options)).map_err(|mistake| throw(*env, mistake))?;
    give(env, &question.match_utterance(&utterance, language))
}

/// One host question, prepared once: the bounded view that is read out, classified and checked
/// against. {@link validateAnswer} and {@link formatQuestionFeedback} are its shorthands.
///
/// What is wrong with the question itself is {@link SpokenQuestion.unanswerable}, not an
/// exception. Properties of the question are read once, when it is made; later changes to the
/// object have no effect.
#[napi]
pub struct SpokenQuestion(crate::SpokenQuestion);

#[napi]
impl SpokenQuestion {
    /// Prepares a question.
    ///
    /// @throws {TypeError} `INVALID_QUESTION` where it is no object.
    #[napi(constructor, catch_unwind, ts_args_type = "question: OpenQuestion")]
    pub fn new(env: &Env, question: Unknown<'_>) -> napi::Result<Self> {
        argument::probe();
        crate::SpokenQuestion::read(Js::from(question))
            .map(Self)
            .map_err(|mistake| throw(*env, mistake))
    }

    /// The host's id of the input; empty where the question is too broken to read.
    #[napi(getter, catch_unwind)]
    pub fn input_id(&self) -> &str {
        argument::probe();
        self.0.input_id()
    }

    /// SHA-256 over a versioned encoding of the host question (`1:…`): everything that
    /// {@link OpenQuestion} names but `kind`. It changes when any of it does. Other properties, such
    /// as a value behind a label, are not in it: a host that changes those must change an id. Empty
    /// where the question is of another kind, has more than 8 parts, or is too large or too broken to
    /// read; then it is unanswerable.
    #[napi(getter, catch_unwind)]
    pub fn digest(&self) -> &str {
        argument::probe();
        self.0.digest()
    }

    /// Why this question cannot be answered by voice, and which of its questions is the cause
    /// (from 0); `null` where it can be, in messages that are large enough: `answerable` of
    /// {@link QuestionFeedback} tells for a budget.
    #[napi(
        getter,
        catch_unwind,
        ts_return_type = "{ reason: RefusalReason; questionIndex?: number } | null"
    )]
    pub fn unanswerable<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &self.0.unanswerable())
    }

    /// What is read out: cleaned, cut, at most 8 × 8. Empty where the question is unanswerable. A
    /// fresh copy each time.
    #[napi(getter, catch_unwind, ts_return_type = "readonly SpokenView[]")]
    pub fn questions<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &self.0.questions())
    }

    /// Checks an answer against what was read out; see {@link validateAnswer}.
    //
    // An accepted answer crosses the boundary as one short text: a character for each question,
    // with a bit for each option. `index.js` makes the verdict of it, which is several times faster
    // than making its arrays through Node-API.
    #[napi(catch_unwind, ts_args_type = "answers: unknown", ts_return_type = "Verdict")]
    pub fn validate<'env>(
        &self,
        env: &'env Env,
        answers: Unknown<'env>,
    ) -> napi::Result<Unknown<'env>> {
        argument::probe();
        match self.0.choose(Js::from(answers)) {
            Ok(option_indexes) => output::positions(env, &option_indexes),
            Err(refusal) => give(env, &Verdict::Refused(refusal)),
        }
    }

    /// What every accepted verdict on this question has in common, for `index.js`.
    #[napi(catch_unwind, skip_typescript)]
    pub fn accepted_parts<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &output::AcceptedParts::from(&self.0))
    }

    /// The question as text for a voice provider; see {@link formatQuestionFeedback}.
    ///
    /// @throws {TypeError} `INVALID_BUDGET` or `INVALID_FROM`.
    #[napi(
        catch_unwind,
        ts_args_type = "budget?: number, from?: number",
        ts_return_type = "QuestionFeedback"
    )]
    pub fn feedback<'env>(
        &self,
        env: &'env Env,
        budget: Unknown<'env>,
        from: Unknown<'env>,
    ) -> napi::Result<Unknown<'env>> {
        argument::probe();
        feedback(env, &self.0, budget, from)
    }

    /// What a person's words choose; see {@link matchUtterance}.
    ///
    /// @throws {TypeError} `INVALID_UTTERANCE`, `INVALID_OPTIONS` or `INVALID_LANGUAGE`.
    #[napi(
        js_name = "match",
        catch_unwind,
        ts_args_type = "utterance: string, options?: { language?: Language | undefined }",
        ts_return_type = "Match"
    )]
    pub fn match_utterance<'env>(
        &self,
        env: &'env Env,
        utterance: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<Unknown<'env>> {
        argument::probe();
        matched(env, &self.0, utterance, options)
    }

    /// JSON Schema for a model's output, an object `{ kind, answers }`. The schema narrows what a
    /// model may write; {@link SpokenQuestion.validate} decides.
    ///
    /// - `'2020-12'` (the default) is JSON Schema 2020-12 with every rule: what it accepts,
    ///   `validate` accepts.
    /// - `'strict'` keeps to what structured-output modes accept. An entry can only hold labels of
    ///   its own question, but the schema does not enforce that each question is answered exactly
    ///   once, that an entry names an option, that a question takes only one, or that no option
    ///   is named twice.
    ///
    /// Of an unanswerable question: a schema under which no answer can be written.
    ///
    /// @throws {TypeError} `INVALID_DIALECT`.
    #[napi(
        catch_unwind,
        ts_args_type = "dialect?: '2020-12' | 'strict'",
        ts_return_type = "object"
    )]
    pub fn schema<'env>(
        &self,
        env: &'env Env,
        dialect: Unknown<'env>,
    ) -> napi::Result<Unknown<'env>> {
        argument::probe();
        let dialect =
            argument::dialect(Js::from(dialect)).map_err(|mistake| throw(*env, mistake))?;
        give(env, &self.0.schema(dialect))
    }
}

/// `REFUSALS`, `LIMITS` and `TURN_CODES`, frozen.
#[napi(module_exports)]
pub fn constants(mut exports: Object<'_>, env: Env) -> napi::Result<()> {
    output::prepare(&env)?;
    exports.set("REFUSALS", output::refusals(&env)?)?;
    exports.set("LIMITS", output::limits(&env)?)?;
    exports.set("TURN_CODES", authority::codes(&env)?)
}
