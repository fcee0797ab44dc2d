//! What can be read out, and what is seen of it.

use serde_json::{Value, json};
use spoken_answer::{CallerMistake, SpokenQuestion};

use crate::support::{input, one, spoken, unanswerable};

fn at(reason: &str, index: usize) -> Value {
    json!({ "reason": reason, "questionIndex": index })
}

#[test]
fn what_cannot_be_answered_by_voice() {
    let fine = json!({ "question": "q", "options": ["a", "b"] });
    let with = |question: Value| input(&json!([fine, question]));
    let question = |options: Value| with(json!({ "question": "q", "options": options }));
    let long = "x".repeat(257);
    let whole = json!({ "reason": "question-unanswerable" });
    let second = at("question-unanswerable", 1);
    let table = [
        ("answerable", question(json!(["a"])), Value::Null),
        ("eight questions", input(&json!(vec![&fine; 8])), Value::Null),
        (
            "another kind, whatever it holds",
            json!({ "kind": "permission", "inputId": "i", "sessionId": "s", "questions": [fine] }),
            json!({ "reason": "not-a-question" }),
        ),
        (
            "kind question",
            json!({ "kind": "question", "inputId": "i", "sessionId": "s", "questions": [fine] }),
            Value::Null,
        ),
        ("nine", input(&json!(vec![&fine; 9])), json!({ "reason": "too-many-questions" })),
        (
            "nine, of which one is broken",
            input(&json!(vec![5; 9])),
            json!({ "reason": "too-many-questions" }),
        ),
        ("no questions", input(&json!([])), whole.clone()),
        ("questions that are no list", input(&json!({})), whole.clone()),
        ("no input id", json!({ "sessionId": "s", "questions": [fine] }), whole.clone()),
        (
            "an empty input id",
            json!({ "inputId": "", "sessionId": "s", "questions": [fine] }),
            whole.clone(),
        ),
        (
            "a numeric session id",
            json!({ "inputId": "i", "sessionId": 1, "questions": [fine] }),
            whole.clone(),
        ),
        (
            "a long turn id",
            json!({ "inputId": "i", "sessionId": "s", "turnId": long, "questions": [fine] }),
            whole.clone(),
        ),
        (
            "a null turn id is none",
            json!({ "inputId": "i", "sessionId": "s", "turnId": null, "questions": [fine] }),
            Value::Null,
        ),
        (
            "an id is bounded in bytes",
            json!({ "inputId": "é".repeat(129), "sessionId": "s", "questions": [fine] }),
            whole,
        ),
        ("an entry that is no question", with(json!("q")), second.clone()),
        ("no text", with(json!({ "options": ["a"] })), second.clone()),
        ("a blank text", with(json!({ "question": " \n", "options": ["a"] })), second.clone()),
        ("no options", question(json!([])), second.clone()),
        ("options that are no list", question(json!("a")), second.clone()),
        ("a blank option", question(json!(["a", "\u{3164}"])), second.clone()),
        (
            "an option of joiners and spaces, longer than the cut",
            question(json!(["\u{200D} ".repeat(100), "b"])),
            second.clone(),
        ),
        (
            "a blank option that would not be read out",
            question(json!(["1", "2", "3", "4", "5", "6", "7", "8", " "])),
            second.clone(),
        ),
        ("an option without a label", question(json!([{ "description": "d" }])), second.clone()),
        ("an option that is a number", question(json!([1])), second.clone()),
        (
            "a description that is no text",
            question(json!([{ "label": "a", "description": 1 }])),
            second.clone(),
        ),
        (
            "a null description is none",
            question(json!([{ "label": "a", "description": null }])),
            Value::Null,
        ),
        (
            "multiSelect that is no boolean",
            with(json!({ "question": "q", "options": ["a"], "multiSelect": "no" })),
            second.clone(),
        ),
        ("256 options", question((0..256).map(|n| n.to_string()).collect()), Value::Null),
        ("257 options", question((0..257).map(|n| n.to_string()).collect()), second.clone()),
        ("64 KiB in all", question(json!(["x".repeat(65_536 - 30), "b"])), Value::Null),
        ("more than 64 KiB in all", question(json!(["x".repeat(65_536 - 10), "b"])), second),
        ("alike by NFC", question(json!(["Café", "Cafe\u{301}"])), at("ambiguous-options", 1)),
        ("alike by white space", question(json!(["a b", " a\nb"])), at("ambiguous-options", 1)),
        ("alike by a selector", question(json!(["❤", "❤\u{FE0F}"])), at("ambiguous-options", 1)),
        (
            "alike after the cut",
            question(json!(["x".repeat(130), "x".repeat(131)])),
            at("ambiguous-options", 1),
        ),
        (
            "alike but for the cut of one of them",
            question(json!(["é".repeat(110), "e\u{301}".repeat(110)])),
            at("ambiguous-options", 1),
        ),
        ("different only in case", question(json!(["yes", "Yes"])), Value::Null),
        (
            "alike, one of them not read out",
            question(json!(["1", "2", "3", "4", "5", "6", "7", "8", "1"])),
            at("ambiguous-options", 1),
        ),
        (
            "alike, neither read out",
            question(json!(["1", "2", "3", "4", "5", "6", "7", "8", "9", "9"])),
            at("ambiguous-options", 1),
        ),
        (
            "blank comes before alike",
            input(
                &json!([{ "question": "q", "options": ["a", "a"] }, { "question": " ", "options": ["a"] }]),
            ),
            at("question-unanswerable", 1),
        ),
    ];
    for (label, question, expected) in table {
        assert_eq!(unanswerable(&question), expected, "{label}");
    }
}

