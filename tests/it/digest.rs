//! The digest: golden vectors, and that it changes with everything.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{input, one, spoken};

/// Written down once; a change here is a change of the encoding and needs a new version.
#[test]
fn golden_vectors() {
    let table = [
        (
            "plain",
            one(&json!(["a", "b"])),
            "1:fd5b97a268d09530ae456a48bd877e87c93eb7891060fa90c554e8442787875f",
        ),
        (
            "everything",
            json!({
                "inputId": "i", "sessionId": "s", "turnId": "t",
                "questions": [{ "question": "选哪个?", "multiSelect": true, "options": ["a", { "label": "b", "description": "" }] }],
            }),
            "1:669eff58e89519bea8f61664b906236018de82d9750a3212a6a3946336020ee8",
        ),
    ];
    for (label, question, expected) in table {
        assert_eq!(spoken(&question).digest(), expected, "{label}");
    }
}

/// The encoding by hand, byte by byte, as the documentation tells it.
#[test]
fn the_encoding_is_the_documented_one() {
    let mut bytes = b"spoken-answer/1".to_vec();
    let mut text = |text: &str| {
        bytes.extend((text.len() as u64).to_be_bytes());
        bytes.extend(text.as_bytes());
    };
    text("input-1");
    text("session-1");
    bytes.push(0);
    bytes.extend(1_u64.to_be_bytes());
    bytes.extend(6_u64.to_be_bytes());
    bytes.extend(b"Which?");
    bytes.push(0);
    bytes.extend(2_u64.to_be_bytes());
    for (label, description) in [("a", None), ("é", Some("d"))] {
        bytes.extend((label.len() as u64).to_be_bytes());
        bytes.extend(label.as_bytes());
        bytes.push(u8::from(description.is_some()));
        if let Some(text) = description {
            bytes.extend(str::len(text).to_be_bytes());
            bytes.extend(text.as_bytes());
        }
    }
    let mut expected = "1:".to_owned();
    for byte in Sha256::digest(&bytes) {
        write!(expected, "{byte:02x}").unwrap();
    }
    let question = one(&json!(["a", { "label": "é", "description": "d" }]));
    assert_eq!(spoken(&question).digest(), expected);
}

#[test]
fn it_changes_when_anything_does() {
    let base = json!({
        "inputId": "i", "sessionId": "s", "turnId": "t",
        "questions": [
            { "question": "q", "options": ["a", { "label": "b", "description": "d" }] },
            { "question": "r", "options": ["a"] },
        ],
    });
    let with = |pointer: &str, value: Value| {
        let mut changed = base.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        changed
    };
    let variants = [
        base.clone(),
        with("/inputId", json!("j")),
        with("/sessionId", json!("t")),
        with("/turnId", json!("u")),
        with("/turnId", json!(null)),
        with("/questions/0/question", json!("q ")),
        with("/questions/0/options/0", json!("A")),
        with("/questions/0/options/1/label", json!("bd")),
        with("/questions/0/options/1/description", json!("")),
        with("/questions/0/options/1/description", json!(null)),
        with("/questions/0/options", json!(["a", { "label": "b", "description": "d" }, "c"])),
        with(
            "/questions/0",
            json!({ "question": "q", "options": ["a", { "label": "b", "description": "d" }], "multiSelect": true }),
        ),
        with("/questions/1/options", json!(["b"])),
        with("/questions/1/question", json!("q")),
        // The same bytes, shifted from one text into the next.
        with("/questions/0/options", json!(["ab", { "label": "", "description": "d" }])),
    ];
    let digests: HashSet<_> =
        variants.iter().map(|question| spoken(question).digest().to_owned()).collect();
    assert_eq!(digests.len(), variants.len());
}

#[test]
fn what_cannot_be_read_has_none_and_spelling_makes_no_difference() {
    assert_eq!(spoken(&input(&json!([]))).digest(), "");
    assert_eq!(spoken(&one(&json!([5]))).digest(), "");
    assert_eq!(
        spoken(&one(&json!(["a"]))).digest(),
        spoken(&one(&json!([{ "label": "a", "other": 1 }]))).digest(),
    );
    assert_ne!(spoken(&one(&json!(["a", "a"]))).digest(), "", "readable, though ambiguous");
}
