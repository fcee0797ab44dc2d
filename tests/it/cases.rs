//! The shared cases: question and answers → what the verdict must contain.

use serde_json::Value;

use crate::support::validate;

#[test]
fn every_case_gives_the_right_verdict() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../../cases/answers.json")).unwrap();
    assert!(cases.len() >= 59);
    for case in cases {
        let verdict = validate(&case["question"], &case["answers"]);
        for (key, expected) in case["expect"].as_object().unwrap() {
            assert_eq!(&verdict[key], expected, "{}: {key} of {verdict}", case["name"]);
        }
    }
}
