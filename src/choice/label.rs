//! Where an utterance names labels: whole, or by a part.

use std::collections::HashMap;

use super::lexicon::{Class, Lexicon};
use super::options::Options;
use super::sound;
use super::token::{Gap, Token};
use crate::limits;

/// One label as words.
#[derive(Debug)]
struct Label {
    question: usize,
    option: usize,
    words: Vec<Word>,
    /// The words without which it is not the whole label, as bits.
    required: u128,
}

#[derive(Debug)]
struct Word {
    text: String,
    weight: Weight,
    before: Gap,
}

/// What a word of a label can do to tell it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Names the label on its own, where no other label has it.
    Content,
    /// A number, an ordinal or a letter that could also be a position.
    Position,
    /// A word that people also use around labels: "use", "now". It names a label only where an
    /// utterance names nothing else.
    Common,
    /// "not", "and", "all", "option": part of the whole label only.
    Logic,
    /// "the", "of": may be left out.
    Little,
}

/// Words of a label that something in an utterance may be.
#[derive(Debug, Clone, Copy)]
struct Place {
    label: usize,
    at: usize,
    len: usize,
}

/// All labels of the questions that are asked, for one language.
#[derive(Debug)]
pub(super) struct Labels {
    labels: Vec<Label>,
    places: HashMap<String, Vec<Place>>,
    /// Single words by their first letter, to be compared with words that sound like them.
    by_letter: HashMap<u8, Vec<String>>,
    /// All words of each label as one, a line for each label.
    joined: String,
    lexicon: &'static Lexicon,
}

/// The options that a stretch of an utterance names, for each question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Named {
    questions: [NamedIn; limits::QUESTIONS],
    /// It says only a number, an ordinal or a letter.
    pub(super) only_position: bool,
}

/// The options of one question that a stretch of an utterance names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct NamedIn {
    /// Whose label it is, word for word.
    pub(super) whole: Options,
    /// Whose label it may be: with slips, or a part.
    pub(super) part: Options,
    /// Whose label begins with the number that it says.
    pub(super) leading: Options,
}

/// A stretch of tokens that names labels.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) named: Named,
}

impl Named {
    pub(super) fn of(&self, question: usize) -> NamedIn {
        self.questions.get(question).copied().unwrap_or_default()
    }

    pub(super) fn is_whole(&self) -> bool {
        self.questions.iter().any(|one| !one.whole.is_empty())
    }
}

impl NamedIn {
    /// Word for word where there is such a label, else whatever it may be.
    pub(super) fn best(self) -> Options {
        if self.whole.is_empty() { self.part } else { self.whole }
    }

    pub(super) fn all(self) -> Options {
        self.whole | self.part
    }
}

/// Words of an utterance that may be words of a label.
#[derive(Debug, Clone, Copy)]
struct Hit {
    tokens: usize,
    place: Place,
    /// Not the very words.
    loose: bool,
}

/// How far one label has been followed through an utterance.
#[derive(Clone, Copy)]
struct Chain {
    label: usize,
    /// The next word of the label.
    next: usize,
    matched: u128,
    loose: bool,
    content: bool,
    common: bool,
    ideographs: usize,
    /// Begins in the middle of a number such as `0.16`.
    begins_inside: bool,
    /// Begins right after a word like "option".
    after_carrier: bool,
    /// Begins with a word that names nothing.
    begins_little: bool,
    last_was_number: bool,
}

/// Most tokens of an utterance that are one word of a label.
const JOINED: usize = 4;

impl Labels {
    /// Reads the labels: for each question, what of each option is read out.
    pub(super) fn new<'a>(
        labels: impl Iterator<Item = (usize, usize, &'a [Token])>,
        lexicon: &'static Lexicon,
    ) -> Self {
        let mut all = Self {
            labels: Vec::new(),
            places: HashMap::new(),
            by_letter: HashMap::new(),
            joined: String::new(),
            lexicon,
        };
        for (question, option, tokens) in labels {
            all.add(question, option, tokens);
        }
        all
    }

