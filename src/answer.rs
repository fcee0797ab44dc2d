//! A respond-input payload → verdict: checked against exactly what was read out (ADR 0315).

mod payload;
mod text;

use serde::Serialize;

use crate::error::CallerMistake;
use crate::limits;
use crate::open_question::is_question;
use crate::question::{Spoken, SpokenQuestion, Unanswerable};
use crate::refusal::{Reason, Refusal};
use crate::untrusted::{Kind, Untrusted};
pub(crate) use payload::{Entry, RESPOND_INPUT};
pub use payload::{Malformed, Payload};

use payload::Index;

/// What became of an answer. Its JSON form is that of the TypeScript types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Verdict {
    /// It chooses among the options that were read out, once for each question.
    Accepted(Accepted),
    /// It does not, or there is nothing it could answer.
    Refused(Refusal),
}

/// A complete, checked choice. Only [`SpokenQuestion::validate`] and its shorthands make one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    input_id: String,
    digest: String,
    answers: Vec<Vec<String>>,
    option_indexes: Vec<Vec<usize>>,
    shortened: bool,
}

/// How far an answer given in parts has come.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Every question has its choice.
    Whole(Vec<Vec<usize>>),
    /// Some have; by question.
    Part(Vec<Option<Vec<usize>>>),
}

impl Accepted {
    /// The host's id of the input.
    #[must_use]
    pub fn input_id(&self) -> &str {
        &self.input_id
    }

    /// The digest of the question that was answered.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The host's own labels, untouched, in the order of its questions and options.
    #[must_use]
    pub fn answers(&self) -> &[Vec<String>] {
        &self.answers
    }

    /// The same choice as positions among the host's options, from 0.
    #[must_use]
    pub fn option_indexes(&self) -> &[Vec<usize>] {
        &self.option_indexes
    }

    /// Whether a question or label was cut when it was read out.
    #[must_use]
    pub fn shortened(&self) -> bool {
        self.shortened
    }
}

impl SpokenQuestion {
    /// Checks an answer: the array of entries, the object `{ kind?, answers }`, or the JSON text
    /// of either.
    #[must_use]
    pub fn validate<V: Untrusted>(&self, answers: V) -> Verdict {
        self.verdict(self.choose(answers))
    }

    /// Checks an answer given as JSON text of at most [`limits::ANSWER_BYTES`] bytes: nothing
    /// around it, no unknown and no duplicate key.
    #[must_use]
    pub fn validate_text(&self, json: &str) -> Verdict {
        self.verdict(self.check(|| Payload::parse(json)))
    }

    /// What an answer chooses: for each question the positions of its options, ascending.
    pub(crate) fn choose<V: Untrusted>(&self, answers: V) -> Result<Vec<Vec<usize>>, Refusal> {
        self.check(|| match answers.kind() {
            Kind::Text if answers.units() > limits::ANSWER_BYTES => Err(Malformed),
            Kind::Text => Payload::parse(&answers.text().ok_or(Malformed)?),
            _ => Payload::read(answers),
        })
    }

    /// In the order of the design: whether it can be answered → shape → indexes → options.
    fn check(
        &self,
        payload: impl FnOnce() -> Result<Payload, Malformed>,
    ) -> Result<Vec<Vec<usize>>, Refusal> {
        self.spoken().map_err(Unanswerable::refusal)?;
        let payload = payload().map_err(|Malformed| Refusal::new(Reason::MalformedAnswer))?;
        self.choose_from(&payload)
    }

    /// What an answer of the right shape chooses.
    pub(crate) fn choose_from(&self, payload: &Payload) -> Result<Vec<Vec<usize>>, Refusal> {
        let spoken = self.spoken().map_err(Unanswerable::refusal)?;
        let entries = entries_by_question(payload, spoken.len())?;
        let missing = |(index, entry): (usize, Option<_>)| {
            entry.ok_or(Refusal::at(Reason::QuestionMissing, index))
        };
        let entries: Vec<_> =
            entries.into_iter().enumerate().map(missing).collect::<Result<_, _>>()?;
        spoken.iter().zip(entries).enumerate().map(choose_at).collect()
    }

    /// What an answer to some of the questions chooses, together with what was chosen before:
    /// everything, or still a part. What is said later counts.
    pub(crate) fn choose_part(
        &self,
        payload: &Payload,
        before: &[Option<Vec<usize>>],
    ) -> Result<Progress, Refusal> {
        let spoken = self.spoken().map_err(Unanswerable::refusal)?;
        let entries = entries_by_question(payload, spoken.len())?;
        if payload.entries.is_empty() {
            return Err(Refusal::at(Reason::QuestionMissing, 0));
        }
        let mut chosen = Vec::with_capacity(spoken.len());
        for (index, (question, entry)) in spoken.iter().zip(entries).enumerate() {
            chosen.push(match entry {
                Some(entry) => Some(choose_at((index, (question, entry)))?),
                None => before.get(index).cloned().flatten(),
            });
        }
        let all: Option<Vec<_>> = chosen.iter().cloned().collect();
        Ok(all.map_or(Progress::Part(chosen), Progress::Whole))
    }

