//! Words → options, offline. So far only the plainest words: a label as it was read out, or its
//! number; several options of one question separated by commas, several questions by semicolons.
//! Labels outrank numbers, and whatever is neither is not an answer.

use crate::answer::{Entry, Payload};
use crate::question::{Spoken, SpokenQuestion};

/// What somebody's words are to a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Heard {
    /// Not about its options.
    Nothing,
    /// About its options, but no single choice.
    Unsure,
    /// This choice.
    Choice(Payload),
}

/// Reads a text as an answer to a question.
pub(crate) fn read(question: &SpokenQuestion, text: &str) -> Heard {
    let spoken = question.questions();
    if spoken.is_empty() {
        // Nothing of it is read out, so nobody's words are about it.
        return Heard::Nothing;
    }
    let parts: Vec<_> = if spoken.len() == 1 { vec![text] } else { text.split(';').collect() };
    let read: Option<Vec<_>> =
        parts.iter().zip(spoken).map(|(part, question)| options(question, part.trim())).collect();
    match read {
        Some(labels) if parts.len() <= spoken.len() => {
            let entry = |(index, labels)| Entry::new(index, labels);
            Heard::Choice(Payload::new(labels.into_iter().enumerate().map(entry).collect()))
        }
        Some(_) => Heard::Unsure,
        None => Heard::Nothing,
    }
}

/// Whether the person's own words are another choice than the answer that was made of them.
pub(crate) fn contradicts(question: &SpokenQuestion, utterance: &str, answer: &Payload) -> bool {
    match read(question, utterance) {
        Heard::Choice(heard) => question.choose_from(&heard) != question.choose_from(answer),
        Heard::Unsure => true,
        Heard::Nothing => false,
    }
}

/// The labels that a text names, if it is nothing but labels and numbers.
fn options(question: &Spoken, text: &str) -> Option<Vec<String>> {
    if let Some(label) = label(question, text) {
        return Some(vec![label]);
    }
    if !question.multi_select() {
        return None;
    }
    text.split(',').map(|part| label(question, part.trim())).collect()
}

fn label(question: &Spoken, text: &str) -> Option<String> {
    let position = question.position(text).or_else(|| {
        let number: usize = text.parse().ok()?;
        number.checked_sub(1)
    })?;
    question.labels().nth(position).map(str::to_owned)
}
