//! What a word that names no option is.

use super::Item;
use super::reader::Reader;
use crate::choice::lexicon::Class;
use crate::choice::tag::Tag;

impl Reader<'_> {
    pub(super) fn word(&self, tag: &Tag) -> Item {
        let has = |class| tag.is(class);
        let soft = has(Class::Filler) || has(Class::Want) || has(Class::Frame);
        match () {
            () if has(Class::Not) => Item::Not {
                no: has(Class::No),
                revokes: has(Class::Correct),
                word: tag.word.clone(),
                nay: has(Class::Nay),
            },
            () if has(Class::NotAfter) => Item::NotAfter,
            () if has(Class::Correct) => Item::Correct { soft },
            () if has(Class::Except) => Item::Except,
            () if has(Class::ExceptAfter) => Item::ExceptAfter,
            () if has(Class::Drop) => Item::Drop,
            () if has(Class::Both) => Item::Both(tag.word.clone()),
            () if has(Class::All) => self.all(tag),
            () if has(Class::None) => Item::None,
            () if has(Class::And) => Item::And,
            () if has(Class::Also) => Item::Also,
            () if has(Class::Through) => Item::Through,
            () if has(Class::To) && self.between_refs() => Item::To,
            () if has(Class::From) && self.refers_next() => Item::From,
            () if has(Class::Or) => Item::Or,
            () if has(Class::True) => Item::True,
            () if has(Class::False) => Item::False,
            () if has(Class::Yes) || has(Class::Consent) => {
                Item::Yes { soft, directed: has(Class::Consent) }
            }
            () if has(Class::No) || has(Class::Nay) => {
                Item::No { plain: has(Class::Nay), directed: has(Class::Against) }
            }
            () if has(Class::Decline) => Item::Decline,
            () if has(Class::Hedge) => Item::Hedge,
            () if has(Class::Describes) => Item::Describes,
            () if has(Class::Want) => Item::Want,
            () if has(Class::Filler) => Item::Filler,
            () if has(Class::Frame) && has(Class::Ask) => Item::Frame { ask: true },
            () if has(Class::Ask) => Item::Ask,
            () if has(Class::But) => Item::But,
            () if has(Class::Article) && !has(Class::That) => Item::Article,
            // "that red one", but not "not that, the red one".
            () if has(Class::That) && has(Class::Article) && self.refers_at(1) => Item::Article,
            () if has(Class::That) || has(Class::Noun) || has(Class::Carrier) => Item::That,
            () if has(Class::Article) => Item::Article,
            () if has(Class::Frame) => Item::Frame { ask: false },
            () => Item::Unknown,
        }
    }

    /// "all three".
    fn all(&self, tag: &Tag) -> Item {
        let count = self.tag(1).and_then(|next| {
            next.classes.iter().find_map(|class| match class {
                Class::Number(number) => Some(*number),
                _ => None,
            })
        });
        Item::All(count, tag.word.clone())
    }
}