    /// A choice that has been checked against this question.
    pub(crate) fn accept(&self, option_indexes: Vec<Vec<usize>>) -> Accepted {
        let labels = |(question, indexes): (&Spoken, &Vec<usize>)| {
            let chosen = indexes.iter().filter_map(|index| question.options().get(*index));
            chosen.map(|option| option.host_label.clone()).collect()
        };
        Accepted {
            input_id: self.input_id().to_owned(),
            digest: self.digest().to_owned(),
            answers: self.questions().iter().zip(&option_indexes).map(labels).collect(),
            option_indexes,
            shortened: self.shortened(),
        }
    }

    fn verdict(&self, chosen: Result<Vec<Vec<usize>>, Refusal>) -> Verdict {
        match chosen {
            Ok(option_indexes) => Verdict::Accepted(self.accept(option_indexes)),
            Err(refusal) => Verdict::Refused(refusal),
        }
    }
}

/// Checks an answer against what is open: one open input, the host's whole list of them, or
/// nothing. In a list only questions count; an entry whose `kind` is not `question` is something
/// else that waits.
///
/// # Errors
/// [`CallerMistake`] where `open` or one of its entries is no object, or `expected` no text.
pub fn validate_answer<V: Untrusted>(
    open: V,
    answers: V,
    expected: V,
) -> Result<Verdict, CallerMistake> {
    let expected = match expected.kind() {
        Kind::Undefined => None,
        // A digest is short; whatever is longer is not the one of this question.
        Kind::Text if expected.units() > limits::ID_BYTES => Some(None),
        Kind::Text => Some(expected.text()),
        _ => return Err(CallerMistake::Expected),
    };
    let question = match only_question(open)? {
        Ok(question) => SpokenQuestion::read_known(question),
        Err(reason) => return Ok(Verdict::Refused(Refusal::new(reason))),
    };
    if expected.is_some_and(|expected| expected.as_deref() != Some(question.digest())) {
        return Ok(Verdict::Refused(Refusal::new(Reason::QuestionChanged)));
    }
    Ok(question.validate(answers))
}

/// The one question among what is open, or why there is not one.
fn only_question<V: Untrusted>(open: V) -> Result<Result<V, Reason>, CallerMistake> {
    let kind = open.kind();
    let is_list = kind == Kind::List;
    let list = if is_list { 0..open.length() } else { 0..1 };
    if kind.is_absent() || list.is_empty() {
        return Ok(Err(Reason::NoOpenQuestion));
    }
    if list.len() > limits::OPEN_INPUTS {
        return Ok(Err(Reason::SeveralOpenQuestions));
    }
    let mut only = None;
    for index in list {
        let input = if is_list { open.item(index) } else { Some(open) };
        let input = input.filter(|input| input.kind() == Kind::Object);
        let input = input.ok_or(CallerMistake::Question)?;
        if is_question(input) && only.replace(input).is_some() {
            return Ok(Err(Reason::SeveralOpenQuestions));
        }
    }
    Ok(only.ok_or(Reason::NotAQuestion))
}

/// The entry of each question: every index exists, and none comes twice.
fn entries_by_question(
    payload: &Payload,
    questions: usize,
) -> Result<Vec<Option<&Entry>>, Refusal> {
    for entry in &payload.entries {
        match entry.index {
            Index::Question(index) if index < questions => {}
            Index::Question(index) => return Err(Refusal::at(Reason::QuestionOutOfRange, index)),
            Index::Nowhere => return Err(Refusal::new(Reason::QuestionOutOfRange)),
        }
    }
    let mut entries = vec![None; questions];
    for entry in &payload.entries {
        if let Index::Question(index) = entry.index
            && let Some(place) = entries.get_mut(index)
            && place.replace(entry).is_some()
        {
            return Err(Refusal::at(Reason::QuestionRepeated, index));
        }
    }
    Ok(entries)
}

fn choose_at(
    (index, (question, entry)): (usize, (&Spoken, &Entry)),
) -> Result<Vec<usize>, Refusal> {
    choose(question, entry).map_err(|reason| Refusal::at(reason, index))
}

/// The positions an entry chooses, in the order of the options.
fn choose(question: &Spoken, entry: &Entry) -> Result<Vec<usize>, Reason> {
    if entry.labels.is_empty() {
        return Err(Reason::OptionMissing);
    }
    let position = |label| question.position(label).ok_or(Reason::OptionNotOffered);
    let mut chosen =
        entry.labels.iter().map(|label| position(label)).collect::<Result<Vec<_>, _>>()?;
    chosen.sort_unstable();
    if chosen.windows(2).any(|pair| matches!(pair, [one, other] if one == other)) {
        return Err(Reason::OptionRepeated);
    }
    if chosen.len() > 1 && !question.multi_select() {
        return Err(Reason::TooManyOptionsChosen);
    }
    Ok(chosen)
}
