//! What matters about one question when it is answered in words.

use super::item::{Position, Ref};
use super::label::Labels;
use super::named::NamedIn;
use super::options::Options;
use crate::question::Spoken;

/// One question, for the language it is answered in.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
pub(super) struct Facts<'a> {
    /// Its position among the questions that are asked.
    pub(super) question: usize,
    /// Its number among all questions of the input, counted from 1.
    pub(super) number: usize,
    pub(super) count: usize,
    pub(super) multi_select: bool,
    /// Nothing was left out or shortened: "last", "all" and "except" mean what they say.
    pub(super) complete: bool,
    /// The option that says yes and the one that says no, where there is one of each.
    pub(super) yes_no: Option<YesNo>,
    /// It asks about stopping, removing or leaving out, or asks in the negative: then nobody can
    /// tell which way a refusal or a "go ahead" goes.
    pub(super) against: bool,
    /// Two labels or more begin with a number: a bare number is an amount, not a position.
    amounts: bool,
    labels: &'a Labels,
}

/// The options of a question that is answered by yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct YesNo {
    pub(super) yes: Options,
    pub(super) no: Options,
}

/// Why a reference names no option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unresolved {
    OutOfRange,
    /// It can be read in several ways, or in none.
    Unclear,
}

impl<'a> Facts<'a> {
    pub(super) fn new(
        question: usize,
        number: usize,
        spoken: &Spoken,
        yes_no: Option<YesNo>,
        against: bool,
        labels: &'a Labels,
    ) -> Self {
        Self {
            question,
            number,
            count: spoken.labels().len(),
            multi_select: spoken.multi_select(),
            complete: spoken.omitted_options() == 0 && !spoken.shortened(),
            yes_no,
            against,
            amounts: labels.amounts(question) > 1,
            labels,
        }
    }

    pub(super) fn all(&self) -> Options {
        Options::first(self.count)
    }

    /// The options that a reference may name. Labels outrank positions, and a position is not read
    /// out of words that belong to another option's label.
    pub(super) fn resolve(&self, reference: &Ref) -> Result<Options, Unresolved> {
        let named = reference.named.map(|named| named.of(self.question)).unwrap_or_default();
        let Some(position) = reference.position else {
            if named.is_doubtful() {
                return Err(Unresolved::Unclear);
            }
            let best = named.best();
            return if best.is_empty() { Err(Unresolved::Unclear) } else { Ok(best) };
        };
        let placed = self.place(position);
        if named.all().is_empty() {
            return self.unless_in_another_label(reference, position, placed?);
        }
        self.label_or_position(reference, position, named, placed)
    }

    /// Whether a word is part of one or more labels.
    pub(super) fn is_in_some_labels(&self, word: &str) -> bool {
        !self.labels.having(self.question, word).is_empty()
    }

    /// Whether one of these options has a word in its label.
    pub(super) fn has_in_label(&self, options: Options, word: &str) -> bool {
        !(self.labels.having(self.question, word) & options).is_empty()
    }

    /// Whether another option's label has the number that a position is said with.
    pub(super) fn is_in_another_label(&self, reference: &Ref) -> bool {
        let Some(position) = reference.position else { return false };
        let number = match position {
            Position::Ordinal(number) | Position::Number(number) => number.to_string(),
            _ => return false,
        };
        let having = self.labels.having(self.question, &number);
        !having.is_empty() && self.place(position).is_ok_and(|placed| placed != having)
    }

    fn unless_in_another_label(
        &self,
        reference: &Ref,
        position: Position,
        placed: Options,
    ) -> Result<Options, Unresolved> {
        let bare = matches!(position, Position::Number(_) | Position::Letter(_));
        if !bare || reference.carried {
            return Ok(placed);
        }
        if self.amounts && matches!(position, Position::Number(_)) {
            return Err(Unresolved::Unclear);
        }
        let having = match position {
            Position::Letter(_) => self.labels.marked(self.question, &reference.word),
            _ => self.labels.having(self.question, &reference.word),
        };
        if having.is_empty() || having == placed {
            return Ok(placed);
        }
        Err(Unresolved::Unclear)
    }

    fn label_or_position(
        &self,
        reference: &Ref,
        position: Position,
        named: NamedIn,
        placed: Result<Options, Unresolved>,
    ) -> Result<Options, Unresolved> {
        if named.is_doubtful() {
            return Err(Unresolved::Unclear);
        }
        let label = named.best();
        if placed == Ok(label) {
            return Ok(label);
        }
        let bare = matches!(position, Position::Number(_) | Position::Letter(_));
        if reference.carried {
            // "option two", where a label begins with a two, can be either.
            return if named.leading.is_empty() { placed } else { Err(Unresolved::Unclear) };
        }
        // "the first one", where another label is "First", can be either.
        let whole = !named.whole.is_empty() && !reference.noun;
        let leads = bare && label.only().is_some() && label == named.leading;
        // "24", of "Node 24.0" and "Node 22.3": no position could be meant, not even on the card.
        let no_place = self.complete && placed == Err(Unresolved::OutOfRange);
        let only = bare && no_place && label.only().is_some();
        if whole || leads || only { Ok(label) } else { Err(Unresolved::Unclear) }
    }

    /// The options at a position.
    fn place(&self, position: Position) -> Result<Options, Unresolved> {
        let counted = |number: u32| {
            let index = (number as usize).checked_sub(1).filter(|index| *index < self.count);
            index.map(Options::one).ok_or(Unresolved::OutOfRange)
        };
        let complete = || if self.complete { Ok(()) } else { Err(Unresolved::Unclear) };
        match position {
            Position::Ordinal(number) | Position::Number(number) => counted(number),
            Position::Letter(letter) => counted(u32::from(letter) + 1),
            Position::FromEnd(back) => {
                complete()?;
                let index = self.count.checked_sub(back as usize + 1);
                index.map(Options::one).ok_or(Unresolved::OutOfRange)
            }
            Position::Middle => {
                complete()?;
                let odd = self.count % 2 == 1 && self.count > 1;
                if odd { Ok(Options::one(self.count / 2)) } else { Err(Unresolved::Unclear) }
            }
            Position::Former | Position::Latter if self.count != 2 => Err(Unresolved::Unclear),
            Position::Former => Ok(Options::one(0)),
            Position::Latter => {
                complete()?;
                Ok(Options::one(1))
            }
            Position::First(count) => {
                let count = count as usize;
                if count > self.count {
                    Err(Unresolved::OutOfRange)
                } else {
                    Ok(Options::first(count))
                }
            }
            Position::Last(count) => {
                complete()?;
                let start = self.count.checked_sub(count as usize).ok_or(Unresolved::OutOfRange)?;
                Ok(Options::range(start, self.count - 1))
            }
        }
    }
}
