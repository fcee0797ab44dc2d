//! The machine of turns: one test for each rule, whole effects asserted.

use spoken_answer::authority::{
    BINDING_MS, Code, DEADLINE_MS, Effect, Event, Grants, Left, Moment, ONE_SHOTS, ONE_SHOTS_EACH,
    Receipt, STOP_MS, Session, Speaker, SpeakerBindings, Start, TICK_MS, Tools, Turn, TurnId,
    TurnPlan, Turns, WAITING, WAITING_EACH,
};

use super::authority::{ADA, BOB, at, bound, grants};

/// A machine on clocks that go on together.
struct Rig {
    turns: Turns,
    now: u64,
}

const WALL: u64 = 1_700_000_000_000;
const FINE: Event = opened(false, true);
const WITH_TOOLS: Event = opened(true, true);
const ANSWERED: Event = Event::Answered { anything: true, machine_tools: false };
const STOPPED: Event = Event::Stopped { machine_tools: false };

const fn opened(machine_tools: bool, fresh: bool) -> Event<'static> {
    Event::Opened { machine_tools, fresh, grants: None }
}

impl Rig {
    fn new() -> Self {
        Self { turns: Turns::new(), now: 0 }
    }

    fn moment(&self) -> Moment {
        Moment { monotonic: self.now, wall: WALL + self.now }
    }

    fn start(&mut self, plan: TurnPlan) -> (TurnId, Vec<Effect>) {
        let start = Start { plan, room: "room", has_request: true, wanted: true, grants: None };
        self.turns.start(start, self.moment())
    }

    fn tell(&mut self, id: TurnId, event: Event<'_>) -> Vec<Effect> {
        self.turns.handle(id, event, self.moment())
    }

    /// Lets time pass in the steps that the machine asks for.
    fn wait(&mut self, ms: u64) -> Vec<Effect> {
        let end = self.now + ms;
        let mut effects = Vec::new();
        while let Some(step) = self.turns.next_wake().filter(|step| self.now + step <= end) {
            assert!(step <= TICK_MS);
            self.now += step.max(1);
            effects.extend(self.turns.wake(self.moment()));
        }
        self.now = end;
        effects.extend(self.turns.wake(self.moment()));
        effects
    }
}

/// By text: as voice, without a response.
fn asks(actor: &str, list: &Grants) -> TurnPlan {
    TurnPlan::new(Turn::Text { actor_id: actor.to_owned(), durable: true }, list, at(0))
}

fn one_shot() -> TurnPlan {
    let turn = Turn::Voice { binding: Some(bound(ADA, "response-1")), durable: true };
    TurnPlan::new(turn, &grants(&[ADA]), at(0))
}

fn shared() -> TurnPlan {
    asks(BOB, &grants(&[ADA]))
}

fn receipt(plan: &'static str, code: Code, times: [u64; 3], left: &[Left]) -> Receipt {
    let voice = plan == "one-shot";
    let [waited_ms, settled_ms, total_ms] = times;
    Receipt {
        plan,
        actor_id: (plan != "refused").then(|| if voice { ADA } else { BOB }.to_owned()),
        response_id: voice.then(|| "response-1".to_owned()),
        code,
        waited_ms,
        settled_ms,
        total_ms,
        left: left.to_vec(),
    }
}

const OWN: Session = Session::Own(Tools::Machine);

#[test]
fn a_one_shot_turn_has_one_session_which_is_disposed_of() {
    let mut rig = Rig::new();
    let (id, effects) = rig.start(one_shot());
    assert_eq!(effects, [Effect::Open(id, OWN)]);
    rig.wait(10);
    assert_eq!(rig.tell(id, WITH_TOOLS), [Effect::Prompt(id)]);
    rig.wait(90);
    assert_eq!(rig.tell(id, ANSWERED), [Effect::Say(id, Code::Answered), Effect::Dispose(id)]);
    assert_eq!(rig.tell(id, ANSWERED), [], "it has answered");
    rig.wait(5);
    let done = receipt("one-shot", Code::Answered, [0, 100, 105], &[]);
    assert_eq!(rig.tell(id, Event::Disposed), [Effect::Done(id, done)]);
    assert_eq!((rig.turns.unfinished(), rig.turns.next_wake()), (0, None));
}

