//! Who may do what: the list, the planner, who a response answers, and how long a turn may take
//! (ADR 0105).

use serde_json::{Value, json};
use spoken_answer::CallerMistake;
use spoken_answer::authority::{
    BINDING_MS, BINDINGS, Code, DEADLINE_MS, Deadline, GRANTS, Grants, Moment, Speaker,
    SpeakerBinding, SpeakerBindings, TICK_MS, Turn, TurnPlan,
};

pub(crate) const ADA: &str = "100000000000000001";
pub(crate) const BOB: &str = "200000000000000002";

/// Reads a list; `None` is what JavaScript calls `undefined`.
fn read(settings: Option<&Value>, overriding: Option<&str>) -> (Vec<String>, Vec<String>) {
    let overriding = overriding.map(Value::from);
    let (grants, errors) = Grants::read(settings, overriding.as_ref()).unwrap();
    (grants.ids().map(str::to_owned).collect(), errors.iter().map(ToString::to_string).collect())
}

pub(crate) fn grants(ids: &[&str]) -> Grants {
    let (grants, errors) = Grants::read(Some(&json!(ids)), None).unwrap();
    assert_eq!(errors, []);
    grants
}

/// Somebody speaks, the provider answers in `response`, and asks for something.
pub(crate) fn bound(id: &str, response: &str) -> SpeakerBinding {
    let mut bindings = SpeakerBindings::new("b");
    let binding = bindings.reserve(said(id), at(0));
    assert!(bindings.attach(&binding, response));
    bindings.take(response, at(0)).unwrap()
}

/// A moment on two clocks that go on together.
pub(crate) fn at(ms: u64) -> Moment {
    Moment { monotonic: ms, wall: 1_700_000_000_000 + ms }
}

fn said(id: &str) -> Speaker {
    Speaker { id: id.to_owned(), utterance: format!("{id} said so") }
}

/// What it is, the setting, the override, who is granted, what is wrong.
type Row =
    (&'static str, Option<Value>, Option<&'static str>, Vec<&'static str>, Vec<&'static str>);

#[test]
fn the_list_grants_exactly_who_is_on_it_or_nobody_and_says_why() {
    let ids = |count: usize| (0..count).map(|n| format!("1{n:017}")).collect::<Vec<_>>();
    let many = json!(ids(GRANTS + 1));
    let most = ids(GRANTS);
    let table: &[Row] = &[
        ("no setting", None, None, vec![], vec![]),
        ("null", Some(Value::Null), None, vec![], vec![]),
        ("an empty list", Some(json!([])), None, vec![], vec![]),
        ("two", Some(json!([ADA, BOB])), None, vec![ADA, BOB], vec![]),
        ("one twice", Some(json!([ADA, ADA])), None, vec![ADA], vec![]),
        (
            "the shortest and the longest",
            Some(json!(["1".repeat(17), "1".repeat(20)])),
            None,
            vec!["11111111111111111", "11111111111111111111"],
            vec![],
        ),
        ("an override wins", Some(json!([ADA])), Some(BOB), vec![BOB], vec![]),
        ("an empty override grants nobody", Some(json!([ADA])), Some(""), vec![], vec![]),
        ("a blank override grants nobody", Some(json!([ADA])), Some(" \n"), vec![], vec![]),
        ("an override wins over a broken setting", Some(json!(5)), Some(BOB), vec![BOB], vec![]),
        (
            "white space around entries of an override",
            None,
            Some(" 100000000000000001 ,\t200000000000000002\n"),
            vec![ADA, BOB],
            vec![],
        ),
        (
            "no list",
            Some(json!(ADA)),
            None,
            vec![],
            vec!["the setting must be a list of ids; nobody is granted"],
        ),
        (
            "an object",
            Some(json!({ "0": ADA })),
            None,
            vec![],
            vec!["the setting must be a list of ids; nobody is granted"],
        ),
        (
            "one too many",
            Some(many),
            None,
            vec![],
            vec!["at most 64 ids can be granted; nobody is"],
        ),
        (
            "a number, whose last digits are lost",
            Some(json!([ADA, 200_000_000_000_000_002_u64])),
            None,
            vec![],
            vec!["entry 2 must be a text, an id in quotes; nobody is granted"],
        ),
        (
            "every error is reported",
            Some(json!(["x", ADA, null, ""])),
            None,
            vec![],
            vec![
                "entry 1 is no id of 17 to 20 digits; nobody is granted",
                "entry 3 must be a text, an id in quotes; nobody is granted",
                "entry 4 is no id of 17 to 20 digits; nobody is granted",
            ],
        ),
        (
            "a trailing comma",
            None,
            Some("100000000000000001,"),
            vec![],
            vec!["entry 2 is no id of 17 to 20 digits; nobody is granted"],
        ),
    ];
    for (name, settings, overriding, ids, errors) in table {
        let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(read(settings.as_ref(), *overriding), (ids, errors), "{name}");
    }
    assert_eq!(read(Some(&json!(most)), None).0, most);
    assert_eq!(read(None, Some(&most.join(", "))).0, most);
    let long = read(None, Some(&"1".repeat(2_000)));
    assert_eq!(long, (vec![], vec!["at most 64 ids can be granted; nobody is".to_owned()]));
    let mistake = Grants::read(None, Some(&json!(5)));
    assert_eq!(mistake, Err(CallerMistake::Override));
    assert_eq!(CallerMistake::Override.code(), "INVALID_OVERRIDE");
}

