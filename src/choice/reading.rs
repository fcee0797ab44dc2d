//! An utterance read as an answer to some questions, in the language that explains it.

use super::asked::Asked;
use super::facts::Facts;
use super::hits::Hits;
use super::item::{self, Item};
use super::language::Language;
use super::lexicon::Lexicon;
use super::options::Options;
use super::sentence::{self, NoChoice};
use super::tag::Labelling;
use super::token::{Token, tokens};
use super::topic::Topic;
use super::{Choice, Choices, Heard, Match, Unsure, several, tag, yes_no};
use crate::answer::Payload;
use crate::limits;
use crate::question::SpokenQuestion;

/// What an utterance is to the questions of an input.
pub(super) struct Reading {
    /// For each question that is asked: its position and what is chosen from it.
    pub(super) chosen: Vec<(usize, Option<Options>)>,
    pub(super) why: Option<Unsure>,
    /// For each question that is asked: what was named, whether or not it was chosen.
    mentioned: Vec<(usize, Options)>,
}

/// An utterance as it is read in one language.
struct Read {
    reading: Reading,
    unknown: usize,
}

impl Read {
    fn new(question: &SpokenQuestion, asked: &Asked, words: &[Token], language: Language) -> Self {
        let lexicon = Lexicon::of(language);
        let known = asked.words(language);
        let facts = asked.facts(question, known);
        let hits = Hits::new(words, &known.labels, lexicon);
        let with = |words_as: Labelling| {
            let tags = tag::tags(words, lexicon, &hits, &known.topics, words_as);
            let items = match tags {
                Some(tags) => item::items(&tags, asked.lettered()),
                None => vec![Item::Unclear],
            };
            let names = items.iter().any(|item| matches!(item, Item::Ref(_)));
            (Self::decide(asked, &items, &facts), names)
        };
        let (plain, names) = with(Labelling::Plain);
        if !names {
            // "use it", where only one label says "use".
            let (common, names) = with(Labelling::Common);
            return if names && plain.reading.why.is_some() { common } else { plain };
        }
        let connective = tag::has_connective_label(words, lexicon, &known.labels);
        let negation = tag::has_negation_of_label(words, lexicon, &known.labels);
        if !connective && !negation {
            return plain;
        }
        // A label that is a word like "and", or says "not" itself: then both readings must agree,
        // unless only the label's own negation makes sense of it.
        let (other, _) = with(Labelling::Common);
        if plain.reading.chosen == other.reading.chosen {
            plain
        } else if plain.reading.why.is_some() && !connective {
            other
        } else {
            Self { reading: plain.reading.unclear(), unknown: 0 }
        }
    }

    /// Whether a language that leaves at least `missing` words unknown has nothing to add.
    fn explains_like(&self, missing: usize) -> bool {
        missing > 0 && missing * 2 >= self.unknown
    }

    /// Whether it explains every word and chooses nothing all the same: a choice in another language
    /// would be a second reading.
    fn denies(&self) -> bool {
        self.unknown == 0 && self.reading.why.is_some_and(|why| why != Unsure::NothingRecognised)
    }

    /// Of two languages' readings the one that explains more; where both choose, they must agree.
    fn or(self, other: Self) -> Self {
        let conflict = self.reading.why.is_none()
            && other.reading.why.is_none()
            && self.reading.chosen != other.reading.chosen;
        if conflict {
            return Self { reading: self.reading.unclear(), unknown: 0 };
        }
        let chooses = |read: &Self| read.reading.why.is_none();
        match (chooses(&self), chooses(&other)) {
            (true, _) if other.denies() => other,
            (_, true) if self.denies() => self,
            (true, _) => self,
            (false, true) => other,
            _ if other.unknown < self.unknown => other,
            _ => self,
        }
    }

