//! A word of a label, and what it can do to tell that label from others.

use super::lexicon::{Class, Lexicon};
use super::text::Text;
use super::token::{Gap, Token};

/// A word of a label.
#[derive(Debug)]
pub(super) struct Word {
    /// Numbers as digits.
    pub(super) text: String,
    pub(super) weight: Weight,
    pub(super) before: Gap,
    /// Turns the rest of the label around, in whatever language: "not", "without", "delete". A part
    /// of the label that leaves it out is not that label.
    pub(super) turns: bool,
    number: bool,
    character: bool,
}

/// What a word of a label can do to tell it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// Names the label on its own, where no other label has it.
    Content,
    /// A number, an ordinal or a letter that could also be a position.
    Position,
    /// A word that people also use around labels: "use", "now". It names a label only where an
    /// utterance names nothing else.
    Common,
    /// "and", "all", "option": part of the whole label only.
    Logic,
    /// "not", "without": as [`Weight::Logic`], unless a part of the label begins with it: "without
    /// tests".
    Negation,
    /// "the", "of": may be left out.
    Little,
}

impl Word {
    /// The words of a label.
    pub(super) fn all(label: &Text, lexicon: &Lexicon) -> Vec<Self> {
        let tokens = label.tokens();
        let word = |(at, token): (usize, &Token)| {
            let text = canonical(token, lexicon);
            Self {
                weight: Weight::of(tokens, at, lexicon),
                before: token.before,
                turns: label.turns_at(at),
                number: is_number(&text),
                character: !text.is_ascii() && text.chars().nth(1).is_none(),
                text,
            }
        };
        tokens.iter().enumerate().map(word).collect()
    }

    pub(super) fn is_number(&self) -> bool {
        self.number
    }

    /// One character of a script that is written without spaces.
    pub(super) fn is_character(&self) -> bool {
        self.character
    }

    /// Whether it is of those that name nothing, so that no part of a label begins or ends with it.
    pub(super) fn names_nothing(&self) -> bool {
        matches!(self.weight, Weight::Little | Weight::Logic | Weight::Negation)
    }
}

/// The form in which words of labels and utterances are compared: numbers as digits.
pub(super) fn canonical(token: &Token, lexicon: &Lexicon) -> String {
    match lexicon.number(&token.text) {
        Some(number) => number.to_string(),
        None => token.text.clone(),
    }
}

pub(super) fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

impl Weight {
    fn of(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Self {
        let Some(token) = tokens.get(at) else { return Self::Little };
        if token.is_number() {
            return Self::Position;
        }
        if token.is_ideograph() && lexicon.number(&token.text).is_none() {
            // One character is hardly ever a word of its own.
            return Self::Content;
        }
        let mut weight = Self::Content;
        for class in lexicon.classes(&token.text) {
            weight = match Self::of_class(class) {
                Some(other) => weight.lighter(other),
                None if matches!(class, Class::Letter(_)) && is_mark(tokens, at, lexicon) => {
                    return Self::Position;
                }
                None => weight,
            };
        }
        weight
    }

    /// `None` for a letter or what sounds like one: in a label it is a word like any other.
    fn of_class(class: Class) -> Option<Self> {
        Some(match class {
            Class::Letter(_) | Class::Sounds(_) | Class::Counts(_) => return None,
            Class::Yes
            | Class::Nay
            | Class::Consent
            | Class::Against
            | Class::No
            | Class::True
            | Class::False
            | Class::Drop
            | Class::Decline
            | Class::Frame => Self::Content,
            Class::Ordinal(_)
            | Class::Number(_)
            | Class::FromEnd(_)
            | Class::Middle
            | Class::Former
            | Class::Latter
            | Class::First(_)
            | Class::Last(_) => Self::Position,
            Class::Not | Class::NotAfter => Self::Negation,
            Class::And
            | Class::Also
            | Class::Or
            | Class::But
            | Class::Except
            | Class::ExceptAfter
            | Class::Through
            | Class::Noun
            | Class::Carrier => Self::Logic,
            Class::Filler
            | Class::Both
            | Class::All
            | Class::None
            | Class::Want
            | Class::Describes
            | Class::Hedge
            | Class::Ask
            | Class::Correct
            | Class::Question => Self::Common,
            Class::Article | Class::Glue | Class::About | Class::To | Class::From | Class::That => {
                Self::Little
            }
        })
    }

    /// Of two things a word can be, the one that tells less; but what is content stays content.
    fn lighter(self, other: Self) -> Self {
        let rank = |weight| match weight {
            Self::Content => 0,
            Self::Common => 1,
            Self::Little => 2,
            Self::Logic => 3,
            Self::Negation => 4,
            Self::Position => 5,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

/// Whether a letter marks an option, as in "Option A: rewrite" or "plan b", and is not the article
/// of "A new file".
fn is_mark(tokens: &[Token], at: usize, lexicon: &Lexicon) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let ends = tokens.get(at + 1).is_none_or(|next| next.before == Gap::Pause);
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let carrier = |before: &Token| lexicon.classes(&before.text).any(|one| one == Class::Carrier);
    let last = at > 0 && at + 1 == tokens.len();
    token.capital && (ends || before.is_some_and(carrier)) || last
}
