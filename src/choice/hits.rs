//! An utterance held against labels: for each word, which words of labels it may be.

use super::label::{JOINED, Labels, Place};
use super::lexicon::{Class, Lexicon};
use super::token::Token;
use super::word::{canonical, is_number};

/// Words of an utterance that may be words of a label.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) tokens: usize,
    pub(super) place: Place,
    /// Not the very words.
    pub(super) loose: bool,
}

/// An utterance and what its words may be.
pub(super) struct Hits<'a> {
    tokens: &'a [Token],
    labels: &'a Labels,
    lexicon: &'a Lexicon,
    words: Vec<WordHits>,
}

/// What one word of an utterance may be.
struct WordHits {
    /// By label and place.
    hits: Vec<Hit>,
    /// For each label, where its hits begin; and where the last ones end.
    starts: Vec<usize>,
    /// It may stand between the words of a label: "of", "the".
    glue: bool,
    article: bool,
    /// It stands for an option and is a number: "one".
    stands: bool,
}

impl<'a> Hits<'a> {
    pub(super) fn new(tokens: &'a [Token], labels: &'a Labels, lexicon: &'a Lexicon) -> Self {
        let mut all = Self { tokens, labels, lexicon, words: Vec::with_capacity(tokens.len()) };
        for (at, token) in tokens.iter().enumerate() {
            let is = |keep: fn(Class) -> bool| lexicon.classes(&token.text).any(keep);
            let hits = all.hits_at(at, token);
            let word = WordHits {
                starts: starts(&hits, labels.len()),
                hits,
                glue: is(|class| matches!(class, Class::Glue | Class::Article)),
                article: is(|class| class == Class::Article),
                stands: !token.is_number() && is(|class| class == Class::Noun),
            };
            all.words.push(word);
        }
        all
    }

    pub(super) fn labels(&self) -> &'a Labels {
        self.labels
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// What begins at a word.
    pub(super) fn at(&self, at: usize) -> &[Hit] {
        self.words.get(at).map_or(&[], |word| &word.hits)
    }

    /// What begins at a word and is in a label, from one of its words on.
    pub(super) fn at_of(&self, at: usize, label: usize, from: usize) -> impl Iterator<Item = &Hit> {
        let of_label = self.words.get(at).and_then(|word| {
            let (start, end) = (word.starts.get(label)?, word.starts.get(label + 1)?);
            word.hits.get(*start..*end)
        });
        of_label.unwrap_or_default().iter().filter(move |hit| hit.place.at >= from)
    }

    pub(super) fn is_glue(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.glue)
    }

    pub(super) fn is_after_article(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.words.get(before));
        before.is_some_and(|word| word.article)
    }

    /// Whether a word stands for an option: "one".
    pub(super) fn stands_for_one(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.stands)
    }

    /// Whether a word says a mark: "point".
    pub(super) fn says_mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|token| self.lexicon.says_mark(&token.text, mark))
    }

    /// Whether a place is inside what is written as one, such as `0.16` or `beta.2`.
    pub(super) fn splits_number(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let (Some(before), Some(token)) = (before, self.tokens.get(at)) else { return false };
        (before.is_number() || token.is_number()) && before.is_one_with(token)
    }

    /// What a token, alone or with those after it, may be of any label.
    fn hits_at(&self, at: usize, token: &Token) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut exact = |text: &str, count: usize| {
            let places = self.labels.places(text);
            hits.extend(places.iter().map(|place| Hit {
                tokens: count,
                place: *place,
                loose: false,
            }));
            !places.is_empty()
        };
        let first = canonical(token, self.lexicon);
        let mut found = exact(&first, 1);
        if first != token.text {
            found |= exact(&token.text, 1);
        }
        for symbol in self.lexicon.symbols(&token.text) {
            exact(symbol.encode_utf8(&mut [0; 4]), 1);
        }
        if self.lexicon.says_zero(&token.text) {
            exact("0", 1);
        }
        if let Some((count, number)) = self.number_at(at) {
            exact(&number.to_string(), count);
        }
        if let Some((count, number)) = self.number_at(at + 1) {
            // "twenty twenty six".
            exact(&format!("{first}{number}"), count + 1);
        }
        if !token.is_ideograph() {
            found |= self.joined(at, first, &mut exact);
        }
        if !token.is_number() {
            self.loose(&token.text, found, &mut hits);
        }
        hits.sort_by_key(|hit| (hit.place.label, hit.place.at));
        hits
    }

    /// Several words that are one word of a label: "type script".
    fn joined(
        &self,
        at: usize,
        first: String,
        exact: &mut impl FnMut(&str, usize) -> bool,
    ) -> bool {
        let mut text = first;
        let mut found = false;
        for count in 2..=JOINED {
            let next = self.tokens.get(at + count - 1).filter(|next| !next.is_ideograph());
            let Some(next) = next else { break };
            for same in self.lexicon.same(&next.text) {
                found |= exact(&format!("{text}{same}"), count);
            }
            let next = canonical(next, self.lexicon);
            // "1 2" is not twelve; "twenty twenty" may be a year.
            let digit = |text: &str| is_number(text) && text.len() < 2;
            if digit(&text) || digit(&next) {
                break;
            }
            text.push_str(&next);
            found |= exact(&text, count);
        }
        found
    }

    /// Words of labels that are heard as this one, or may be it with a slip. Where the very word is
    /// in one label, another form of it may still be in another.
    fn loose(&self, text: &str, found: bool, hits: &mut Vec<Hit>) {
        let hit = |place: &Place| Hit { tokens: 1, place: *place, loose: true };
        for other in self.lexicon.same(text).iter().filter(|_| !found) {
            hits.extend(self.labels.places(other).iter().map(hit));
        }
        if self.lexicon.classes(text).next().is_some() {
            // A word of the language is that word.
            return;
        }
        for word in self.labels.sounding_like(text) {
            // Several words of a label together are no word that could have another form.
            hits.extend(self.labels.places(word).iter().filter(|place| place.len == 1).map(hit));
        }
    }

    /// A number of several words: "twenty one", "one hundred five".
    fn number_at(&self, at: usize) -> Option<(usize, u64)> {
        let number = |at: usize| {
            let token = self.tokens.get(at)?;
            self.lexicon.number(&token.text).map(u64::from)
        };
        let mut total = number(at)?;
        let mut count = 1;
        while let Some(next) = number(at + count) {
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

/// For hits that are sorted by label, where those of each label begin; and where the last ones end.
fn starts(hits: &[Hit], labels: usize) -> Vec<usize> {
    if hits.is_empty() {
        return Vec::new();
    }
    let mut starts = Vec::with_capacity(labels + 1);
    for (at, hit) in hits.iter().enumerate() {
        starts.resize(starts.len().max(hit.place.label + 1), at);
    }
    starts.resize(labels + 1, hits.len());
    starts
}
