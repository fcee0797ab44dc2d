//! What the host waits for: sessions, the stream, the list, and what the app is shown of it.

use spoken_answer::call::event::OtherKind;

use super::*;

const SEVERAL: &str = "Several questions are waiting";
const SOMETHING: &str = "Something is waiting for the person on the desktop.";

fn other(kind: OtherKind, id: &str) -> Event {
    Event::Host(HostEvent::Requested(waits(kind, id)))
}

#[test]
fn another_session_forgets_the_one_before() {
    for local in [true, false] {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        rig.send(other(OtherKind::Permission, "permission"));
        rig.send(Event::VoiceReset);
        let of_the_first = *rig.reads().last().unwrap();
        rig.hear();
        let spoke = rig.spoke();
        let answer = rig.say("Yes", spoke);
        assert_eq!(rig.state(answer), DISPATCHING);
        rig.send(session("session-2", local));
        assert_eq!(rig.state(answer), refused("question-closed"), "local: {local}");
        assert_eq!(rig.pending(), None, "local: {local}");
        let list = vec![OpenInput::Question(yes_or_no())];
        rig.send(Event::Listed(of_the_first, Some(list), 1));
        assert_eq!(rig.pending(), None, "local: {local}: the list of another session");
    }
}

#[test]
fn the_same_session_again_or_one_after_the_end_is_none() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    rig.hand_over("Yes");
    let before = rig.effects.len();
    rig.send(session("session-1", true));
    assert_eq!(rig.effects[before..], []);
    rig.send(Event::Close);
    let before = rig.effects.len();
    rig.send(session("session-2", true));
    assert_eq!(rig.effects[before..], []);
}

#[test]
fn what_waits_is_shown_when_it_changes_and_said_once() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    rig.cancel("input-1");
    let resolved = |id: &str| Event::Host(HostEvent::Resolved(id.to_owned(), Resolved::default()));
    let canceled = |id: &str| Event::Host(HostEvent::Canceled(id.to_owned()));
    let question = || Event::Host(HostEvent::Requested(OpenInput::Question(yes_or_no())));
    let hidden = || {
        let question = AskedQuestion { private: true, ..named("private") };
        Event::Host(HostEvent::Requested(OpenInput::Question(question)))
    };
    let table = [
        ("a goal", other(OtherKind::Goal, "goal"), Some(("A goal is waiting.", 0)), 1),
        ("the same", other(OtherKind::Goal, "goal"), Some(("A goal is waiting.", 0)), 1),
        ("a plan", other(OtherKind::Plan, "plan"), Some(("A plan is waiting.", 1)), 1),
        ("any", other(OtherKind::Other, "any"), Some(("A plan is waiting.", 2)), 1),
        (
            "a permission",
            other(OtherKind::Permission, "p"),
            Some(("A permission is waiting.", 3)),
            1,
        ),
        ("it is given", resolved("p"), Some(("A plan is waiting.", 2)), 1),
        ("the plan goes", canceled("plan"), Some(("A goal is waiting.", 1)), 1),
        ("a question", question(), Some(("Which?", 2)), 1),
        ("it is answered", resolved("input-1"), Some(("A goal is waiting.", 1)), 1),
        ("the goal goes", canceled("goal"), Some(("Something is waiting.", 0)), 1),
        ("all is gone", canceled("any"), None, 1),
        (
            "a permission again",
            other(OtherKind::Permission, "p"),
            Some(("A permission is waiting.", 0)),
            2,
        ),
        ("and gone", resolved("p"), None, 2),
        ("a question that is not shared", hidden(), Some(("A question is waiting.", 0)), 3),
    ];
    for (label, event, pending, said) in table {
        let shown = rig.count(|effect| matches!(effect, Effect::Pending(_)));
        let before = rig.pending().map(|(text, more)| (text.to_owned(), more));
        rig.send(event);
        rig.hear_statuses();
        assert_eq!(rig.pending(), pending, "{label}");
        let changed = before.as_ref().map(|(text, more)| (text.as_str(), *more)) != pending;
        let shown_now = rig.count(|effect| matches!(effect, Effect::Pending(_)));
        assert_eq!(shown_now - shown, usize::from(changed), "{label}: shown when it changes");
        assert_eq!(rig.said(SOMETHING), said, "{label}: said");
    }
}

#[test]
fn others_are_counted_up_to_a_bound() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    for n in 0..70 {
        rig.send(other(OtherKind::Plan, &format!("plan-{n}")));
    }
    assert_eq!(rig.pending(), Some(("Which?", 64)));
}

