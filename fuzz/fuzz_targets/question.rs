//! Any JSON as a question: either it is unanswerable, or what is read out is within the limits and
//! every one of its labels can be chosen.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use spoken_answer::{SpokenQuestion, Verdict, limits};

fuzz_target!(|text: &str| {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return };
    let Ok(question) = SpokenQuestion::read(Some(&value)) else { return };
    if question.unanswerable().is_some() {
        assert!(question.questions().is_empty());
        return;
    }
    assert!((1..=limits::QUESTIONS).contains(&question.questions().len()));
    let most = question.questions().iter().map(|one| one.labels().len()).max().unwrap();
    for one in question.questions() {
        assert!(one.question().chars().count() <= limits::QUESTION_CHARS);
        assert!((1..=limits::OPTIONS).contains(&one.labels().len()));
        assert!(one.labels().all(|label| label.chars().count() <= limits::OPTION_CHARS));
    }
    for position in 0..most {
        let choose = |(index, one): (usize, &spoken_answer::Spoken)| {
            let last = one.labels().len() - 1;
            json!({ "questionIndex": index, "options": [one.labels().nth(position.min(last))] })
        };
        let answers: Value = question.questions().iter().enumerate().map(choose).collect();
        let Verdict::Accepted(accepted) = question.validate(Some(&answers)) else {
            panic!("a label that was read out is refused: {answers}");
        };
        for (one, chosen) in question.questions().iter().zip(accepted.option_indexes()) {
            assert_eq!(chosen, &[position.min(one.labels().len() - 1)]);
        }
    }
});