    fn decide(asked: &Asked, items: &[Item], facts: &[Facts<'_>]) -> Self {
        let count = |keep: fn(&Item) -> usize| items.iter().map(keep).sum::<usize>();
        let polar = match facts {
            [facts] => facts.yes_no.and_then(|options| yes_no::choose(items, facts, options)),
            _ => None,
        };
        let unknown =
            count(|item| usize::from(matches!(item, Item::Unknown | Item::Frame { ask: false })));
        let named = count(|item| match item {
            Item::Ref(reference) => reference.tokens,
            _ => 0,
        });
        let index = |question: usize| asked.indexes().nth(question).unwrap_or_default();
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
        Self { reading: Reading { chosen, why, mentioned }, unknown }
    }
}

impl Reading {
    /// Reads an utterance as an answer to the questions that are asked; in a language, or in
    /// whichever one it is.
    pub(super) fn new(
        question: &SpokenQuestion,
        asked: &Asked,
        utterance: &str,
        language: Option<Language>,
    ) -> Self {
        let nothing = || Self {
            chosen: asked.indexes().map(|index| (index, None)).collect(),
            why: Some(Unsure::NothingRecognised),
            mentioned: Vec::new(),
        };
        if asked.len() == 0 || utterance.len() > limits::UTTERANCE_BYTES {
            return nothing();
        }
        let words = tokens(utterance, limits::UTTERANCE_WORDS).filter(|words| !words.is_empty());
        let Some(words) = words else { return nothing() };
        let mut best: Option<Read> = None;
        for one in Language::ALL {
            if language.is_some_and(|language| language != one) || !one.may_be_of(&words) {
                continue;
            }
            if best.as_ref().is_some_and(Read::denies) {
                break;
            }
            // Only a language that explains every word can choose; one that explains far more than
            // the best one knows better why not.
            let missing = || unknown_in(one, &words, asked);
            if best.as_ref().is_some_and(|best| best.explains_like(missing())) {
                continue;
            }
            let read = Read::new(question, asked, &words, one);
            best = Some(match best {
                None => read,
                Some(best) => best.or(read),
            });
        }
        best.map_or_else(nothing, |read| read.reading)
    }

    /// The same, with nothing chosen: there is another reading.
    fn unclear(mut self) -> Self {
        self.why = Some(Unsure::SeveralReadings);
        for (_, chosen) in &mut self.chosen {
            *chosen = None;
        }
        self
    }

    /// The outcome with the labels of the question.
    pub(super) fn outcome(&self, question: &SpokenQuestion) -> Match {
        let choices = self.choices(question);
        match self.why {
            None => Match::Matched(choices),
            Some(why) => Match::Unsure(why, choices),
        }
    }

    pub(super) fn heard(&self, question: &SpokenQuestion) -> Heard {
        let choices = self.choices(question);
        match self.why {
            Some(Unsure::NothingRecognised) => Heard::Nothing,
            Some(Unsure::NotAllQuestions) if choices.0.is_empty() => Heard::Unsure,
            None | Some(Unsure::NotAllQuestions) => Heard::Choice(choices.into_payload()),
            Some(_) => Heard::Unsure,
        }
    }

    /// Whether an answer is not what was said. Words that name nothing say nothing against it.
    pub(super) fn contradicts(&self, question: &SpokenQuestion, answer: &Payload) -> bool {
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
            // Every word is explained: what was not chosen was not said.
            None | Some(Unsure::NotAllQuestions) => self.chosen.iter().any(|(index, chosen)| {
                answered(*index).is_some_and(|answer| Some(answer) != *chosen)
            }),
            Some(_) => true,
        }
    }

    pub(super) fn choices(&self, question: &SpokenQuestion) -> Choices {
        let choice = |(index, options): &(usize, Option<Options>)| {
            let spoken = question.questions().get(*index)?;
            let options = (*options)?;
            let labels = spoken.labels().enumerate();
            let chosen = labels.filter(|(at, _)| options.contains(Options::one(*at)));
            let options = chosen.map(|(_, label)| label.to_owned()).collect();
            Some(Choice { question_index: *index, options })
        };
        Choices::new(self.chosen.iter().filter_map(choice).collect())
    }
}

/// One question: its own words say nothing, and those of another question do not belong here.
pub(super) fn choose_from_one(items: &[Item], facts: &Facts<'_>) -> Result<Options, NoChoice> {
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

/// Why an utterance with unknown words chooses nothing: it is about something else, unless more of
/// it names options.
fn unexplained(items: &[Item], unknown: usize, named: usize) -> Unsure {
    if unknown >= named {
        Unsure::NothingRecognised
    } else if items.contains(&Item::Ask) || yes_no::asks(items) {
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
        Item::Ref(_)
            | Item::Both(_)
            | Item::All(..)
            | Item::None
            | Item::Decline
            | Item::Drop
            | Item::Hedge
            | Item::Ask
            | Item::Yes { .. }
            | Item::No { .. }
            | Item::True
            | Item::False
            | Item::Not { no: true, .. }
            | Item::That
            | Item::Unclear
    )
}

/// How many words of an utterance a language knows for sure not to explain.
fn unknown_in(language: Language, words: &[Token], asked: &Asked) -> usize {
    let lexicon = Lexicon::of(language);
    // Labels and the questions' words are the same in every language.
    let known = asked.words(Language::En);
    let explained = |token: &&Token| {
        lexicon.knows(&token.text)
            || token.is_number()
            || known.labels.may_have(&token.text)
            || known.topics.may_have(&token.text)
    };
    words.iter().filter(|token| !explained(token)).count()
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
