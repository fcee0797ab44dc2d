//! The shape of an answer, before it is held against a question.

use crate::limits;
use crate::untrusted::{Kind, Untrusted};

/// The one intent that is ours (ADR 0315).
pub(crate) const RESPOND_INPUT: &str = "respond-input";

/// An answer whose shape is right.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    pub(super) entries: Vec<Entry>,
}

/// One question's choice as it was given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(super) index: Index,
    pub(super) labels: Vec<String>,
}

/// A whole number that may name a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Index {
    /// Counted from 0; whether there is such a question is checked later.
    Question(usize),
    /// Negative, or beyond any count.
    Nowhere,
}

/// The shape is wrong: of another type, incomplete, too much, or not readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl Index {
    /// Takes a number as JavaScript has it; `None` where it is no whole number.
    pub(super) fn from_number(number: f64) -> Option<Self> {
        if !number.is_finite() || number.fract() != 0.0 {
            return None;
        }
        if (0.0..=f64::from(u32::MAX)).contains(&number) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "checked above"
            )]
            return Some(Self::Question(number as usize));
        }
        Some(Self::Nowhere)
    }
}

/// Counts what an answer may hold in all.
pub(super) struct Allowance {
    labels_left: usize,
    bytes_left: usize,
}

impl Allowance {
    pub(super) fn new() -> Self {
        Self { labels_left: limits::ANSWER_LABELS, bytes_left: limits::ANSWER_BYTES }
    }

    /// Whether there is room for one more label of at least `bytes`.
    fn has_room(&self, bytes: usize) -> bool {
        self.labels_left > 0 && self.bytes_left >= bytes
    }

    /// Counts one more label.
    pub(super) fn take(&mut self, label: &str) -> Result<(), Malformed> {
        self.labels_left = self.labels_left.checked_sub(1).ok_or(Malformed)?;
        self.bytes_left = self.bytes_left.checked_sub(label.len()).ok_or(Malformed)?;
        Ok(())
    }
}

impl Entry {
    /// An entry for a question, counted from 0.
    pub(crate) fn new(question: usize, labels: Vec<String>) -> Self {
        Self { index: Index::Question(question), labels }
    }
}

impl Payload {
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        Self { entries }
    }

    /// The labels given for a question, counted from 0.
    pub(crate) fn labels_of(&self, question: usize) -> Option<&[String]> {
        let entry = self.entries.iter().find(|entry| entry.index == Index::Question(question))?;
        Some(&entry.labels)
    }

    /// Reads an answer from the array of entries or the object that holds it. Only the properties
    /// that belong to an answer are looked at.
    ///
    /// # Errors
    /// [`Malformed`] where it is of another shape, holds too much, or could not be read.
    pub fn read<V: Untrusted>(answers: V) -> Result<Self, Malformed> {
        let entries = match answers.kind() {
            Kind::List => answers,
            Kind::Object => {
                let kind = answers.field(c"kind").ok_or(Malformed)?;
                let is_ours = kind.units() == RESPOND_INPUT.len()
                    && kind.text().is_some_and(|kind| kind == RESPOND_INPUT);
                if kind.kind() != Kind::Undefined && !is_ours {
                    return Err(Malformed);
                }
                answers.field(c"answers").ok_or(Malformed)?
            }
            _ => return Err(Malformed),
        };
        Self::read_entries(entries)
    }

    /// Reads the array of entries.
    pub(crate) fn read_entries<V: Untrusted>(entries: V) -> Result<Self, Malformed> {
        if entries.kind() != Kind::List || entries.length() > limits::ANSWER_ENTRIES {
            return Err(Malformed);
        }
        let mut allowance = Allowance::new();
        let read = |index| read_entry(entries.item(index).ok_or(Malformed)?, &mut allowance);
        Ok(Self { entries: (0..entries.length()).map(read).collect::<Result<_, _>>()? })
    }
}

fn read_entry<V: Untrusted>(entry: V, allowance: &mut Allowance) -> Result<Entry, Malformed> {
    if entry.kind() != Kind::Object {
        return Err(Malformed);
    }
    let Kind::Number(index) = entry.field(c"questionIndex").ok_or(Malformed)?.kind() else {
        return Err(Malformed);
    };
    let index = Index::from_number(index).ok_or(Malformed)?;
    let options = entry.field(c"options").ok_or(Malformed)?;
    if options.kind() != Kind::List || options.length() > limits::ANSWER_LABELS {
        return Err(Malformed);
    }
    let label = |index| {
        let label = options.item(index).ok_or(Malformed)?;
        // A text is never shorter in bytes than in units; only what fits is copied.
        if label.kind() != Kind::Text || !allowance.has_room(label.units()) {
            return Err(Malformed);
        }
        let label = label.text().ok_or(Malformed)?;
        allowance.take(&label)?;
        Ok(label)
    };
    Ok(Entry { index, labels: (0..options.length()).map(label).collect::<Result<_, _>>()? })
}
