//! Tags read as items: references, and what belongs to them.

use super::{Item, Position, Ref};
use crate::choice::lexicon::{Class, Said};
use crate::choice::tag::Tag;
use crate::choice::topic::Topic;

/// What is read so far.
pub(super) struct Reader<'a> {
    pub(super) tags: &'a [Tag],
    pub(super) at: usize,
    pub(super) items: Vec<Item>,
    pub(super) lettered: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn tag(&self, ahead: usize) -> Option<&'a Tag> {
        self.tags.get(self.at + ahead)
    }

    pub(super) fn is(&self, ahead: usize, class: Class) -> bool {
        self.tag(ahead).is_some_and(|tag| tag.is(class))
    }

    fn push(&mut self, item: Item) {
        self.items.push(item);
        self.at += 1;
    }

    pub(super) fn read(&mut self, tag: &'a Tag) {
        let question = |class: &Class| *class == Class::Question;
        if tag.named.is_none() && tag.classes.iter().any(question) && self.question_number() {
            return;
        }
        if let Some(position) = self.position(tag) {
            return self.refer(tag, Some(position), false);
        }
        if tag.named.is_some() {
            return self.refer(tag, None, false);
        }
        if let Some(position) = self.only_sound(tag) {
            return self.refer(tag, Some(position), true);
        }
        if tag.is(Class::Carrier) && self.carried() {
            return;
        }
        if let Some(topic) = tag.topic {
            return self.push(Item::Topic(topic));
        }
        if tag.is(Class::About) && self.about() {
            return self.push(Item::Filler);
        }
        let item = self.word(tag);
        if matches!(item, Item::All(Some(_), _)) {
            self.at += 1;
        }
        self.push(item);
    }

    /// "question two", "the second question".
    fn question_number(&mut self) -> bool {
        let Some(next) = self.tag(1) else { return false };
        let number = next.classes.iter().find_map(|class| match class {
            Class::Number(number) => Some(*number),
            _ => None,
        });
        let Some(number) = number else { return false };
        self.at += 1;
        self.push(Item::Topic(Topic::Number(number)));
        true
    }

    /// The position that a tag says where it stands.
    fn position(&self, tag: &Tag) -> Option<Position> {
        tag.classes.iter().find_map(|class| match *class {
            Class::Ordinal(number) => Some(Position::Ordinal(number)),
            Class::FromEnd(number) => Some(Position::FromEnd(number)),
            Class::First(count) => Some(Position::First(count)),
            Class::Last(count) => Some(Position::Last(count)),
            Class::Middle => Some(Position::Middle),
            Class::Former => Some(Position::Former),
            Class::Latter => Some(Position::Latter),
            Class::Number(number) => Some(Position::Number(number)),
            Class::Letter(letter)
                if !tag.is(Class::Article)
                    || self.stands_alone()
                        && !matches!(self.items.last(), Some(Item::Want | Item::Describes)) =>
            {
                Some(Position::Letter(letter))
            }
            _ => None,
        })
    }

    /// The letter that the only word of an answer sounds like.
    fn only_sound(&self, tag: &Tag) -> Option<Position> {
        let letter = tag.classes.iter().find_map(|class| match *class {
            Class::Sounds(Said::Letter(letter)) => Some(letter),
            _ => None,
        })?;
        (self.lettered && self.tags.len() == 1).then_some(Position::Letter(letter))
    }

    /// Pushes a reference and passes over the nouns that belong to it.
    fn refer(&mut self, tag: &'a Tag, position: Option<Position>, carried: bool) {
        self.at += 1;
        let mut position = position;
        let mut tokens = tag.tokens;
        let next_number = self.tag(0).and_then(|next| {
            let plain = next.named.is_none();
            next.classes.iter().find_map(|class| match class {
                Class::Number(number) if plain && *number > 1 => Some(*number),
                Class::Counts(number) if plain && self.tag(1).is_none() => Some(*number),
                _ => None,
            })
        });
        let counted = match (position, next_number) {
            (Some(Position::Ordinal(1)), Some(count)) => Some(Position::First(count)),
            (Some(Position::FromEnd(0)), Some(count)) => Some(Position::Last(count)),
            _ => None,
        };
        if counted.is_some() {
            position = counted;
            self.at += 1;
            tokens += 1;
        }
        if let Some(Position::Ordinal(number)) = position
            && self.is(0, Class::Question)
        {
            return self.push(Item::Topic(Topic::Number(number)));
        }
        let bare_number = matches!(position, Some(Position::Number(_))) && !carried;
        let mut unclear = bare_number && self.counts(tag);
        let mut noun = false;
        while let Some(next) = self.tag(0).filter(|next| next.is(Class::Noun)) {
            let one = next.is(Class::Number(1));
            if next.named.is_some() && !one {
                break;
            }
            if bare_number && one && !self.after_article() {
                break;
            }
            // A label that is "one" itself, right after another.
            unclear |= next.named.is_some_and(|named| named.is_whole());
            // "two options" counts them.
            unclear |= bare_number && !one && tag.named.is_none();
            noun = true;
            tokens += next.tokens;
            self.at += 1;
        }
        if unclear {
            return self.items.push(Item::Unclear);
        }
        let word = match position {
            Some(Position::Number(number)) => number.to_string(),
            _ => tag.word.clone(),
        };
        let polar = [Class::Yes, Class::No, Class::Nay].into_iter().any(|class| tag.is(class));
        // "the first two" is not the label "First".
        let named = tag.named.filter(|_| counted.is_none());
        self.items.push(Item::Ref(Ref { named, position, carried, noun, word, polar, tokens }));
    }

    /// Whether a bare number counts options or stands for one, instead of naming it: "the two",
    /// "I'll take one".
    fn counts(&self, tag: &Tag) -> bool {
        let whole = tag.named.is_some_and(|named| named.is_whole());
        let counts = self.after_article() && tag.named.is_none();
        let stands_for_one = tag.is(Class::Noun)
            && !whole
            && matches!(
                self.items.last(),
                Some(
                    Item::No { .. }
                        | Item::Yes { .. }
                        | Item::True
                        | Item::False
                        | Item::That
                        | Item::Not { .. }
                        | Item::Want
                        | Item::Describes
                        | Item::Frame { .. }
                        | Item::All(..)
                        | Item::Unknown
                        | Item::Hedge
                        | Item::Ask
                )
            );
        counts || stands_for_one
    }

    fn after_article(&self) -> bool {
        let before = self.items.iter().rev().find(|item| **item != Item::Filler);
        matches!(before, Some(Item::Article))
    }

    /// "option two", "number for": what follows one or more carriers.
    fn carried(&mut self) -> bool {
        let mut ahead = 1;
        while self.tag(ahead).is_some_and(|tag| tag.is(Class::Carrier) && tag.named.is_none()) {
            ahead += 1;
        }
        let Some(next) = self.tag(ahead) else { return false };
        // "option to", but not "the answer to that".
        let apart = self.is_apart_from(ahead + 1);
        let said = next.classes.iter().find_map(|class| match *class {
            Class::Number(number) => Some(Position::Number(number)),
            Class::Letter(letter) => Some(Position::Letter(letter)),
            Class::Sounds(Said::Number(number)) if apart => Some(Position::Number(number)),
            Class::Sounds(Said::Letter(letter)) if apart => Some(Position::Letter(letter)),
            _ => None,
        });
        let Some(position) = said else { return false };
        self.at += ahead;
        self.refer(next, Some(position), true);
        true
    }
}
