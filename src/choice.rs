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

mod facts;
mod item;
mod label;
mod language;
mod lexicon;
mod options;
mod sentence;
mod several;
mod sound;
mod tag;
mod token;
mod topic;
mod yes_no;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::answer::{Entry, Payload};
use crate::question::{Spoken, SpokenQuestion};
pub use language::Language;

use facts::{Facts, YesNo};
use item::Item;
use label::Labels;
use lexicon::{Class, Lexicon};
use options::Options;
use sentence::NoChoice;
use token::{Token, tokens};
use topic::{Topic, Topics};

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

/// Most words of an utterance. Nobody answers at such length.
const UTTERANCE_WORDS: usize = 128;

impl SpokenQuestion {
    /// What an utterance chooses; in a language, or in whichever one it is.
    #[must_use]
    pub fn match_utterance(&self, utterance: &str, language: Option<Language>) -> Match {
        let all: Vec<usize> = (0..self.questions().len()).collect();
        Reading::new(self, utterance, language, &all).outcome(self)
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
    let all: Vec<usize> = (0..question.questions().len()).collect();
    Reading::new(question, text, None, &all).heard(question)
}

/// Reads a text as an answer to what is left of a question of which parts were chosen already, or
/// to all of it.
pub(crate) fn read_rest(
    question: &SpokenQuestion,
    chosen: &[Option<Vec<usize>>],
    text: &str,
) -> Heard {
    let left = chosen.iter().enumerate().filter(|(_, part)| part.is_none());
    let left: Vec<usize> = left.map(|(index, _)| index).collect();
    match read(question, text) {
        Heard::Choice(whole) if question.choose_from(&whole).is_ok() => Heard::Choice(whole),
        heard if left.is_empty() => heard,
        _ => Reading::new(question, text, None, &left).heard(question),
    }
}

/// Whether the person's own words say something else than the answer that was made of them: another
/// choice, other options, or that they choose nothing. They do not say which questions they mean,
/// so they are read as choices for those that it answers.
pub(crate) fn contradicts(question: &SpokenQuestion, utterance: &str, answer: &Payload) -> bool {
    let all = 0..question.questions().len();
    let answered: Vec<usize> = all.filter(|index| answer.labels_of(*index).is_some()).collect();
    Reading::new(question, utterance, None, &answered).contradicts(question, answer)
}

/// What an utterance is to the questions of an input.
struct Reading {
    /// For each question that is asked: its position and what is chosen from it.
    chosen: Vec<(usize, Option<Options>)>,
    why: Option<Unsure>,
    /// For each question that is asked: what was named, whether or not it was chosen.
    mentioned: Vec<(usize, Options)>,
}

/// The tokens of the questions that are asked.
struct Texts<'a> {
    asked: &'a [(usize, &'a Spoken)],
    questions: Vec<Vec<Token>>,
    labels: Vec<Vec<Vec<Token>>>,
    yes_no: Vec<Option<YesNo>>,
}

/// An utterance as it is read in one language.
struct Read {
    reading: Reading,
    unknown: usize,
}

impl Read {
    /// Of two languages' readings the one that explains more; where both choose, they must agree.
    fn or(self, other: Self) -> Self {
        let conflict = self.reading.why.is_none()
            && other.reading.why.is_none()
            && self.reading.chosen != other.reading.chosen;
        if conflict {
            let mut reading = self.reading;
            reading.why = Some(Unsure::SeveralReadings);
            for (_, chosen) in &mut reading.chosen {
                *chosen = None;
            }
            return Self { reading, unknown: 0 };
        }
        let chooses = |read: &Self| read.reading.why.is_none();
        // A language that explains every word and chooses nothing is a second reading as well.
        let denies = |read: &Self| {
            read.unknown == 0 && read.reading.why.is_some_and(|why| why != Unsure::NothingRecognised)
        };
        match (chooses(&self), chooses(&other)) {
            (true, _) if denies(&other) => other,
            (_, true) if denies(&self) => self,
            (true, _) => self,
            (false, true) => other,
            _ if other.unknown < self.unknown => other,
            _ => self,
        }
    }
}