#[test]
fn several_questions_are_said_once_each_time() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    for (label, step, said) in [
        ("a second", "input-2", 1),
        ("a third", "input-3", 1),
        ("two again", "-input-3", 1),
        ("one again", "-input-2", 1),
        ("a second again", "input-2", 2),
    ] {
        match step.strip_prefix('-') {
            Some(id) => rig.cancel(id),
            None => rig.ask(named(step)),
        }
        rig.hear_statuses();
        assert_eq!(rig.said(SEVERAL), said, "{label}");
    }
}

/// Fifty permissions that come and go at once are one thing to be told.
#[test]
fn what_waits_is_not_said_again_while_the_person_has_yet_to_hear_of_it() {
    let sent = Some(Outcome::Sent);
    let table = [
        ("nobody says what became of it", None, 0, 1),
        ("it was handed over", sent, 0, 1),
        ("it was handed over a while ago", sent, 10_000, 2),
        ("it was heard", Some(Outcome::Spoken), 0, 2),
        ("it was talked over", Some(Outcome::Interrupted), 0, 2),
        ("it was not passed on", Some(Outcome::NotSent), 0, 2),
    ];
    for (label, outcome, ms, said) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        rig.send(other(OtherKind::Permission, "p"));
        for n in 0..50 {
            rig.cancel("p");
            rig.send(other(OtherKind::Permission, "p"));
            assert_eq!(rig.said(SOMETHING), 1, "{label}: {n}");
        }
        if let Some((outcome, id)) = outcome.zip(rig.statuses().last().copied()) {
            rig.send(Event::Delivered(id, outcome));
        }
        rig.wait(ms);
        assert_eq!(rig.said(SOMETHING), 1, "{label}: it has been said");
        rig.cancel("p");
        rig.send(other(OtherKind::Permission, "p"));
        assert_eq!(rig.said(SOMETHING), said, "{label}");
    }
}

#[test]
fn what_is_not_shared_is_neither_shown_nor_answered() {
    let may_share = |may_share_questions| Options {
        may_share_questions,
        app_classifies: true,
        ..Options::new("call")
    };
    let forwarded = (State::Forwarded, None);
    for (label, may_share_questions, private, shared, expected) in [
        ("shared", true, false, true, DISPATCHING),
        ("a private question", true, true, false, forwarded),
        ("none may be shared", false, false, false, refused("not-shared")),
        ("none may be shared, and it is private", false, true, false, forwarded),
    ] {
        let question = AskedQuestion { private, ..yes_or_no() };
        let mut rig = Rig::read_out(may_share(may_share_questions), question);
        let spoke = rig.spoke();
        let id = rig.say("Yes", spoke);
        assert_eq!(rig.call.seen_question(id).is_some(), shared, "{label}");
        let answer = Payload::read(Some(&json!([{ "questionIndex": 0, "options": ["Yes"] }])));
        rig.send(Event::Classified(id, Some(Intent::Answer(answer))));
        assert_eq!(rig.state(id), expected, "{label}");
        assert_eq!(rig.pages().len(), usize::from(shared), "{label}");
        let asked = rig.count(|effect| matches!(effect, Effect::Classify(..)));
        assert_eq!(asked, usize::from(!private), "{label}: the classifier is asked");
    }
}

/// Else a provider could find out by trying what a question offers that it must not know.
#[test]
fn what_becomes_of_words_does_not_depend_on_labels_that_are_not_shared() {
    for (label, may_share_questions, private, another) in [
        ("a private question", true, true, false),
        ("none may be shared", false, false, false),
        ("a private question beside another", true, true, true),
    ] {
        let options = Options { may_share_questions, ..Options::new("call") };
        let question = asked(&one(&json!(["secret", "other"])));
        let mut rig = Rig::read_out(options, AskedQuestion { private, ..question });
        if another {
            rig.ask(named("input-2"));
        }
        for text in ["secret", "1", "something else"] {
            let spoke = rig.spoke();
            let id = rig.say(text, spoke);
            let expected = match text {
                // A number is one of what the other question offers.
                "1" if another => refused("several-open-questions"),
                _ => (State::Forwarded, None),
            };
            assert_eq!(rig.state(id), expected, "{label}: {text}");
        }
    }
}

/// Who may hear or answer a question belongs to it.
#[test]
fn a_question_that_is_asked_of_other_ears_is_another_one() {
    let private = AskedQuestion { private: true, ..yes_or_no() };
    let of_alice = AskedQuestion { asked_of: Some("alice".to_owned()), ..yes_or_no() };
    let later = AskedQuestion { expires_at: Some(9), ..yes_or_no() };
    let table = [
        ("it becomes private", private, refused("question-changed")),
        ("it becomes one of alice", of_alice, refused("question-changed")),
        ("its time changes", later, DISPATCHING),
    ];
    for (label, changed, expected) in table {
        for by_list in [false, true] {
            let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
            let spoke = rig.spoke();
            let before = rig.say("Yes", spoke);
            rig.open = vec![changed.clone()];
            if by_list {
                rig.list(1);
            } else {
                let again = OpenInput::Question(changed.clone());
                rig.send(Event::Host(HostEvent::Requested(again)));
            }
            assert_eq!(rig.state(before), expected, "{label}, by list: {by_list}");
        }
    }
}

