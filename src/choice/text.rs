//! A question or a label as words.

use super::language::Language;
use super::lexicon::{Class, Lexicon};
use super::token::{Gap, Token, tokens};

/// A text as words, and which of them turn it around, whatever language it is in.
#[derive(Debug)]
pub(super) struct Text {
    tokens: Vec<Token>,
    turning: Vec<usize>,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        let tokens = tokens(text, usize::MAX).unwrap_or_default();
        Self { turning: turning(&tokens), tokens }
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Whether the word at a place turns the rest around: "not", "without", "delete".
    pub(super) fn turns_at(&self, at: usize) -> bool {
        self.turning.contains(&at)
    }

    /// Whether any word turns the rest around.
    pub(super) fn turns(&self) -> bool {
        !self.turning.is_empty()
    }
}

/// The places of words that turn what is said with them around, in whatever language.
fn turning(tokens: &[Token]) -> Vec<usize> {
    let mut places = Vec::new();
    for language in Language::ALL {
        let lexicon = Lexicon::of(language);
        for (at, token) in tokens.iter().enumerate() {
            let rest = tokens.get(at..).unwrap_or_default();
            let turns = lexicon.phrases(rest).filter(|(count, class)| {
                // One character of a script without spaces is hardly ever a word.
                let is_word = *count > 1 || !token.is_ideograph();
                is_word
                    && matches!(
                        class,
                        Class::Not
                            | Class::No
                            | Class::Nay
                            | Class::Drop
                            | Class::Against
                            | Class::Except
                    )
            });
            for (count, _) in turns {
                // "No, cancel" is a no; "No tests" is the contrary of tests.
                let next = tokens.get(at + count);
                if at > 0 || next.is_none_or(|next| next.before != Gap::Pause) {
                    places.extend(at..at + count);
                }
            }
        }
    }
    places
}