/// Defect: a request of a speaker nobody knew was reported as completed, and the room heard nothing.
#[test]
fn a_request_nobody_is_bound_to_is_a_failure_that_the_room_hears() {
    let mut rig = Rig::new();
    let plan = TurnPlan::new(Turn::Voice { binding: None, durable: true }, &grants(&[ADA]), at(0));
    let (id, effects) = rig.start(plan);
    let done = receipt("refused", Code::SpeakerUnknown, [0, 0, 0], &[]);
    assert_eq!(effects, [Effect::Say(id, Code::SpeakerUnknown), Effect::Done(id, done)]);
}

#[test]
fn a_request_without_words_is_refused_before_any_session() {
    for (plan, name) in [(one_shot(), "one-shot"), (shared(), "shared")] {
        let mut rig = Rig::new();
        let start = Start { plan, room: "room", has_request: false, wanted: true, grants: None };
        let (id, effects) = rig.turns.start(start, rig.moment());
        let done = receipt(name, Code::RequestMissing, [0, 0, 0], &[]);
        assert_eq!(effects, [Effect::Say(id, Code::RequestMissing), Effect::Done(id, done)]);
    }
}

#[test]
fn a_turn_the_app_does_not_want_any_more_gets_no_session() {
    for (plan, name) in [(one_shot(), "one-shot"), (shared(), "shared")] {
        let mut rig = Rig::new();
        let start = Start { plan, room: "room", has_request: true, wanted: false, grants: None };
        let (id, effects) = rig.turns.start(start, rig.moment());
        let done = receipt(name, Code::TurnCancelled, [0, 0, 0], &[]);
        assert_eq!(effects, [Effect::Done(id, done)]);
    }
}

/// Defect: the list was not looked at again between the plan and its session.
#[test]
fn who_was_taken_off_the_list_since_the_plan_gets_no_session() {
    let mut rig = Rig::new();
    for (list, code) in [(grants(&[BOB]), Some(Code::GrantWithdrawn)), (grants(&[ADA]), None)] {
        let start = Start {
            plan: one_shot(),
            room: "room",
            has_request: true,
            wanted: true,
            grants: Some(&list),
        };
        let (id, effects) = rig.turns.start(start, rig.moment());
        let said = effects.iter().find_map(|effect| match effect {
            Effect::Say(_, code) => Some(*code),
            _ => None,
        });
        assert_eq!(said, code);
        assert_eq!(effects.contains(&Effect::Open(id, OWN)), code.is_none());
    }
}

#[test]
fn a_room_has_one_shared_turn_at_a_time_in_order() {
    let mut rig = Rig::new();
    let (first, effects) = rig.start(shared());
    assert_eq!(effects, [Effect::Open(first, Session::Shared)]);
    let (second, effects) = rig.start(shared());
    assert_eq!(effects, []);
    let (third, effects) = rig.start(shared());
    assert_eq!(effects, []);
    // Another room does not wait.
    let start =
        Start { plan: shared(), room: "other", has_request: true, wanted: true, grants: None };
    let (elsewhere, effects) = rig.turns.start(start, rig.moment());
    assert_eq!(effects, [Effect::Open(elsewhere, Session::Shared)]);
    assert_eq!(rig.tell(first, FINE), [Effect::Prompt(first)]);
    rig.wait(50);
    let done = |n| receipt("shared", Code::Answered, n, &[]);
    let effects = rig.tell(first, ANSWERED);
    assert_eq!(
        effects,
        [
            Effect::Say(first, Code::Answered),
            Effect::Done(first, done([0, 50, 50])),
            Effect::Open(second, Session::Shared),
        ]
    );
    assert_eq!(rig.tell(third, Event::Cancel).len(), 1, "who waits can leave");
    assert_eq!(rig.tell(second, FINE), [Effect::Prompt(second)]);
    let effects = rig.tell(second, ANSWERED);
    assert_eq!(effects[1..], [Effect::Done(second, done([50, 50, 50]))]);
}

