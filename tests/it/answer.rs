//! Answers: what is open, shape, indexes, options, in this order.

use serde_json::{Value, json};
use spoken_answer::{CallerMistake, SpokenQuestion, validate_answer};

use crate::support::{input, one, outcome, spoken, to_json, validate};

fn entry(index: usize, options: &Value) -> Value {
    json!({ "questionIndex": index, "options": options })
}

#[test]
fn what_is_open_comes_first() {
    let question = one(&json!(["a", "b"]));
    let with_kind = |kind: Value| {
        let mut input = question.clone();
        input["kind"] = kind;
        input
    };
    let permission = json!({ "kind": "permission", "inputId": "p", "sessionId": "s" });
    let fine = json!([entry(0, &json!(["a"]))]);
    let table = [
        ("one question", question.clone(), "accepted"),
        ("a list of one", json!([question]), "accepted"),
        ("an open input of kind question", with_kind(json!("question")), "accepted"),
        ("nothing", json!(null), "no-open-question"),
        ("an empty list", json!([]), "no-open-question"),
        ("two questions", json!([question, question]), "several-open-questions"),
        (
            "two questions of which one is unanswerable",
            json!([question, {}]),
            "several-open-questions",
        ),
        ("a permission", permission.clone(), "not-a-question"),
        ("a permission with questions in it", with_kind(json!("permission")), "not-a-question"),
        ("a kind of another case", with_kind(json!("Question")), "not-a-question"),
        ("a kind that is no text", with_kind(json!(null)), "not-a-question"),
        ("only permissions", json!([permission, permission]), "not-a-question"),
        ("a question among permissions", json!([permission, question, permission]), "accepted"),
        ("1 025 open inputs", json!(vec![&permission; 1_025]), "several-open-questions"),
    ];
    for (label, open, expected) in table {
        assert_eq!(outcome(&validate(&open, &fine)), expected, "{label}");
    }
    for open in [json!(5), json!("q"), json!([5]), json!([question, null])] {
        let mistake = validate_answer(Some(&open), Some(&fine), None).unwrap_err();
        assert_eq!(mistake, CallerMistake::Question, "{open}");
    }
}

#[test]
fn the_expected_digest_must_be_the_one_of_the_question() {
    let question = one(&json!(["a", "b"]));
    let digest = spoken(&question).digest().to_owned();
    let fine = json!([entry(0, &json!(["a"]))]);
    let table = [
        (json!(digest), "accepted"),
        (json!(digest.to_uppercase()), "question-changed"),
        (json!(""), "question-changed"),
        (json!("x".repeat(1_000_000)), "question-changed"),
    ];
    for (expected, verdict) in table {
        let got = to_json(validate_answer(Some(&question), Some(&fine), Some(&expected)));
        assert_eq!(outcome(&got), verdict, "{expected:.80}");
    }
    // What cannot be read has no digest; that is not a change.
    let nine = input(&json!(vec![json!({ "question": "q", "options": ["a"] }); 9]));
    let got = to_json(validate_answer(Some(&nine), Some(&fine), Some(&json!(""))));
    assert_eq!(outcome(&got), "too-many-questions");
    for expected in [json!(null), json!(5), json!({})] {
        let mistake = validate_answer(Some(&question), Some(&fine), Some(&expected)).unwrap_err();
        assert_eq!(mistake, CallerMistake::Expected);
    }
}

