//! What the parts of an answer choose from one question.

use super::facts::{Facts, Unresolved};
use super::item::{Item, Position, Ref};
use super::options::Options;

/// Why a sentence chooses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoChoice {
    SeveralReadings,
    AskedBack,
    Hedged,
    OutOfRange,
    Declined,
}

/// What the items choose. There is at least one reference, quantity, yes or no among them, or a
/// word that says why there is none; and no unknown word.
pub(super) fn choose(items: &[Item], facts: &Facts<'_>) -> Result<Options, NoChoice> {
    let items = with_discourse(items);
    if items.contains(&Item::Ask) {
        return Err(NoChoice::AskedBack);
    }
    let (last, corrected) = after_correction(&items)?;
    if corrected.is_some_and(|before| is_list(before, facts)) {
        // Which part of the list was taken back cannot be told.
        return Err(NoChoice::SeveralReadings);
    }
    let clause = Clause::read(last, facts)?;
    let corrected = items.iter().any(|item| matches!(item, Item::Correct { .. }));
    if corrected && clause.groups.is_empty() && !clause.refused.is_empty() {
        // "not red. Actually do it."
        return Err(NoChoice::SeveralReadings);
    }
    clause.choice(facts)
}

/// Everything that is positively named, whatever else is said.
pub(super) fn mentioned(items: &[Item], facts: &Facts<'_>) -> Options {
    items.iter().fold(Options::NONE, |all, item| match item {
        Item::Ref(reference) => all | facts.resolve(reference).unwrap_or_default(),
        _ => all,
    })
}

/// "Yes" says nothing beside an option, and "no" between two options takes the first one back.
fn with_discourse(items: &[Item]) -> Vec<Item> {
    let refers = |item: &Item| matches!(item, Item::Ref(_) | Item::Both(_) | Item::All(..));
    let refers_at_all = items.iter().any(refers);
    let mut out = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let rest = items.get(at + 1..).unwrap_or_default();
        let before = items.get(..at).unwrap_or_default();
        out.push(match item {
            Item::Yes { .. } | Item::True if refers_at_all => Item::Filler,
            // "absolutely not the first": whatever else says no refuses what comes next.
            Item::No { plain: false, .. } | Item::False if rest.iter().any(refers) => Item::Unclear,
            Item::No { .. } if rest.iter().any(refers) => {
                let next = rest.iter().find(|item| **item != Item::Filler);
                match next {
                    // "no tests": the word may negate the label.
                    Some(Item::Ref(next)) if next.position.is_none() => Item::Unknown,
                    // "seventeen, no, and west": taken back and gone on with.
                    Some(Item::And) => Item::Unclear,
                    _ if before.iter().any(refers) => Item::Correct { soft: false },
                    _ => Item::Filler,
                }
            }
            // "red, no": taken back.
            Item::No { .. } | Item::False if before.iter().any(refers) => {
                Item::Correct { soft: false }
            }
            Item::Frame { ask: true } => Item::Ask,
            Item::Frame { ask: false } => Item::Unknown,
            item => item.clone(),
        });
    }
    out
}

/// The part after the last correction, and the part that it takes back.
pub(super) fn after_correction(items: &[Item]) -> Result<(&[Item], Option<&[Item]>), NoChoice> {
    let says = |item: &Item| {
        matches!(
            item,
            Item::Ref(_)
                | Item::Both(_)
                | Item::All(..)
                | Item::None
                | Item::Decline
                | Item::Yes { .. }
                | Item::No { .. }
                | Item::True
                | Item::False
                | Item::Hedge
        )
    };
    let mut start = 0;
    let mut before = None;
    for (at, item) in items.iter().enumerate() {
        let Item::Correct { soft } = item else { continue };
        let left = items.get(start..at).unwrap_or_default();
        let right = items.get(at + 1..).unwrap_or_default();
        let says_before = left.iter().any(says);
        if right.iter().any(says) {
            if says_before {
                before = Some(left);
            }
            // "I'm not actually sure" takes nothing back.
            if says_before || !soft {
                start = at + 1;
            }
        } else if !soft {
            // Taken back, and nothing put in its place.
            return Err(NoChoice::Hedged);
        }
    }
    Ok((items.get(start..).unwrap_or_default(), before))
}

