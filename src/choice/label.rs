//! The labels of the questions that are asked, and where each word is in them.

use std::collections::HashMap;

use super::lexicon::Lexicon;
use super::options::Options;
use super::sound;
use super::text::Text;
use super::token::Gap;
use super::word::{Weight, Word};

/// One label as words.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) question: usize,
    pub(super) option: usize,
    pub(super) words: Vec<Word>,
    /// The words without which it is not the whole label, as bits.
    pub(super) required: u128,
    /// The words that turn it around, as bits.
    pub(super) turns: u128,
}

/// Where one or more words of a label are that something in an utterance may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) label: usize,
    pub(super) at: usize,
    pub(super) len: usize,
}

/// All labels of the questions that are asked, for one language.
#[derive(Debug)]
pub(super) struct Labels {
    all: Vec<Label>,
    places: HashMap<String, Vec<Place>>,
    /// Single words by their first letter, to be compared with words that sound like them.
    by_letter: HashMap<u8, Vec<String>>,
    /// All words of each label as one, a line for each label.
    joined: String,
}

/// Most words of a label that are one word of an utterance, and the other way round.
pub(super) const JOINED: usize = 4;

/// Most words of a label that are looked at: as many as bits. A label that is read out has fewer.
const WORDS: usize = 128;

impl Labels {
    /// Reads the labels: for each question, what of each option is read out.
    pub(super) fn new<'a>(
        labels: impl Iterator<Item = (usize, usize, &'a Text)>,
        lexicon: &Lexicon,
    ) -> Self {
        let mut all = Self {
            all: Vec::new(),
            places: HashMap::new(),
            by_letter: HashMap::new(),
            joined: String::new(),
        };
        for (question, option, text) in labels {
            let mut words = Word::all(text, lexicon);
            words.truncate(WORDS);
            all.add(Label::new(question, option, words));
        }
        all
    }

    fn add(&mut self, label: Label) {
        let index = self.all.len();
        for at in 0..label.words.len() {
            let mut text = String::new();
            for (len, word) in (1..=JOINED).zip(label.words.iter().skip(at)) {
                // "1.4" is not fourteen, and a character is not joined to others.
                let apart = word.is_number() || word.is_character();
                if len > 1 && (apart || super::word::is_number(&text)) {
                    break;
                }
                text.push_str(&word.text);
                let place = Place { label: index, at, len };
                if len == 1 {
                    self.add_by_letter(&text);
                    // A number word of another language is that number too: an answer may be given
                    // in this one.
                    if let Some(number) = Lexicon::number_anywhere(&text) {
                        self.add_place(&number.to_string(), place);
                    }
                }
                self.add_place(&text, place);
            }
        }
        self.joined.extend(label.words.iter().map(|word| word.text.as_str()).chain(["\n"]));
        self.all.push(label);
    }

    /// Most words are in several labels.
    fn add_place(&mut self, text: &str, place: Place) {
        match self.places.get_mut(text) {
            Some(places) => places.push(place),
            None => {
                self.places.insert(text.to_owned(), vec![place]);
            }
        }
    }

    fn add_by_letter(&mut self, text: &str) {
        if self.places(text).iter().any(|place| place.len == 1) {
            return;
        }
        let letter = text.bytes().next().filter(u8::is_ascii_lowercase);
        if let Some(letter) = letter {
            self.by_letter.entry(letter).or_default().push(text.to_owned());
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, label: usize) -> Option<&Label> {
        self.all.get(label)
    }

    /// Where a text is in labels.
    pub(super) fn places(&self, text: &str) -> &[Place] {
        self.places.get(text).map_or(&[], Vec::as_slice)
    }

    /// The words of labels that a word may be another form of.
    pub(super) fn sounding_like(&self, text: &str) -> impl Iterator<Item = &str> {
        let first = text.bytes().next();
        let words = first.and_then(|letter| self.by_letter.get(&letter)).into_iter().flatten();
        words.map(String::as_str).filter(move |word| *word != text && sound::may_be(text, word))
    }

    /// Whether a word, alone or with its neighbours, can be part of a label in any language.
    pub(super) fn may_have(&self, text: &str) -> bool {
        self.has(text) || self.joined.contains(text) || self.sounding_like(text).next().is_some()
    }

    /// Whether a word is part of any label.
    pub(super) fn has(&self, word: &str) -> bool {
        self.places.contains_key(word)
    }

    /// Whether a word is a whole label.
    pub(super) fn has_label(&self, word: &str) -> bool {
        let mut labels = self.places(word).iter().filter_map(|place| self.get(place.label));
        labels.any(|label| label.words.len() == 1)
    }

    /// Options of a question whose label is marked with a letter, as "Plan B" is.
    pub(super) fn marked(&self, question: usize, letter: &str) -> Options {
        let places = self.places(letter).iter().filter(|place| place.len == 1);
        let marks = places.filter_map(|place| {
            let label = self.get(place.label)?;
            let is_mark = label.words.get(place.at)?.weight == Weight::Position;
            (is_mark && label.question == question).then(|| Options::one(label.option))
        });
        marks.fold(Options::NONE, |all, one| all | one)
    }

    /// How many labels of a question begin with a number that stands alone: "4 workers", not "1.0".
    pub(super) fn amounts(&self, question: usize) -> usize {
        let labels = self.all.iter().filter(|label| label.question == question);
        labels
            .filter(|label| label.words.first().is_some_and(Word::is_number) && label.leads_with(1))
            .count()
    }

    /// Options of a question whose label has a word, wherever.
    pub(super) fn having(&self, question: usize, word: &str) -> Options {
        let labels = self.places(word).iter().filter_map(|place| self.get(place.label));
        let options = labels.filter(|label| label.question == question);
        options.fold(Options::NONE, |all, label| all | Options::one(label.option))
    }
}

impl Label {
    fn new(question: usize, option: usize, words: Vec<Word>) -> Self {
        let bits = |keep: fn(&Word) -> bool| {
            let bit = |(at, word): (usize, &Word)| if keep(word) { 1_u128 << at } else { 0 };
            words.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
        };
        let turns = bits(|word| word.turns);
        let weighty = bits(|word| word.weight != Weight::Little);
        let required = if weighty == 0 { bits(|_| true) } else { weighty };
        Self { question, option, words, required, turns }
    }

    /// Whether what was said is how the label begins, and a whole number: "2" of "2 workers", not
    /// of "2.0".
    pub(super) fn leads_with(&self, matched: u128) -> bool {
        let first = self.words.iter().position(|word| word.weight != Weight::Little);
        let Some(first) = first else { return false };
        let next = self.words.get(first + 1);
        let goes_on = next.is_some_and(|word| word.is_number() && word.before == Gap::Mark('.'));
        matched & (1 << first) != 0 && !goes_on
    }
}
