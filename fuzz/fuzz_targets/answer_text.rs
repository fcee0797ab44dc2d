//! Any text as an answer: a verdict, and the same one that the parsed object gets, but where only
//! the text shows a duplicate or unknown key.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use spoken_answer::{Reason, Refusal, SpokenQuestion, Verdict};

static QUESTION: LazyLock<SpokenQuestion> = LazyLock::new(|| {
    let question = json!({
        "inputId": "i", "sessionId": "s",
        "questions": [
            { "question": "one", "options": ["a", "b"] },
            { "question": "many", "options": ["a", "é", "c"], "multiSelect": true },
        ],
    });
    SpokenQuestion::read(Some(&question)).unwrap()
});

const MALFORMED: Verdict =
    Verdict::Refused(Refusal { reason: Reason::MalformedAnswer, question_index: None });

fuzz_target!(|text: &str| {
    let verdict = QUESTION.validate_text(text);
    if let Verdict::Accepted(accepted) = &verdict {
        assert_eq!(accepted.answers().len(), 2);
        assert!(accepted.option_indexes().iter().all(|chosen| !chosen.is_empty()));
    }
    if verdict != MALFORMED {
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(QUESTION.validate(Some(&value)), verdict);
    }
});