/// Defect: one long privileged turn blocked every other ask.
#[test]
fn a_long_one_shot_turn_blocks_nobody() {
    let mut rig = Rig::new();
    let (long, _) = rig.start(one_shot());
    rig.tell(long, WITH_TOOLS);
    rig.wait(60_000);
    let (other, effects) = rig.start(shared());
    assert_eq!(effects, [Effect::Open(other, Session::Shared)]);
    let (another, effects) = rig.start(one_shot());
    assert_eq!(effects, [Effect::Open(another, OWN)]);
}

/// Somebody, by a number.
fn person(n: usize) -> String {
    format!("9{n:017}")
}

/// Turns of this kind start until one is refused: how many did, and why the next did not.
fn started(rig: &mut Rig, mut plan: impl FnMut(usize) -> TurnPlan) -> (usize, Code) {
    for n in 0.. {
        let (id, effects) = rig.start(plan(n));
        if let Some(Effect::Say(said, code)) = effects.first() {
            assert_eq!(*said, id);
            return (n, *code);
        }
    }
    unreachable!()
}

/// Defect: one person filled the queue of a room, and those who may only talk used up the sessions of
/// those who may use the machine.
#[test]
fn waiting_and_running_are_bounded_in_all_and_for_each() {
    let nobody = grants(&[]);
    let people: Vec<_> = (0..64).map(person).collect();
    let listed = grants(&people.iter().map(String::as_str).collect::<Vec<_>>());
    let detached = |actor: &str| {
        let turn = Turn::Text { actor_id: actor.to_owned(), durable: false };
        TurnPlan::new(turn, &grants(&[ADA]), at(0))
    };
    let mut rig = Rig::new();
    // The first does not wait.
    assert_eq!(started(&mut rig, |_| shared()), (1 + WAITING_EACH, Code::RoomBusy));
    let rest = started(&mut rig, |n| asks(&person(n), &nobody));
    assert_eq!(rest, (WAITING - WAITING_EACH, Code::RoomBusy));
    assert_eq!(started(&mut rig, |_| detached(BOB)), (ONE_SHOTS_EACH, Code::TooBusy));
    let rest = started(&mut rig, |n| detached(&person(n)));
    assert_eq!(rest, (ONE_SHOTS - ONE_SHOTS_EACH, Code::TooBusy));
    assert_eq!(started(&mut rig, |_| one_shot()), (ONE_SHOTS_EACH, Code::TooBusy));
    let rest = started(&mut rig, |n| asks(&person(n), &listed));
    assert_eq!(rest, (ONE_SHOTS - ONE_SHOTS_EACH, Code::TooBusy));
}

/// Defect: sessions that were still being made after their turn were not counted, and piled up.
#[test]
fn a_session_that_never_comes_keeps_its_place() {
    let (mut rig, list) = (Rig::new(), grants(&[ADA]));
    let (id, _) = rig.start(asks(ADA, &list));
    for _ in 1..ONE_SHOTS_EACH {
        rig.start(asks(ADA, &list));
    }
    rig.wait(DEADLINE_MS + STOP_MS);
    assert_eq!(rig.turns.unfinished(), 0);
    assert_eq!(started(&mut rig, |_| asks(ADA, &list)), (0, Code::TooBusy));
    rig.tell(id, Event::NotOpened);
    assert_eq!(started(&mut rig, |_| asks(ADA, &list)), (1, Code::TooBusy));
}

/// Defect: who was taken off the list while the session was made had a turn with tools all the same.
#[test]
fn the_list_is_asked_again_when_the_session_is_there() {
    let table = [
        (one_shot(), grants(&[BOB]), Some(Code::GrantWithdrawn)),
        (one_shot(), grants(&[ADA]), None),
        (shared(), grants(&[]), None),
    ];
    for (plan, list, code) in table {
        let mut rig = Rig::new();
        let machine_tools = plan.actor_id() == Some(ADA);
        let (id, _) = rig.start(plan);
        let event = Event::Opened { machine_tools, fresh: true, grants: Some(&list) };
        let expected = match code {
            Some(code) => vec![Effect::Say(id, code), Effect::Dispose(id)],
            None => vec![Effect::Prompt(id)],
        };
        assert_eq!(rig.tell(id, event), expected);
    }
}

