//! The options that a stretch of an utterance names.

use super::options::Options;
use crate::limits;

/// The options that are named, for each question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Named([NamedIn; limits::QUESTIONS]);

/// The options of one question that are named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct NamedIn {
    /// Whose label it is, word for word.
    pub(super) whole: Options,
    /// Whose label it may be: with slips, or a part.
    pub(super) part: Options,
    /// Whose label has it with a word that turns it around and was not said: "tests" of "without
    /// tests". Then nobody can tell whether that label is meant.
    pub(super) turned: Options,
    /// Whose label begins with the number that it says, or has it right after a word like "option".
    pub(super) leading: Options,
}

impl Named {
    pub(super) fn of(&self, question: usize) -> NamedIn {
        self.0.get(question).copied().unwrap_or_default()
    }

    pub(super) fn of_mut(&mut self, question: usize) -> Option<&mut NamedIn> {
        self.0.get_mut(question)
    }

    pub(super) fn is_whole(&self) -> bool {
        self.0.iter().any(|one| !one.whole.is_empty())
    }
}

impl NamedIn {
    /// Word for word where there is such a label, else whatever it may be.
    pub(super) fn best(self) -> Options {
        if self.whole.is_empty() { self.part } else { self.whole }
    }

    /// Whether it may be a label that says the contrary.
    pub(super) fn is_doubtful(self) -> bool {
        self.whole.is_empty() && !self.turned.is_empty()
    }

    pub(super) fn all(self) -> Options {
        self.whole | self.part | self.turned
    }
}