/// Defect: an id of one character was an actor, a prefix or another case could match.
#[test]
fn nothing_but_the_very_id_matches() {
    for not_an_id in [
        "",
        "1",
        "10000000000000000",
        "1000000000000000011",
        "100000000000000001 ",
        " 100000000000000001",
        "100000000000000001\u{200B}",
        "+10000000000000001",
        "1e0000000000000001",
        "１００００００００００００００００１",
        "٠١٢٣٤٥٦٧٨٩٠١٢٣٤٥٦٧",
        "<@100000000000000001>",
        "100000000000000001,200000000000000002",
    ] {
        let list = grants(&[ADA]);
        let turn = Turn::Text { actor_id: not_an_id.to_owned(), durable: true };
        assert_eq!(view(turn, &list)["plan"], "shared", "{not_an_id:?}");
        let digits = not_an_id.len() == 17 || not_an_id.len() == 19;
        let is_id = digits && not_an_id.bytes().all(|b| b.is_ascii_digit());
        assert_eq!(read(Some(&json!([not_an_id])), None).1.is_empty(), is_id, "{not_an_id:?}");
    }
}

fn view(turn: Turn, grants: &Grants) -> Value {
    serde_json::to_value(TurnPlan::new(turn, grants, at(0)).view()).unwrap()
}

/// Every lane × listed × bound × durable.
#[test]
fn the_allowlist_governs_the_actor_not_the_transport() {
    let shared = json!({ "plan": "shared", "tools": "none", "deadlineMs": 600_000 });
    let detached = json!({ "plan": "detached", "tools": "none", "deadlineMs": 600_000 });
    let one_shot = |actor: &str| json!({ "plan": "one-shot", "tools": "machine", "actorId": actor, "deadlineMs": 600_000 });
    let console = json!({ "plan": "console", "tools": "operator" });
    let refused = json!({ "plan": "refused", "reason": "speaker-unknown" });
    let mut rows = 0;
    for lane in ["text", "voice", "console", "gameplay"] {
        for listed in [false, true] {
            for bound_to_it in [false, true] {
                for durable in [false, true] {
                    let actor = if listed { ADA } else { BOB };
                    let actor_id = actor.to_owned();
                    let turn = match lane {
                        "text" => Turn::Text { actor_id, durable },
                        "voice" => {
                            let binding = bound_to_it.then(|| bound(actor, "r"));
                            Turn::Voice { binding, durable }
                        }
                        "console" => Turn::Console,
                        _ => Turn::Gameplay { actor_id, durable },
                    };
                    let expected = match (lane, listed, bound_to_it, durable) {
                        ("console", ..) => console.clone(),
                        ("voice", _, false, _) => refused.clone(),
                        ("text", true, ..) | ("voice", true, true, _) => one_shot(ADA),
                        (_, _, _, true) => shared.clone(),
                        (_, _, _, false) => detached.clone(),
                    };
                    let plan = view(turn, &grants(&[ADA]));
                    assert_eq!(
                        plan, expected,
                        "{lane} listed={listed} bound={bound_to_it} durable={durable}"
                    );
                    // What cannot be said at all: a durable session with machine tools.
                    assert!(plan["plan"] != "shared" || plan["tools"] == "none");
                    rows += 1;
                }
            }
        }
    }
    assert_eq!(rows, 32);
    assert_eq!(DEADLINE_MS, 600_000);
}

