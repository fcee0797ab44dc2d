//! One live call, rule by rule, without a driver. (Scenarios through the public API are in
//! `__test__/live-call.test.js`.)

mod binding;
mod dispatch;
mod events;
mod evidence;
mod handed;
mod inputs;
mod list;
mod requests;

use std::rc::Rc;

use serde_json::{Value, json};
use spoken_answer::call::Call;
use spoken_answer::call::effect::{Effect, FeedbackKind, Resolution, State};
use spoken_answer::call::event::{
    AskedQuestion, Event, Evidence, FeedbackId, HostEvent, Instruction, Intent, OpenInput,
    OperationId, Outcome, ReadId, Rejection, Reply, Resolved, Session, Settlement, Utterance,
};
use spoken_answer::call::options::{Options, Partial, Requirement, Speakers};
use spoken_answer::provenance::Speaker;
use spoken_answer::{Payload, SpokenQuestion};

use crate::support::{input, one, waits, words};

/// A call, its time, and everything it asked for.
struct Rig {
    call: Call,
    now: u64,
    open: Vec<AskedQuestion>,
    effects: Vec<Effect>,
    requests: u32,
}

fn asked(question: &Value) -> AskedQuestion {
    let question = Rc::new(SpokenQuestion::read(Some(question)).unwrap());
    AskedQuestion { question, asked_of: None, private: false, expires_at: None }
}

fn speaker(id: &str) -> Speaker {
    Speaker { id: id.to_owned(), attribution: "device".to_owned() }
}

/// What happens to the host's list before it is read once more.
type Change<'a> = &'a dyn Fn(&mut Rig);

impl Rig {
    /// A call on a session in which this question has been read out.
    fn read_out(options: Options, question: AskedQuestion) -> Self {
        let call = Call::new(options);
        let mut rig =
            Self { call, now: 1_000, open: vec![question], effects: Vec::new(), requests: 0 };
        rig.send(Event::SetSession(Session { id: "session-1".to_owned(), local: true }));
        rig.list(1);
        rig.hear();
        rig
    }

    fn send(&mut self, event: Event) {
        self.now += 1;
        let effects = self.call.handle(event, self.now);
        self.effects.extend(effects);
    }

    fn list(&mut self, wall: u64) {
        let lists = self.effects.iter().rev().find_map(|effect| match effect {
            Effect::List(read) => Some(*read),
            _ => None,
        });
        let list = self.open.iter().cloned().map(OpenInput::Question).collect();
        self.send(Event::Listed(lists.unwrap(), Some(list), wall));
    }

    /// Every page is heard as it comes.
    fn hear(&mut self) {
        let mut heard = 0;
        while let Some(id) = self.pages().get(heard).copied() {
            heard += 1;
            self.send(Event::Delivered(id, Outcome::Sent));
        }
    }

    fn pages(&self) -> Vec<FeedbackId> {
        let page = |effect: &Effect| match effect {
            Effect::Deliver(feedback) if feedback.kind == FeedbackKind::InteractionRequired => {
                Some(feedback.id)
            }
            _ => None,
        };
        self.effects.iter().filter_map(page).collect()
    }

    fn statuses(&self) -> Vec<FeedbackId> {
        let status = |effect: &Effect| match effect {
            Effect::Deliver(feedback) if feedback.kind == FeedbackKind::Status => Some(feedback.id),
            _ => None,
        };
        self.effects.iter().filter_map(status).collect()
    }

    /// The person has heard everything but the questions.
    fn hear_statuses(&mut self) {
        for id in self.statuses() {
            self.send(Event::Delivered(id, Outcome::Spoken));
        }
    }

    fn say(&mut self, text: &str, evidence: Evidence) -> OperationId {
        self.requests += 1;
        let request_id = format!("request-{}", self.requests);
        self.send(Event::Instruct(Instruction { request_id, text: text.to_owned(), evidence }));
        OperationId(self.requests)
    }

    fn spoke(&self) -> Evidence {
        Evidence { speech_started_at: Some(self.now), ..Evidence::default() }
    }

