//! What was handed over stays closed to voice, whatever the call forgets, until the host says
//! otherwise.

use spoken_answer::call::event::Answerer;

use super::*;

/// The session is another one for a while, or not local.
fn away(rig: &mut Rig, id: &str, local: bool) {
    rig.send(session(id, local));
    rig.send(session("session-1", true));
    let heard = rig.pages().len();
    rig.list(1);
    for id in rig.pages().split_off(heard) {
        rig.send(Event::Delivered(id, Outcome::Sent));
    }
}

#[test]
fn an_answer_that_may_have_arrived_is_not_given_twice() {
    let in_flight: Change<'_> = &|_| {};
    let unknown: Change<'_> = &|rig| rig.pass();
    let accepted: Change<'_> = &|rig| rig.send(Event::Replied(OperationId(1), Reply::Resolved));
    let rejected: Change<'_> =
        &|rig| rig.send(Event::Replied(OperationId(1), Reply::Rejected(Rejection::Invalid)));
    let not_sent: Change<'_> = &|rig| rig.send(Event::Replied(OperationId(1), Reply::NotSent));
    let closed = refused("question-closed");
    let table = [
        ("in flight", in_flight, closed),
        ("nobody knows", unknown, closed),
        ("accepted", accepted, closed),
        ("rejected", rejected, DISPATCHING),
        ("not sent", not_sent, DISPATCHING),
    ];
    let other: Change<'_> = &|rig| away(rig, "session-2", true);
    let not_local: Change<'_> = &|rig| away(rig, "session-1", false);
    let gap: Change<'_> = &|rig| {
        rig.send(Event::Host(HostEvent::Gap));
        rig.list(1);
        rig.hear();
    };
    // The list did not hold it for a moment.
    let lagging: Change<'_> = &|rig| {
        let open = std::mem::take(&mut rig.open);
        rig.send(Event::Host(HostEvent::Gap));
        rig.list(1);
        rig.open = open;
        gap(rig);
    };
    let ways = [
        ("another session", other),
        ("not local", not_local),
        ("a gap", gap),
        ("a gap, and a list that lags", lagging),
    ];
    for (label, becomes, expected) in table {
        for (way, forget) in ways {
            for forgotten_first in [true, false] {
                let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
                rig.hand_over("Yes");
                if forgotten_first {
                    forget(&mut rig);
                    becomes(&mut rig);
                    rig.hear();
                } else {
                    becomes(&mut rig);
                    forget(&mut rig);
                }
                let spoke = rig.spoke();
                let second = rig.say("No", spoke);
                let label = format!("{label}, {way}, forgotten first: {forgotten_first}");
                assert_eq!(rig.state(second), expected, "{label}");
            }
        }
    }
}

/// Where the list is ahead of the stream, the stream may be speaking of an earlier asking.
#[test]
fn what_the_host_closed_may_be_asked_and_answered_again() {
    let accepted: Change<'_> = &|rig| rig.send(Event::Replied(OperationId(1), Reply::Resolved));
    let rejected: Change<'_> =
        &|rig| rig.send(Event::Replied(OperationId(1), Reply::Rejected(Rejection::NotFound)));
    let unknown: Change<'_> = &|rig| rig.pass();
    let nothing: Change<'_> = &|_| {};
    let canceled: Change<'_> = &|rig| rig.cancel("input-1");
    let another: Change<'_> = &|rig| rig.cancel("input-2");
    let resolved = |by: Option<Answerer>| {
        move |rig: &mut Rig| {
            rig.open.clear();
            let resolved = Resolved { by: by.clone(), ..Resolved::default() };
            rig.send(Event::Host(HostEvent::Resolved("input-1".to_owned(), resolved)));
        }
    };
    let ours = resolved(Some(Answerer::Voice("call:1".to_owned())));
    let (by_card, untold) = (resolved(Some(Answerer::Other)), resolved(None));
    let closed = refused("question-closed");
    let table: [(&str, Change<'_>, Change<'_>, Change<'_>, _); 10] = [
        ("accepted, resolved by us", accepted, &ours, nothing, DISPATCHING),
        ("accepted, nobody says by whom", accepted, &untold, nothing, DISPATCHING),
        ("accepted, resolved by the card", accepted, &by_card, nothing, closed),
        ("accepted, canceled", accepted, canceled, nothing, closed),
        ("accepted, another one canceled", accepted, another, nothing, closed),
        ("unknown, resolved by the card", unknown, &by_card, nothing, DISPATCHING),
        ("unknown, canceled", unknown, canceled, nothing, DISPATCHING),
        ("in flight, canceled", nothing, canceled, nothing, closed),
        ("in flight, canceled, then accepted", nothing, canceled, accepted, closed),
        ("in flight, canceled, then rejected", nothing, canceled, rejected, DISPATCHING),
    ];
    for (label, before, close, after, expected) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        rig.hand_over("Yes");
        before(&mut rig);
        close(&mut rig);
        if rig.open.is_empty() {
            rig.ask(yes_or_no());
        }
        after(&mut rig);
        away(&mut rig, "session-2", true);
        let spoke = rig.spoke();
        let again = rig.say("No", spoke);
        assert_eq!(rig.state(again), expected, "{label}");
    }
}