/// Defect: a plan could be kept for a day, and outlived the connection that it was spoken in.
#[test]
fn words_that_are_too_old_or_of_a_connection_that_ended_have_no_turn() {
    let spoken = |durable, list: &Grants| {
        let mut bindings = SpeakerBindings::new("b");
        let said = Speaker { id: ADA.to_owned(), utterance: String::new() };
        let binding = bindings.reserve(said, at(0));
        bindings.attach(&binding, "response-1");
        let binding = bindings.take("response-1", at(1));
        let plan = TurnPlan::new(Turn::Voice { binding, durable }, list, at(2));
        (bindings, plan)
    };
    let (all, none) = (grants(&[ADA]), grants(&[]));
    for (durable, list) in [(true, &all), (true, &none), (false, &none)] {
        let is_shared = durable && *list == none;
        for (age, closed) in [(BINDING_MS, false), (3, true)] {
            // Before the turn.
            let mut rig = Rig::new();
            let (mut bindings, plan) = spoken(durable, list);
            rig.now = age;
            if closed {
                bindings.close();
            }
            let (id, effects) = rig.start(plan);
            assert_eq!(effects[0], Effect::Say(id, Code::SpeakerUnknown));
            // While the session is made; a room may be waited for.
            let mut rig = Rig::new();
            let (mut bindings, plan) = spoken(durable, list);
            let (id, _) = rig.start(plan);
            rig.wait(age);
            if closed {
                bindings.close();
            }
            let effects = rig.tell(id, FINE);
            let expected = if is_shared {
                vec![Effect::Prompt(id)]
            } else {
                vec![Effect::Say(id, Code::SpeakerUnknown), Effect::Dispose(id)]
            };
            assert_eq!(effects, expected);
        }
        let mut rig = Rig::new();
        let (_bindings, plan) = spoken(durable, list);
        rig.now = BINDING_MS - 1;
        let (id, _) = rig.start(plan);
        assert_eq!(rig.tell(id, FINE), [Effect::Prompt(id)]);
    }
}

/// Defect: a room's session that got tools during a turn was kept, and nobody was told.
#[test]
fn a_session_that_has_got_tools_it_must_not_have_is_not_kept() {
    let detached = || {
        let turn = Turn::Text { actor_id: BOB.to_owned(), durable: false };
        TurnPlan::new(turn, &grants(&[ADA]), at(0))
    };
    let answered = Event::Answered { anything: true, machine_tools: true };
    for (plan, name) in [(shared(), "shared"), (detached(), "detached")] {
        let mut rig = Rig::new();
        let (id, _) = rig.start(plan);
        rig.tell(id, FINE);
        let effects = rig.tell(id, answered);
        assert_eq!(effects, [Effect::Say(id, Code::SessionUnfit), Effect::Dispose(id)]);
        let done = receipt(name, Code::SessionUnfit, [0, 0, 0], &[Left::Session]);
        assert_eq!(rig.tell(id, Event::NotDisposed)[0], Effect::Done(id, done));
    }
    // Where the app gave it to somebody's turn with tools, that is not waited for.
    for (plan, effect) in [(shared(), Some(Code::SessionUnfit)), (one_shot(), None)] {
        let mut rig = Rig::new();
        let (id, _) = rig.start(plan);
        rig.tell(id, FINE);
        let expected = effect.map(|code| vec![Effect::Say(id, code), Effect::Abort(id)]);
        assert_eq!(rig.tell(id, Event::Taken), expected.unwrap_or_default());
    }
    // Where the turn was stopped, and where it was not wanted any more, as well.
    let mut rig = Rig::new();
    let (id, _) = rig.start(shared());
    rig.tell(id, FINE);
    rig.tell(id, Event::Cancel);
    assert_eq!(rig.tell(id, Event::Stopped { machine_tools: true }), [Effect::Dispose(id)]);
    let mut rig = Rig::new();
    let (id, _) = rig.start(shared());
    rig.wait(DEADLINE_MS + STOP_MS);
    assert_eq!(rig.tell(id, WITH_TOOLS), [Effect::Dispose(id)]);
}

