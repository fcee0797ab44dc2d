//! Labels followed through an utterance, word by word: the stretches that name them, whole or in
//! part.

use super::hits::{Hit, Hits};
use super::label::Label;
use super::named::Named;
use super::options::Options;
use super::token::Gap;
use super::word::{Weight, Word};

/// A stretch of tokens that names labels.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) named: Named,
}

/// Steps of all chains together. What people say and what hosts ask takes a few hundred, the largest
/// of both some thousand; labels made of the same words over and over would take millions.
const STEPS: usize = 12_000;

/// Words that may stand between two words of a label.
const PASSED: usize = 2;

/// The stretches of an utterance that name labels. With `common`, words like "use" count too, and a
/// part of a label may begin with a negation.
/// `None` where finding them would take too long.
pub(super) fn stretches(hits: &Hits<'_>, common: bool) -> Option<Vec<Stretch>> {
    let mut out = Vec::new();
    let mut steps = 0;
    // What is written as one, such as "0.16", is not named in part.
    for start in (0..hits.len()).filter(|start| !hits.splits_number(*start)) {
        let mut ends = Ends(Vec::new());
        for hit in hits.at(start) {
            if let Some(label) = hits.labels().get(hit.place.label)
                && let Some(mut chain) = Chain::begin(label, *hit, common)
            {
                chain.after_article = hits.is_after_article(start);
                steps += chain.follow(hits, start + hit.tokens, common, &mut ends);
                if steps > STEPS {
                    return None;
                }
            }
        }
        let ends = ends.0.into_iter().filter(|(end, _)| !hits.splits_number(*end));
        out.extend(ends.map(|(end, named)| Stretch { start, end, named }));
    }
    Some(out)
}

/// Where stretches from one start end.
struct Ends(Vec<(usize, Named)>);

/// How far one label has been followed through an utterance.
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
struct Chain<'a> {
    label: &'a Label,
    index: usize,
    /// The next word of the label.
    next: usize,
    /// The words that were said, as bits.
    matched: u128,
    loose: bool,
    content: bool,
    common: bool,
    position: bool,
    other: bool,
    ideographs: usize,
    /// Begins in the middle of a number such as `0.16`.
    begins_inside: bool,
    /// Begins right after a word like "option", in the label.
    after_carrier: bool,
    /// Begins right after an article, in the utterance.
    after_article: bool,
    /// Begins with a word that names nothing.
    begins_with_nothing: bool,
    last_was_number: bool,
    said_number: bool,
    /// A mark was said: "zero point sixteen".
    marked: bool,
}

impl<'a> Chain<'a> {
    fn begin(label: &'a Label, hit: Hit, common: bool) -> Option<Self> {
        let at = hit.place.at;
        let word = label.words.get(at)?;
        let negates = common && word.weight == Weight::Negation;
        let with_nothing = word.names_nothing() && !negates;
        if with_nothing && label.required & ((1 << at) - 1) != 0 {
            // Neither a part, for it begins with a word that names nothing, nor the whole.
            return None;
        }
        let before = at.checked_sub(1).and_then(|before| label.words.get(before));
        let goes_on = word.is_number() && word.before == Gap::Mark('.');
        let mut chain = Self {
            label,
            index: hit.place.label,
            next: 0,
            matched: 0,
            loose: false,
            content: false,
            common: false,
            position: false,
            other: false,
            ideographs: 0,
            begins_inside: goes_on && before.is_some_and(Word::is_number),
            after_carrier: before.is_some_and(|before| before.weight == Weight::Logic),
            after_article: false,
            begins_with_nothing: with_nothing,
            last_was_number: false,
            said_number: false,
            marked: false,
        };
        chain.take(hit);
        Some(chain)
    }

    /// Follows the label from a word of the utterance on, and notes every end at which it is named.
    /// Gives the number of steps that took.
    fn follow(mut self, hits: &Hits<'_>, from: usize, common: bool, ends: &mut Ends) -> usize {
        let mut steps = 1;
        self.note(from, common, ends);
        let (mut at, mut end) = (from, from);
        while at < hits.len() {
            let next = hits.at_of(at, self.index, self.next).inspect(|_| steps += 1);
            let allowed = next.filter(|hit| self.may_skip_to(hit.place.at));
            let best = allowed.min_by_key(|hit| (std::cmp::Reverse(hit.tokens), hit.place.at));
            if let Some(hit) = best {
                let said_number = self.said_number;
                self.take(*hit);
                at += hit.tokens;
                end = at;
                // "the second one" is no version 2.1, nor is "the beta one" the first of two, but "two
                // point one" and "beta one" are.
                let stands = hits.stands_for_one(end - 1);
                let noun = stands && self.after_article && !said_number;
                let joined = !noun && (self.ends_joined() || self.is_whole());
                if !stands || self.marked || joined {
                    self.note(end, common, ends);
                }
            } else if at - end < PASSED && self.passes(hits, at) {
                at += 1;
            } else {
                break;
            }
        }
        steps
    }

