//! A sentence without corrections, part by part.

use super::NoChoice;
use super::group::Group;
use crate::choice::facts::Facts;
use crate::choice::item::{Item, Position, Ref};
use crate::choice::options::Options;

/// A sentence without corrections, read from left to right.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
pub(super) struct Clause {
    /// Options named as wanted. Those side by side without "and" are one group.
    pub(super) groups: Vec<Group>,
    pub(super) refused: Options,
    pub(super) excepted: Option<Options>,
    pub(super) all: bool,
    pub(super) both: bool,
    pub(super) none: bool,
    pub(super) declined: bool,
    pub(super) hedged: bool,
    pub(super) said_yes: bool,
    pub(super) said_no: bool,
    /// What is done with the next reference.
    pub(super) mode: Mode,
    /// The last word that negates.
    pub(super) not: String,
    /// An exception was begun, and nothing excepted yet.
    pub(super) open_exception: bool,
    /// One was refused after another was wanted: "red, not blue". Nothing may follow.
    pub(super) closed: bool,
    /// "but" was said since the last reference.
    pub(super) but: bool,
    /// "and" was said since the last reference.
    pub(super) and: bool,
    /// "too" was said: there must be more than one to be chosen.
    pub(super) also: bool,
    /// Only articles were said since the last reference.
    pub(super) adjacent: bool,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Want,
    Refuse,
    /// One option was refused; "and" after it would be unclear.
    Refused,
    Except,
    /// From this position to the next one.
    RangeFrom(usize),
}

impl Clause {
    pub(super) fn read(items: &[Item], facts: &Facts<'_>) -> Result<Self, NoChoice> {
        let mut clause = Self::default();
        let mut before: Option<&Ref> = None;
        for (at, item) in items.iter().enumerate() {
            match item {
                Item::Ref(reference) => {
                    clause.refer(reference, before, facts)?;
                    before = Some(reference);
                    clause.adjacent = true;
                    continue;
                }
                Item::Article => continue,
                item => {
                    clause.must_go_on(item)?;
                    clause.word(item, items, at, facts)?;
                }
            }
            clause.adjacent = false;
        }
        Ok(clause)
    }

    /// A negation or an exception belongs to what comes right after it, or to nobody knows what:
    /// "don't use that, use the first", "not only red", "don't skip red".
    fn must_go_on(&self, item: &Item) -> Result<(), NoChoice> {
        let begun = self.mode == Mode::Refuse || self.mode == Mode::Except && self.open_exception;
        let goes_on = matches!(item, Item::Or) && !self.refused.is_empty();
        if begun && !goes_on { Err(NoChoice::SeveralReadings) } else { Ok(()) }
    }

    fn refer(
        &mut self,
        reference: &Ref,
        before: Option<&Ref>,
        facts: &Facts<'_>,
    ) -> Result<(), NoChoice> {
        let options = facts.resolve(reference)?;
        let another = |other: &Ref| other.named.is_some() != reference.named.is_some();
        if self.adjacent
            && before.is_some_and(|before| {
                another(before)
                    && (facts.is_in_another_label(before) || facts.is_in_another_label(reference))
            })
        {
            // "the first phase", where a label says "Phase 1" at another position.
            return Err(NoChoice::SeveralReadings);
        }
        match self.mode {
            Mode::Refuse => {
                // "not the first", and "not red" where red is one option. Where its label says "not"
                // itself, nobody can tell.
                options.only().ok_or(NoChoice::SeveralReadings)?;
                if facts.has_in_label(options, &self.not) {
                    return Err(NoChoice::SeveralReadings);
                }
                self.refused |= options;
                self.closed = !self.groups.is_empty();
                self.mode = Mode::Refused;
            }
            _ if self.closed => return Err(NoChoice::SeveralReadings),
            Mode::Refused if self.and => return Err(NoChoice::SeveralReadings),
            Mode::Except => {
                // "all but the last two" are places; a part that several labels have names none.
                if reference.named.is_some() {
                    options.only().ok_or(NoChoice::SeveralReadings)?;
                }
                self.excepted = Some(self.excepted.unwrap_or_default() | options);
                self.open_exception = false;
            }
            Mode::RangeFrom(from) => {
                let to = options.only().ok_or(NoChoice::SeveralReadings)?;
                if to <= from {
                    return Err(NoChoice::SeveralReadings);
                }
                let group = self.groups.last_mut().ok_or(NoChoice::SeveralReadings)?;
                group.options |= Options::range(from, to);
                self.mode = Mode::Want;
            }
            Mode::Want | Mode::Refused => {
                if self.mode == Mode::Refused && facts.multi_select {
                    // "not red, blue" can refuse both.
                    return Err(NoChoice::SeveralReadings);
                }
                if self.but && !self.groups.is_empty() {
                    // "red, blue but the last": an exception, or one more?
                    return Err(NoChoice::SeveralReadings);
                }
                self.mode = Mode::Want;
                self.want(reference, options, facts)?;
            }
        }
        self.and = false;
        self.but = false;
        Ok(())
    }