/// Defect: the list was read once. It is read for every turn, and whoever is taken off it has no
/// further turn with tools.
#[test]
fn a_change_of_the_list_counts_from_the_next_turn_on() {
    let text = || Turn::Text { actor_id: ADA.to_owned(), durable: true };
    let plans = [grants(&[ADA]), grants(&[]), grants(&[BOB]), grants(&[BOB, ADA])]
        .map(|list| view(text(), &list)["plan"].as_str().unwrap().to_owned());
    assert_eq!(plans, ["one-shot", "shared", "shared", "one-shot"]);
}

/// Defect: a response that the server rejected stayed in the queue, and the next speaker's request
/// was credited to whoever stood first.
#[test]
fn a_request_is_never_credited_by_order_or_time() {
    let mut bindings = SpeakerBindings::new("b");
    let ada = bindings.reserve(said(ADA), at(0));
    let bob = bindings.reserve(said(BOB), at(1));
    // Ada's response was rejected and never began; Bob's comes.
    assert!(bindings.attach(&bob, "response-2"));
    let taken = bindings.take("response-2", at(2)).unwrap();
    assert_eq!((taken.actor_id(), taken.response_id()), (BOB, "response-2"));
    assert_eq!(taken.utterance(), format!("{BOB} said so"));
    assert_eq!(bindings.take("response-3", at(3)), None);
    assert_eq!(bindings.take("", at(3)), None);
    assert!(bindings.release(&ada) && !bindings.release(&ada));
    assert!(!bindings.attach(&ada, "response-4"));
    assert!(bindings.is_empty());
}

/// Defect: the follow-up response after a request kept the speaker, so the model could ask for more
/// without anybody having spoken.
#[test]
fn one_speech_is_one_request() {
    let mut bindings = SpeakerBindings::new("b");
    let ada = bindings.reserve(said(ADA), at(0));
    assert!(bindings.attach(&ada, "first"));
    // Said twice is said once; the follow-up that carries the same metadata gets nobody.
    assert!(bindings.attach(&ada, "first"));
    assert!(!bindings.attach(&ada, "follow-up"));
    assert!(bindings.take("first", at(1)).is_some());
    assert_eq!(bindings.take("first", at(1)), None);
    assert!(!bindings.attach(&ada, "first"));
    assert_eq!(bindings.take("follow-up", at(1)), None);
    // A second request under one response needs a new binding, and gets one with new words.
    let again = bindings.reserve(said(ADA), at(2));
    assert!(bindings.attach(&again, "first"));
    assert!(bindings.take("first", at(2)).is_some());
}

#[test]
fn two_speakers_in_one_response_are_nobody() {
    let mut bindings = SpeakerBindings::new("b");
    let (ada, bob) = (bindings.reserve(said(ADA), at(0)), bindings.reserve(said(BOB), at(0)));
    assert!(bindings.attach(&ada, "r"));
    assert!(!bindings.attach(&bob, "r"));
    assert_eq!(bindings.take("r", at(0)), None);
    assert!(!bindings.attach(&bob, "r2") && bindings.is_empty());
}