    fn add(&mut self, question: usize, option: usize, tokens: &[Token]) {
        let index = self.labels.len();
        let words: Vec<Word> = (0..tokens.len().min(128))
            .filter_map(|at| {
                let token = tokens.get(at)?;
                let weight = self.weight(tokens, at)?;
                Some(Word { text: self.canonical(token), weight, before: token.before })
            })
            .collect();
        let bits = |keep: fn(Weight) -> bool| {
            let bit = |(at, word): (usize, &Word)| if keep(word.weight) { 1_u128 << at } else { 0 };
            words.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
        };
        let weighty = bits(|weight| weight != Weight::Little);
        let required = if weighty == 0 { bits(|_| true) } else { weighty };
        for at in 0..words.len() {
            let mut text = String::new();
            for (len, word) in (1..=JOINED).zip(words.iter().skip(at)) {
                // "1.4" is not fourteen, and a character is not joined to others.
                let apart = is_number(&word.text) || is_character(&word.text);
                if len > 1 && (apart || is_number(&text)) {
                    break;
                }
                text.push_str(&word.text);
                let place = Place { label: index, at, len };
                let letter = text.bytes().next().filter(|_| len == 1);
                if let Some(letter) = letter.filter(u8::is_ascii_lowercase) {
                    let words = self.by_letter.entry(letter).or_default();
                    if !words.contains(&text) {
                        words.push(text.clone());
                    }
                }
                self.places.entry(text.clone()).or_default().push(place);
            }
        }
        self.joined.extend(words.iter().map(|word| word.text.as_str()).chain(["\n"]));
        self.labels.push(Label { question, option, words, required });
    }

    /// The form in which words of labels and utterances are compared: numbers as digits.
    fn canonical(&self, token: &Token) -> String {
        match self.lexicon.number(&token.text) {
            Some(number) => number.to_string(),
            None => token.text.clone(),
        }
    }

    fn weight(&self, tokens: &[Token], at: usize) -> Option<Weight> {
        let token = tokens.get(at)?;
        if token.is_number() {
            return Some(Weight::Position);
        }
        if token.is_ideograph() && self.lexicon.number(&token.text).is_none() {
            // One character is hardly ever a word of its own.
            return Some(Weight::Content);
        }
        let mut weight = Weight::Content;
        for class in self.lexicon.classes(&token.text) {
            let this = match class {
                Class::Letter(_) if is_mark(tokens, at, self.lexicon) => {
                    return Some(Weight::Position);
                }
                Class::Letter(_) | Class::Sounds(_) | Class::Counts(_) => continue,
                Class::Yes
                | Class::No
                | Class::True
                | Class::False
                | Class::Drop
                | Class::Decline
                | Class::Frame => Weight::Content,
                Class::Ordinal(_)
                | Class::Number(_)
                | Class::FromEnd(_)
                | Class::Middle
                | Class::Former
                | Class::Latter
                | Class::First(_)
                | Class::Last(_) => Weight::Position,
                Class::And
                | Class::Or
                | Class::But
                | Class::Not
                | Class::NotAfter
                | Class::Except
                | Class::ExceptAfter
                | Class::Both
                | Class::All
                | Class::None
                | Class::Through
                | Class::Noun
                | Class::Carrier => Weight::Logic,
                Class::Filler
                | Class::Want
                | Class::Hedge
                | Class::Ask
                | Class::Correct
                | Class::Question => Weight::Common,
                Class::Article
                | Class::Glue
                | Class::About
                | Class::To
                | Class::From
                | Class::That => Weight::Little,
            };
            weight = weight.lighter(this);
        }
        Some(weight)
    }

    /// The stretches of an utterance that name labels. With `common`, words like "use" count too.
    pub(super) fn stretches(&self, tokens: &[Token], common: bool) -> Vec<Stretch> {
        let hits: Vec<Vec<Hit>> = (0..tokens.len()).map(|at| self.hits(tokens, at)).collect();
        let mut out = Vec::new();
        for start in 0..tokens.len() {
            let mut ends: Vec<(usize, Named)> = Vec::new();
            if splits_number(tokens, start) {
                continue;
            }
            for hit in hits.get(start).into_iter().flatten() {
                self.follow(tokens, &hits, start, *hit, common, &mut ends);
            }
            // What is written as one, such as "0.16", is not named in part.
            ends.retain(|(end, _)| !splits_number(tokens, *end));
            out.extend(ends.into_iter().map(|(end, named)| Stretch { start, end, named }));
        }
        out
    }

    /// Options of a question whose label has a word, wherever.
    pub(super) fn having(&self, question: usize, word: &str) -> Options {
        let places = self.places.get(word).into_iter().flatten();
        let labels = places.filter_map(|place| self.labels.get(place.label));
        labels
            .filter(|label| label.question == question)
            .fold(Options::NONE, |all, label| all | Options::one(label.option))
    }

