//! Words → options, offline. So far only the plainest words: a label as it was read out, or its
//! number; several options of one question separated by commas, several questions by semicolons.
//! Labels outrank numbers, and whatever is neither is not an answer.

use crate::answer::{Entry, Payload, Progress};
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
    let all: Vec<_> = question.questions().iter().enumerate().collect();
    read_as(&all, text)
}

/// Reads a text as an answer to what is left of a question of which parts were chosen already, or
/// to all of it.
pub(crate) fn read_rest(
    question: &SpokenQuestion,
    chosen: &[Option<Vec<usize>>],
    text: &str,
) -> Heard {
    let questions = question.questions().iter().enumerate();
    let rest: Vec<_> =
        questions.zip(chosen).filter_map(|(one, part)| part.is_none().then_some(one)).collect();
    match read(question, text) {
        Heard::Choice(whole) if question.choose_from(&whole).is_ok() => Heard::Choice(whole),
        _ => read_as(&rest, text),
    }
}

/// Reads a text as an answer to these questions, in their order.
fn read_as(questions: &[(usize, &Spoken)], text: &str) -> Heard {
    if questions.is_empty() {
        // Nothing of it is read out, so nobody's words are about it.
        return Heard::Nothing;
    }
    let parts: Vec<_> = if questions.len() == 1 { vec![text] } else { text.split(';').collect() };
    let entry = |(part, (index, question)): (&&str, &(usize, &Spoken))| {
        Some(Entry::new(*index, options(question, part.trim())?))
    };
    match parts.iter().zip(questions).map(entry).collect() {
        Some(entries) if parts.len() <= questions.len() => Heard::Choice(Payload::new(entries)),
        Some(_) => Heard::Unsure,
        None => Heard::Nothing,
    }
}

/// Whether the person's own words are another choice than the answer that was made of them. They
/// do not say which questions they mean, so they are read as choices for those it answers.
pub(crate) fn contradicts(question: &SpokenQuestion, utterance: &str, answer: &Payload) -> bool {
    let chosen = question.choose_part(answer, &[]);
    let answered: Vec<_> = match &chosen {
        Ok(Progress::Part(part)) => {
            let questions = question.questions().iter().enumerate();
            questions
                .zip(part)
                .filter_map(|(one, chosen)| chosen.is_some().then_some(one))
                .collect()
        }
        _ => question.questions().iter().enumerate().collect(),
    };
    match read_as(&answered, utterance) {
        Heard::Choice(heard) => question.choose_part(&heard, &[]) != chosen,
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
