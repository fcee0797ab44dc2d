//! After the hand-over: what proves that our answer arrived, what is written and said, and the end
//! of the call.

use spoken_answer::call::event::Answerer;

use super::*;

fn by(who: &str, indexes: Option<usize>) -> Resolved {
    let by = match who {
        "" => None,
        "card" => Some(Answerer::Other),
        operation => Some(Answerer::Voice(operation.to_owned())),
    };
    Resolved { option_indexes: indexes.map(|index| vec![vec![index]]), by, unproved: false }
}

/// The host's stream says how the input was answered. Without our operation's id it may speak of an
/// earlier asking, so while the reply is awaited that one tells.
#[test]
fn what_the_stream_proves() {
    let table = [
        ("our operation", by("call:1", None), State::Accepted),
        (
            "our operation, and the host never confirms it",
            Resolved { unproved: true, ..by("call:1", None) },
            State::Submitted,
        ),
        ("our operation, another choice", by("call:1", Some(1)), State::Accepted),
        ("nobody named, our choice", by("", Some(0)), State::Accepted),
        ("nobody named, another choice", by("", Some(1)), State::Dispatching),
        ("nothing is known", by("", None), State::Dispatching),
        ("the card, our choice", by("card", Some(0)), State::Dispatching),
        ("another call, our choice", by("other:1", Some(0)), State::Dispatching),
    ];
    for (label, resolved, expected) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        let id = rig.hand_over("Yes");
        let by_name = resolved.by == by("call:1", None).by;
        let stream = || Event::Host(HostEvent::Resolved("input-1".to_owned(), resolved.clone()));
        rig.send(stream());
        let awaited = if by_name { expected } else { State::Dispatching };
        assert_eq!(rig.state(id), (awaited, None), "{label}, a reply is awaited");
        // The same, when the reply told nothing.
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        let id = rig.hand_over("Yes");
        rig.send(Event::Replied(id, Reply::Unknown));
        rig.send(stream());
        assert_eq!(rig.state(id), (expected, None), "{label}");
        // The same, found by looking.
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        let id = rig.hand_over("Yes");
        rig.send(Event::Replied(id, Reply::Unknown));
        rig.wait(500);
        rig.send(Event::LookedUp(id, Settlement::Resolved(resolved)));
        assert_eq!(rig.state(id), (expected, None), "{label}, looked up");
    }
}

/// A host may ask another question under the same id before we hear of our answer to the first.
#[test]
fn an_input_that_was_asked_again_proves_nothing_without_a_name() {
    let again = || {
        let mut question = one(&json!(["Yes", "No"]));
        question["turnId"] = json!("another");
        asked(&question)
    };
    let nothing: Change<'_> = &|_| {};
    let asked_again: Change<'_> = &|rig| rig.ask(again());
    let another: Change<'_> = &|rig| rig.ask(named("input-2"));
    let table = [
        ("not asked again", nothing, by("", Some(0)), State::Accepted),
        ("asked again", asked_again, by("", Some(0)), State::Dispatching),
        ("asked again, but named", asked_again, by("call:1", Some(0)), State::Accepted),
        ("another was asked", another, by("", Some(0)), State::Accepted),
    ];
    for (label, change, resolved, expected) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        // It had been asked before as well.
        rig.cancel("input-1");
        rig.ask(yes_or_no());
        rig.hear();
        let id = rig.hand_over("Yes");
        rig.send(Event::Replied(id, Reply::Unknown));
        change(&mut rig);
        rig.wait(500);
        rig.send(Event::LookedUp(id, Settlement::Resolved(resolved)));
        assert_eq!(rig.state(id), (expected, None), "{label}");
    }
    // By name our answer is found, though its opening has been replaced.
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    let id = rig.hand_over("Yes");
    rig.ask(again());
    rig.send(Event::Host(HostEvent::Resolved("input-1".to_owned(), by("call:1", None))));
    assert_eq!(rig.state(id), (State::Accepted, None));
}

