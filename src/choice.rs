//! Words → options, offline: no network, no model, no guess.
//!
//! An utterance is read as a whole. It chooses only where every word of it is explained: as part of
//! a label, a position, a number or letter, a connective, a negation, an exception, a correction, a
//! word of the question itself, or a word that is known to say nothing. One word that is not, a
//! question asked back, a hedge, a second reading or a position that does not exist, and nothing is
//! chosen: a wrong choice is far worse than asking again.
//!
//! The words are data, one file for each language (`choice/words`); the grammar is code:
//! `token` folds and splits, `label` finds labels, `tag` divides the utterance, `item` reads
//! references, `sentence` decides for one question, `several` for more.

mod asked;
mod chain;
mod facts;
mod hits;
mod item;
mod label;
mod language;
mod lexicon;
mod named;
mod options;
mod reading;
mod sentence;
mod several;
mod sound;
mod tag;
mod text;
mod token;
mod topic;
mod word;
mod yes_no;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::answer::{Entry, Payload};
use crate::question::SpokenQuestion;
pub(crate) use asked::Asked;
pub use language::Language;

use reading::Reading;

/// What somebody's words choose.
#[derive(Debug, Clone, PartialEq)]
pub enum Match {
    /// One option or more of every question.
    Matched(Choices),
    /// Nothing, or not everything.
    Unsure(Unsure, Choices),
}

/// Options by question: for each question that has any, its position and those of its options.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choices(Vec<Choice>);

/// The options chosen from one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The question's position, counted from 0.
    pub question_index: usize,
    /// The labels as they were read out, in the host's order.
    pub options: Vec<String>,
}

/// Why words choose nothing, or not everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unsure {
    /// They are not about the options.
    NothingRecognised,
    /// They are about the options, but can be read in more than one way, or not to the end.
    SeveralReadings,
    /// They ask something about the options.
    QuestionAskedBack,
    /// The person is not sure either.
    Hedged,
    /// They name a position that does not exist.
    OutOfRange,
    /// The person wants none of the options.
    Declined,
    /// Only some of the questions are answered; what is understood is given.
    NotAllQuestions,
}

impl SpokenQuestion {
    /// What an utterance chooses; in a language, or in whichever one it is. One of more than
    /// [`UTTERANCE_WORDS`](crate::limits::UTTERANCE_WORDS) words or
    /// [`UTTERANCE_BYTES`](crate::limits::UTTERANCE_BYTES) bytes chooses nothing.
    #[must_use]
    pub fn match_utterance(&self, utterance: &str, language: Option<Language>) -> Match {
        Reading::new(self, self.asked(), utterance, language).outcome(self)
    }
}

/// What somebody's words are to a question, for the live call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Heard {
    /// Not about its options.
    Nothing,
    /// About its options, but no single choice.
    Unsure,
    /// This choice, perhaps of some of its questions only.
    Choice(Payload),
}

/// Reads a text as an answer to a question.
pub(crate) fn read(question: &SpokenQuestion, text: &str) -> Heard {
    Reading::new(question, question.asked(), text, None).heard(question)
}

/// Reads a text as an answer to a question of which parts were chosen already: to all of it, to what
/// is left, or, where it could be about any of that, to the first question that is left, for that
/// is the one the person was asked for.
pub(crate) fn read_rest(
    question: &SpokenQuestion,
    chosen: &[Option<Vec<usize>>],
    text: &str,
) -> Heard {
    let left = chosen.iter().enumerate().filter(|(_, part)| part.is_none());
    let left: Vec<usize> = left.map(|(index, _)| index).collect();
    let whole = read(question, text);
    if let Heard::Choice(payload) = &whole
        && question.choose_from(payload).is_ok()
    {
        return whole;
    }
    let rest = some(question, text, &left);
    match (rest.heard(question), left.first()) {
        (Heard::Unsure, Some(first)) if rest.why == Some(Unsure::NotAllQuestions) => {
            some(question, text, &[*first]).heard(question)
        }
        (Heard::Nothing, None) => whole,
        (heard, _) => heard,
    }
}

/// Whether the person's own words say something else than the answer that was made of them: another
/// choice, other options, or that they choose nothing. Words that could be about any question are
/// read as choices for those that the answer names.
pub(crate) fn contradicts(question: &SpokenQuestion, utterance: &str, answer: &Payload) -> bool {
    let reading = Reading::new(question, question.asked(), utterance, None);
    if reading.chosen.iter().any(|(_, chosen)| chosen.is_some()) {
        return reading.contradicts(question, answer);
    }
    let answers = |index: &usize| answer.labels_of(*index).is_some();
    let answered: Vec<usize> = (0..question.questions().len()).filter(answers).collect();
    some(question, utterance, &answered).contradicts(question, answer)
}

/// Reads a text as an answer to some of a question's parts.
fn some(question: &SpokenQuestion, text: &str, indexes: &[usize]) -> Reading {
    Reading::new(question, &Asked::new(question, indexes), text, None)
}

impl Choices {
    fn new(choices: Vec<Choice>) -> Self {
        Self(choices)
    }

    /// The choices, by question.
    #[must_use]
    pub fn by_question(&self) -> &[Choice] {
        &self.0
    }

    /// The same as an answer.
    pub(crate) fn into_payload(self) -> Payload {
        let entry = |choice: Choice| Entry::new(choice.question_index, choice.options);
        Payload::new(self.0.into_iter().map(entry).collect())
    }
}

/// As in the TypeScript types: `questionIndex` and `options`.
impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Choice", 2)?;
        object.serialize_field("questionIndex", &self.question_index)?;
        object.serialize_field("options", &self.options)?;
        object.end()
    }
}

/// As in the TypeScript types: `status`, and `answers`, or `reason` and `understood`.
impl Serialize for Match {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Matched(choices) => {
                let mut object = serializer.serialize_struct("Match", 2)?;
                object.serialize_field("status", "matched")?;
                object.serialize_field("answers", &choices.0)?;
                object.end()
            }
            Self::Unsure(reason, understood) => {
                let mut object = serializer.serialize_struct("Match", 3)?;
                object.serialize_field("status", "unsure")?;
                object.serialize_field("reason", reason)?;
                object.serialize_field("understood", &understood.0)?;
                object.end()
            }
        }
    }
}