#[test]
fn shape_comes_before_indexes_and_indexes_before_options() {
    let question = input(&json!([
        { "question": "one", "options": ["a", "b"] },
        { "question": "many", "options": ["a", "b", "c"], "multiSelect": true },
    ]));
    let a = json!(["a"]);
    let refused = |reason: &str, index: Option<usize>| match index {
        Some(index) => json!([reason, index]),
        None => json!([reason, null]),
    };
    let table = [
        ("a wrong shape later on", json!([entry(9, &a), 5]), refused("malformed-answer", None)),
        (
            "out of range before repeated",
            json!([entry(0, &a), entry(0, &a), entry(2, &a)]),
            refused("question-out-of-range", Some(2)),
        ),
        (
            "repeated before missing",
            json!([entry(1, &a), entry(1, &a)]),
            refused("question-repeated", Some(1)),
        ),
        (
            "missing before options",
            json!([entry(1, &json!(["z"]))]),
            refused("question-missing", Some(0)),
        ),
        ("nothing at all is missing", json!([]), refused("question-missing", Some(0))),
        (
            "options by question, not by entry",
            json!([entry(1, &json!([])), entry(0, &json!(["z"]))]),
            refused("option-not-offered", Some(0)),
        ),
        (
            "no option",
            json!([entry(0, &a), entry(1, &json!([]))]),
            refused("option-missing", Some(1)),
        ),
        (
            "not offered before repeated",
            json!([entry(0, &a), entry(1, &json!(["a", "a", "z"]))]),
            refused("option-not-offered", Some(1)),
        ),
        (
            "repeated before too many",
            json!([entry(0, &json!(["a", "a"])), entry(1, &a)]),
            refused("option-repeated", Some(0)),
        ),
        (
            "repeated in another spelling",
            json!([entry(0, &a), entry(1, &json!(["a", " a"]))]),
            refused("option-repeated", Some(1)),
        ),
        (
            "too many",
            json!([entry(0, &json!(["a", "b"])), entry(1, &a)]),
            refused("too-many-options-chosen", Some(0)),
        ),
        (
            "a large index",
            json!([entry(4_294_967_295, &a)]),
            refused("question-out-of-range", Some(4_294_967_295)),
        ),
        (
            "a larger one",
            json!([{ "questionIndex": 1e300, "options": ["a"] }]),
            refused("question-out-of-range", None),
        ),
        (
            "minus zero is zero",
            json!([{ "questionIndex": -0.0, "options": ["a"] }, entry(1, &a)]),
            json!([null, null]),
        ),
        ("64 entries", json!(vec![entry(0, &a); 64]), refused("question-repeated", Some(0))),
        ("65 entries", json!(vec![entry(0, &a); 65]), refused("malformed-answer", None)),
        (
            "256 labels",
            json!([entry(0, &json!(vec!["a"; 255])), entry(1, &a)]),
            refused("option-repeated", Some(0)),
        ),
        (
            "257 labels",
            json!([entry(0, &json!(vec!["a"; 256])), entry(1, &a)]),
            refused("malformed-answer", None),
        ),
        (
            "labels of 128 KiB",
            json!([entry(0, &json!(["x".repeat(131_072)]))]),
            refused("question-missing", Some(1)),
        ),
        (
            "and one more byte",
            json!([entry(0, &json!(["x".repeat(131_073)]))]),
            refused("malformed-answer", None),
        ),
        (
            "a kind that is not ours",
            json!({ "kind": "approve", "answers": [] }),
            refused("malformed-answer", None),
        ),
        (
            "a kind that is null",
            json!({ "kind": null, "answers": [] }),
            refused("malformed-answer", None),
        ),
        ("no answers", json!({ "kind": "respond-input" }), refused("malformed-answer", None)),
        ("a number", json!(5), refused("malformed-answer", None)),
    ];
    for (label, answers, expected) in table {
        let verdict = validate(&question, &answers);
        assert_eq!(json!([verdict["reason"], verdict["questionIndex"]]), expected, "{label}");
    }
}

#[test]
fn unanswerable_comes_before_shape() {
    let verdict = validate(&one(&json!(["a", "a"])), &json!("nonsense"));
    assert_eq!(
        verdict,
        json!({
            "status": "refused",
            "reason": "ambiguous-options",
            "questionIndex": 0,
            "message": "Two of the options can't be told apart by voice; please choose on the card on the screen.",
            "next": "card",
        })
    );
}

#[test]
fn an_accepted_answer_is_whole_and_the_hosts_own() {
    let question = input(&json!([
        { "question": "one", "options": [" a\u{200B}", { "label": "b" }] },
        { "question": "many", "options": ["x".repeat(121), "y", "z"], "multiSelect": true },
    ]));
    let cut = format!("{}…", "x".repeat(119));
    let answers = json!([entry(1, &json!(["z", cut])), entry(0, &json!(["\na"]))]);
    assert_eq!(
        validate(&question, &answers),
        json!({
            "status": "accepted",
            "inputId": "input-1",
            "digest": spoken(&question).digest(),
            "answers": [[" a\u{200B}"], ["x".repeat(121), "z"]],
            "optionIndexes": [[0], [0, 2]],
            "shortened": true,
        })
    );
}