    /// How an operation stands, with the reason where it was refused.
    fn state(&self, id: OperationId) -> (State, Option<&'static str>) {
        let view = self.call.operations().find(|view| view.id == id).unwrap();
        (view.state, view.refusal.map(|refusal| refusal.reason.name()))
    }

    fn resolution(&self) -> Option<&Resolution> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Resolve(_, resolution) => Some(resolution),
            _ => None,
        })
    }

    /// The host asks another question.
    fn ask(&mut self, question: AskedQuestion) {
        self.open.push(question.clone());
        self.send(Event::Host(HostEvent::Requested(OpenInput::Question(question))));
    }

    /// The host withdraws whatever has this id.
    fn cancel(&mut self, input_id: &str) {
        self.open.retain(|one| one.question.input_id() != input_id);
        self.send(Event::Host(HostEvent::Canceled(input_id.to_owned())));
    }

    /// An answer, said now, is handed over.
    fn hand_over(&mut self, text: &str) -> OperationId {
        let spoke = self.spoke();
        let id = self.say(text, spoke);
        self.list(1);
        assert!(self.resolution().is_some(), "{:?}", self.state(id));
        id
    }

    /// Time passes until nothing is waited for any more.
    fn pass(&mut self) {
        while let Some(at) = self.call.next_wake() {
            self.now = at;
            self.send(Event::Wake);
        }
    }

    fn count(&self, is: impl Fn(&Effect) -> bool) -> usize {
        self.effects.iter().filter(|effect| is(effect)).count()
    }

    /// How often a text that begins so was given to the provider.
    fn said(&self, beginning: &str) -> usize {
        self.count(
            |effect| matches!(effect, Effect::Deliver(one) if one.text.starts_with(beginning)),
        )
    }

    /// Every reading of the list that was asked for.
    fn reads(&self) -> Vec<ReadId> {
        let read = |effect: &Effect| match effect {
            Effect::List(read) => Some(*read),
            _ => None,
        };
        self.effects.iter().filter_map(read).collect()
    }

    /// What waits, as the app was shown it last: its text, and how much more there is.
    fn pending(&self) -> Option<(&str, usize)> {
        let shown = self.effects.iter().rev().find_map(|effect| match effect {
            Effect::Pending(pending) => Some(pending.as_ref()),
            _ => None,
        });
        shown.flatten().map(|pending| (pending.text.as_str(), pending.more))
    }

    fn wait(&mut self, ms: u64) {
        self.now += ms;
        self.send(Event::Wake);
    }
}

/// A yes or no under this id.
fn named(input_id: &str) -> AskedQuestion {
    let mut question = one(&json!(["Yes", "No"]));
    question["inputId"] = json!(input_id);
    asked(&question)
}

fn session(id: &str, local: bool) -> Event {
    Event::SetSession(Session { id: id.to_owned(), local })
}

fn yes_or_no() -> AskedQuestion {
    asked(&one(&json!(["Yes", "No"])))
}

const DISPATCHING: (State, Option<&str>) = (State::Dispatching, None);

fn refused(reason: &'static str) -> (State, Option<&'static str>) {
    (State::Refused, Some(reason))
}

#[test]
fn who_may_answer() {
    let these = Speakers::These(vec!["alice".to_owned(), "carol".to_owned()]);
    let table = [
        ("anybody, nobody known", Speakers::Any, None, None, DISPATCHING),
        ("known, nobody known", Speakers::Known, None, None, refused("speaker-unknown")),
        ("known, somebody known", Speakers::Known, None, Some("bob"), DISPATCHING),
        ("a list, on it", these.clone(), None, Some("carol"), DISPATCHING),
        ("a list, not on it", these.clone(), None, Some("bob"), refused("speaker-not-allowed")),
        ("a list, nobody known", these.clone(), None, None, refused("speaker-unknown")),
        ("asked of one, that one", Speakers::Any, Some("alice"), Some("alice"), DISPATCHING),
        (
            "asked of one, another",
            Speakers::Any,
            Some("alice"),
            Some("bob"),
            refused("speaker-not-allowed"),
        ),
        (
            "asked of one, nobody known",
            Speakers::Any,
            Some("alice"),
            None,
            refused("speaker-unknown"),
        ),
        (
            "asked of one who is not on the list",
            these,
            Some("bob"),
            Some("bob"),
            refused("speaker-not-allowed"),
        ),
    ];
    for (label, speakers, asked_of, who, expected) in table {
        let options = Options { speakers, ..Options::new("call") };
        let question = AskedQuestion { asked_of: asked_of.map(str::to_owned), ..yes_or_no() };
        let mut rig = Rig::read_out(options, question);
        let evidence = Evidence { speaker: who.map(speaker), ..rig.spoke() };
        let id = rig.say("Yes", evidence);
        // Who spoke may still be said, for as long as a classifier may take.
        if who.is_none() && expected != DISPATCHING {
            assert_eq!(rig.state(id), (State::Classifying, None), "{label}");
            rig.wait(8_000);
        }
        assert_eq!(rig.state(id), expected, "{label}");
    }
}

