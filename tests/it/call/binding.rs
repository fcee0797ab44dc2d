//! Which opening an answer belongs to: the one that was open when the person began to speak.

use spoken_answer::call::event::OtherKind;

use super::*;

fn at(time: u64) -> Evidence {
    Evidence { speech_started_at: Some(time), ..Evidence::default() }
}

fn answer() -> Event {
    let answer = Payload::read(Some(&json!([{ "questionIndex": 0, "options": ["Yes"] }])));
    Event::Classified(OperationId(1), Some(Intent::Answer(answer)))
}

/// A question is open until the moment in which it closes, and not in it.
#[test]
fn a_question_that_closed_as_the_person_began_to_speak() {
    for (label, ago, expected) in [
        ("just before", 1, refused("answered-elsewhere")),
        ("in that moment", 0, (State::Forwarded, None)),
    ] {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        rig.wait(100);
        rig.send(Event::Host(HostEvent::Resolved("input-1".to_owned(), Resolved::default())));
        let id = rig.say("Yes", at(rig.now - ago));
        assert_eq!(rig.state(id), expected, "{label}");
    }
}

/// A permission waits, so the app's classifier is asked; a question comes while it thinks.
#[test]
fn an_answer_that_was_said_before_its_question_is_none() {
    let table = [
        ("somebody spoke before", true, true, refused("question-not-read-out")),
        ("somebody spoke, nobody knows when", false, true, refused("question-changed")),
        ("no question comes", true, false, refused("not-a-question")),
    ];
    for (label, known, comes, expected) in table {
        let options = Options { app_classifies: true, ..Options::new("call") };
        let mut rig = Rig::read_out(options, yes_or_no());
        rig.cancel("input-1");
        let permission = waits(OtherKind::Permission, "p");
        rig.send(Event::Host(HostEvent::Requested(permission)));
        let evidence = if known { rig.spoke() } else { Evidence::default() };
        rig.say("Yes", evidence);
        if comes {
            rig.ask(named("input-2"));
            rig.hear();
        }
        rig.send(answer());
        assert_eq!(rig.state(OperationId(1)), expected, "{label}");
    }
}

#[test]
fn an_answer_to_what_is_gone_by_now() {
    let options = Options { app_classifies: true, ..Options::new("call") };
    let mut rig = Rig::read_out(options, yes_or_no());
    rig.cancel("input-1");
    let permission = waits(OtherKind::Permission, "p");
    rig.send(Event::Host(HostEvent::Requested(permission)));
    let spoke = rig.spoke();
    rig.say("Yes", spoke);
    rig.cancel("p");
    rig.send(answer());
    assert_eq!(rig.state(OperationId(1)), refused("no-open-question"));
}

#[test]
fn a_second_question_makes_an_answer_unclear() {
    let options = || Options { app_classifies: true, ..Options::new("call") };
    for (label, before) in [("before it was said", true), ("while it is classified", false)] {
        let mut rig = Rig::read_out(options(), yes_or_no());
        if before {
            rig.ask(named("input-2"));
        }
        let spoke = rig.spoke();
        rig.say("Yes", spoke);
        if !before {
            rig.ask(named("input-2"));
        }
        rig.send(answer());
        assert_eq!(rig.state(OperationId(1)), refused("several-open-questions"), "{label}");
    }
}

/// A time after the request is none: the request cannot have come of what was said then.
#[test]
fn speech_that_began_after_the_request_is_no_evidence() {
    let required = Options { evidence: Requirement::Required, ..Options::new("call") };
    for (label, late, expected) in [
        ("when it arrived", 1, DISPATCHING),
        ("a moment later", 2, refused("no-user-speech")),
        ("on another clock", 1_700_000_000_000, refused("no-user-speech")),
        ("beyond counting", u64::MAX - 10_000, refused("no-user-speech")),
    ] {
        for heard_later in [false, true] {
            let mut rig = Rig::read_out(required.clone(), yes_or_no());
            let evidence = at(rig.now + late);
            let id = if heard_later {
                let id = rig.say("Yes", Evidence::default());
                rig.wait(100);
                rig.send(Event::Heard("request-1".to_owned(), evidence));
                id
            } else {
                rig.say("Yes", evidence)
            };
            if expected != DISPATCHING {
                assert_eq!(rig.state(id), (State::Classifying, None), "{label}");
                rig.wait(8_000);
            }
            assert_eq!(rig.state(id), expected, "{label}, heard later: {heard_later}");
        }
    }
}

/// An answer is for the question that the classifier saw.
#[test]
fn an_answer_for_one_question_is_none_for_another() {
    let options = Options { app_classifies: true, ..Options::new("call") };
    let another: Change<'_> = &|rig| {
        rig.cancel("input-1");
        rig.ask(named("input-2"));
        rig.hear();
        rig.wait(11_000);
    };
    let nothing: Change<'_> = &|_| {};
    for (label, between, expected) in [
        ("the same", nothing, DISPATCHING),
        ("the one before", another, refused("question-changed")),
    ] {
        let mut rig = Rig::read_out(options.clone(), yes_or_no());
        let began = rig.now;
        between(&mut rig);
        let id = rig.say("Yes", Evidence::default());
        // Only now it is known that the person began to speak while the first one was open.
        rig.send(Event::Heard("request-1".to_owned(), at(began)));
        rig.send(answer());
        assert_eq!(rig.state(id), expected, "{label}");
    }
}

/// 64 openings are remembered; what is forgotten first is the oldest that is closed.
#[test]
fn an_opening_is_remembered_for_a_while() {
    for (more, expected) in [(63, refused("question-closed")), (64, (State::Forwarded, None))] {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        let while_open = at(rig.now);
        rig.cancel("input-1");
        for n in 0..more {
            rig.ask(named(&format!("later-{n}")));
            assert_eq!(rig.pending(), Some(("Which?", 0)), "what is open is kept");
            rig.cancel(&format!("later-{n}"));
        }
        let id = rig.say("Yes", while_open);
        assert_eq!(rig.state(id), expected, "{more} later ones");
    }
}

/// What may have been an answer is not passed on as an order, whatever became of its question.
#[test]
fn words_that_begin_as_an_answer_are_no_order() {
    let alike = || {
        asked(&input(
            &json!([{ "question": "Which?", "options": ["Retry now", "Retry  now", "Stop"] }]),
        ))
    };
    let forwarded = (State::Forwarded, None);
    let table = [
        ("options that are alike", alike(), false, "retry now", refused("ambiguous-options")),
        ("the option that is not", alike(), false, "stop", refused("ambiguous-options")),
        ("other work beside them", alike(), false, "check the disk space", forwarded),
        ("yes, and more", yes_or_no(), false, "yes, delete it", refused("not-understood")),
        ("to what was withdrawn", yes_or_no(), true, "yes, delete it", refused("question-closed")),
        ("other work", yes_or_no(), true, "run the linter", forwarded),
    ];
    for (label, question, withdrawn, words, expected) in table {
        let mut rig = Rig::read_out(Options::new("call"), question);
        let spoke = rig.spoke();
        if withdrawn {
            rig.wait(1);
            rig.cancel("input-1");
        }
        let id = rig.say(words, spoke);
        assert_eq!(rig.state(id), expected, "{label}");
    }
}