#[test]
fn the_json_text_of_an_answer() {
    let question = spoken(&one(&json!(["a", "b\"\\é"])));
    let table = [
        (
            "an object",
            r#"{"kind":"respond-input","answers":[{"questionIndex":0,"options":["a"]}]}"#,
            "accepted",
        ),
        ("no kind", r#"{"answers":[{"questionIndex":0,"options":["a"]}]}"#, "accepted"),
        ("the list alone", r#"[{"questionIndex":0,"options":["a"]}]"#, "accepted"),
        (
            "keys in any order",
            r#"{"answers":[{"options":["a"],"questionIndex":0}],"kind":"respond-input"}"#,
            "accepted",
        ),
        (
            "white space of JSON around it",
            " \n\t{\"answers\":[{\"questionIndex\":0,\"options\":[\"a\"]}]}\r\n",
            "accepted",
        ),
        ("escapes", r#"[{"questionIndex":0,"options":["\u0062\"\\\u00e9"]}]"#, "accepted"),
        (
            "an escaped key is the same key",
            r#"[{"question\u0049ndex":0,"options":["a"]}]"#,
            "accepted",
        ),
        ("a whole number with a point", r#"[{"questionIndex":0.0,"options":["a"]}]"#, "accepted"),
        (
            "a whole number with an exponent",
            r#"[{"questionIndex":0e0,"options":["a"]}]"#,
            "accepted",
        ),
        ("a fraction", r#"[{"questionIndex":0.5,"options":["a"]}]"#, "malformed-answer"),
        (
            "nearly a whole number",
            r#"[{"questionIndex":0.9999999999999999,"options":["a"]}]"#,
            "malformed-answer",
        ),
        ("a negative index", r#"[{"questionIndex":-1,"options":["a"]}]"#, "question-out-of-range"),
        (
            "an index beyond numbers",
            r#"[{"questionIndex":1e999,"options":["a"]}]"#,
            "malformed-answer",
        ),
        ("an index as text", r#"[{"questionIndex":"0","options":["a"]}]"#, "malformed-answer"),
        ("an entry written as a list", r#"[[0,["a"]]]"#, "malformed-answer"),
        (
            "a payload written as a list",
            r#"["respond-input",[{"questionIndex":0,"options":["a"]}]]"#,
            "malformed-answer",
        ),
        (
            "a kind that is null",
            r#"{"kind":null,"answers":[{"questionIndex":0,"options":["a"]}]}"#,
            "malformed-answer",
        ),
        (
            "a kind that is an object",
            r#"{"kind":{"respond-input":null},"answers":[]}"#,
            "malformed-answer",
        ),
        (
            "a key twice",
            r#"{"answers":[],"answers":[{"questionIndex":0,"options":["a"]}]}"#,
            "malformed-answer",
        ),
        (
            "a key twice, once escaped",
            r#"[{"options":["a"],"\u006fptions":["a"],"questionIndex":0}]"#,
            "malformed-answer",
        ),
        (
            "an unknown key",
            r#"[{"questionIndex":0,"options":["a"],"text":"b"}]"#,
            "malformed-answer",
        ),
        ("text after it", r#"[{"questionIndex":0,"options":["a"]}] ok"#, "malformed-answer"),
        ("two values", "[] []", "malformed-answer"),
        (
            "a byte order mark",
            "\u{FEFF}[{\"questionIndex\":0,\"options\":[\"a\"]}]",
            "malformed-answer",
        ),
        ("a lone surrogate", r#"[{"questionIndex":0,"options":["\ud800"]}]"#, "malformed-answer"),
        ("a trailing comma", r#"[{"questionIndex":0,"options":["a",]}]"#, "malformed-answer"),
        ("JSON in JSON", r#""[{\"questionIndex\":0,\"options\":[\"a\"]}]""#, "malformed-answer"),
        ("an option that is null", r#"[{"questionIndex":0,"options":[null]}]"#, "malformed-answer"),
        ("nothing", "", "malformed-answer"),
        ("null", "null", "malformed-answer"),
    ];
    for (label, text, expected) in table {
        let verdict = serde_json::to_value(question.validate_text(text)).unwrap();
        assert_eq!(outcome(&verdict), expected, "{label}");
        let through_value = question.validate(Some(&json!(text)));
        assert_eq!(serde_json::to_value(through_value).unwrap(), verdict, "{label}");
    }
    let answer = r#"[{"questionIndex":0,"options":["a"]}]"#;
    let largest = format!("{answer}{}", " ".repeat(131_072 - answer.len()));
    assert!(matches!(question.validate_text(&largest), spoken_answer::Verdict::Accepted(_)));
    let larger = serde_json::to_value(question.validate_text(&format!("{largest} "))).unwrap();
    assert_eq!(outcome(&larger), "malformed-answer");
}

/// ADR 0315, defect 3 of the source system: what was not heard cannot be chosen.
#[test]
fn only_what_was_read_out_can_be_chosen() {
    let long = "x".repeat(121);
    let options: Vec<_> = (0..10).map(|n| format!("o{n}")).collect();
    let table = [
        ("the ninth option", one(&json!(options)), "o8"),
        ("the whole of a cut label", one(&json!([long, "b"])), long.as_str()),
        ("a prefix", one(&json!(["deploy to staging"])), "deploy"),
        ("another case", one(&json!(["Yes"])), "yes"),
        ("a number", one(&json!(["a", "b"])), "1"),
        ("a description", one(&json!([{ "label": "a", "description": "d" }])), "d"),
        ("a homoglyph", one(&json!(["scope"])), "ѕсоре"),
        ("a compatibility form", one(&json!(["fi"])), "ﬁ"),
    ];
    for (label, question, answer) in table {
        let verdict = validate(&question, &json!([entry(0, &json!([answer]))]));
        assert_eq!(outcome(&verdict), "option-not-offered", "{label}");
    }
}

#[test]
fn a_prepared_question_is_the_same_question() {
    let question = one(&json!(["a", "b"]));
    let answers = json!([entry(0, &json!(["b"]))]);
    let prepared = SpokenQuestion::read(Some(&question)).unwrap();
    assert_eq!(
        serde_json::to_value(prepared.validate(Some(&answers))).unwrap(),
        validate(&question, &answers)
    );
}