/// What comes of a stream that is not followed any more says nothing.
#[test]
fn events_of_a_session_that_is_not_local_close_nothing() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    rig.hand_over("Yes");
    rig.send(session("session-1", false));
    rig.send(Event::Host(HostEvent::Canceled("input-1".to_owned())));
    away(&mut rig, "session-2", true);
    let spoke = rig.spoke();
    let again = rig.say("No", spoke);
    assert_eq!(rig.state(again), refused("question-closed"));
}

/// The same words under another id, or other words, are another question.
#[test]
fn another_question_is_not_closed_with_it() {
    let mut changed = one(&json!(["Yes", "No"]));
    changed["turnId"] = json!("another");
    for (label, question) in [("another id", named("input-2")), ("changed", asked(&changed))] {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        rig.hand_over("Yes");
        rig.open = vec![question];
        away(&mut rig, "session-2", true);
        let spoke = rig.spoke();
        let id = rig.say("No", spoke);
        assert_eq!(rig.state(id), DISPATCHING, "{label}");
    }
}

/// 256 are remembered. What is still on its way is never forgotten.
#[test]
fn the_oldest_that_is_over_is_forgotten_first() {
    for (label, over, expected) in
        [("accepted", true, DISPATCHING), ("in flight", false, refused("question-closed"))]
    {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        let first = rig.hand_over("Yes");
        if over {
            rig.send(Event::Replied(first, Reply::Resolved));
        }
        for n in 0..256 {
            // No closing event: only another list each time.
            rig.open = vec![named(&format!("later-{n}"))];
            away(&mut rig, "session-2", true);
            let spoke = rig.spoke();
            let id = rig.say("Yes", spoke);
            rig.list(1);
            rig.send(Event::Replied(id, Reply::Resolved));
            assert_eq!(rig.state(id).0, State::Accepted, "{label}: {n}");
        }
        rig.open = vec![yes_or_no()];
        away(&mut rig, "session-2", true);
        let spoke = rig.spoke();
        let again = rig.say("No", spoke);
        assert_eq!(rig.state(again), expected, "{label}");
    }
}

/// The record of an answer is about the session it was given in.
#[test]
fn the_app_writes_down_the_session_that_was_answered() {
    let options = Options { journal: true, ..Options::new("call") };
    let mut rig = Rig::read_out(options, yes_or_no());
    let id = rig.hand_over("Yes");
    rig.send(session("session-2", true));
    rig.send(Event::Replied(id, Reply::Resolved));
    let lines: Vec<_> = rig
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Journal(line) => Some(line),
            _ => None,
        })
        .collect();
    assert_eq!(lines, [rig.resolution().unwrap()]);
    assert_eq!(lines[0].session_id, "session-1");
}

/// The stream of a session is followed while it is this call's, and no longer.
#[test]
fn the_stream_of_one_local_session_is_followed() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    for (id, local) in [("session-1", false), ("session-2", true), ("session-3", false)] {
        rig.send(session(id, local));
    }
    let watched: Vec<_> = rig
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Watch(session) => Some(session.as_deref()),
            _ => None,
        })
        .collect();
    assert_eq!(watched, [Some("session-1"), None, Some("session-2"), None]);
    let before = rig.effects.len();
    rig.send(Event::Host(HostEvent::Requested(OpenInput::Question(yes_or_no()))));
    assert_eq!(rig.effects[before..], [], "what comes all the same is nobody's");
}
