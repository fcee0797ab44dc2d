//! A set of the options of one question.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use crate::limits;

/// A set of options, by position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Options(u8);

// One bit for each option that is read out.
const _: () = assert!(limits::OPTIONS <= 8);

impl Options {
    pub(super) const NONE: Self = Self(0);

    /// One option; none where there is no such position.
    pub(super) fn one(position: usize) -> Self {
        if position < limits::OPTIONS { Self(1 << position) } else { Self::NONE }
    }

    /// The first `count` options.
    pub(super) fn first(count: usize) -> Self {
        (0..count.min(limits::OPTIONS)).map(Self::one).fold(Self::NONE, |all, one| all | one)
    }

    /// The options from one position to another, both included.
    pub(super) fn range(from: usize, to: usize) -> Self {
        (from..=to.min(limits::OPTIONS)).map(Self::one).fold(Self::NONE, |all, one| all | one)
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::NONE
    }

    pub(super) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(super) fn contains(self, other: Self) -> bool {
        self & other == other
    }

    /// Those of `self` that are not in `other`.
    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The positions, ascending.
    pub(super) fn positions(self) -> impl Iterator<Item = usize> {
        (0..limits::OPTIONS).filter(move |position| self.0 & (1 << position) != 0)
    }

    /// The only position, where there is exactly one.
    pub(super) fn only(self) -> Option<usize> {
        if self.len() == 1 { self.positions().next() } else { None }
    }
}

impl BitOr for Options {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Options {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOrAssign for Options {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}
