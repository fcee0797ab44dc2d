//! An utterance read as an answer to some questions, in the language that explains it.

mod read;

use super::asked::Asked;
use super::facts::Facts;
use super::item::Item;
use super::language::Language;
use super::lexicon::Lexicon;
use super::options::Options;
use super::sentence::{self, NoChoice};
use super::token::{Token, tokens};
use super::topic::Topic;
use super::{Choice, Choices, Heard, Match, Unsure, yes_no};
use crate::answer::Payload;
use crate::limits;
use crate::question::SpokenQuestion;
use read::Read;

/// What an utterance is to the questions of an input.
pub(super) struct Reading {
    /// For each question that is asked: its position and what is chosen from it.
    pub(super) chosen: Vec<(usize, Option<Options>)>,
    pub(super) why: Option<Unsure>,
    /// For each question that is asked: what was named, whether or not it was chosen.
    mentioned: Vec<(usize, Options)>,
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
            if best.as_ref().is_some_and(|best| best.explains_like(missing(), words.len())) {
                continue;
            }
            let read = Read::new(question, asked, &words, one);
            best = Some(match best {
                None => read,
                Some(best) => best.or(read),
            });
        }
        let Some(Read { reading, .. }) = best else { return nothing() };
        // What cannot be told apart is not chosen from.
        let chooses = matches!(reading.why, None | Some(Unsure::NotAllQuestions));
        if chooses && question.unanswerable().is_some() { reading.unclear() } else { reading }
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