    fn word(
        &mut self,
        item: &Item,
        items: &[Item],
        at: usize,
        facts: &Facts<'_>,
    ) -> Result<(), NoChoice> {
        match item {
            Item::And => self.and = true,
            // "also the first": beside what? An answer to something else, or none.
            Item::Also if self.groups.is_empty() => return Err(NoChoice::SeveralReadings),
            Item::Also => {
                self.also = true;
                self.and |= refs_after(items, at).next().is_some();
            }
            Item::Or => match self.mode {
                Mode::Refused => self.mode = Mode::Refuse,
                Mode::Except => {}
                _ => self.hedged = true,
            },
            Item::But if self.all && self.groups.is_empty() => {
                self.mode = Mode::Except;
                self.open_exception = true;
            }
            Item::But => {
                self.mode = Mode::Want;
                self.but = true;
            }
            Item::Not { revokes: true, .. } if !self.groups.is_empty() && !self.but => {
                return Err(NoChoice::SeveralReadings);
            }
            // Spanish "no, la primera".
            Item::Not { nay: true, .. } if self.is_silent() => {
                return Err(NoChoice::SeveralReadings);
            }
            Item::Not { .. } | Item::Drop | Item::Except | Item::ExceptAfter | Item::NotAfter
                if facts.against =>
            {
                return Err(NoChoice::SeveralReadings);
            }
            Item::Not { word, .. } => {
                self.mode = Mode::Refuse;
                self.not.clone_from(word);
            }
            Item::Drop => {
                if refs_after(items, at).next().is_some() {
                    self.mode = Mode::Refuse;
                } else {
                    self.declined = true;
                }
            }
            Item::NotAfter => {
                let group = self.groups.pop().ok_or(NoChoice::SeveralReadings)?;
                group.options.only().ok_or(NoChoice::SeveralReadings)?;
                self.refused |= group.options;
                self.mode = Mode::Want;
            }
            Item::Except => {
                self.mode = Mode::Except;
                self.open_exception = true;
            }
            Item::ExceptAfter => {
                let groups = std::mem::take(&mut self.groups);
                if groups.is_empty() {
                    return Err(NoChoice::SeveralReadings);
                }
                let mut excepted = Options::NONE;
                for group in groups {
                    group.options.only().ok_or(NoChoice::SeveralReadings)?;
                    excepted |= group.options;
                }
                self.excepted = Some(excepted);
                self.and = false;
            }
            Item::Both(word) | Item::All(_, word) if facts.is_in_some_labels(word) => {
                return Err(NoChoice::SeveralReadings);
            }
            Item::Both(_) => self.both = true,
            Item::All(count, _) => {
                if count.is_some_and(|count| count as usize != facts.count) {
                    return Err(NoChoice::SeveralReadings);
                }
                self.all = true;
            }
            Item::None => self.none = true,
            Item::Decline => self.declined = true,
            Item::Hedge => self.hedged = true,
            Item::Yes { .. } | Item::True => self.said_yes = true,
            Item::No { .. } | Item::False => self.said_no = true,
            Item::Through | Item::To => self.range(item, items, at, facts)?,
            Item::Unclear | Item::Unknown => return Err(NoChoice::SeveralReadings),
            _ => {}
        }
        Ok(())
    }

    /// Whether nothing was said of any option yet.
    fn is_silent(&self) -> bool {
        self.groups.is_empty() && self.refused.is_empty() && !self.all && !self.both
    }

    /// "two through four". "two to four" may be heard as "two, two, four", which nobody says; "one
    /// to four" as "one, two, four".
    fn range(
        &mut self,
        item: &Item,
        items: &[Item],
        at: usize,
        facts: &Facts<'_>,
    ) -> Result<(), NoChoice> {
        let before = items.get(..at).unwrap_or_default();
        let position = before.iter().rev().find_map(reference);
        let Some(reference) = position.filter(|reference| is_countable(reference)) else {
            return Err(NoChoice::SeveralReadings);
        };
        let from = facts.resolve(reference)?.only().ok_or(NoChoice::SeveralReadings)?;
        let to = refs_after(items, at).next().ok_or(NoChoice::SeveralReadings)?;
        let to = facts.resolve(to)?;
        let to = to.only().ok_or(NoChoice::SeveralReadings)?;
        let marked = before.contains(&Item::From) || *item == Item::Through;
        let is_second = from == 1;
        let same_either_way = from == 0 && to == 2;
        if !marked && !is_second && !same_either_way {
            return Err(NoChoice::SeveralReadings);
        }
        self.mode = Mode::RangeFrom(from);
        Ok(())
    }
}

/// Whether a reference is a place that can begin or end a range.
fn is_countable(reference: &Ref) -> bool {
    matches!(
        reference.position,
        Some(Position::Ordinal(_) | Position::Number(_) | Position::Letter(_))
    )
}

/// The references after a place, in their order.
fn refs_after(items: &[Item], at: usize) -> impl Iterator<Item = &Ref> {
    items.get(at + 1..).unwrap_or_default().iter().filter_map(reference)
}

fn reference(item: &Item) -> Option<&Ref> {
    match item {
        Item::Ref(reference) => Some(reference),
        _ => None,
    }
}