#[test]
fn when_the_person_began_to_speak() {
    let options = Options { evidence: Requirement::Required, ..Options::new("call") };
    let mut rig = Rig::read_out(options, yes_or_no());
    let before = rig.now - 2;
    let early = rig.say("Yes", Evidence { speech_started_at: Some(before), ..Evidence::default() });
    assert_eq!(rig.state(early), refused("question-not-read-out"));
    let late = rig.say("Yes", Evidence::default());
    let spoke = rig.spoke();
    rig.send(Event::Heard("request-2".to_owned(), spoke));
    assert_eq!(rig.state(late), DISPATCHING);
    // What is on its way was decided on what was known then.
    rig.send(Event::Heard(
        "request-2".to_owned(),
        Evidence { speech_started_at: Some(1), ..Evidence::default() },
    ));
    rig.list(1);
    assert!(rig.resolution().is_some());
}

#[test]
fn without_evidence_another_question_within_ten_seconds_makes_it_unclear() {
    for (ms, expected) in [(9_000, refused("question-changed")), (11_000, DISPATCHING)] {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        rig.send(Event::Host(HostEvent::Resolved("input-1".to_owned(), Resolved::default())));
        let mut other = one(&json!(["Yes", "No"]));
        other["inputId"] = json!("input-2");
        rig.open = vec![asked(&other)];
        rig.send(Event::Host(HostEvent::Requested(OpenInput::Question(asked(&other)))));
        rig.hear();
        rig.wait(ms);
        let id = rig.say("Yes", Evidence::default());
        assert_eq!(rig.state(id), expected, "{ms}");
    }
}

#[test]
fn the_list_must_hold_exactly_this_question() {
    let changed = |rig: &mut Rig| {
        let mut other = one(&json!(["Yes", "No"]));
        other["turnId"] = json!("another");
        rig.open = vec![asked(&other)];
    };
    let second = |rig: &mut Rig| {
        let questions = [{ json!({ "question": "q", "options": ["a"] }) }];
        let other =
            json!({ "inputId": "input-2", "sessionId": "session-1", "questions": questions });
        rig.open.push(asked(&other));
    };
    let expires = |rig: &mut Rig| rig.open[0].expires_at = Some(500);
    let table: [(&str, Change<'_>, _, _); 6] = [
        ("it does", &|_| {}, 1, None),
        ("it is gone", &|rig| rig.open.clear(), 1, Some("question-closed")),
        ("it is another", &changed, 1, Some("question-changed")),
        ("there is a second", &second, 1, Some("several-open-questions")),
        ("it has expired", &expires, 500, Some("question-closed")),
        ("it expires later", &expires, 499, None),
    ];
    for (label, change, wall, expected) in table {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        let spoke = rig.spoke();
        let id = rig.say("Yes", spoke);
        change(&mut rig);
        rig.list(wall);
        assert_eq!(rig.state(id).1, expected, "{label}");
        assert_eq!(rig.resolution().is_some(), expected.is_none(), "{label}");
    }
    for (wall, expected) in [(499, None), (500, Some("question-closed"))] {
        let question = AskedQuestion { expires_at: Some(500), ..yes_or_no() };
        let mut rig = Rig::read_out(Options::new("call"), question);
        let spoke = rig.spoke();
        let id = rig.say("Yes", spoke);
        rig.list(wall);
        assert_eq!(rig.state(id).1, expected, "{wall}");
    }
}

#[test]
fn a_list_that_a_stream_event_made_stale_is_read_three_times_at_most() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    let spoke = rig.spoke();
    let id = rig.say("Yes", spoke);
    for _ in 0..3 {
        assert_eq!(rig.state(id), DISPATCHING);
        rig.send(Event::Host(HostEvent::Canceled("of another kind".to_owned())));
        rig.list(1);
    }
    assert_eq!((rig.state(id), rig.resolution()), (refused("host-unavailable"), None));
}