    /// Whether a word is a whole label.
    pub(super) fn has_label(&self, word: &str) -> bool {
        let places = self.places.get(word).into_iter().flatten();
        places.filter_map(|place| self.labels.get(place.label)).any(|label| label.words.len() == 1)
    }

    /// Whether a word is part of any label.
    pub(super) fn has(&self, word: &str) -> bool {
        self.places.contains_key(word)
    }

    /// Follows one label from its first word on and notes every end at which it is named.
    fn follow(
        &self,
        tokens: &[Token],
        hits: &[Vec<Hit>],
        start: usize,
        first: Hit,
        common: bool,
        ends: &mut Vec<(usize, Named)>,
    ) {
        let Some(label) = self.labels.get(first.place.label) else { return };
        let Some(mut chain) = Self::begin(label, first) else { return };
        let mut end = start + first.tokens;
        let mut marked = false;
        note(label, &chain, end, common, ends);
        let mut at = end;
        while at < tokens.len() {
            let next = of_label(hits.get(at), chain.label, chain.next);
            let allowed = next.filter(|hit| Self::may_skip(label, &chain, hit.place.at));
            let best = allowed.min_by_key(|hit| (std::cmp::Reverse(hit.tokens), hit.place.at));
            if let Some(hit) = best {
                chain.take(label, *hit);
                at += hit.tokens;
                end = at;
                // "the second one" is no version 2.1, "two point one" is.
                let one = tokens.get(end - 1).is_some_and(|last| {
                    let stands = |class| class == Class::Noun;
                    !last.is_number() && self.lexicon.classes(&last.text).any(stands)
                });
                if marked || !one || !chain.only_position(label) {
                    note(label, &chain, end, common, ends);
                }
            } else if at - end < 2 && self.may_pass(label, &chain, tokens.get(at)) {
                marked |= self.says_mark(label, &chain, tokens.get(at));
                at += 1;
            } else {
                break;
            }
        }
    }

    fn begin(label: &Label, hit: Hit) -> Option<Chain> {
        let word = label.words.get(hit.place.at)?;
        let begins_little = matches!(word.weight, Weight::Little | Weight::Logic);
        let before = (1_u128 << hit.place.at) - 1;
        if begins_little && label.required & before != 0 {
            // Neither a part, for it begins with a word that names nothing, nor the whole.
            return None;
        }
        let before = hit.place.at.checked_sub(1).and_then(|at| label.words.get(at));
        let begins_inside = is_number(&word.text)
            && matches!(word.before, Gap::Mark('.'))
            && before.is_some_and(|before| is_number(&before.text));
        let mut chain = Chain {
            label: hit.place.label,
            next: 0,
            matched: 0,
            loose: false,
            content: false,
            common: false,
            ideographs: 0,
            begins_inside,
            after_carrier: before.is_some_and(|before| before.weight == Weight::Logic),
            begins_little,
            last_was_number: false,
        };
        chain.take(label, hit);
        Some(chain)
    }

    /// Whether the words of a label between the last one that was said and `at` may be left out:
    /// no number may, but a zero before a word, as in "0.16 beta" for `0.16.0-beta`.
    fn may_skip(label: &Label, chain: &Chain, at: usize) -> bool {
        let Some(skipped) = label.words.get(chain.next..at) else { return false };
        let Some(word) = label.words.get(at) else { return false };
        if skipped.is_empty() {
            return true;
        }
        if is_character(&word.text) {
            return false;
        }
        let to_number = is_number(&word.text) && chain.last_was_number;
        !to_number && skipped.iter().all(|word| !is_number(&word.text) || word.text == "0")
    }

    /// Whether a word between the words of a label may be passed over.
    fn may_pass(&self, label: &Label, chain: &Chain, token: Option<&Token>) -> bool {
        let glue = |token: &Token| {
            let mut classes = self.lexicon.classes(&token.text);
            classes.any(|class| matches!(class, Class::Glue | Class::Article))
        };
        token.is_some_and(glue) || self.says_mark(label, chain, token)
    }

    /// Whether a word says the mark before the next word of a label: "point".
    fn says_mark(&self, label: &Label, chain: &Chain, token: Option<&Token>) -> bool {
        let mark = label.words.get(chain.next).map(|word| word.before);
        match (mark, token) {
            (Some(Gap::Mark(mark)), Some(token)) => self.lexicon.says_mark(&token.text, mark),
            _ => false,
        }
    }

