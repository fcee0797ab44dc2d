//! An utterance as it is read in one language.

use super::{Reading, choose_from_one};
use crate::choice::asked::Asked;
use crate::choice::facts::Facts;
use crate::choice::hits::Hits;
use crate::choice::item::{self, Item};
use crate::choice::language::Language;
use crate::choice::lexicon::Lexicon;
use crate::choice::sentence::{self, NoChoice};
use crate::choice::tag::{self, Labelling};
use crate::choice::token::Token;
use crate::choice::{Unsure, several, yes_no};
use crate::question::SpokenQuestion;

/// An utterance as it is read in one language.
pub(super) struct Read {
    pub(super) reading: Reading,
    unknown: usize,
}

/// Most words that are read in every language that may know one more of them.
const FEW: usize = 8;

impl Read {
    pub(super) fn new(
        question: &SpokenQuestion,
        asked: &Asked,
        words: &[Token],
        language: Language,
    ) -> Self {
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

    /// Whether a language that leaves at least `missing` of so many words unknown has nothing to add.
    /// Of few words it may know the one that begins an answer: "sí, bórralo".
    pub(super) fn explains_like(&self, missing: usize, words: usize) -> bool {
        let factor = if words > FEW { 2 } else { 1 };
        missing > 0 && missing * factor >= self.unknown
    }

    /// Whether it explains every word and chooses nothing all the same: a choice in another language
    /// would be a second reading.
    pub(super) fn denies(&self) -> bool {
        self.unknown == 0 && self.reading.why.is_some_and(|why| why != Unsure::NothingRecognised)
    }

    /// Of two languages' readings the one that explains more; where both choose, they must agree.
    pub(super) fn or(self, other: Self) -> Self {
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
            // Words that only fill a sentence say nothing of anything else.
            let strange = count(|item| usize::from(*item == Item::Unknown));
            Some(unexplained(items, facts, strange, named))
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

/// Why an utterance with unknown words chooses nothing: it is about something else, unless more of
/// it names options or it begins as an answer does.
fn unexplained(items: &[Item], facts: &[Facts<'_>], strange: usize, named: usize) -> Unsure {
    if strange >= named && !begins_an_answer(items, facts) {
        Unsure::NothingRecognised
    } else if items.contains(&Item::Ask) || yes_no::asks(items) {
        Unsure::QuestionAskedBack
    } else if items.contains(&Item::Hedge) {
        Unsure::Hedged
    } else {
        Unsure::SeveralReadings
    }
}

/// "Yes, delete it", where yes is an option; "the one with the elephant". Passed on as work it would
/// be an order that nobody gave.
fn begins_an_answer(items: &[Item], facts: &[Facts<'_>]) -> bool {
    let silent = |item: &&Item| matches!(item, Item::Filler | Item::Article | Item::Want);
    // Also the label of yes or no itself, in whatever language.
    let is_polar = |facts: &Facts<'_>, reference| {
        let options = facts.yes_no.zip(facts.resolve(reference).ok());
        options.is_some_and(|(polar, named)| named == polar.yes || named == polar.no)
    };
    match items.iter().find(|item| !silent(item)) {
        Some(Item::Describes) => true,
        Some(Item::Yes { .. } | Item::No { .. } | Item::True | Item::False) => {
            facts.iter().any(|facts| facts.yes_no.is_some())
        }
        Some(Item::Ref(reference)) if reference.position.is_none() => {
            reference.polar || facts.iter().any(|facts| is_polar(facts, reference))
        }
        _ => false,
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