#[test]
fn the_app_writes_down_what_was_taken_or_may_have_been_and_nothing_else() {
    let table = [
        ("accepted", true, true, Reply::Resolved, true),
        ("submitted", true, false, Reply::Submitted, true),
        ("refused", true, true, Reply::Rejected(Rejection::Invalid), false),
        ("no journal", false, true, Reply::Resolved, false),
    ];
    for (label, journal, host_proves, reply, written) in table {
        let options = Options { journal, host_proves, ..Options::new("call") };
        let mut rig = Rig::read_out(options, yes_or_no());
        let id = rig.hand_over("No");
        let resolution = rig.resolution().unwrap().clone();
        rig.send(Event::Replied(id, reply));
        let lines: Vec<_> = rig
            .effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Journal(line) => Some(line.clone()),
                _ => None,
            })
            .collect();
        let expected = if written { vec![resolution] } else { Vec::new() };
        assert_eq!(lines, expected, "{label}");
    }
}

#[test]
fn an_accepted_answer_is_read_back_where_it_fits() {
    let label = |letter: &str| letter.repeat(100);
    let question = |letter: &str| json!({ "question": "q", "options": [label(letter), "other"] });
    let questions: Vec<_> = ["a", "b", "c", "d"].iter().map(|letter| question(letter)).collect();
    let labels = ["a", "b", "c", "d"].map(|letter| format!("\"{}\"", label(letter)));
    let whole = format!("The answer was accepted. Tell the person: {}.", labels.join("; "));
    for (budget, text) in
        [(whole.len(), whole.as_str()), (whole.len() - 1, "The answer was accepted.")]
    {
        let options = Options { budget, ..Options::new("call") };
        let mut rig = Rig::read_out(options, asked(&input(&json!(questions))));
        let id = rig.hand_over("1;1;1;1");
        rig.send(Event::Replied(id, Reply::Resolved));
        let said = rig.effects.iter().rev().find_map(|effect| match effect {
            Effect::Deliver(feedback) => Some(feedback.text.as_str()),
            _ => None,
        });
        assert_eq!(said, Some(text));
    }
    let multi = json!([{ "question": "q", "options": ["a", "b", "c"], "multiSelect": true }]);
    let mut rig = Rig::read_out(Options::new("call"), asked(&input(&multi)));
    let id = rig.hand_over("3,1");
    rig.send(Event::Replied(id, Reply::Resolved));
    assert_eq!(rig.said("The answer was accepted. Tell the person: \"a\" and \"c\"."), 1);
}

#[test]
fn the_end_of_the_call_waits_a_second_for_what_was_handed_over() {
    let table = [
        ("a reply in time", Some(Reply::Resolved), State::Accepted),
        ("none", None, State::Unknown),
    ];
    for (label, reply, expected) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        let id = rig.hand_over("Yes");
        let said = rig.count(|effect| matches!(effect, Effect::Deliver(_)));
        rig.send(Event::Close);
        let closes = rig.now + 1_000;
        assert_eq!(rig.call.next_wake(), Some(closes), "{label}");
        rig.wait(997);
        assert_eq!(rig.state(id), DISPATCHING, "{label}");
        if let Some(reply) = reply {
            rig.send(Event::Replied(id, reply));
        } else {
            assert_eq!(rig.count(|effect| matches!(effect, Effect::Closed)), 0, "{label}");
            rig.now = closes - 1;
            rig.send(Event::Wake);
        }
        assert_eq!(rig.state(id), (expected, None), "{label}");
        assert_eq!(rig.count(|effect| matches!(effect, Effect::Closed)), 1, "{label}");
        let aborts = rig.count(|effect| matches!(effect, Effect::AbortResolve(_)));
        assert_eq!(aborts, usize::from(reply.is_none()), "{label}");
        let after = rig.count(|effect| matches!(effect, Effect::Deliver(_)));
        assert_eq!(after, said, "{label}: nobody is spoken to any more");
    }
}
