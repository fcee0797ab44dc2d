//! Utterances with what they choose: those of the shared cases, and ours.

use serde_json::{Value, json};
use spoken_answer::{Language, Match};

use super::{positions, question};
use crate::support::{input, spoken};

fn read(file: &str) -> Vec<Value> {
    serde_json::from_str(file).unwrap()
}

fn indexes(value: &Value) -> Vec<usize> {
    serde_json::from_value(value.clone()).unwrap()
}

/// Ours: every one is right, in its language given and found.
#[test]
fn ours() {
    let cases = read(include_str!("../../../cases/utterances.json"));
    assert!(cases.len() >= 270);
    for case in cases {
        let asked = question(&case["options"], case["multiSelect"] == true);
        let language = Language::from_code(case["language"].as_str().unwrap()).unwrap();
        for given in [None, Some(language)] {
            let utterance = case["utterance"].as_str().unwrap();
            let (got, why) = match asked.match_utterance(utterance, given) {
                Match::Matched(choices) => {
                    (positions(&asked, 0, &choices.by_question()[0].options), Value::Null)
                }
                Match::Unsure(why, _) => (Vec::new(), json!(why)),
            };
            assert_eq!(got, indexes(&case["expect"]), "{case}, {given:?}: {why}");
            if given.is_none() && !why.is_null() {
                assert_eq!(why, case["reason"], "{case}");
            }
        }
    }
}

/// Several questions in one utterance.
#[test]
fn several_questions() {
    let cases = read(include_str!("../../../cases/several-questions.json"));
    assert!(cases.len() >= 20);
    for case in cases {
        let asked = spoken(&input(&case["questions"]));
        let by_question = |choices: &spoken_answer::Choices| -> Vec<Value> {
            let one = |choice: &spoken_answer::Choice| {
                let index = choice.question_index;
                json!([index, positions(&asked, index, &choice.options)])
            };
            choices.by_question().iter().map(one).collect()
        };
        match asked.match_utterance(case["utterance"].as_str().unwrap(), None) {
            Match::Matched(choices) => {
                let got: Vec<Value> =
                    by_question(&choices).iter().map(|one| one[1].clone()).collect();
                assert_eq!(json!(got), case["expect"], "{case}");
            }
            Match::Unsure(why, understood) => {
                let got = (json!(why), json!(by_question(&understood)));
                assert_eq!(got, (case["reason"].clone(), case["understood"].clone()), "{case}");
            }
        }
    }
}

/// What is easily taken for a choice and is none, or another: whatever is chosen is among `fine`.
#[test]
fn not_chosen() {
    let cases = read(include_str!("../../../cases/not-chosen.json"));
    assert!(cases.len() >= 90);
    for case in cases {
        let one = json!({
            "question": case["question"],
            "options": case["options"],
            "multiSelect": case["multiSelect"],
        });
        let asked = spoken(&input(&json!([one])));
        let utterance = case["utterance"].as_str().unwrap();
        if let Match::Matched(choices) = asked.match_utterance(utterance, None) {
            let got = positions(&asked, 0, &choices.by_question()[0].options);
            let mut fine = case["fine"].as_array().unwrap().iter();
            assert!(fine.any(|fine| indexes(fine) == got), "{case}: {got:?}");
        }
    }
}

/// The shared cases: none wrong, and at least so many of the answerable right.
#[test]
fn shared() {
    let sets = [
        ("choices", include_str!("../../../cases/choices.json"), 43, 0),
        // What recognisers heard; most of it is no answer to anybody. One "a" was a "B".
        ("choices-recognised", include_str!("../../../cases/choices-recognised.json"), 19, 1),
        // What `npm run eval:speech` heard.
        ("spoken", include_str!("../../../cases/spoken.json"), 130, 0),
    ];
    for (name, file, least, most) in sets {
        let (mut right, mut wrong) = (0, Vec::new());
        for case in read(file) {
            let asked = question(&case["options"], case["multiSelect"] == true);
            let utterance = case["utterance"].as_str().unwrap();
            let Match::Matched(choices) = asked.match_utterance(utterance, None) else { continue };
            let got = positions(&asked, 0, &choices.by_question()[0].options);
            let also = case["also"].as_array().into_iter().flatten();
            if also.chain([&case["expect"]]).any(|fine| indexes(fine) == got) {
                right += 1;
            } else {
                wrong.push(format!("{utterance}: {got:?}"));
            }
        }
        assert!(right >= least, "{name}: {right} right");
        assert!(wrong.len() <= most, "{name}: {wrong:?}");
    }
}