#[test]
fn what_the_host_says_to_a_resolution() {
    let proves = |host_proves| Options { host_proves, ..Options::new("call") };
    let table = [
        ("resolved", true, Reply::Resolved, (State::Accepted, None)),
        ("resolved, without proof", false, Reply::Resolved, (State::Submitted, None)),
        ("submitted, without proof", false, Reply::Submitted, (State::Submitted, None)),
        ("submitted, by one that proves others", true, Reply::Submitted, (State::Submitted, None)),
        ("not sent", true, Reply::NotSent, refused("host-unavailable")),
        ("unknown", true, Reply::Unknown, DISPATCHING),
        ("not found", true, Reply::Rejected(Rejection::NotFound), refused("question-closed")),
        ("changed", true, Reply::Rejected(Rejection::QuestionChanged), refused("question-changed")),
        (
            "already",
            true,
            Reply::Rejected(Rejection::AlreadyResolved),
            refused("answered-elsewhere"),
        ),
        ("invalid", true, Reply::Rejected(Rejection::Invalid), refused("host-rejected")),
    ];
    for (label, host_proves, reply, expected) in table {
        let mut rig = Rig::read_out(proves(host_proves), yes_or_no());
        let spoke = rig.spoke();
        let id = rig.say("No", spoke);
        rig.list(7);
        let resolution = rig.resolution().unwrap();
        let by = serde_json::to_value(&resolution.resolved_by).unwrap();
        assert_eq!(
            (&resolution.option_indexes, &by["operationId"], &by["at"]),
            (&vec![vec![1]], &json!("call:1"), &json!(7))
        );
        rig.send(Event::Replied(id, reply));
        assert_eq!(rig.state(id), expected, "{label}");
        // A second answer only where the host said that it did not take the first.
        rig.requests += 1;
        let spoke = rig.spoke();
        rig.requests -= 1;
        let second = rig.say("Yes", spoke);
        let may = matches!(expected.0, State::Refused);
        assert_eq!(rig.state(second).0 == State::Dispatching, may, "{label}: a second answer");
    }
}

#[test]
fn look_ups_come_at_their_times_and_then_never_again() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    let spoke = rig.spoke();
    let id = rig.say("Yes", spoke);
    rig.list(1);
    let dispatched = rig.now;
    rig.send(Event::Replied(id, Reply::Unknown));
    let mut times = Vec::new();
    while let Some(at) = rig.call.next_wake() {
        rig.now = at - 1;
        let before = rig.effects.len();
        rig.send(Event::Wake);
        if rig.effects[before..].iter().any(|effect| matches!(effect, Effect::LookUp(..))) {
            times.push(rig.now - dispatched);
            rig.now -= 1;
            rig.send(Event::LookedUp(id, Settlement::Open));
        }
    }
    assert_eq!(times, [500, 1_500, 5_000, 10_000]);
    assert_eq!(rig.state(id), (State::Unknown, None));
    rig.send(Event::Replied(id, Reply::Resolved));
    assert_eq!(rig.state(id), (State::Unknown, None), "nothing undoes a final state");
    let resolves =
        rig.effects.iter().filter(|effect| matches!(effect, Effect::Resolve(..))).count();
    assert_eq!(resolves, 1);
}

