//! What comes next decides what some words are.

use super::Item;
use super::reader::Reader;
use crate::choice::lexicon::Class;

impl Reader<'_> {
    /// Whether "a" is the letter here and not the article: nothing follows that it could belong to.
    pub(super) fn stands_alone(&self) -> bool {
        self.is_apart_from(1)
    }

    /// Whether what comes at `ahead` begins something new, or nothing comes.
    pub(super) fn is_apart_from(&self, ahead: usize) -> bool {
        let Some(next) = self.tag(ahead) else { return true };
        let apart = |class: &Class| {
            matches!(
                class,
                Class::And
                    | Class::Also
                    | Class::Or
                    | Class::To
                    | Class::Through
                    | Class::Correct
                    | Class::But
                    | Class::Filler
                    | Class::Except
                    | Class::About
                    | Class::Not
            )
        };
        next.named.is_none() && next.classes.iter().any(apart)
    }

    /// Whether words of a question follow: "for the database".
    pub(super) fn about(&self) -> bool {
        let mut ahead = 1;
        while self.is(ahead, Class::Article) {
            ahead += 1;
        }
        let ordinal = self
            .tag(ahead)
            .is_some_and(|tag| tag.classes.iter().any(|class| matches!(class, Class::Ordinal(_))));
        self.tag(ahead).is_some_and(|tag| tag.topic.is_some() || tag.is(Class::Question))
            || ordinal && self.is(ahead + 1, Class::Question)
    }

    /// Whether an option is named right after this tag, articles and fillers apart.
    pub(super) fn refers_next(&self) -> bool {
        let mut ahead = 1;
        while let Some(next) = self.tag(ahead) {
            let position = |class: &Class| {
                matches!(
                    class,
                    Class::Ordinal(_)
                        | Class::FromEnd(_)
                        | Class::Number(_)
                        | Class::Middle
                        | Class::Former
                        | Class::Latter
                        | Class::Both
                        | Class::All
                )
            };
            if next.named.is_some() || next.classes.iter().any(position) {
                return true;
            }
            if next.classes.iter().any(|class| matches!(class, Class::Letter(_)))
                && !next.is(Class::Article)
            {
                return true;
            }
            let passes = |class: &Class| {
                matches!(class, Class::Article | Class::Carrier | Class::Noun | Class::Want)
            };
            if !next.classes.iter().any(passes) {
                return false;
            }
            ahead += 1;
        }
        false
    }

    /// Whether an option is named right there.
    pub(super) fn refers_at(&self, ahead: usize) -> bool {
        self.tag(ahead).is_some_and(|next| {
            next.named.is_some()
                || next.classes.iter().any(|class| {
                    matches!(
                        class,
                        Class::Ordinal(_) | Class::FromEnd(_) | Class::Number(_) | Class::Middle
                    )
                })
        })
    }

    pub(super) fn between_refs(&self) -> bool {
        matches!(self.items.last(), Some(Item::Ref(_))) && self.refers_next()
    }
}
