//! Options that are named side by side, and when they are one option or several.

use super::NoChoice;
use super::clause::Clause;
use crate::choice::facts::Facts;
use crate::choice::item::{Position, Ref};
use crate::choice::options::Options;

/// References side by side.
pub(super) struct Group {
    pub(super) options: Options,
    /// All are labels, or all are positions.
    pub(super) kind: Kind,
    /// The first reference is a bare number.
    pub(super) number: bool,
    /// The first reference is followed by "one" or "option".
    pub(super) noun: bool,
}

impl Group {
    pub(super) fn new(reference: &Ref, options: Options, kind: Kind) -> Self {
        let number = matches!(reference.position, Some(Position::Number(_)));
        Self { options, kind, number, noun: reference.noun }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Label,
    /// A part of a label: with another part beside it, it could be a part of a third label.
    Part,
    Position,
}

impl Clause {
    /// Takes a reference as wanted: with those beside it, or as another one.
    pub(super) fn want(
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
}
