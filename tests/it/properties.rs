//! What holds for any host question, any answer and any budget.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::{Value, json};
use spoken_answer::{Dialect, SpokenQuestion, Verdict};

use crate::oracle;
use crate::schema::validator;
use crate::support::{input, outcome, spoken};

/// Texts of the kind that go wrong: short, so that two are alike now and then; with marks,
/// selectors, bidi controls, fillers, quotes and long runs.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-c]{1,2}",
        2 => Just(" ".to_owned()),
        1 => Just("\"\\\n2. ".to_owned()),
        1 => Just("e\u{301}".to_owned()),
        1 => Just("é".to_owned()),
        1 => Just("❤\u{FE0F}".to_owned()),
        1 => Just("\u{200D}".to_owned()),
        1 => Just("\u{202E}\u{200B}\u{FEFF}\u{3164}".to_owned()),
        1 => Just("👨\u{200D}👩\u{200D}👧".to_owned()),
        1 => Just("選択".to_owned()),
        1 => Just("x".repeat(119)),
        1 => Just("\u{200D} ".repeat(70)),
        1 => Just("한글\u{1100}\u{1161}".to_owned()),
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn question(most: usize) -> impl Strategy<Value = Value> {
    let option = prop_oneof![
        2 => text().prop_map(Value::from),
        1 => (text(), text()).prop_map(|(label, description)| json!({ "label": label, "description": description })),
    ];
    // Most questions should be answerable, so most labels are told apart by a number; some begin
    // alike, some may be blank.
    let number: fn(usize) -> String = |n| n.to_string();
    let prefix = prop_oneof![
        30 => Just(number),
        2 => Just((|_| "a".to_owned()) as fn(usize) -> String),
        1 => Just((|_| String::new()) as fn(usize) -> String),
    ];
    let count = prop_oneof![60 => 1..11_usize, 1 => Just(0)];
    let options =
        count.prop_flat_map(move |count| proptest::collection::vec(option.clone(), count));
    let options = (options, prefix).prop_map(|(options, prefix)| {
        let begin = |(n, option): (usize, Value)| match option {
            Value::String(label) => json!(format!("{}{label}", prefix(n))),
            mut object => {
                object["label"] =
                    json!(format!("{}{}", prefix(n), object["label"].as_str().unwrap()));
                object
            }
        };
        options.into_iter().enumerate().map(begin).collect::<Value>()
    });
    let one = (text(), options, any::<bool>(), prop::bool::weighted(0.98)).prop_map(
        |(question, options, multi, prefixed)| {
            let question = if prefixed { format!("q{question}") } else { question };
            json!({ "question": question, "options": options, "multiSelect": multi })
        },
    );
    proptest::collection::vec(one, 1..=most).prop_map(|questions| input(&json!(questions)))
}

/// An answer near the question: mostly labels that were read out, mostly one entry each.
fn answers(question: &Value) -> BoxedStrategy<Value> {
    let spoken = spoken(question);
    let mut labels: Vec<Vec<String>> =
        spoken.questions().iter().map(|one| one.labels().map(str::to_owned).collect()).collect();
    if labels.is_empty() {
        labels.push(vec!["a".to_owned()]);
    }
    let total = labels.len();
    let entry = |index: usize, labels: Vec<String>| {
        let label = prop_oneof![
            12 => prop::sample::select(labels.clone()),
            1 => text(),
            1 => prop::sample::select(labels).prop_map(|label| format!(" {label}\u{200B}")),
        ];
        let index = prop_oneof![30 => Just(i64::try_from(index).unwrap()), 1 => -1..10_i64];
        let options = prop_oneof![
            6 => proptest::collection::vec(label.clone(), 1..2),
            2 => proptest::collection::vec(label, 0..4),
        ];
        (index, options)
            .prop_map(|(index, options)| json!({ "questionIndex": index, "options": options }))
    };
    let entries: Vec<_> = labels.into_iter().enumerate().map(|(i, l)| entry(i, l)).collect();
    (entries, prop::bool::weighted(0.1), 0..total)
        .prop_map(|(mut entries, drop, at)| {
            if drop {
                entries.remove(at);
            } else {
                entries.rotate_left(at);
            }
            Value::from(entries)
        })
        .boxed()
}

fn question_and_answers() -> impl Strategy<Value = (Value, Value)> {
    question(9).prop_flat_map(|question| {
        let answers = answers(&question);
        (Just(question), answers)
    })
}

/// The properties would say little if hardly any question could be answered.
#[test]
fn the_random_inputs_reach_every_outcome() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut outcomes = std::collections::BTreeMap::new();
    for _ in 0..2_000 {
        let tree = question_and_answers().new_tree(&mut runner).unwrap();
        let (question, answers) = tree.current();
        let verdict = serde_json::to_value(spoken(&question).validate(Some(&answers))).unwrap();
        *outcomes.entry(outcome(&verdict).to_owned()).or_insert(0) += 1;
    }
    assert!(outcomes["accepted"] >= 200, "{outcomes:?}");
    for reason in [
        "too-many-questions",
        "question-unanswerable",
        "ambiguous-options",
        "question-out-of-range",
        "question-repeated",
        "question-missing",
        "option-missing",
        "option-not-offered",
        "option-repeated",
        "too-many-options-chosen",
    ] {
        assert!(outcomes.get(reason).is_some_and(|count| *count >= 10), "{reason}: {outcomes:?}");
    }
}

