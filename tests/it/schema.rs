//! The schema against a real validator.

use jsonschema::Validator;
use serde_json::{Value, json};
use spoken_answer::{Dialect, SpokenQuestion};

use crate::support::{input, one, outcome, spoken};

pub(crate) fn validator(question: &SpokenQuestion, dialect: Dialect) -> Validator {
    let schema = serde_json::to_value(question.schema(dialect)).unwrap();
    jsonschema::draft202012::meta::validate(&schema).expect("a schema of 2020-12");
    jsonschema::draft202012::new(&schema).unwrap()
}

fn two_questions() -> Value {
    input(&json!([
        { "question": "one", "options": ["a", "b"] },
        { "question": "many", "options": ["c", "d", "e"], "multiSelect": true },
    ]))
}

fn answer(entries: &Value) -> Value {
    json!({ "kind": "respond-input", "answers": entries })
}

#[test]
fn what_each_dialect_accepts() {
    let question = spoken(&two_questions());
    let full = validator(&question, Dialect::Draft202012);
    let strict = validator(&question, Dialect::Strict);
    let e = |index: i64, options: &[&str]| json!({ "questionIndex": index, "options": options });
    // (what, entries, accepted by validate and 2020-12, accepted by strict)
    let table = [
        ("right", json!([e(0, &["a"]), e(1, &["c", "e"])]), true, true),
        ("another order", json!([e(1, &["d"]), e(0, &["b"])]), true, true),
        ("a label of the other question", json!([e(0, &["c"]), e(1, &["d"])]), false, false),
        ("a label never offered", json!([e(0, &["z"]), e(1, &["d"])]), false, false),
        ("out of range", json!([e(0, &["a"]), e(2, &["d"])]), false, false),
        ("negative", json!([e(-1, &["a"]), e(1, &["d"])]), false, false),
        ("one missing", json!([e(0, &["a"])]), false, true),
        ("one twice", json!([e(0, &["a"]), e(0, &["b"])]), false, true),
        ("three entries", json!([e(0, &["a"]), e(1, &["c"]), e(1, &["d"])]), false, true),
        ("no option", json!([e(0, &[]), e(1, &["c"])]), false, true),
        ("two where one is taken", json!([e(0, &["a", "b"]), e(1, &["c"])]), false, true),
        ("an option twice", json!([e(0, &["a"]), e(1, &["c", "c"])]), false, true),
    ];
    for (label, entries, decided, narrowed) in table {
        let answer = answer(&entries);
        let verdict = serde_json::to_value(question.validate(Some(&answer))).unwrap();
        assert_eq!(outcome(&verdict) == "accepted", decided, "validate: {label}");
        assert_eq!(full.is_valid(&answer), decided, "2020-12: {label}");
        assert_eq!(strict.is_valid(&answer), narrowed, "strict: {label}");
    }
    let fine = json!([e(0, &["a"]), e(1, &["c"])]);
    for (label, answer) in [
        ("another kind", json!({ "kind": "approve", "answers": fine })),
        ("an unknown key", json!({ "answers": fine, "sessionId": "another" })),
        ("no answers", json!({ "kind": "respond-input" })),
        ("a list", fine.clone()),
    ] {
        assert!(!full.is_valid(&answer) && !strict.is_valid(&answer), "{label}");
    }
    assert!(
        full.is_valid(&json!({ "answers": fine })) && !strict.is_valid(&json!({ "answers": fine }))
    );
}

/// Every object closed with all keys required, and no keyword that a structured-output mode
/// rejects.
#[test]
fn strict_keeps_to_the_subset() {
    fn walk(schema: &Value, path: &str) {
        let object = schema.as_object().unwrap();
        for key in object.keys() {
            let known = [
                "type",
                "enum",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "anyOf",
            ];
            assert!(known.contains(&key.as_str()), "{path}/{key}");
        }
        if let Some(properties) = schema.get("properties") {
            let names: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
            let mut required: Vec<String> =
                serde_json::from_value(schema["required"].clone()).unwrap();
            required.sort_unstable();
            assert_eq!(
                (required, &schema["additionalProperties"]),
                (names.clone(), &json!(false)),
                "{path}"
            );
            for name in names {
                walk(&properties[&name], &format!("{path}/{name}"));
            }
        }
        if let Some(items) = schema.get("items") {
            walk(items, &format!("{path}/items"));
        }
        for one in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
            walk(one, &format!("{path}/anyOf"));
        }
    }
    let schema = serde_json::to_value(spoken(&two_questions()).schema(Dialect::Strict)).unwrap();
    assert_eq!(schema["type"], "object", "the root is an object, not a choice");
    walk(&schema, "");
}

/// A model writes keys in the order of the schema: which question first, then which options.
#[test]
fn keys_come_in_the_order_of_thought() {
    let question = spoken(&one(&json!(["a"])));
    let strict = serde_json::to_string(&question.schema(Dialect::Strict)).unwrap();
    assert_eq!(
        strict,
        r#"{"type":"object","properties":{"kind":{"type":"string","enum":["respond-input"]},"answers":{"type":"array","items":{"anyOf":[{"type":"object","properties":{"questionIndex":{"type":"integer","enum":[0]},"options":{"type":"array","items":{"type":"string","enum":["a"]}}},"required":["questionIndex","options"],"additionalProperties":false}]}}},"required":["kind","answers"],"additionalProperties":false}"#
    );
}

#[test]
fn no_answer_can_be_written_to_an_unanswerable_question() {
    let question = spoken(&one(&json!(["a", "a"])));
    let full = validator(&question, Dialect::Draft202012);
    let strict = validator(&question, Dialect::Strict);
    for answer in
        [answer(&json!([])), answer(&json!([{ "questionIndex": 0, "options": ["a"] }])), json!([])]
    {
        assert!(!full.is_valid(&answer) && !strict.is_valid(&answer), "{answer}");
    }
    assert!(!full.is_valid(&json!({})));
}

#[test]
fn labels_are_those_that_were_read_out() {
    let question = spoken(&one(&json!(["a\u{200B}", "x".repeat(121)])));
    let schema = serde_json::to_value(question.schema(Dialect::Strict)).unwrap();
    let items =
        &schema["properties"]["answers"]["items"]["anyOf"][0]["properties"]["options"]["items"];
    assert_eq!(items["enum"], json!(["a", format!("{}…", "x".repeat(119))]));
}
