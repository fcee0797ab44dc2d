//! Words → options: what people say to a question, and what it chooses.

mod cases;
mod properties;

use serde_json::{Value, json};
use spoken_answer::{Language, Match, SpokenQuestion, Unsure, limits};

use crate::support::{input, spoken};

/// One question with these options.
fn question(options: &Value, multi_select: bool) -> SpokenQuestion {
    let one = json!({ "question": "Which one?", "options": options, "multiSelect": multi_select });
    spoken(&input(&json!([one])))
}

/// What is chosen from the only question; the reason where nothing is.
fn chosen(question: &SpokenQuestion, utterance: &str) -> Result<Vec<usize>, Unsure> {
    match question.match_utterance(utterance, None) {
        Match::Matched(choices) => Ok(positions(question, 0, &choices.by_question()[0].options)),
        Match::Unsure(why, _) => Err(why),
    }
}

fn positions(question: &SpokenQuestion, index: usize, labels: &[String]) -> Vec<usize> {
    let offered: Vec<_> = question.questions()[index].labels().collect();
    labels.iter().map(|label| offered.iter().position(|one| one == label).unwrap()).collect()
}

/// "last", "all", "except" and a negation mean something only where all options were read out whole.
#[test]
fn what_was_left_out_or_shortened_limits_what_can_be_said() {
    let nine: Vec<_> = (1..=9).map(|n| format!("thing {n}")).collect();
    let long = json!(["a".repeat(limits::OPTION_CHARS + 1), "bravo"]);
    let table = [
        ("omitted, last", json!(nine), "the last one", Err(Unsure::SeveralReadings)),
        ("omitted, all", json!(nine), "all of them", Err(Unsure::SeveralReadings)),
        ("omitted, except", json!(nine), "all except the first", Err(Unsure::SeveralReadings)),
        ("omitted, a position", json!(nine), "the second one", Ok(vec![1])),
        ("omitted, not read out", json!(nine), "the ninth one", Err(Unsure::OutOfRange)),
        ("shortened, last", long.clone(), "the last one", Err(Unsure::SeveralReadings)),
        ("shortened, not", long.clone(), "not bravo", Err(Unsure::SeveralReadings)),
        ("shortened, a label", long, "bravo", Ok(vec![1])),
    ];
    for (label, options, utterance, expected) in table {
        assert_eq!(chosen(&question(&options, true), utterance), expected, "{label}");
    }
}

/// What nobody would say as an answer is not read at all.
#[test]
fn bounds() {
    let question = question(&json!(["a b", "c d"]), false);
    let filler = "please ".repeat(limits::UTTERANCE_WORDS - 2);
    assert_eq!(chosen(&question, &format!("{filler}c d")), Ok(vec![1]));
    let long = format!("{filler}the c d");
    assert_eq!(chosen(&question, &long), Err(Unsure::NothingRecognised));
    let spaces = " ".repeat(limits::UTTERANCE_BYTES);
    assert_eq!(chosen(&question, &format!("c d{spaces}")), Err(Unsure::NothingRecognised));
}

/// A question that is not read out is not answered in words either. Where two of its options are alike,
/// its words still tell an answer from other things that are said.
#[test]
fn an_unanswerable_question_chooses_nothing() {
    let alike = json!(["Retry now", "Retry  now", "Stop"]);
    let blank = json!(["Retry now", ""]);
    for (label, options, utterance, expected) in [
        ("one that is alike", &alike, "retry now", Unsure::SeveralReadings),
        ("one that is not", &alike, "stop", Unsure::SeveralReadings),
        ("a position", &alike, "the first one", Unsure::SeveralReadings),
        ("other work", &alike, "check the disk space", Unsure::NothingRecognised),
        ("a blank option", &blank, "retry now", Unsure::NothingRecognised),
    ] {
        let nothing = Match::Unsure(expected, spoken_answer::Choices::default());
        let question = question(options, false);
        assert_eq!(question.match_utterance(utterance, None), nothing, "{label}");
    }
}

#[test]
fn languages_have_their_codes() {
    let codes: Vec<_> = Language::ALL.iter().map(|language| language.code()).collect();
    assert_eq!(codes, ["en", "zh", "ja", "de", "es", "fr"]);
    for language in Language::ALL {
        assert_eq!(Language::from_code(language.code()), Some(language));
    }
    assert_eq!(Language::from_code("EN"), None);
}