    /// What a token, alone or with those after it, may be of any label.
    fn hits(&self, tokens: &[Token], at: usize) -> Vec<Hit> {
        let mut hits = Vec::new();
        let Some(token) = tokens.get(at) else { return hits };
        let mut exact = |text: &str, count: usize| {
            let places = self.places.get(text).into_iter().flatten();
            let before = hits.len();
            hits.extend(places.map(|place| Hit { tokens: count, place: *place, loose: false }));
            hits.len() > before
        };
        let canonical = self.canonical(token);
        let mut found = exact(&canonical, 1);
        if canonical != token.text {
            found |= exact(&token.text, 1);
        }
        for symbol in self.lexicon.symbols(&token.text) {
            exact(symbol.encode_utf8(&mut [0; 4]), 1);
        }
        if self.lexicon.says_zero(&token.text) {
            exact("0", 1);
        }
        if let Some((count, number)) = self.composite(tokens, at) {
            exact(&number.to_string(), count);
        }
        if let Some((count, number)) = self.composite(tokens, at + 1) {
            // "twenty twenty six".
            exact(&format!("{canonical}{number}"), count + 1);
        }
        if !token.is_ideograph() {
            let mut text = canonical;
            for count in 2..=JOINED {
                let Some(next) = tokens.get(at + count - 1) else { break };
                if next.is_ideograph() {
                    break;
                }
                for same in self.lexicon.same(&next.text) {
                    found |= exact(&format!("{text}{same}"), count);
                }
                let canonical = self.canonical(next);
                // "1 2" is not twelve; "twenty twenty" may be a year.
                let digits = |text: &str| is_number(text) && text.len() < 2;
                if digits(&text) || digits(&canonical) {
                    break;
                }
                text.push_str(&canonical);
                found |= exact(&text, count);
            }
        }
        if !token.is_number() {
            self.loose(&token.text, found, &mut hits);
        }
        hits.sort_by_key(|hit| (hit.place.label, hit.place.at));
        hits
    }

    /// Words of labels that are heard as this one, or may be it with a slip. Where the very word is
    /// in one label, another form of it may still be in another.
    fn loose(&self, text: &str, found: bool, hits: &mut Vec<Hit>) {
        for other in self.lexicon.same(text).iter().filter(|_| !found) {
            let places = self.places.get(other).into_iter().flatten();
            hits.extend(places.map(|place| Hit { tokens: 1, place: *place, loose: true }));
        }
        // A word of the language is that word.
        if self.lexicon.classes(text).next().is_none() {
            self.forms(text, hits);
        }
    }

    fn forms(&self, text: &str, hits: &mut Vec<Hit>) {
        for word in self.sounding_like(text).filter(|word| *word != text) {
            let places = self.places.get(word).into_iter().flatten();
            // Several words of a label together are no word that could have another form.
            let words = places.filter(|place| place.len == 1);
            hits.extend(words.map(|place| Hit { tokens: 1, place: *place, loose: true }));
        }
    }

    /// The words of labels that a word may be another form of.
    fn sounding_like(&self, text: &str) -> impl Iterator<Item = &str> {
        let first = text.bytes().next();
        let words = first.and_then(|letter| self.by_letter.get(&letter)).into_iter().flatten();
        words.map(String::as_str).filter(move |word| sound::may_be(text, word))
    }

    /// Whether a word, alone or with its neighbours, can be part of a label in any language.
    pub(super) fn may_have(&self, text: &str) -> bool {
        self.places.contains_key(text)
            || self.joined.contains(text)
            || self.sounding_like(text).next().is_some()
    }

    /// A number of several words: "twenty one", "one hundred and five".
    fn composite(&self, tokens: &[Token], at: usize) -> Option<(usize, u64)> {
        let number = |at: usize| {
            let token = tokens.get(at)?;
            self.lexicon.number(&token.text).map(u64::from)
        };
        let mut total = number(at)?;
        let mut count = 1;
        while count < 6 {
            let Some(next) = number(at + count) else { break };
            total = match next {
                100 if (1..100).contains(&total) => total * 100,
                1000 if (1..1000).contains(&total) => total * 1000,
                1..=9 if total % 10 == 0 && total % 100 >= 20 => total + next,
                1..=99 if total % 100 == 0 && total >= 100 => total + next,
                _ => break,
            };
            count += 1;
        }
        (count > 1).then_some((count, total))
    }
}

