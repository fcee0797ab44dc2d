//! Any labels and any utterance, a line each, the utterance first: no panic, nothing chosen that was
//! not read out, no list where one option is asked for, and the checker takes what is matched.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use spoken_answer::{Language, Match, SpokenQuestion, Verdict};

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Some(utterance) = lines.next() else { return };
    let multi = utterance.len() % 2 == 0;
    let labels: Vec<_> = lines.take(16).collect();
    // The first half is one question, the rest another.
    let (first, second) = labels.split_at(labels.len() / 2);
    let question = |text, options| json!({ "question": text, "options": options, "multiSelect": multi });
    let mut questions = vec![question("Which database?", second)];
    if !first.is_empty() {
        questions.push(question("Run the tests?", first));
    }
    let input = json!({ "inputId": "i", "sessionId": "s", "questions": questions });
    let spoken = SpokenQuestion::read(Some(&input)).unwrap();
    for language in Language::ALL.into_iter().map(Some).chain([None]) {
        match spoken.match_utterance(utterance, language) {
            Match::Matched(choices) => {
                let answers = serde_json::to_value(choices.by_question()).unwrap();
                let verdict = spoken.validate(Some(&answers));
                assert!(matches!(verdict, Verdict::Accepted(_)), "{verdict:?}");
            }
            Match::Unsure(_, understood) => {
                assert!(understood.by_question().len() < spoken.questions().len().max(1));
            }
        }
    }
});