impl<'a> Texts<'a> {
    fn new(asked: &'a [(usize, &'a Spoken)]) -> Self {
        let split = |text: &str| tokens(text, usize::MAX).unwrap_or_default();
        let questions = asked.iter().map(|(_, spoken)| split(spoken.question())).collect();
        let labels: Vec<Vec<Vec<Token>>> = asked
            .iter()
            .map(|(_, spoken)| spoken.labels().map(split).collect())
            .collect();
        let yes_no = labels.iter().map(|labels| yes_no_of(labels)).collect();
        Self { asked, questions, labels, yes_no }
    }

    fn read(&self, words: &[Token], language: Language) -> Read {
        let lexicon = Lexicon::of(language);
        let each = self.labels.iter().enumerate().flat_map(|(question, labels)| {
            labels.iter().enumerate().map(move |(option, label)| (question, option, &**label))
        });
        let labels = Labels::new(each, lexicon);
        let topics = Topics::new(self.questions.iter().map(Vec::as_slice), &labels);
        let facts: Vec<Facts<'_>> = self
            .asked
            .iter()
            .zip(&self.yes_no)
            .enumerate()
            .map(|(question, ((index, spoken), yes_no))| {
                Facts::new(question, index + 1, spoken, *yes_no, &labels)
            })
            .collect();
        let mut read = None;
        // Words such as "use" name a label only where nothing else in the utterance does.
        for common in [false, true] {
            let tags = tag::tags(words, lexicon, &labels, &topics, common);
            let items = item::items(&tags, self.lettered());
            let names = items.iter().any(|item| matches!(item, Item::Ref(_)));
            if read.is_none() || names {
                read = Some(self.decide(&items, &facts));
            }
            if names || read.as_ref().is_some_and(|read: &Read| read.reading.why.is_none()) {
                break;
            }
        }
        read.unwrap_or_else(|| self.decide(&[], &facts))
    }

    /// Whether there is one question and its options are marked with letters, in order.
    fn lettered(&self) -> bool {
        let [labels] = self.labels.as_slice() else { return false };
        let marked = |(at, label): (usize, &Vec<Token>)| {
            let letter = |token: &Token| {
                token.capital && token.text.bytes().eq([b'a' + u8::try_from(at).unwrap_or(0)])
            };
            label.iter().take(2).any(letter)
        };
        labels.len() > 1 && labels.iter().enumerate().all(marked)
    }

    fn decide(&self, items: &[Item], facts: &[Facts<'_>]) -> Read {
        let count = |keep: fn(&Item) -> usize| items.iter().map(keep).sum::<usize>();
        let polar = match facts {
            [facts] => facts.yes_no.and_then(|options| yes_no::choose(items, facts, options)),
            _ => None,
        };
        let unknown = count(|item| {
            usize::from(matches!(item, Item::Unknown | Item::Frame { ask: false }))
        });
        let named = count(|item| match item {
            Item::Ref(reference) => reference.tokens,
            _ => 0,
        });
        let index = |question: usize| self.asked.get(question).map_or(0, |(index, _)| *index);
        let mentioned = facts
            .iter()
            .map(|facts| (index(facts.question), sentence::mentioned(items, facts)))
            .collect();
        let mut chosen = vec![None; facts.len()];
        let why = if let Some(polar) = polar {
            chosen = vec![polar.ok()];
            polar.err().map(Unsure::from)
        } else if unknown > 0 {
            Some(unexplained(items, unknown, named))
        } else if !items.iter().any(says_anything) {
            Some(Unsure::NothingRecognised)
        } else if let [facts] = facts {
            match choose_from_one(items, facts) {
                Ok(options) => {
                    chosen = vec![Some(options)];
                    None
                }
                Err(why) => Some(why.into()),
            }
        } else {
            let assigned = several::assign(items, facts);
            chosen = assigned.chosen;
            let any = chosen.iter().any(Option::is_some);
            let all = chosen.iter().all(Option::is_some) && assigned.why.is_none();
            let why = if any { None } else { assigned.why };
            (!all).then(|| why.map_or(Unsure::NotAllQuestions, Unsure::from))
        };
        let chosen =
            chosen.into_iter().enumerate().map(|(question, one)| (index(question), one)).collect();
        Read { reading: Reading { chosen, why, mentioned }, unknown }
    }
}

/// One question: its own words say nothing, and those of another question do not belong here.
fn choose_from_one(items: &[Item], facts: &Facts<'_>) -> Result<Options, NoChoice> {
    let elsewhere = items.iter().any(|item| {
        matches!(item, Item::Topic(Topic::Number(number)) if *number as usize != facts.number)
    });
    if elsewhere {
        return Err(NoChoice::OutOfRange);
    }
    let items: Vec<Item> = items
        .iter()
        .map(|item| if matches!(item, Item::Topic(_)) { Item::Filler } else { item.clone() })
        .collect();
    let polar = facts.yes_no.and_then(|options| yes_no::choose(&items, facts, options));
    polar.unwrap_or_else(|| sentence::choose(&items, facts))
}

/// Why an utterance with unknown words chooses nothing: it is about something else, unless most of
/// it names options.
fn unexplained(items: &[Item], unknown: usize, named: usize) -> Unsure {
    if unknown > named {
        Unsure::NothingRecognised
    } else if items.contains(&Item::Ask) {
        Unsure::QuestionAskedBack
    } else if items.contains(&Item::Hedge) {
        Unsure::Hedged
    } else {
        Unsure::SeveralReadings
    }
}

/// Whether an item is about options at all, and not only about how things are said.
fn says_anything(item: &Item) -> bool {
    matches!(
        item,
        Item::Ref(_) | Item::Both | Item::All(_) | Item::None | Item::Decline | Item::Drop
            | Item::Hedge | Item::Ask | Item::Yes { .. } | Item::No { .. } | Item::True
            | Item::False | Item::Not { no: true, .. } | Item::That
    )
}