impl Chain {
    fn take(&mut self, label: &Label, hit: Hit) {
        for at in hit.place.at..hit.place.at + hit.place.len {
            let Some(word) = label.words.get(at) else { continue };
            self.matched |= 1 << at;
            self.content |= word.weight == Weight::Content;
            self.common |= word.weight == Weight::Common;
            self.last_was_number = is_number(&word.text);
            self.ideographs += usize::from(word.text.chars().all(|c| !c.is_ascii()));
        }
        self.loose |= hit.loose;
        self.next = hit.place.at + hit.place.len;
    }

    /// Whether the last word that was said names nothing.
    fn ends_little(&self, label: &Label) -> bool {
        let last = self.next.checked_sub(1).and_then(|at| label.words.get(at));
        last.is_some_and(|word| matches!(word.weight, Weight::Little | Weight::Logic))
    }

    /// Whether it says only positions, and at least one.
    fn only_position(&self, label: &Label) -> bool {
        let said = label.words.iter().enumerate().filter(|(at, _)| self.matched & (1 << at) != 0);
        let mut any = false;
        for (_, word) in said {
            match word.weight {
                Weight::Position => any = true,
                Weight::Little => {}
                _ => return false,
            }
        }
        any
    }
}

/// Whether a place is inside what is written as one number.
fn splits_number(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    match (before, tokens.get(at)) {
        (Some(before), Some(token)) => {
            before.is_number() && token.is_number() && before.is_one_with(token)
        }
        _ => false,
    }
}

/// The hits that are in a label, from one of its words on.
fn of_label(hits: Option<&Vec<Hit>>, label: usize, from: usize) -> impl Iterator<Item = &Hit> {
    let hits = hits.map_or(&[][..], Vec::as_slice);
    let start = hits.partition_point(|hit| (hit.place.label, hit.place.at) < (label, from));
    hits.iter().skip(start).take_while(move |hit| hit.place.label == label)
}

/// One character of a script that is written without spaces.
fn is_character(text: &str) -> bool {
    !text.is_ascii() && text.chars().nth(1).is_none()
}

/// Notes that the tokens up to `end` name a label, if they do.
fn note(label: &Label, chain: &Chain, end: usize, common: bool, ends: &mut Vec<(usize, Named)>) {
    let whole = chain.matched & label.required == label.required;
    let only_position = chain.only_position(label);
    let one_ideograph = chain.ideographs == 1 && label.words.len() > 1;
    let part = !chain.begins_little
        && !chain.ends_little(label)
        && ((chain.content && !one_ideograph)
            || (only_position && !chain.begins_inside)
            || (common && chain.common));
    if !whole && !part {
        return;
    }
    let at = ends.iter().position(|(other, _)| *other == end).unwrap_or_else(|| {
        ends.push((end, Named::default()));
        ends.len() - 1
    });
    let Some((_, named)) = ends.get_mut(at) else { return };
    named.only_position |= only_position;
    let Some(one) = named.questions.get_mut(label.question) else { return };
    let option = Options::one(label.option);
    if whole && !chain.loose {
        one.whole |= option;
    } else {
        one.part |= option;
    }
    if only_position && (chain.after_carrier || label.leads_with(chain.matched)) {
        one.leading |= option;
    }
}

impl Label {
    /// Whether what was said is how the label begins, and a whole number: "2" of "2 workers", not
    /// of "2.0".
    fn leads_with(&self, matched: u128) -> bool {
        let first = self.words.iter().position(|word| word.weight != Weight::Little);
        let Some(first) = first else { return false };
        let next_is_inside = self
            .words
            .get(first + 1)
            .is_some_and(|word| is_number(&word.text) && word.before == Gap::Mark('.'));
        matched & (1 << first) != 0 && !next_is_inside
    }
}

impl Weight {
    /// Of two things a word can be, the one that tells less; but what is content stays content.
    fn lighter(self, other: Self) -> Self {
        let rank = |weight| match weight {
            Self::Content => 0,
            Self::Common => 1,
            Self::Little => 2,
            Self::Logic => 3,
            Self::Position => 4,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a letter marks an option, as in "Option A: rewrite" or "Plan B", and is not the article
/// of "A new file".
fn is_mark(tokens: &[Token], at: usize, lexicon: &Lexicon) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let ends = tokens.get(at + 1).is_none_or(|next| next.before == Gap::Pause);
    let after_carrier = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| lexicon.classes(&before.text).any(|class| class == Class::Carrier));
    token.capital && (ends || after_carrier)
}