#[test]
fn a_page_is_delivered_three_times_and_then_the_card_is_named() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    rig.send(Event::VoiceReset);
    let before = rig.pages().len();
    for _ in 0..3 {
        assert!(rig.call.next_wake().is_some());
        rig.wait(30_000);
    }
    assert_eq!(rig.pages().len(), before + 2, "three in all since the provider forgot");
    let aborted =
        rig.effects.iter().filter(|effect| matches!(effect, Effect::AbortDelivery(_))).count();
    assert_eq!(aborted, 3);
    assert!(rig.effects.iter().any(|effect| matches!(
        effect,
        Effect::Deliver(feedback) if feedback.text.contains("could not be read out")
    )));
}

/// What cannot be reached now can often be reached in a moment; what was talked over is read at once.
#[test]
fn a_page_that_was_not_passed_on_waits_for_a_moment() {
    for (label, outcome, times) in [
        ("not passed on", Outcome::NotSent, [500, 1_500, 0]),
        ("talked over", Outcome::Interrupted, [0, 0, 0]),
    ] {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        rig.send(Event::VoiceReset);
        for (delivery, ms) in times.into_iter().enumerate() {
            let pages = rig.pages();
            rig.send(Event::Delivered(*pages.last().unwrap(), outcome));
            if ms > 0 {
                let failed = rig.now;
                assert_eq!(rig.pages().len(), pages.len(), "{label}: {delivery}, at once");
                // Nothing but time brings it back: not the next thing that happens.
                rig.cancel("of another kind");
                assert_eq!(rig.pages().len(), pages.len(), "{label}: {delivery}, on an event");
                rig.now = failed + ms - 1;
                rig.send(Event::Wake);
            }
            let given_up = usize::from(delivery == 2);
            assert_eq!(rig.pages().len(), pages.len() + 1 - given_up, "{label}: {delivery}");
            assert_eq!(rig.said("A question could not be read out."), given_up, "{label}");
        }
    }
}

/// How often each reset makes the call say what the card is for.
#[test]
fn what_voice_cannot_answer_is_said_once_and_again_when_the_provider_forgot() {
    const POINTER: &str = "A question is waiting that can't be answered by voice.";
    const SOMETHING: &str = "Something is waiting for the person on the desktop.";
    let read_out: Change<'_> = &|_| {};
    let exhausted: Change<'_> = &|rig| {
        for _ in 0..5 {
            let evidence = Evidence { utterance: Some(Utterance::Unusable), ..rig.spoke() };
            rig.say("Yes", evidence);
        }
    };
    let in_doubt: Change<'_> = &|rig| {
        rig.hand_over("Yes");
        rig.pass();
    };
    let handed_over: Change<'_> = &|rig| {
        rig.hand_over("Yes");
    };
    let accepted: Change<'_> = &|rig| {
        let id = rig.hand_over("Yes");
        rig.send(Event::Replied(id, Reply::Resolved));
    };
    let alike = asked(&one(&json!(["a", "a"])));
    let nine = vec![json!({ "question": "q", "options": ["a"] }); 9];
    let private = AskedQuestion { private: true, ..yes_or_no() };
    let table = [
        ("alike options", alike, read_out, POINTER, 1, 1),
        ("nine questions", asked(&input(&json!(nine))), read_out, POINTER, 1, 1),
        ("not shared", private, read_out, SOMETHING, 1, 1),
        ("attempts exhausted", yes_or_no(), exhausted, POINTER, 0, 1),
        ("nobody knows what became of the answer", yes_or_no(), in_doubt, POINTER, 0, 1),
        ("an answer is on its way", yes_or_no(), handed_over, POINTER, 0, 0),
        ("an answer was accepted", yes_or_no(), accepted, POINTER, 0, 0),
        ("answerable", yes_or_no(), read_out, POINTER, 0, 0),
    ];
    for (label, question, before, sentence, at_first, by_a_reset) in table {
        let mut rig = Rig::read_out(Options::new("call"), question);
        before(&mut rig);
        let mut expected = at_first;
        assert_eq!(rig.said(sentence), expected, "{label}: at first");
        for _ in 0..2 {
            rig.send(Event::VoiceReset);
            rig.list(1);
            rig.send(Event::Wake);
            expected += by_a_reset;
            assert_eq!(rig.said(sentence), expected, "{label}: after a reset");
        }
        rig.cancel("input-1");
        rig.send(Event::VoiceReset);
        assert_eq!(rig.said(sentence), expected, "{label}: once it is closed");
    }
}

