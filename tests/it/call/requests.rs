//! Requests of the provider: receipts, repetitions, bounds, and what is the app's ordinary work.

use spoken_answer::Reason;
use spoken_answer::call::event::OtherKind;

use super::*;

fn request(request_id: &str, text: &str) -> Event {
    let (request_id, text) = (request_id.to_owned(), text.to_owned());
    Event::Instruct(Instruction { request_id, text, evidence: Evidence::default() })
}

impl Rig {
    fn receipts(&self) -> Vec<(u32, &'static str)> {
        let receipt = |effect: &Effect| match effect {
            Effect::Receipt(id, text) => Some((id.0, *text)),
            _ => None,
        };
        self.effects.iter().filter_map(receipt).collect()
    }

    fn forwarded(&self) -> Vec<u32> {
        let forward = |effect: &Effect| match effect {
            Effect::Forward(id) => Some(id.0),
            _ => None,
        };
        self.effects.iter().filter_map(forward).collect()
    }
}

#[test]
fn every_request_gets_its_receipt_at_once() {
    const RECEIVED: &str =
        "Received. The result will follow; do not tell the person that anything was decided.";
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    rig.send(request("one", "Yes"));
    rig.send(request("one", "Yes"));
    rig.send(request("one", "No"));
    rig.cancel("input-1");
    rig.send(request("two", "run the tests"));
    let conflict = Reason::RequestConflict.message();
    assert_eq!(
        rig.receipts(),
        [(1, RECEIVED), (1, RECEIVED), (2, conflict), (3, "Passed on to the app.")]
    );
    assert_eq!(rig.state(OperationId(2)), refused("request-conflict"));
    assert_eq!(rig.said(conflict), 1);
    assert_eq!(rig.forwarded(), [3]);
}

/// The same id and text is the same request, whatever became of it.
#[test]
fn a_request_that_was_refused_at_once_is_known_again() {
    let long = "x".repeat(8_193);
    let long_id = "x".repeat(257);
    let table = [
        ("too busy", "busy", "Yes", "too-busy", 1),
        ("too much text", "long", long.as_str(), "malformed-answer", 1),
        ("too long an id", long_id.as_str(), "Yes", "malformed-answer", 1),
    ];
    for (label, request_id, text, reason, operations) in table {
        let options = Options { app_classifies: true, ..Options::new("call") };
        let mut rig = Rig::read_out(options, yes_or_no());
        for n in 0..16 {
            rig.send(request(&format!("r{n}"), "Yes"));
        }
        rig.send(request(request_id, text));
        rig.send(request(request_id, text));
        let views: Vec<_> = rig.call.operations().skip(16).collect();
        let reasons: Vec<_> =
            views.iter().map(|view| view.refusal.unwrap().reason.name()).collect();
        assert_eq!(reasons, vec![reason; operations], "{label}");
    }
}

#[test]
fn what_is_no_request_is_refused() {
    let table = [
        ("an id", "x".repeat(256), "Yes".to_owned(), None),
        ("too long an id", "x".repeat(257), "Yes".to_owned(), Some("malformed-answer")),
        ("no id", String::new(), "Yes".to_owned(), Some("malformed-answer")),
        ("much text", "id".to_owned(), "x".repeat(8_192), None),
        ("too much text", "id".to_owned(), "x".repeat(8_193), Some("malformed-answer")),
    ];
    for (label, request_id, text, expected) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        rig.send(request(&request_id, &text));
        assert_eq!(rig.state(OperationId(1)).1, expected, "{label}");
    }
}

/// Without anything that could be answered, nobody is asked what it means.
#[test]
fn ordinary_work_is_passed_on_at_once() {
    let options = || Options { app_classifies: true, ..Options::new("call") };
    let gone: Change<'_> = &|rig| rig.cancel("input-1");
    let elsewhere: Change<'_> = &|rig| rig.send(session("session-2", false));
    let nothing: Change<'_> = &|_| {};
    let permission: Change<'_> = &|rig| {
        rig.cancel("input-1");
        let other = waits(OtherKind::Permission, "p");
        rig.send(Event::Host(HostEvent::Requested(other)));
    };
    let table = [
        ("nothing is open", gone, State::Forwarded),
        ("the session is not local", elsewhere, State::Forwarded),
        ("a question is open", nothing, State::Classifying),
        ("something else waits", permission, State::Classifying),
    ];
    for (label, change, expected) in table {
        let mut rig = Rig::read_out(options(), yes_or_no());
        let while_open = Evidence { speech_started_at: Some(rig.now), ..Evidence::default() };
        change(&mut rig);
        let now = rig.spoke();
        let id = rig.say("Yes", now);
        assert_eq!(rig.state(id), (expected, None), "{label}");
        // What was said while the question was open belongs to it, unless the session is another.
        let id = rig.say("Yes", while_open);
        let expected =
            if label == "the session is not local" { expected } else { State::Classifying };
        assert_eq!(rig.state(id), (expected, None), "{label}: said before");
    }
}

#[test]
fn a_request_after_the_end_is_withdrawn() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    rig.hand_over("Yes");
    rig.send(Event::Close);
    rig.send(request("late", "No"));
    assert_eq!(rig.state(OperationId(2)), (State::Withdrawn, Some("call-closed")));
    assert_eq!(rig.receipts().last(), Some(&(2, Reason::CallClosed.message())));
    assert_eq!(rig.said(Reason::CallClosed.message()), 0, "nobody is spoken to any more");
}

#[test]
fn after_five_refused_answers_the_question_takes_no_more() {
    let options = Options { app_classifies: true, ..Options::new("call") };
    let mut rig = Rig::read_out(options, yes_or_no());
    let mut reasons = Vec::new();
    for _ in 0..7 {
        let spoke = rig.spoke();
        let id = rig.say("Maybe", spoke);
        let answer = Payload::read(Some(&json!([{ "questionIndex": 0, "options": ["Maybe"] }])));
        rig.send(Event::Classified(id, Some(Intent::Answer(answer))));
        reasons.push(rig.state(id).1.unwrap());
    }
    let (tried, exhausted) = reasons.split_at(5);
    assert_eq!(tried, ["option-not-offered"; 5]);
    assert_eq!(exhausted, ["attempts-exhausted"; 2]);
    assert_eq!(rig.said(Reason::OptionNotOffered.message()), 5, "each is said once");
}

/// Who spoke before the question had been read out has not tried to answer it.
#[test]
fn what_was_said_too_early_is_no_attempt() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    let early = Evidence { speech_started_at: Some(rig.now - 1), ..Evidence::default() };
    for _ in 0..7 {
        let id = rig.say("Yes", early.clone());
        assert_eq!(rig.state(id), refused("question-not-read-out"));
    }
    let spoke = rig.spoke();
    let id = rig.say("Yes", spoke);
    assert_eq!(rig.state(id), DISPATCHING);
}