/// Defect: after two bindings had claimed a response, a third could have it.
#[test]
fn a_response_that_two_claimed_is_nobodys_for_good() {
    let mut bindings = SpeakerBindings::new("b");
    let ids: Vec<_> = [ADA, BOB, ADA].map(|id| bindings.reserve(said(id), at(0))).into();
    let bound: Vec<_> = ids.iter().map(|id| bindings.attach(id, "r")).collect();
    assert_eq!((bound, bindings.take("r", at(0))), (vec![true, false, false], None));
    assert!(bindings.is_empty());
}

/// Defect: whoever talked on pushed out the binding of a response that had begun.
#[test]
fn who_talks_much_pushes_out_their_own_words_first() {
    let mut bindings = SpeakerBindings::new("b");
    let ada = bindings.reserve(said(ADA), at(0));
    assert!(bindings.attach(&ada, "r"));
    let waiting = bindings.reserve(said(ADA), at(0));
    for _ in 0..2 * BINDINGS {
        bindings.reserve(said(BOB), at(0));
    }
    assert_eq!(bindings.len(), BINDINGS);
    assert_eq!(bindings.take("r", at(0)).unwrap().actor_id(), ADA);
    assert!(bindings.attach(&waiting, "r2"));
    // Of those without a response, the oldest; where all have one, the oldest of these.
    let mut bindings = SpeakerBindings::new("b");
    let ids: Vec<_> = (0..BINDINGS).map(|_| bindings.reserve(said(BOB), at(0))).collect();
    assert!(bindings.attach(&ids[0], "r0"));
    bindings.reserve(said(ADA), at(0));
    assert!(!bindings.attach(&ids[1], "r1") && bindings.take("r0", at(0)).is_some());
    let mut bindings = SpeakerBindings::new("b");
    for n in 0..BINDINGS {
        let id = bindings.reserve(said(BOB), at(0));
        assert!(bindings.attach(&id, &format!("r{n}")));
    }
    bindings.reserve(said(ADA), at(0));
    assert!(bindings.take("r0", at(0)).is_none() && bindings.take("r1", at(0)).is_some());
}

/// Defects: a machine that slept kept a binding for ever, and so did a time of another clock.
#[test]
fn a_binding_is_as_old_as_the_larger_of_two_clocks_says() {
    let wall = at(0).wall;
    let since = Moment { monotonic: 1_000, wall };
    let table = [
        ("slept", Moment { monotonic: 1_001, wall: wall + BINDING_MS }, false),
        ("the wall clock set back", Moment { monotonic: 1_000 + BINDING_MS, wall: 0 }, false),
        ("still good", Moment { monotonic: 1_001, wall: wall + BINDING_MS - 1 }, true),
        ("another clock", Moment { monotonic: 999, wall: wall + 1 }, false),
    ];
    for (name, now, good) in table {
        let mut bindings = SpeakerBindings::new("b");
        let id = bindings.reserve(said(ADA), since);
        assert!(bindings.attach(&id, "r"));
        assert_eq!(bindings.take("r", now).is_some(), good, "{name}");
    }
}

/// Defect: a binding that was taken outlived its time and its connection.
#[test]
fn a_binding_that_was_taken_still_ends() {
    for (age, closed, plan) in
        [(BINDING_MS - 1, false, "one-shot"), (BINDING_MS, false, "refused"), (1, true, "refused")]
    {
        let mut bindings = SpeakerBindings::new("b");
        let id = bindings.reserve(said(ADA), at(0));
        assert!(bindings.attach(&id, "r"));
        let binding = bindings.take("r", at(1));
        if closed {
            bindings.close();
        }
        let turn = Turn::Voice { binding, durable: true };
        let planned = TurnPlan::new(turn, &grants(&[ADA]), at(age));
        assert_eq!(serde_json::to_value(planned.view()).unwrap()["plan"], plan);
    }
}

#[test]
fn bindings_are_bounded_in_number_and_time() {
    let mut bindings = SpeakerBindings::new("b");
    let ids: Vec<_> = (0..=BINDINGS).map(|_| bindings.reserve(said(ADA), at(0))).collect();
    assert_eq!(bindings.len(), BINDINGS);
    assert!(!bindings.attach(&ids[0], "r0"), "the oldest was let go");
    assert!(bindings.attach(&ids[1], "r1") && bindings.attach(&ids[2], "r2"));
    assert!(bindings.take("r1", at(BINDING_MS - 1)).is_some());
    assert_eq!(bindings.take("r2", at(BINDING_MS)), None);
    bindings.reserve(said(ADA), at(BINDING_MS));
    assert_eq!(bindings.len(), 1, "old ones go with the next that comes");
    assert!(!bindings.attach(&ids[3], &"r".repeat(257)));
}

