//! What each stretch of an utterance can be: names of options, words of the language, words of the
//! question, or unknown. Of all ways to divide an utterance the one is taken that leaves the
//! fewest words unknown, and then the one that lets labels explain most.

use super::chain::stretches;
use super::hits::Hits;
use super::label::Labels;
use super::language::Language;
use super::lexicon::{Class, Lexicon};
use super::named::Named;
use super::token::Token;
use super::topic::{Topic, Topics};

/// A stretch of tokens and what it can be.
#[derive(Debug, Clone)]
pub(super) struct Tag {
    pub(super) tokens: usize,
    pub(super) named: Option<Named>,
    pub(super) classes: Vec<Class>,
    pub(super) topic: Option<Topic>,
    /// The number or letter it says, as labels have it.
    pub(super) word: String,
}

impl Tag {
    pub(super) fn is(&self, class: Class) -> bool {
        self.classes.contains(&class)
    }

    fn cost(&self) -> u32 {
        match self {
            Self { named: Some(named), .. } if named.is_whole() => 9,
            Self { named: Some(_), .. } => 20,
            // A label that begins with the last word of a phrase comes first: "actually | no tests".
            Self { classes, tokens, .. } if !classes.is_empty() => {
                30 + u32::try_from(tokens.saturating_sub(1)).unwrap_or(0)
            }
            Self { topic: Some(_), .. } => 40,
            _ => 1_000,
        }
    }
}

/// Which words may be labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labelling {
    /// Not those that connect or introduce options, alone.
    Plain,
    /// Those too: "use" for "Use the cache"; and parts that begin with a negation.
    Common,
}

/// Divides an utterance; `None` where that would take too long.
pub(super) fn tags(
    tokens: &[Token],
    lexicon: &Lexicon,
    hits: &Hits<'_>,
    topics: &Topics,
    labelling: Labelling,
) -> Option<Vec<Tag>> {
    let mut edges: Vec<Vec<Tag>> = vec![Vec::new(); tokens.len()];
    let common = labelling == Labelling::Common;
    for stretch in stretches(hits, common)? {
        let words = tokens.get(stretch.start..stretch.end).unwrap_or_default();
        if !common && words.len() == 1 && words.iter().any(|word| is_connective(word, lexicon)) {
            continue;
        }
        if let Some(tag) = edge(&mut edges, stretch.start, stretch.end - stretch.start) {
            tag.named = Some(stretch.named);
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        let rest = tokens.get(at..).unwrap_or_default();
        let joined = is_joined(tokens, at);
        for (count, class) in lexicon.phrases(rest) {
            if joined && count == 1 && matches!(class, Class::Number(_) | Class::Letter(_)) {
                continue;
            }
            if let Some(tag) = edge(&mut edges, at, count)
                && !tag.is(class)
            {
                tag.classes.push(class);
                tag.word.clone_from(&token.text);
            }
        }
        if token.is_number()
            && !joined
            && let Some(tag) = edge(&mut edges, at, 1)
        {
            // What is too large for a number is no position either.
            tag.classes.push(Class::Number(token.text.parse().unwrap_or(u32::MAX)));
            tag.word.clone_from(&token.text);
        }
        if let Some((count, topic)) = topics.at(rest, lexicon)
            && let Some(tag) = edge(&mut edges, at, count)
        {
            tag.topic = Some(topic);
        }
    }
    Some(cheapest(tokens, edges))
}

/// Yes and no are none, in whatever language they are.
fn is_connective(word: &Token, lexicon: &Lexicon) -> bool {
    let polar = |language| {
        let mut classes = Lexicon::of(language).classes(&word.text);
        classes.any(|class| matches!(class, Class::Yes | Class::No | Class::Nay))
    };
    lexicon.is_function_word(&word.text) && !Language::ALL.into_iter().any(polar)
}

/// Whether an utterance has a word that connects or introduces options and is a label as well.
pub(super) fn has_connective_label(tokens: &[Token], lexicon: &Lexicon, labels: &Labels) -> bool {
    let mut words = tokens.iter().filter(|word| is_connective(word, lexicon));
    words.any(|word| labels.has_label(&word.text))
}

/// Whether an utterance has a negation that is part of a label: "without tests".
pub(super) fn has_negation_of_label(tokens: &[Token], lexicon: &Lexicon, labels: &Labels) -> bool {
    tokens.iter().any(|word| {
        let negates = lexicon.classes(&word.text).any(|class| class == Class::Not);
        negates && labels.has(&word.text)
    })
}

/// The edge over `count` tokens from `at` on.
fn edge(edges: &mut [Vec<Tag>], at: usize, count: usize) -> Option<&mut Tag> {
    let here = edges.get_mut(at)?;
    let index = here.iter().position(|tag| tag.tokens == count).unwrap_or_else(|| {
        here.push(Tag {
            tokens: count,
            named: None,
            classes: Vec::new(),
            topic: None,
            word: String::new(),
        });
        here.len() - 1
    });
    here.get_mut(index)
}

/// Whether a number or letter is part of something longer, such as `1.5` or `v2`.
fn is_joined(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let with_before = before.is_some_and(|before| {
        let named = !before.is_number() && token.before == super::token::Gap::Mark('-');
        before.is_one_with(token) && !named
    });
    with_before || tokens.get(at + 1).is_some_and(|next| token.is_one_with(next))
}

/// The cheapest way through.
fn cheapest(tokens: &[Token], edges: Vec<Vec<Tag>>) -> Vec<Tag> {
    let unknown =
        Tag { tokens: 1, named: None, classes: Vec::new(), topic: None, word: String::new() };
    // From the end: what the rest costs from each token on, and the edge to take there.
    let mut rest: Vec<(u32, Tag)> = vec![(0, unknown.clone()); tokens.len() + 1];
    for (at, mut here) in edges.into_iter().enumerate().rev() {
        here.push(unknown.clone());
        let after = |tag: &Tag| rest.get(at + tag.tokens).map_or(u32::MAX, |(cost, _)| *cost);
        let best = here
            .into_iter()
            .map(|tag| (tag.cost().saturating_add(after(&tag)), tag))
            .min_by_key(|(cost, _)| *cost);
        if let (Some(best), Some(slot)) = (best, rest.get_mut(at)) {
            *slot = best;
        }
    }
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some((_, tag)) = rest.get(at) else { break };
        at += tag.tokens;
        out.push(tag.clone());
    }
    out
}