#[test]
fn bounds() {
    let mut rig =
        Rig::read_out(Options { app_classifies: true, ..Options::new("call") }, yes_or_no());
    let malformed = rig.say(&"x".repeat(8_193), Evidence::default());
    assert_eq!(rig.state(malformed), refused("malformed-answer"));
    let waiting: Vec<_> = (0..16).map(|_| rig.say("Yes", Evidence::default())).collect();
    let busy = rig.say("Yes", Evidence::default());
    assert_eq!(rig.state(busy), refused("too-busy"));
    assert!(waiting.iter().all(|id| rig.state(*id).0 == State::Classifying));
    for _ in 0..300 {
        rig.say("Yes", Evidence::default());
    }
    assert_eq!(rig.call.operations().count(), 256);
    assert!(waiting.iter().all(|id| rig.state(*id).0 == State::Classifying), "only final ones go");
    rig.wait(8_000);
    let (attempts, further) = waiting.split_at(5);
    assert!(attempts.iter().all(|id| rig.state(*id) == refused("not-understood")));
    assert!(further.iter().all(|id| rig.state(*id) == refused("attempts-exhausted")));
}

#[test]
fn several_pages_all_count() {
    let questions: Vec<_> =
        (0..4).map(|n| json!({ "question": format!("{n}"), "options": ["x".repeat(100), "y".repeat(100)] })).collect();
    let options = Options { budget: 700, ..Options::new("call") };
    let mut rig = Rig::read_out(options, asked(&input(&json!(questions))));
    assert_eq!(rig.pages().len(), 2);
    let last = *rig.pages().last().unwrap();
    rig.send(Event::Delivered(last, Outcome::Interrupted));
    let spoke = rig.spoke();
    let id = rig.say("1;1;1;1", spoke);
    assert_eq!(rig.state(id), refused("question-not-read-out"), "the last page was talked over");
    assert_eq!(rig.pages().len(), 3, "and is read again");
    let again = *rig.pages().last().unwrap();
    rig.send(Event::Delivered(again, Outcome::Sent));
    let spoke = rig.spoke();
    let id = rig.say("1;1;1;1", spoke);
    assert_eq!(rig.state(id), DISPATCHING);
}

/// Parts of an answer: each is kept, shown to the classifier of what is said next, and held against
/// what the person said.
#[test]
fn parts_of_an_answer() {
    let questions = json!([
        { "question": "How?", "options": ["fast", "slow"] },
        { "question": "What?", "options": ["a", "b", "c"], "multiSelect": true },
        { "question": "Sure?", "options": ["Yes", "No"] },
    ]);
    let options =
        Options { app_classifies: true, partial_answers: Partial::Collect, ..Options::new("call") };
    let mut rig = Rig::read_out(options, asked(&input(&questions)));
    let collecting = (State::Collecting, None);
    let how = json!({ "questionIndex": 0, "options": ["slow"] });
    let what = json!({ "questionIndex": 1, "options": ["a", "c"] });
    let fast = json!({ "questionIndex": 0, "options": ["fast"] });
    let a = json!({ "questionIndex": 1, "options": ["a"] });
    let table = [
        ("nothing is kept yet", "slow", json!([how]), Value::Null, collecting),
        (
            "one part",
            "c, a",
            json!([{ "questionIndex": 1, "options": ["c", "a"] }]),
            json!([how]),
            collecting,
        ),
        (
            "the person said something else",
            "Yes",
            json!([{ "questionIndex": 2, "options": ["No"] }]),
            json!([how, what]),
            refused("not-understood"),
        ),
        (
            "the person said more",
            "fast; a; Yes",
            json!([{ "questionIndex": 0, "options": ["fast"] }, { "questionIndex": 1, "options": ["a"] }]),
            json!([how, what]),
            collecting,
        ),
        (
            "the person said less",
            "fast",
            json!([{ "questionIndex": 0, "options": ["fast"] }, { "questionIndex": 2, "options": ["No"] }]),
            json!([fast, a]),
            refused("not-understood"),
        ),
        (
            "what is said later counts",
            "the quick one",
            json!([{ "questionIndex": 0, "options": ["slow"] }]),
            json!([fast, a]),
            collecting,
        ),
        (
            "the last part",
            "no",
            json!([{ "questionIndex": 2, "options": ["No"] }]),
            json!([how, a]),
            DISPATCHING,
        ),
    ];
    for (label, utterance, answer, pending, expected) in table {
        let evidence = Evidence { utterance: Some(words(utterance)), ..rig.spoke() };
        let id = rig.say("whatever the provider makes of it", evidence);
        let shown = rig.effects.iter().find_map(|effect| match effect {
            Effect::Classify(of, pending) if *of == id => Some(pending),
            _ => None,
        });
        assert_eq!(serde_json::to_value(shown.unwrap()).unwrap(), pending, "{label}");
        let payload = Payload::read(Some(&answer));
        rig.send(Event::Classified(id, Some(Intent::Answer(payload))));
        assert_eq!(rig.state(id), expected, "{label}");
    }
    rig.list(1);
    let resolution = rig.resolution().unwrap();
    assert_eq!(resolution.option_indexes, [vec![1], vec![0], vec![1]]);
}