#[test]
fn what_is_read_out_is_cleaned_cut_and_counted() {
    let question = input(&json!([
        { "question": " Which\nversion? ", "options": ["a\u{200B}", { "label": "x".repeat(121) }], "multiSelect": true },
        { "question": "q".repeat(300), "options": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"] },
    ]));
    let expected = json!([
        { "question": "Which version?", "options": ["a", format!("{}…", "x".repeat(119))], "multiSelect": true, "omittedOptions": 0, "shortened": true },
        { "question": "q".repeat(300), "options": ["1", "2", "3", "4", "5", "6", "7", "8"], "multiSelect": false, "omittedOptions": 2, "shortened": false },
    ]);
    let spoken = spoken(&question);
    assert_eq!(serde_json::to_value(spoken.questions()).unwrap(), expected);
    assert_eq!(spoken.input_id(), "input-1");
}

#[test]
fn an_id_survives_what_cannot_be_answered() {
    let nine = input(&json!(vec![json!({ "question": "q", "options": ["a"] }); 9]));
    assert_eq!((spoken(&nine).input_id(), spoken(&nine).digest()), ("input-1", ""));
}

/// ADR 0315: a permission is never answered, however it is passed in.
#[test]
fn a_permission_is_neither_read_out_nor_answered() {
    let mut permission = one(&json!(["Allow", "Deny"]));
    permission["kind"] = json!("permission");
    let spoken = spoken(&permission);
    let page = spoken.feedback(1100, 0);
    assert!(!page.answerable && !page.text.contains("Allow"));
    let verdict = spoken.validate_text(r#"[{"questionIndex":0,"options":["Allow"]}]"#);
    assert_eq!(serde_json::to_value(verdict).unwrap()["reason"], "not-a-question");
}

#[test]
fn nothing_of_an_unanswerable_question_is_read_out() {
    let spoken = spoken(&one(&json!(["a", "a"])));
    assert_eq!(spoken.questions(), []);
    assert_eq!(spoken.input_id(), "input-1");
    assert!(spoken.digest().starts_with("1:"));
}

#[test]
fn only_an_object_is_a_question() {
    for value in [json!(null), json!(5), json!("q"), json!([one(&json!(["a"]))]), json!(true)] {
        assert_eq!(SpokenQuestion::read(Some(&value)), Err(CallerMistake::Question), "{value}");
    }
    assert_eq!(SpokenQuestion::read(None::<&Value>), Err(CallerMistake::Question));
}