/// Whether more than one option was named side by side.
fn is_list(items: &[Item], facts: &Facts<'_>) -> bool {
    let refs = items.iter().filter(|item| matches!(item, Item::Ref(_))).count();
    facts.multi_select && refs > 1
}

/// A sentence without corrections, read from left to right.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
struct Clause {
    /// Options named as wanted. Those side by side without "and" are one group.
    groups: Vec<Group>,
    refused: Options,
    excepted: Option<Options>,
    all: bool,
    both: bool,
    none: bool,
    declined: bool,
    hedged: bool,
    said_yes: bool,
    said_no: bool,
    /// What is done with the next reference.
    mode: Mode,
    /// The last word that negates.
    not: String,
    /// An exception was begun, and nothing excepted yet.
    open_exception: bool,
    /// One was refused after another was wanted: "red, not blue". Nothing may follow.
    closed: bool,
    /// "but" was said since the last reference.
    but: bool,
    /// "and" was said since the last reference.
    and: bool,
    /// Only articles were said since the last reference.
    adjacent: bool,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Mode {
    #[default]
    Want,
    Refuse,
    /// One option was refused; "and" after it would be unclear.
    Refused,
    Except,
    /// From this position to the next one.
    RangeFrom(usize),
}

/// References side by side.
struct Group {
    options: Options,
    /// All are labels, or all are positions.
    kind: Kind,
    /// The first reference is a bare number.
    number: bool,
    /// The first reference is followed by "one" or "option".
    noun: bool,
}

impl Group {
    fn new(reference: &Ref, options: Options, kind: Kind) -> Self {
        let number = matches!(reference.position, Some(Position::Number(_)));
        Self { options, kind, number, noun: reference.noun }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Label,
    /// A part of a label: with another part beside it, it could be a part of a third label.
    Part,
    Position,
}

impl Clause {
    fn read(items: &[Item], facts: &Facts<'_>) -> Result<Self, NoChoice> {
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

    fn want(
        &mut self,
        reference: &Ref,
        options: Options,
        facts: &Facts<'_>,
    ) -> Result<(), NoChoice> {
        let named = reference.named.map(|named| named.of(facts.question));
        let kind = match named {
            None => Kind::Position,
            Some(named) if named.whole.is_empty() => Kind::Part,
            Some(_) => Kind::Label,
        };
        let side_by_side = !self.and && self.groups.last().is_some();
        if !side_by_side {
            let label_and_number = kind == Kind::Position
                && matches!(reference.position, Some(Position::Number(_)))
                && !reference.carried
                && self.groups.last().is_some_and(|group| group.kind != Kind::Position);
            if label_and_number {
                // "lint plus one".
                return Err(NoChoice::SeveralReadings);
            }
            self.groups.push(Group::new(reference, options, kind));
            return Ok(());
        }
        let adjacent = self.adjacent;
        let Some(group) = self.groups.last_mut() else { return Ok(()) };
        let both = group.options & options;
        let shared = |one: Options| one.only().is_none();
        let number = matches!(reference.position, Some(Position::Number(_)));
        if number && group.kind == Kind::Part && shared(group.options) {
            // "node 2", where every label says "node".
            return Err(NoChoice::SeveralReadings);
        }
        if kind == Kind::Part && shared(options) && group.number {
            return Err(NoChoice::SeveralReadings);
        }
        if !both.is_empty() {
            group.options = both;
            return Ok(());
        }
        // Two different options side by side are a list, where a list may be chosen: "one three".
        let alike = kind == group.kind && reference.noun == group.noun;
        let list = facts.multi_select && adjacent && alike && kind != Kind::Part;
        if !list {
            return Err(NoChoice::SeveralReadings);
        }
        options.only().ok_or(NoChoice::SeveralReadings)?;
        group.options.only().ok_or(NoChoice::SeveralReadings)?;
        self.groups.push(Group::new(reference, options, kind));
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
                let refers = items.get(at + 1..).unwrap_or_default();
                if refers.iter().any(|item| matches!(item, Item::Ref(_))) {
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
        let position = before.iter().rev().find_map(|item| match item {
            Item::Ref(reference) => Some(reference),
            _ => None,
        });
        let Some(reference) = position.filter(|reference| is_countable(reference)) else {
            return Err(NoChoice::SeveralReadings);
        };
        let from = facts.resolve(reference)?.only().ok_or(NoChoice::SeveralReadings)?;
        let to = items.get(at + 1..).unwrap_or_default().iter().find_map(|item| match item {
            Item::Ref(reference) => Some(reference),
            _ => None,
        });
        let to = facts.resolve(to.ok_or(NoChoice::SeveralReadings)?)?;
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

    /// What it comes to.
    fn choice(self, facts: &Facts<'_>) -> Result<Options, NoChoice> {
        let unclear = Err(NoChoice::SeveralReadings);
        let names = !self.groups.is_empty() || self.all || self.both || self.excepted.is_some();
        if self.hedged {
            return Err(NoChoice::Hedged);
        }
        // "the first and", "yes but": there was more to come.
        if self.and || self.but || self.open_exception {
            return unclear;
        }
        if matches!(self.mode, Mode::RangeFrom(_)) || self.mode == Mode::Refuse && names {
            return unclear;
        }
        if self.none || self.declined {
            let alone = !names && self.refused.is_empty() && !self.said_yes;
            return if alone { Err(NoChoice::Declined) } else { unclear };
        }
        if self.all || self.both || self.excepted.is_some() {
            return self.quantity(facts);
        }
        if !self.groups.is_empty() {
            return self.wanted(facts);
        }
        if self.refused.is_empty() {
            let no = self.said_no || self.mode == Mode::Refuse;
            return if no { Err(NoChoice::Declined) } else { unclear };
        }
        if self.mode == Mode::Refuse {
            return unclear;
        }
        // A negation selects only where exactly one option is left of two.
        let left = facts.all().without(self.refused);
        let of_two = facts.count == 2 && facts.complete && !facts.multi_select;
        if of_two && left.only().is_some() { Ok(left) } else { unclear }
    }

    /// "all", "both", "all except the last".
    fn quantity(self, facts: &Facts<'_>) -> Result<Options, NoChoice> {
        let unclear = Err(NoChoice::SeveralReadings);
        if !self.refused.is_empty() {
            return unclear;
        }
        if self.both {
            let alone = self.groups.is_empty() && !self.all && self.excepted.is_none();
            if alone {
                let two = facts.count == 2 && facts.complete && facts.multi_select;
                return if two { Ok(facts.all()) } else { unclear };
            }
            // "both A and C" names two.
            let two = self.groups.len() == 2 && !self.all && self.excepted.is_none();
            return if two { self.wanted(facts) } else { unclear };
        }
        if !facts.complete {
            return unclear;
        }
        let Some(excepted) = self.excepted else {
            let alone = self.groups.is_empty() && facts.multi_select;
            return if alone { Ok(facts.all()) } else { unclear };
        };
        let left = facts.all().without(excepted);
        let fits = facts.multi_select || (facts.count == 2 && left.only().is_some());
        let alone = self.groups.is_empty() && !left.is_empty() && !excepted.is_empty();
        if fits && alone { Ok(left) } else { unclear }
    }

    fn wanted(&self, facts: &Facts<'_>) -> Result<Options, NoChoice> {
        let unclear = Err(NoChoice::SeveralReadings);
        let mut chosen = Options::NONE;
        for group in &self.groups {
            // A part that several labels have names none of them.
            if group.options.only().is_none() && group.kind != Kind::Position {
                return unclear;
            }
            chosen |= group.options;
        }
        if !(chosen & self.refused).is_empty() || chosen.is_empty() {
            return unclear;
        }
        if facts.multi_select || chosen.only().is_some() { Ok(chosen) } else { unclear }
    }
}

impl From<Unresolved> for NoChoice {
    fn from(why: Unresolved) -> Self {
        match why {
            Unresolved::OutOfRange => Self::OutOfRange,
            Unresolved::Unclear => Self::SeveralReadings,
        }
    }
}

/// Whether a reference is a place that can begin or end a range.
fn is_countable(reference: &Ref) -> bool {
    matches!(
        reference.position,
        Some(Position::Ordinal(_) | Position::Number(_) | Position::Letter(_))
    )
}