/// Defect: a prompt that failed was taken for one that had stopped, and the next speaker's ran beside
/// what was left of it.
#[test]
fn a_prompt_that_failed_is_stopped_before_the_room_goes_on() {
    let mut rig = Rig::new();
    let (first, _) = rig.start(shared());
    let (second, _) = rig.start(shared());
    rig.tell(first, FINE);
    let effects = rig.tell(first, Event::Failed);
    assert_eq!(effects, [Effect::Say(first, Code::TurnFailed), Effect::Abort(first)]);
    let effects = rig.tell(first, STOPPED);
    let done = receipt("shared", Code::TurnFailed, [0, 0, 0], &[]);
    assert_eq!(effects, [Effect::Done(first, done), Effect::Open(second, Session::Shared)]);
}

/// Defect: a hung tool had no deadline, and a result that came after the end still counted.
#[test]
fn a_turn_that_hangs_ends_once_at_the_deadline_and_a_late_result_is_dropped() {
    let mut rig = Rig::new();
    let (id, _) = rig.start(one_shot());
    rig.tell(id, WITH_TOOLS);
    assert_eq!(rig.wait(DEADLINE_MS - 1), []);
    assert_eq!(rig.wait(1), [Effect::Say(id, Code::TurnTimeout), Effect::Abort(id)]);
    assert_eq!(rig.tell(id, ANSWERED), []);
    assert_eq!(rig.tell(id, STOPPED), [Effect::Dispose(id)]);
    let done = receipt("one-shot", Code::TurnTimeout, [0, 600_000, 600_000], &[]);
    assert_eq!(rig.tell(id, Event::Disposed), [Effect::Done(id, done)]);
}

/// Defect: the timer fired 22 minutes late after the machine slept. A result that arrives first
/// when it wakes up is late all the same.
#[test]
fn a_result_after_sleep_is_late_even_before_the_timer_fires() {
    let mut rig = Rig::new();
    let (id, _) = rig.start(one_shot());
    rig.tell(id, WITH_TOOLS);
    let woken = Moment { monotonic: 1_000, wall: WALL + 22 * 60_000 };
    let effects = rig.turns.handle(id, ANSWERED, woken);
    assert_eq!(effects, [Effect::Say(id, Code::TurnTimeout), Effect::Abort(id)]);
}

/// Defect: the abort was signalled but not awaited, and a shell could outlive its turn unseen.
#[test]
fn what_does_not_stop_is_reported_and_its_session_is_gone() {
    for event in [None, Some(Event::NotStopped)] {
        for plan in [one_shot(), shared()] {
            let name = if matches!(plan.actor_id(), Some(ADA)) { "one-shot" } else { "shared" };
            let mut rig = Rig::new();
            let (id, _) = rig.start(plan);
            rig.tell(id, FINE);
            rig.wait(DEADLINE_MS);
            let effects = match event {
                None => rig.wait(STOP_MS),
                Some(event) => rig.tell(id, event),
            };
            // A shared session that may still be at work goes too: no other turn meets it.
            assert_eq!(effects, [Effect::Dispose(id)], "{name}");
            let effects = rig.wait(STOP_MS);
            let total = rig.now;
            let left = [Left::Turn, Left::Session];
            let done = receipt(name, Code::TurnTimeout, [0, 600_000, total], &left);
            assert_eq!(effects[0], Effect::Done(id, done), "{name}");
            assert_eq!(rig.tell(id, STOPPED), []);
            assert_eq!(rig.tell(id, Event::Disposed), []);
        }
    }
}