#[test]
fn after_the_end_nobody_is_bound_and_another_connection_has_other_ids() {
    let mut bindings = SpeakerBindings::new("one");
    let before = bindings.reserve(said(ADA), at(0));
    assert!(bindings.attach(&before, "r"));
    bindings.close();
    assert_eq!(bindings.take("r", at(0)), None);
    let late = bindings.reserve(said(ADA), at(0));
    assert!(!bindings.attach(&late, "r2") && bindings.is_empty());
    let mut other = SpeakerBindings::new("two");
    let fresh = other.reserve(said(BOB), at(0));
    assert!(fresh != before && !other.attach(&before, "r"));
}

/// Defects: the timer fired 22 minutes late after the machine slept; a hung tool had no bound.
#[test]
fn a_deadline_is_not_stretched_by_sleep_or_by_setting_the_clock_back() {
    let at = |monotonic, wall| Moment { monotonic, wall };
    let wall = 1_700_000_000_000;
    let table = [
        ("nothing has happened", at(1_000, wall), false, 0),
        ("both clocks went on", at(601_000, wall + 600_000), true, 600_000),
        ("just before", at(600_999, wall + 599_999), false, 599_999),
        (
            "the machine slept: the monotonic clock stood still",
            at(1_005, wall + 700_000),
            true,
            700_000,
        ),
        ("the clock was set back", at(601_000, wall - 86_400_000), true, 600_000),
        ("the clock was set back a little", at(300_000, wall - 5), false, 299_000),
        ("both went back", at(0, 0), false, 0),
    ];
    for (name, now, passed, elapsed) in table {
        let mut deadline = Deadline::new(DEADLINE_MS, at(1_000, wall));
        assert_eq!((deadline.passed(now), deadline.elapsed()), (passed, elapsed), "{name}");
        assert!(deadline.look_again() <= TICK_MS);
    }
    // Each look adds what has gone by since the one before: an hour that the wall clock was set
    // back does not hide an hour of sleep.
    let mut deadline = Deadline::new(DEADLINE_MS, at(0, wall));
    let hour = 3_600_000;
    for (now, elapsed) in [
        (at(5_000, wall + 5_000), 5_000),
        (at(10_000, wall + 10_000 - hour), 10_000),
        (at(15_000, wall + 15_000), 10_000 + 5_000 + hour),
    ] {
        assert_eq!((deadline.passed(now), deadline.elapsed()), (elapsed > hour, elapsed));
    }
    // Two clocks that are rounded apart from each other are not added up.
    let mut deadline = Deadline::new(DEADLINE_MS, at(0, wall));
    for n in 1..=1_000 {
        deadline.passed(at(n / 2, wall + n.div_ceil(2)));
    }
    assert_eq!(deadline.elapsed(), 500);
    // What has passed has passed, whatever a clock says later.
    let mut deadline = Deadline::new(DEADLINE_MS, at(0, wall));
    assert!(deadline.passed(at(0, wall + DEADLINE_MS)) && deadline.passed(at(1, wall)));
    assert_eq!(deadline.look_again(), 0);
}

#[test]
fn every_code_has_one_fixed_sentence_or_none() {
    let silent: Vec<_> = Code::ALL.iter().filter(|code| code.message().is_none()).collect();
    assert_eq!(silent, [&Code::Answered, &Code::TurnCancelled]);
    for code in Code::ALL {
        assert_eq!(serde_json::to_value(code).unwrap(), code.name());
        assert!(code.name().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
        let Some(message) = code.message() else { continue };
        assert!(
            message.ends_with('.') && message.len() < 120 && !message.contains('"'),
            "{message}"
        );
    }
}
