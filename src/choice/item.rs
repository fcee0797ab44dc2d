//! The parts of an answer: references to options, and the words that connect or revoke them.

use super::lexicon::{Class, Said};
use super::named::Named;
use super::tag::Tag;
use super::topic::Topic;

/// One part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    Ref(Ref),
    Topic(Topic),
    And,
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

struct Reader<'a> {
    tags: &'a [Tag],
    at: usize,
    items: Vec<Item>,
    lettered: bool,
}

impl<'a> Reader<'a> {
    fn tag(&self, ahead: usize) -> Option<&'a Tag> {
        self.tags.get(self.at + ahead)
    }

    fn is(&self, ahead: usize, class: Class) -> bool {
        self.tag(ahead).is_some_and(|tag| tag.is(class))
    }

    fn push(&mut self, item: Item) {
        self.items.push(item);
        self.at += 1;
    }

    fn read(&mut self, tag: &'a Tag) {
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
                    || self.stands_alone() && !matches!(self.items.last(), Some(Item::Want)) =>
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

    /// Whether "a" is the letter here and not the article: nothing follows that it could belong to.
    fn stands_alone(&self) -> bool {
        self.is_apart_from(1)
    }

    /// Whether what comes at `ahead` begins something new, or nothing comes.
    fn is_apart_from(&self, ahead: usize) -> bool {
        let Some(next) = self.tag(ahead) else { return true };
        let apart = |class: &Class| {
            matches!(
                class,
                Class::And
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

    /// Whether words of a question follow: "for the database".
    fn about(&self) -> bool {
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

    fn word(&self, tag: &Tag) -> Item {
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

    /// Whether an option is named right after this tag, articles and fillers apart.
    fn refers_next(&self) -> bool {
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
    fn refers_at(&self, ahead: usize) -> bool {
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

    fn between_refs(&self) -> bool {
        matches!(self.items.last(), Some(Item::Ref(_))) && self.refers_next()
    }
}