#[test]
fn a_session_that_is_made_too_late_is_disposed_of_and_never_prompted() {
    let mut rig = Rig::new();
    let (soon, _) = rig.start(one_shot());
    let (late, _) = rig.start(one_shot());
    let (never, _) = rig.start(one_shot());
    let effects = rig.wait(DEADLINE_MS);
    assert_eq!(effects.len(), 6);
    assert_eq!(rig.tell(soon, WITH_TOOLS), [Effect::Dispose(soon)]);
    rig.tell(soon, Event::Disposed);
    rig.tell(never, Event::NotOpened);
    let effects = rig.wait(STOP_MS);
    let done = receipt("one-shot", Code::TurnTimeout, [0, 600_000, 605_000], &[Left::Session]);
    assert_eq!(effects, [Effect::Done(late, done)]);
    assert_eq!(rig.turns.next_wake(), None);
    assert_eq!(rig.tell(late, WITH_TOOLS), [Effect::Dispose(late)]);
    assert_eq!(rig.tell(late, WITH_TOOLS), []);
}

/// Defect: machine tools stay attached to a session that others use.
#[test]
fn a_session_that_does_not_fit_its_turn_is_never_prompted() {
    let detached = || {
        let turn = Turn::Text { actor_id: BOB.to_owned(), durable: false };
        TurnPlan::new(turn, &grants(&[ADA]), at(0))
    };
    let table = [
        ("shared with machine tools", shared(), opened(true, true), true),
        ("shared, of a turn of its own", shared(), opened(false, false), false),
        ("shared, of a privileged turn", shared(), opened(true, false), false),
        ("one-shot for the second time", one_shot(), opened(true, false), false),
        ("detached with machine tools", detached(), opened(true, true), true),
        ("detached for the second time", detached(), opened(false, false), false),
    ];
    for (name, plan, event, disposed) in table {
        let mut rig = Rig::new();
        let (id, _) = rig.start(plan);
        let effects = rig.tell(id, event);
        assert_eq!(effects[0], Effect::Say(id, Code::SessionUnfit), "{name}");
        assert_eq!(effects.contains(&Effect::Dispose(id)), disposed, "{name}");
        assert!(!effects.contains(&Effect::Prompt(id)), "{name}");
    }
}

#[test]
fn every_other_end_has_its_code() {
    let table: &[(&str, &[Event], Option<Code>)] = &[
        ("no session", &[Event::NotOpened], Some(Code::SessionFailed)),
        ("a failure", &[FINE, Event::Failed, STOPPED], Some(Code::TurnFailed)),
        (
            "no answer",
            &[FINE, Event::Answered { anything: false, machine_tools: false }],
            Some(Code::ResponseMissing),
        ),
        ("cancelled while it is made", &[Event::Cancel, FINE], None),
        ("cancelled while it works", &[FINE, Event::Cancel, STOPPED], None),
        ("cancelled twice", &[FINE, Event::Cancel, Event::Cancel, STOPPED], None),
        ("cancelled, not to be stopped", &[FINE, Event::Cancel, Event::NotStopped], None),
    ];
    for (name, events, code) in table {
        for plan in [one_shot(), shared()] {
            let own = plan.actor_id() == Some(ADA);
            let mut rig = Rig::new();
            let (id, _) = rig.start(plan);
            let mut effects = Vec::new();
            for event in *events {
                effects.extend(rig.tell(id, *event));
            }
            effects.extend(rig.tell(id, Event::Disposed));
            let said: Vec<_> =
                effects.iter().filter(|one| matches!(one, Effect::Say(..))).collect();
            let expected: Vec<_> = code.map(|code| Effect::Say(id, code)).into_iter().collect();
            assert_eq!(said, expected.iter().collect::<Vec<_>>(), "{name}");
            let Some(Effect::Done(_, receipt)) = effects.last() else { panic!("{name}") };
            assert_eq!(receipt.code, code.unwrap_or(Code::TurnCancelled), "{name}");
            // Whatever happens, a session of its own is disposed of.
            let made = events[0] != Event::NotOpened;
            let gone = effects.contains(&Effect::Dispose(id));
            assert_eq!(gone, made && (own || events.contains(&Event::NotStopped)), "{name}");
        }
    }
}