/// The options of a question that is answered by yes or no: one label begins with a word for yes,
/// one with a word for no, in whatever language.
fn yes_no_of(labels: &[Vec<Token>]) -> Option<YesNo> {
    let says = |class: Class, label: &[Token]| {
        Language::ALL.into_iter().any(|language| {
            let begins: Vec<_> = Lexicon::of(language).phrases(label).collect();
            let soft = |count| {
                begins.iter().any(|(other, class)| {
                    *other == count && matches!(class, Class::Filler | Class::Want | Class::Not)
                })
            };
            begins.iter().any(|(count, other)| *other == class && !soft(*count))
        })
    };
    let with = |class: Class| {
        let label = |(at, label): (usize, &Vec<Token>)| {
            if says(class, label) { Options::one(at) } else { Options::NONE }
        };
        labels.iter().enumerate().map(label).fold(Options::NONE, |all, one| all | one)
    };
    let yes = with(Class::Yes) | with(Class::True);
    let no = with(Class::No) | with(Class::False);
    (yes.only().is_some() && no.only().is_some() && yes != no).then_some(YesNo { yes, no })
}

impl Reading {
    /// Reads an utterance as an answer to some of an input's questions.
    fn new(
        question: &SpokenQuestion,
        utterance: &str,
        language: Option<Language>,
        asked: &[usize],
    ) -> Self {
        let asked: Vec<(usize, &Spoken)> = asked
            .iter()
            .filter_map(|index| Some((*index, question.questions().get(*index)?)))
            .collect();
        let nothing = Self {
            chosen: asked.iter().map(|(index, _)| (*index, None)).collect(),
            why: Some(Unsure::NothingRecognised),
            mentioned: Vec::new(),
        };
        if asked.is_empty() {
            return nothing;
        }
        let Some(words) = tokens(utterance, UTTERANCE_WORDS).filter(|words| !words.is_empty()) else {
            return nothing;
        };
        let texts = Texts::new(&asked);
        let languages = match language {
            Some(language) => vec![language],
            None => Language::ALL.into_iter().filter(|one| one.may_be_of(&words)).collect(),
        };
        let mut best: Option<Read> = None;
        for language in languages {
            let read = texts.read(&words, language);
            best = Some(match best {
                None => read,
                Some(best) => best.or(read),
            });
        }
        best.map_or(nothing, |read| read.reading)
    }

    /// The outcome with the labels of the question.
    fn outcome(&self, question: &SpokenQuestion) -> Match {
        let choices = self.choices(question);
        match self.why {
            None => Match::Matched(choices),
            Some(why) => Match::Unsure(why, choices),
        }
    }

    fn heard(&self, question: &SpokenQuestion) -> Heard {
        let choices = self.choices(question);
        match self.why {
            Some(Unsure::NothingRecognised) => Heard::Nothing,
            Some(Unsure::NotAllQuestions) if choices.0.is_empty() => Heard::Unsure,
            None | Some(Unsure::NotAllQuestions) => Heard::Choice(choices.into_payload()),
            Some(_) => Heard::Unsure,
        }
    }

    /// Whether an answer is not what was said. Words that name nothing say nothing against it.
    fn contradicts(&self, question: &SpokenQuestion, answer: &Payload) -> bool {
        let answered = |index: usize| {
            let labels = answer.labels_of(index)?;
            let spoken = question.questions().get(index)?;
            let position = |label: &String| spoken.position(label).map(Options::one);
            Some(labels.iter().filter_map(position).fold(Options::NONE, |all, one| all | one))
        };
        match self.why {
            Some(Unsure::NothingRecognised) => false,
            Some(Unsure::SeveralReadings) => self.mentioned.iter().any(|(index, mentioned)| {
                let answer = answered(*index);
                !mentioned.is_empty() && answer.is_some_and(|answer| !mentioned.contains(answer))
            }),
            None | Some(Unsure::NotAllQuestions) => self.chosen.iter().any(|(index, chosen)| {
                let Some(chosen) = chosen else { return false };
                answered(*index).is_some_and(|answer| answer != *chosen)
            }),
            Some(_) => true,
        }
    }

    fn choices(&self, question: &SpokenQuestion) -> Choices {
        let choice = |(index, options): &(usize, Option<Options>)| {
            let spoken = question.questions().get(*index)?;
            let options = (*options)?;
            let labels = spoken.labels().enumerate();
            let chosen = labels.filter(|(at, _)| options.contains(Options::one(*at)));
            let options = chosen.map(|(_, label)| label.to_owned()).collect();
            Some(Choice { question_index: *index, options })
        };
        Choices(self.chosen.iter().filter_map(choice).collect())
    }
}

impl Choices {
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

impl From<NoChoice> for Unsure {
    fn from(why: NoChoice) -> Self {
        match why {
            NoChoice::SeveralReadings => Self::SeveralReadings,
            NoChoice::AskedBack => Self::QuestionAskedBack,
            NoChoice::Hedged => Self::Hedged,
            NoChoice::OutOfRange => Self::OutOfRange,
            NoChoice::Declined => Self::Declined,
        }
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
