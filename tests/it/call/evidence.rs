//! The person's own words, and what is learned while an answer is on its way.

use super::*;

fn said(utterance: Option<Utterance>, rig: &Rig) -> Evidence {
    Evidence { utterance, ..rig.spoke() }
}

fn answers(label: &str) -> Event {
    let answer = Payload::read(Some(&json!([{ "questionIndex": 0, "options": [label] }])));
    Event::Classified(OperationId(1), Some(Intent::Answer(answer)))
}

/// Words that cannot be read may say anything: no answer rests on them.
#[test]
fn words_that_cannot_be_read_are_not_understood() {
    for (label, app_classifies, text, expected) in [
        ("an answer", false, "Yes", refused("not-understood")),
        ("an answer of the app's classifier", true, "Yes", refused("not-understood")),
        ("ordinary work", false, "run the tests", (State::Forwarded, None)),
    ] {
        let options = Options { app_classifies, ..Options::new("call") };
        let mut rig = Rig::read_out(options, yes_or_no());
        let evidence = said(Some(Utterance::Unusable), &rig);
        let id = rig.say(text, evidence);
        if app_classifies {
            rig.send(answers("Yes"));
        }
        assert_eq!(rig.state(id), expected, "{label}");
    }
}

/// The list is being read once more; what comes in meanwhile still counts.
#[test]
fn what_is_learned_before_the_hand_over_counts() {
    let spoken_by = |id| Evidence { speaker: Some(speaker(id)), ..Evidence::default() };
    let heard = |text| Evidence { utterance: Some(words(text)), ..Evidence::default() };
    let unusable = Evidence { utterance: Some(Utterance::Unusable), ..Evidence::default() };
    let early = Evidence { speech_started_at: Some(1), ..Evidence::default() };
    let table = [
        ("nothing", Evidence::default(), DISPATCHING),
        ("the same words", heard("Yes"), DISPATCHING),
        ("other words", heard("No"), refused("not-understood")),
        ("words that cannot be read", unusable, refused("not-understood")),
        ("who spoke", spoken_by("alice"), DISPATCHING),
        ("it was said before the question", early, refused("question-not-read-out")),
    ];
    for (label, later, expected) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        let id = rig.say("Yes", Evidence::default());
        rig.send(Event::Heard("request-1".to_owned(), later));
        assert_eq!(rig.state(id), expected, "{label}");
        rig.list(1);
        assert_eq!(rig.resolution().is_some(), expected == DISPATCHING, "{label}: handed over");
        rig.send(Event::Heard("request-1".to_owned(), heard("No")));
        assert_eq!(rig.state(id), expected, "{label}: what is handed over stays so");
    }
}

/// What the record says the choice was taken from.
#[test]
fn what_an_answer_rests_on() {
    let table = [
        ("no words", false, "Yes", None, None, "instruction"),
        ("the same words", false, "Yes", Some(words("Yes")), None, "both"),
        ("the same in other words", false, "2", Some(words("No")), None, "both"),
        (
            "words, and something else",
            false,
            "whatever it takes",
            Some(words("No")),
            None,
            "utterance",
        ),
        ("other words than the provider's", false, "Yes", Some(words("No")), None, "utterance"),
        ("the same words, later", false, "No", None, Some(words("2")), "both"),
        (
            "words that say nothing, later",
            false,
            "No",
            None,
            Some(words("it is raining")),
            "instruction",
        ),
        ("the app, no words", true, "whatever", None, None, "instruction"),
        ("the app, the same words", true, "whatever", Some(words("No")), None, "both"),
        (
            "the app, words that say nothing",
            true,
            "No",
            Some(words("it is raining")),
            None,
            "instruction",
        ),
        ("the app, later", true, "whatever", None, Some(words("No")), "both"),
    ];
    for (label, app_classifies, text, at_once, later, basis) in table {
        let options = Options { app_classifies, ..Options::new("call") };
        let mut rig = Rig::read_out(options, yes_or_no());
        let evidence = said(at_once, &rig);
        rig.say(text, evidence);
        if app_classifies {
            rig.send(answers("No"));
        }
        if later.is_some() {
            let later = Evidence { utterance: later, ..Evidence::default() };
            rig.send(Event::Heard("request-1".to_owned(), later));
        }
        rig.list(1);
        let by = serde_json::to_value(&rig.resolution().expect(label).resolved_by).unwrap();
        assert_eq!(by["basis"], json!(basis), "{label}");
    }
}
