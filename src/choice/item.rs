//! The parts of an answer: references to options, and the words that connect or revoke them.

mod ahead;
mod reader;
mod word;

use super::named::Named;
use super::tag::Tag;
use super::topic::Topic;
use reader::Reader;

/// One part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    Ref(Ref),
    Topic(Topic),
    And,
    /// "too".
    Also,
    Or,
    But,
    /// Alone it may be a `no`: "please don't". One that `revokes` may also take back what came
    /// before; a `nay` is also a plain "no". Spanish "no" is all of them.
    Not {
        no: bool,
        nay: bool,
        revokes: bool,
        word: String,
    },
    NotAfter,
    Drop,
    Except,
    ExceptAfter,
    /// Takes back what came before. A soft one ("actually") may also be said without anything to
    /// take back.
    Correct {
        soft: bool,
    },
    /// A quantity, with its first word as labels may have it.
    Both(String),
    /// "all", or "all three".
    All(Option<u32>, String),
    None,
    Decline,
    Hedge,
    Ask,
    /// A soft one ("okay") says nothing beside a plain one; a directed one ("continue") goes ahead
    /// with what is asked about.
    Yes {
        soft: bool,
        directed: bool,
    },
    /// A plain one may begin an answer that goes on.
    No {
        plain: bool,
        directed: bool,
    },
    True,
    False,
    /// Says nothing beside yes and no; one that can begin a question may ask.
    Frame {
        ask: bool,
    },
    /// Points at what cannot be seen from here.
    That,
    Article,
    Filler,
    Want,
    /// "the one with".
    Describes,
    Through,
    To,
    From,
    /// Known words that name nothing for sure: "the two".
    Unclear,
    Unknown,
}

/// Names an option.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ref {
    pub(super) named: Option<Named>,
    pub(super) position: Option<Position>,
    /// After a word like "option": a position and nothing else.
    pub(super) carried: bool,
    /// "one" or "option" was said after it.
    pub(super) noun: bool,
    /// The number, ordinal or letter as labels have it.
    pub(super) word: String,
    /// Its words mean yes or no.
    pub(super) polar: bool,
    /// How many words it has.
    pub(super) tokens: usize,
}

/// A position among the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// "the second": counted from 1.
    Ordinal(u32),
    /// "two": counted from 1.
    Number(u32),
    /// "B": counted from 0.
    Letter(u8),
    /// "the last": counted from 0.
    FromEnd(u32),
    Middle,
    Former,
    Latter,
    /// "the first two".
    First(u32),
    /// "the last two".
    Last(u32),
}

/// Reads tags as items. Where the options are `lettered` ("Option A", "Option B"), a word that
/// sounds like a letter and is all that was said is that letter: recognisers write "See?" for "C".
pub(super) fn items(tags: &[Tag], lettered: bool) -> Vec<Item> {
    let mut reader = Reader { tags, at: 0, items: Vec::new(), lettered };
    while let Some(tag) = reader.tag(0) {
        reader.read(tag);
    }
    reader.items
}