/// The quoted texts of a message, read back.
fn quoted(text: &str) -> Vec<(String, Vec<String>)> {
    let mut questions: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines().skip(1) {
        let (head, rest) = line.split_at(line.find('"').unwrap());
        let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        let first = texts.next().unwrap().unwrap();
        if head.starts_with("Question ") {
            questions.push((first, Vec::new()));
        } else {
            let number: usize = head.trim_end_matches(". ").parse().unwrap();
            let labels = &mut questions.last_mut().unwrap().1;
            labels.push(first);
            assert_eq!(number, labels.len());
        }
    }
    questions
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Cleaning is idempotent, never lengthens, and leaves nothing that could break a line.
    #[test]
    fn cleaning(text in text()) {
        let once = spoken_answer::text::clean(&text).into_owned();
        prop_assert_eq!(&once, &oracle::clean(&text));
        prop_assert_eq!(spoken_answer::text::clean(&once), once.as_str());
        prop_assert!(once.chars().count() <= text.chars().count());
        prop_assert!(!once.contains(char::is_control));
    }

    /// Every page is inside the budget and holds whole questions; together they hold all of them
    /// once, in order, and each text parses back to what was read out.
    #[test]
    fn pages(question in question(8), budget in prop_oneof![0..3_000_usize, Just(1100), Just(usize::MAX)]) {
        let spoken = spoken(&question);
        let fits = oracle::each_question_fits(spoken.questions(), budget);
        let mut seen = Vec::new();
        let mut next = Some(0);
        while let Some(from) = next {
            let page = spoken.feedback(budget, from);
            prop_assert!(page.text.len() <= budget);
            prop_assert_eq!(page.digest, spoken.digest());
            prop_assert_eq!(page.from, from);
            if !page.answerable {
                prop_assert_eq!((from, page.next), (0, None));
                prop_assert!(!page.text.contains("Question 1"));
                prop_assert!(page.reason.is_some());
                prop_assert!(spoken.unanswerable().is_some() || !fits);
                return Ok(());
            }
            prop_assert!(fits);
            prop_assert_eq!(page.text.starts_with("More follows"), page.next.is_some());
            seen.extend(quoted(&page.text));
            prop_assert_eq!(page.next.unwrap_or(spoken.questions().len()), seen.len());
            next = page.next;
        }
        let expected: Vec<_> = spoken
            .questions()
            .iter()
            .map(|one| (one.question().to_owned(), one.labels().map(str::to_owned).collect()))
            .collect();
        prop_assert_eq!(seen, expected);
    }

    /// The naive rules agree; and what is accepted is a choice among the labels that were read
    /// out, each question once.
    #[test]
    fn verdicts((question, answers) in question_and_answers()) {
        let spoken = spoken(&question);
        let verdict = spoken.validate(Some(&answers));
        let json = serde_json::to_value(&verdict).unwrap();
        for (key, expected) in oracle::verdict(&question, &answers).as_object().unwrap() {
            prop_assert_eq!(&json[key], expected, "{} of {}", key, json);
        }
        if let Verdict::Accepted(accepted) = &verdict {
            prop_assert_eq!(accepted.answers().len(), spoken.questions().len());
            for (index, one) in spoken.questions().iter().enumerate() {
                let indexes = &accepted.option_indexes()[index];
                prop_assert!(!indexes.is_empty() && indexes.is_sorted_by(|a, b| a < b));
                prop_assert!(one.multi_select() || indexes.len() == 1);
                for (label, position) in accepted.answers()[index].iter().zip(indexes) {
                    prop_assert!(*position < one.labels().len());
                    let host = &question["questions"][index]["options"][position];
                    prop_assert_eq!(host.as_str().or(host["label"].as_str()).unwrap(), label);
                }
            }
        }
        // Text and object are two spellings of one answer.
        let text = json!({ "kind": "respond-input", "answers": answers }).to_string();
        prop_assert_eq!(spoken.validate_text(&text), verdict);
    }

    /// Any bytes at all are an answer or a refusal.
    #[test]
    fn any_text_is_a_verdict(text in "\\PC{0,60}") {
        let question = spoken(&input(&json!([{ "question": "q", "options": ["a"] }])));
        prop_assert!(matches!(question.validate_text(&text), Verdict::Refused(_)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// What the schema accepts, `validate` accepts; what `validate` accepts in the very words that
    /// were read out, the schema accepts. The strict dialect accepts all of that and no label of
    /// another question.
    #[test]
    fn the_schema_says_what_validate_says((question, answers) in question_and_answers()) {
        let spoken: SpokenQuestion = spoken(&question);
        let full = validator(&spoken, Dialect::Draft202012);
        let strict = validator(&spoken, Dialect::Strict);
        let payload = json!({ "kind": "respond-input", "answers": answers });
        let accepted = matches!(spoken.validate(Some(&payload)), Verdict::Accepted(_));
        if full.is_valid(&payload) {
            prop_assert!(accepted && strict.is_valid(&payload));
        }
        let exact = answers.as_array().unwrap().iter().all(|entry| {
            let index = entry["questionIndex"].as_u64().and_then(|i| usize::try_from(i).ok());
            let one = index.and_then(|index| spoken.questions().get(index));
            let offered = |label: &Value| one.is_some_and(|one| one.labels().any(|l| json!(l) == *label));
            entry["options"].as_array().unwrap().iter().all(offered)
        });
        if accepted && exact {
            prop_assert!(full.is_valid(&payload));
        }
        if strict.is_valid(&payload) {
            prop_assert!(exact);
        }
    }
}
