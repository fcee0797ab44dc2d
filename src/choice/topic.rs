//! The words of the questions themselves: they tell which question is meant, or nothing at all.

use std::collections::HashMap;

use super::label::Labels;
use super::lexicon::Lexicon;
use super::token::Token;

/// What a word of the questions tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// This question, by its position among those that are asked.
    Question(usize),
    /// Nothing: several questions have it.
    Any,
    /// The question with this number, counted from 1 over all questions of the input.
    Number(u32),
}

/// The words that tell questions apart and are not words of a label.
#[derive(Debug)]
pub(super) struct Topics {
    words: HashMap<String, Topic>,
}

impl Topics {
    pub(super) fn new<'a>(questions: impl Iterator<Item = &'a [Token]>, labels: &Labels) -> Self {
        let mut words: HashMap<String, Topic> = HashMap::new();
        for (question, tokens) in questions.enumerate() {
            for token in tokens {
                if labels.has(&token.text) {
                    continue;
                }
                let topic = words.entry(token.text.clone()).or_insert(Topic::Question(question));
                if *topic != Topic::Question(question) {
                    *topic = Topic::Any;
                }
            }
        }
        Self { words }
    }

    /// Whether a word can be one of the questions' words in any language.
    pub(super) fn may_have(&self, text: &str) -> bool {
        self.words.contains_key(text)
            || self.words.keys().any(|word| super::sound::may_be(text, word))
    }

    /// The topic that begins at a token.
    pub(super) fn at(&self, tokens: &[Token], lexicon: &Lexicon) -> Option<(usize, Topic)> {
        let token = tokens.first()?;
        if let Some(topic) = self.words.get(&token.text) {
            return Some((1, *topic));
        }
        let known = lexicon.classes(&token.text).next().is_some();
        if known || self.words.is_empty() {
            return None;
        }
        let forms = self.words.iter().filter(|(word, _)| super::sound::may_be(&token.text, word));
        let mut topics = forms.map(|(_, topic)| *topic);
        let first = topics.next()?;
        let same = topics.all(|topic| topic == first);
        Some((1, if same { first } else { Topic::Any }))
    }
}