    fn take(&mut self, hit: Hit) {
        for at in hit.place.at..hit.place.at + hit.place.len {
            let Some(word) = self.label.words.get(at) else { continue };
            self.matched |= 1 << at;
            match word.weight {
                Weight::Content => self.content = true,
                Weight::Position => self.position = true,
                Weight::Common => self.common = true,
                Weight::Logic | Weight::Negation => self.other = true,
                Weight::Little => {}
            }
            self.last_was_number = word.is_number();
            self.said_number |= word.is_number();
            self.ideographs += usize::from(word.is_character());
        }
        self.loose |= hit.loose;
        self.next = hit.place.at + hit.place.len;
    }

    /// Whether the words of the label up to `at` may be left out: no number may, but a zero before
    /// a word, as in "0.16 beta" for `0.16.0-beta`.
    fn may_skip_to(&self, at: usize) -> bool {
        let skipped = self.label.words.get(self.next..at);
        let (Some(skipped), Some(word)) = (skipped, self.label.words.get(at)) else { return false };
        if skipped.is_empty() {
            return true;
        }
        let to_number = word.is_number() && self.last_was_number;
        let may_skip = |word: &Word| !word.is_number() || word.text == "0";
        !word.is_character() && !to_number && skipped.iter().all(may_skip)
    }

    /// Whether a word of the utterance may stand between the words of the label.
    fn passes(&mut self, hits: &Hits<'_>, at: usize) -> bool {
        let before = self.label.words.get(self.next).map(|word| word.before);
        let says = |mark| hits.says_mark(at, mark);
        let marked = matches!(before, Some(Gap::Mark(mark)) if says(mark));
        self.marked |= marked;
        // A word that a label has is not passed over.
        marked || hits.is_glue(at) && hits.at(at).is_empty()
    }

    /// Whether it says only positions, and at least one.
    fn says_only_position(&self) -> bool {
        self.position && !self.content && !self.common && !self.other
    }

    /// Whether the last word that was said is written as one with a word before it that is no
    /// number.
    fn ends_joined(&self) -> bool {
        let word = |back| self.next.checked_sub(back).and_then(|at| self.label.words.get(at));
        let joined = |word: &Word| matches!(word.before, Gap::Mark(_) | Gap::Nothing);
        word(1).is_some_and(joined) && word(2).is_some_and(|before| !before.is_number())
    }

    /// Whether all of the label was said, word for word.
    fn is_whole(&self) -> bool {
        self.matched & self.label.required == self.label.required && !self.loose
    }

    /// Notes that the tokens up to `end` name the label, if they do.
    fn note(&self, end: usize, common: bool, ends: &mut Ends) {
        let whole = self.is_whole();
        let position = self.says_only_position();
        let last = self.next.checked_sub(1).and_then(|at| self.label.words.get(at));
        let ends_with_nothing = last.is_some_and(Word::names_nothing);
        let one_character = self.ideographs == 1 && self.label.words.len() > 1;
        let all = self.matched & self.label.required == self.label.required;
        let tells = self.content && !one_character || position || common && self.common || all;
        let tells = tells && !self.begins_inside;
        if !whole && (!tells || self.begins_with_nothing || ends_with_nothing) {
            return;
        }
        let Some(named) = ends.at(end).of_mut(self.label.question) else { return };
        let option = Options::one(self.label.option);
        if whole {
            named.whole |= option;
        } else if self.label.turns & !self.matched != 0 {
            // "tests", of "without tests".
            named.turned |= option;
        } else {
            named.part |= option;
        }
        if position && (self.after_carrier || self.label.leads_with(self.matched)) {
            named.leading |= option;
        }
    }
}

impl Ends {
    /// What is named up to an end.
    fn at(&mut self, end: usize) -> &mut Named {
        let index = self.0.iter().position(|(other, _)| *other == end).unwrap_or(self.0.len());
        if index == self.0.len() {
            self.0.push((end, Named::default()));
        }
        #[expect(clippy::indexing_slicing, reason = "found or pushed just now")]
        &mut self.0[index].1
    }
}