/// Without a classifier of the app, words are for what has no answer yet, or for all of it.
#[test]
fn parts_in_the_persons_own_words() {
    let question = |text: &str| json!({ "question": text, "options": ["Yes", "No"] });
    let questions = json!([question("one"), question("two"), question("three")]);
    let collecting = (State::Collecting, None);
    let table: [(&str, &[(&str, _)], _); 4] = [
        ("one by one", &[("Yes", collecting), ("No", collecting), ("2", DISPATCHING)], [0, 1, 1]),
        ("one, then two", &[("Yes", collecting), ("No, yes", DISPATCHING)], [0, 1, 0]),
        ("all at once", &[("No, yes, no", DISPATCHING)], [1, 0, 1]),
        (
            "work in between, and too much",
            &[
                ("Yes", collecting),
                ("run the tests", (State::Forwarded, None)),
                ("No, yes, no, yes", refused("not-understood")),
                ("No", collecting),
                ("No", DISPATCHING),
            ],
            [0, 1, 1],
        ),
    ];
    for (label, said, indexes) in table {
        let options = Options { partial_answers: Partial::Collect, ..Options::new("call") };
        let mut rig = Rig::read_out(options, asked(&input(&questions)));
        for (utterance, expected) in said {
            let evidence = Evidence { utterance: Some(words(utterance)), ..rig.spoke() };
            let id = rig.say("whatever the provider makes of it", evidence);
            assert_eq!(rig.state(id), *expected, "{label}: {utterance}");
        }
        rig.list(1);
        assert_eq!(rig.resolution().unwrap().option_indexes, indexes.map(|n| vec![n]), "{label}");
    }
}

/// What cannot be read out takes nobody's ordinary work.
#[test]
fn ordinary_work_goes_on_while_an_unanswerable_question_is_open() {
    let mut rig = Rig::read_out(Options::new("call"), asked(&one(&json!(["a", "a"]))));
    let spoke = rig.spoke();
    let id = rig.say("run the tests", spoke);
    assert_eq!(rig.state(id), (State::Forwarded, None));
}

#[test]
fn ids_that_mean_nothing_change_nothing() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    let before = rig.effects.len();
    rig.send(Event::Listed(ReadId(99), None, 1));
    rig.send(Event::Delivered(FeedbackId(99), Outcome::Interrupted));
    rig.send(Event::Classified(OperationId(99), None));
    rig.send(Event::Replied(OperationId(99), Reply::Resolved));
    rig.send(Event::LookedUp(OperationId(99), Settlement::Canceled));
    rig.send(Event::Heard("nothing".to_owned(), Evidence::default()));
    assert_eq!(rig.effects[before..], []);
}