#[test]
fn inputs_of_other_sessions_are_none_of_this_call() {
    let mut elsewhere = one(&json!(["Yes", "No"]));
    elsewhere["inputId"] = json!("input-2");
    elsewhere["sessionId"] = json!("session-2");
    let question = OpenInput::Question(asked(&elsewhere));
    let permission = |session: &str| OpenInput::Other {
        kind: OtherKind::Permission,
        input_id: "p".to_owned(),
        session_id: Some(session.to_owned()),
    };
    let mut broken = elsewhere.clone();
    broken["questions"] = json!([]);
    let broken = OpenInput::Question(asked(&broken));
    let table = [
        ("a question", question, 0),
        ("a question that cannot be read", broken, 0),
        ("a permission", permission("session-2"), 0),
        ("a permission of this one", permission("session-1"), 1),
    ];
    for (label, input, more) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        rig.send(Event::Host(HostEvent::Requested(input.clone())));
        assert_eq!(rig.pending(), Some(("Which?", more)), "{label}");
        rig.send(Event::VoiceReset);
        let read = *rig.reads().last().unwrap();
        let list = vec![OpenInput::Question(yes_or_no()), input];
        rig.send(Event::Listed(read, Some(list), 1));
        assert_eq!(rig.pending(), Some(("Which?", more)), "{label}: listed");
    }
}

/// Knowing what is open, and confirming an answer, do not get in each other's way.
#[test]
fn readings_for_different_ends_stand_side_by_side() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    let spoke = rig.spoke();
    let id = rig.say("Yes", spoke);
    rig.send(Event::VoiceReset);
    let [.., confirms, syncs] = rig.reads()[..] else { panic!("two readings") };
    let early = rig.say("No", Evidence { speech_started_at: Some(rig.now), ..Evidence::default() });
    assert_eq!(rig.state(early), refused("question-not-read-out"), "the provider forgot");
    let list = || Some(vec![OpenInput::Question(yes_or_no())]);
    rig.send(Event::Listed(confirms, list(), 1));
    assert_eq!((rig.state(id), rig.resolution().is_some()), (DISPATCHING, true));
    rig.send(Event::Replied(id, Reply::Rejected(Rejection::Invalid)));
    rig.send(Event::Listed(syncs, Some(Vec::new()), 1));
    assert_eq!(rig.pending(), None, "the end of an answer ends no other reading");
}

/// Events may have been lost: the same question may have been answered and asked again since.
#[test]
fn after_a_gap_a_question_is_read_anew_unless_an_answer_may_have_arrived() {
    let nothing: Change<'_> = &|_| {};
    let handed_over: Change<'_> = &|rig| {
        rig.hand_over("Yes");
    };
    let unknown: Change<'_> = &|rig| {
        rig.hand_over("Yes");
        rig.pass();
    };
    let accepted: Change<'_> = &|rig| {
        let id = rig.hand_over("Yes");
        rig.send(Event::Replied(id, Reply::Resolved));
    };
    let table = [
        ("nothing was said", nothing, 2, DISPATCHING),
        ("an answer is on its way", handed_over, 1, refused("question-closed")),
        ("nobody knows of one", unknown, 1, refused("question-closed")),
        ("one was accepted", accepted, 1, refused("question-closed")),
    ];
    for (label, before, pages, expected) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        before(&mut rig);
        rig.send(Event::Host(HostEvent::Gap));
        rig.list(1);
        rig.hear();
        assert_eq!(rig.pages().len(), pages, "{label}");
        let spoke = rig.spoke();
        let id = rig.say("Yes", spoke);
        assert_eq!(rig.state(id), expected, "{label}");
    }
}

/// Without a gap, what is still on the list is what it was.
#[test]
fn a_question_that_is_still_on_the_list_is_not_read_anew() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    let spoke = rig.spoke();
    let id = rig.say("Yes", spoke);
    rig.list(1);
    assert_eq!((rig.pages().len(), rig.state(id)), (1, DISPATCHING));
}

#[test]
fn a_delivery_that_is_not_wanted_any_more_is_aborted_once() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    rig.send(Event::VoiceReset);
    let aborted = |rig: &Rig| rig.count(|effect| matches!(effect, Effect::AbortDelivery(_)));
    assert_eq!(aborted(&rig), 0, "the first one had been heard");
    rig.cancel("input-1");
    assert_eq!(aborted(&rig), 1);
    rig.send(Event::Close);
    assert_eq!(aborted(&rig), 1);
}
