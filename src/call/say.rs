//! What the provider is told besides questions: fixed sentences.

use crate::question::Spoken;

/// For the provider's function call: it is being looked at.
pub(super) const RECEIVED: &str =
    "Received. The result will follow; do not tell the person that anything was decided.";
/// For the provider's function call: it is the app's work.
pub(super) const FORWARDED: &str = "Passed on to the app.";
/// More than one question is open.
pub(super) const SEVERAL: &str = "Several questions are waiting, so none can be answered by voice now. Tell the person to answer on the cards on the screen.";
/// Something that is never answered by voice waits.
pub(super) const SOMETHING_WAITS: &str = "Something is waiting for the person on the desktop. It can't be answered by voice; tell the person to look at the card on the screen.";
/// A question could not be read out.
pub(super) const NOT_READ_OUT: &str =
    "A question could not be read out. Tell the person to answer it on the card on the screen.";
/// A part of an answer was kept.
pub(super) const COLLECTED: &str = "That is noted. Nothing is decided until every question has an answer; ask the person for the rest, one by one and in order.";
/// The host has the answer and never confirms.
pub(super) const SUBMITTED: &str = "The answer was passed on. The agent does not confirm it; the card on the screen shows what became of it.";
/// Nobody will know.
pub(super) const UNKNOWN: &str = "It is not known whether the answer arrived, and it will not be sent again. Tell the person to check the card on the screen.";

/// The host took the answer: what was chosen, read back; without it where that is too long.
pub(super) fn accepted(questions: &[Spoken], choice: &[Vec<usize>], budget: usize) -> String {
    const ACCEPTED: &str = "The answer was accepted.";
    let labels = questions.iter().zip(choice).map(|(question, chosen)| {
        let label = |index: &usize| question.labels().nth(*index).map(crate::feedback::quote);
        chosen.iter().filter_map(label).collect::<Vec<_>>().join(" and ")
    });
    let text = format!("{ACCEPTED} Tell the person: {}.", labels.collect::<Vec<_>>().join("; "));
    if text.len() <= budget { text } else { ACCEPTED.to_owned() }
}
