//! What the parts of an answer choose from one question.

mod clause;
mod group;
mod outcome;

use super::facts::{Facts, Unresolved};
use super::item::Item;
use super::options::Options;
use clause::Clause;

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
                    Some(Item::And | Item::Also) => Item::Unclear,
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

impl From<Unresolved> for NoChoice {
    fn from(why: Unresolved) -> Self {
        match why {
            Unresolved::OutOfRange => Self::OutOfRange,
            Unresolved::Unclear => Self::SeveralReadings,
        }
    }
}
