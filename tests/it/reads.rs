//! Foreign values are read a bounded number of times, each part once, and nothing is copied
//! before its length is known to be within bounds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CStr;

use serde_json::{Value, json};
use spoken_answer::{Kind, SpokenQuestion, Untrusted, Verdict, validate_answer};

use crate::support::{input, one};

/// What was read of a value, by path, and how many units were copied.
#[derive(Default)]
struct Log {
    reads: RefCell<HashMap<String, usize>>,
    copied: RefCell<usize>,
    fails_at: Option<&'static str>,
}

#[derive(Clone, Copy)]
struct Watched<'a> {
    value: Option<&'a Value>,
    path: &'a str,
    log: &'a Log,
}

impl<'a> Watched<'a> {
    fn step(self, name: &str, value: Option<&'a Value>) -> Option<Self> {
        let path: &str = format!("{}/{name}", self.path).leak();
        *self.log.reads.borrow_mut().entry(path.to_owned()).or_default() += 1;
        (self.log.fails_at != Some(path)).then_some(Self { value, path, log: self.log })
    }
}

impl Untrusted for Watched<'_> {
    fn kind(self) -> Kind {
        self.value.kind()
    }
    fn field(self, name: &'static CStr) -> Option<Self> {
        self.step(name.to_str().unwrap(), self.value.field(name)?)
    }
    fn length(self) -> usize {
        self.value.length()
    }
    fn item(self, index: usize) -> Option<Self> {
        self.step(&index.to_string(), self.value.item(index)?)
    }
    fn units(self) -> usize {
        self.value.units()
    }
    fn text(self) -> Option<String> {
        *self.log.copied.borrow_mut() += self.units();
        self.value.text()
    }
}

/// Checks an answer and returns the verdict, the number of reads and of copied units; no part may
/// be read twice.
fn watch(
    question: &Value,
    answers: &Value,
    fails_at: Option<&'static str>,
) -> (Verdict, usize, usize) {
    let log = Log { fails_at, ..Log::default() };
    let question = Watched { value: Some(question), path: "q", log: &log };
    let answers = Watched { value: Some(answers), path: "a", log: &log };
    let expected = Watched { value: None, path: "e", log: &log };
    let verdict = validate_answer(question, answers, expected).unwrap();
    let reads = log.reads.borrow();
    for (path, count) in reads.iter() {
        assert_eq!(*count, 1, "{path} was read {count} times");
    }
    (verdict, reads.values().sum(), *log.copied.borrow())
}

#[test]
fn hostile_sizes_cost_a_bounded_number_of_reads() {
    let fine = one(&json!(["a", "b"]));
    let answer = json!([{ "questionIndex": 0, "options": ["a"] }]);
    let entry = |options: Value| json!([{ "questionIndex": 0, "options": options }]);
    let million = || Value::Array(vec![json!(1); 1_000_000]);
    let huge = "x".repeat(10_000_000);
    let table = [
        ("an ordinary answer", fine.clone(), answer.clone(), 15),
        ("a million answers", fine.clone(), million(), 12),
        ("a million labels", fine.clone(), entry(million()), 15),
        ("a huge label", fine.clone(), entry(json!([huge])), 15),
        ("a huge answer text", fine.clone(), json!(huge), 12),
        ("a huge kind", fine.clone(), json!({ "kind": huge, "answers": [] }), 12),
        ("a million questions", input(&million()), answer.clone(), 10),
        ("a million options", one(&million()), answer.clone(), 10),
        ("a million open inputs", million(), answer.clone(), 0),
        ("a huge id", json!({ "inputId": huge }), answer.clone(), 5),
        ("a huge kind of input", json!({ "kind": huge }), answer.clone(), 5),
        ("a huge option", one(&json!([huge])), answer.clone(), 12),
    ];
    for (label, question, answers, most) in table {
        let (_, reads, copied) = watch(&question, &answers, None);
        assert!(reads <= most, "{label}: {reads} reads");
        assert!(copied <= 200, "{label}: {copied} units copied");
    }
}

#[test]
fn the_largest_question_and_answer_stay_within_the_bound() {
    let options: Vec<_> =
        (0..256).map(|n| json!({ "label": n.to_string(), "description": "d" })).collect();
    let question = json!({ "question": "q", "options": options, "multiSelect": true });
    let entry = json!({ "questionIndex": 0, "options": vec!["0"; 4] });
    let (_, reads, copied) =
        watch(&input(&json!(vec![question; 8])), &json!(vec![entry; 64]), None);
    assert!(reads <= 8 * (4 + 256 * 3) + 64 * (3 + 4) + 10, "{reads} reads");
    assert!(copied <= 65_536 + 131_072, "{copied} units copied");
}

/// Every single read fails in turn, as a getter that throws makes it.
#[test]
fn a_read_that_fails_is_a_refusal() {
    let question = input(
        &json!([{ "question": "q", "multiSelect": false, "options": ["a", { "label": "b", "description": "d" }] }]),
    );
    let answers =
        json!({ "kind": "respond-input", "answers": [{ "questionIndex": 0, "options": ["a"] }] });
    let log = Log::default();
    let whole = |value| Watched { value: Some(value), path: "", log: &log };
    let spoken = SpokenQuestion::read(Watched { path: "q", ..whole(&question) }).unwrap();
    assert!(matches!(
        spoken.validate(Watched { path: "a", ..whole(&answers) }),
        Verdict::Accepted(_)
    ));
    let paths: Vec<String> = log.reads.borrow().keys().cloned().collect();
    assert_eq!(paths.len(), 19, "{paths:?}");
    for path in paths {
        let path: &'static str = path.leak();
        let (verdict, ..) = watch(&question, &answers, Some(path));
        let Verdict::Refused(refusal) = verdict else { panic!("{path}: accepted") };
        let expected = match path {
            "q/kind" => "not-a-question",
            path if path.starts_with('a') => "malformed-answer",
            _ => "question-unanswerable",
        };
        assert_eq!(refusal.reason.name(), expected, "{path}");
    }
}
