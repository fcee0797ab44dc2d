//! Random schedules of everything around a live call: host, card, user, provider, classifier,
//! clock, sleep, losses. Whatever happens, the invariants hold.
//!
//! `npm run simulate -- COUNT [SEED]` runs more; a failure names its seed.

mod app;
mod host;
mod invariants;
mod random;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Value, json};
use spoken_answer::call::Call;
use spoken_answer::call::effect::{
    Effect, FeedbackKind, OperationView, Pending, Resolution, State,
};
use spoken_answer::call::event::{
    Answerer, AskedQuestion, Event, Evidence, FeedbackId, HostEvent, Instruction, Intent,
    OpenInput, OperationId, OtherKind, Outcome, ReadId, Rejection, Reply, Resolved, Session,
    Settlement, Utterance,
};
use spoken_answer::call::options::{Options, Partial, Requirement, Speakers};
use spoken_answer::provenance::{ReadOut, Speaker};
use spoken_answer::{Payload, SpokenQuestion};

use crate::support::{waits, words};
use host::{Asking, FOREIGN_TEXT};
pub(crate) use random::Random;

#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
struct World {
    random: Random,
    call: Call,
    options: Options,
    now: u64,
    /// Whether the host records the operation that answered.
    keeps_ids: bool,
    askings: Vec<Asking>,
    permission: bool,
    /// What the stream is about to say, and which asking it closes.
    stream: Vec<(HostEvent, Option<usize>)>,
    /// Whether the call is about this host's session now.
    here: bool,
    lists: Vec<(ReadId, Option<Vec<OpenInput>>)>,
    /// Readings that the call waits for.
    reading: HashSet<ReadId>,
    /// The list that the call was given last.
    listed: Vec<OpenInput>,
    unread_lists: Vec<ReadId>,
    resolves: Vec<(OperationId, Resolution)>,
    replies: Vec<(OperationId, Reply)>,
    look_ups: Vec<(OperationId, String)>,
    classifying: Vec<OperationId>,
    deliveries: Vec<FeedbackId>,
    requests: Vec<Instruction>,
    received: Vec<u64>,
    /// The digest of what the classifier was shown.
    shown: HashMap<OperationId, Option<String>>,
    pending: Option<Pending>,
    intents: HashMap<OperationId, String>,
    /// For the invariants.
    texts: HashMap<FeedbackId, String>,
    heard: Vec<(u64, String)>,
    dispatched: BTreeMap<OperationId, Resolution>,
    views: BTreeMap<OperationId, OperationView>,
    closed: bool,
    log: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut options = Options::new("call");
        options.budget = random.pick(&[1_100, 330]);
        options.app_classifies = random.one_in(2);
        options.read_out = random.pick(&[ReadOut::Sent, ReadOut::Spoken]);
        options.evidence = random.pick(&[Requirement::Optional, Requirement::Required]);
        options.partial_answers = random.pick(&[Partial::Refuse, Partial::Collect]);
        options.host_proves = !random.one_in(5);
        if random.one_in(6) {
            options.speakers = Speakers::Known;
        }
        let keeps_ids = !random.one_in(3);
        Self {
            call: Call::new(options.clone()),
            options,
            random,
            now: 1_000,
            keeps_ids,
            askings: Vec::new(),
            permission: false,
            stream: Vec::new(),
            here: true,
            lists: Vec::new(),
            reading: HashSet::new(),
            listed: Vec::new(),
            unread_lists: Vec::new(),
            resolves: Vec::new(),
            replies: Vec::new(),
            look_ups: Vec::new(),
            classifying: Vec::new(),
            deliveries: Vec::new(),
            requests: Vec::new(),
            received: Vec::new(),
            shown: HashMap::new(),
            pending: None,
            intents: HashMap::new(),
            texts: HashMap::new(),
            heard: Vec::new(),
            dispatched: BTreeMap::new(),
            views: BTreeMap::new(),
            closed: false,
            log: Vec::new(),
        }
    }

    fn send(&mut self, event: Event) {
        self.log.push(format!("{} {event:?}", self.now));
        if let Event::Listed(read, list, _) = &event {
            self.reading.remove(read);
            self.listed = list.clone().unwrap_or_default();
        }
        let effects = self.call.handle(event, self.now);
        for effect in effects {
            self.log.push(format!("    {effect:?}"));
            self.perform(effect);
        }
        let pending = self.views.values().filter(|view| !view.state.is_final()).count();
        assert!(pending <= 16, "{pending} operations pending");
        assert!(self.call.operations().count() <= 257);
        let confirming =
            self.views.values().filter(|view| view.state == State::Dispatching).count();
        assert!(self.reading.len() <= 1 + confirming, "{:?} at a time", self.reading);
    }

    fn perform(&mut self, effect: Effect) {
        assert!(!self.closed, "after the end: {effect:?}");
        match effect {
            Effect::Receipt(..)
            | Effect::AbortDelivery(_)
            | Effect::AbortResolve(_)
            | Effect::Journal(_)
            | Effect::Forward(_) => {}
            Effect::Watch(session) => {
                assert_eq!(session.is_some_and(|id| id == "s"), self.here);
                // What happens from now on is heard, and nothing that happened before.
                for (_, closes) in std::mem::take(&mut self.stream) {
                    if let Some(index) = closes {
                        self.askings[index].lags = Some(self.now + 100);
                    }
                }
            }
            Effect::Pending(pending) => self.pending = pending,
            Effect::List(read) => {
                self.reading.insert(read);
                self.unread_lists.push(read);
            }
            Effect::AbortList(read) => {
                assert!(self.reading.remove(&read), "{read:?} is not waited for");
            }
            Effect::Deliver(feedback) => {
                assert!(feedback.text.len() <= self.options.budget);
                assert!(!feedback.text.contains(FOREIGN_TEXT), "of another session");
                if feedback.kind == FeedbackKind::InteractionRequired {
                    self.texts.insert(feedback.id, feedback.text);
                    self.deliveries.push(feedback.id);
                }
            }
            Effect::Classify(operation, before) => {
                // A part is never all of it, and there is none where parts are refused.
                assert!(before.is_none_or(|parts| {
                    self.options.partial_answers == Partial::Collect && parts.len() == 1
                }));
                let shown = self.call.seen_question(operation);
                self.shown.insert(operation, shown.map(|one| one.digest().to_owned()));
                self.classifying.push(operation);
            }
            Effect::Resolve(operation, resolution) => self.check_dispatch(operation, resolution),
            Effect::LookUp(operation, input) => self.look_ups.push((operation, input)),
            Effect::View(view) => self.check_view(view),
            Effect::Closed => self.closed = true,
        }
    }

    fn wait(&mut self, most: u64) {
        self.now += self.random.below(most);
        while let Some(at) = self.call.next_wake().filter(|at| *at <= self.now) {
            let later = self.now;
            self.now = at;
            self.send(Event::Wake);
            self.now = later;
            let next = self.call.next_wake();
            assert!(next.is_none_or(|next| next > at), "a wake at {at} changes nothing: {next:?}");
        }
    }

    fn step(&mut self) {
        if !self.here && self.random.one_in(4) {
            self.switch_session();
        }
        match self.random.below(44) {
            0..=1 => self.ask(),
            2 if self.random.one_in(3) => {
                if let Some(index) = self.open_of() {
                    let choice = vec![vec![0]; self.askings[index].question.questions().len()];
                    self.write(index, None, choice);
                }
            }
            3 if self.random.one_in(5) => {
                if let Some(index) = self.open_of() {
                    self.askings[index].open = false;
                    self.askings[index].lags = Some(u64::MAX);
                    let canceled = HostEvent::Canceled(self.askings[index].input_id.clone());
                    self.stream.push((canceled, Some(index)));
                }
            }
            4 if self.random.one_in(3) => {
                self.permission = !self.permission;
                let event = if self.permission {
                    HostEvent::Requested(waits(OtherKind::Permission, "p"))
                } else {
                    HostEvent::Resolved("p".to_owned(), Resolved::default())
                };
                self.stream.push((event, None));
            }
            5..=9 | 26 => self.stream(),
            10..=15 => self.list(),
            16..=22 => self.voice(),
            23..=25 => self.speak(),
            27..=29 => self.classify(),
            30..=32 => self.process_resolve(),
            33..=34 => {
                if !self.replies.is_empty() {
                    let (operation, reply) = self.replies.remove(0);
                    self.send(Event::Replied(operation, reply));
                }
            }
            35..=36 => self.look_up(),
            37 => self.wait(3_000),
            38 => self.wait(200),
            39..=40 => self.learn(),
            41 if self.random.one_in(4) => self.ask_of_others(),
            43 => self.answer_well(),
            42 if self.random.one_in(3) => self.switch_session(),
            2..=4 | 41..=42 => {}
            _ => {
                if self.random.one_in(6) {
                    // The machine slept.
                    self.wait(600_000);
                    self.send(Event::VoiceReset);
                }
            }
        }
    }

    fn run(&mut self) -> HashSet<State> {
        self.ask();
        self.send(Event::SetSession(Session { id: "s".to_owned(), local: true }));
        for _ in 0..140 {
            self.step();
        }
        if self.random.one_in(4) {
            self.calm_down();
        }
        // Nobody answers any more: everything ends by itself.
        if self.random.one_in(2) {
            self.wait(1);
            for _ in 0..40 {
                self.wait(4_000);
            }
        } else {
            self.send(Event::Close);
            self.now += 1_000;
            if !self.closed {
                self.send(Event::Wake);
            }
            assert!(self.closed);
        }
        for view in self.views.values() {
            assert!(view.state.is_final(), "never ends: {view:?}");
        }
        self.views.values().map(|view| view.state).collect()
    }
}

/// Runs the schedules of these seeds; a failure prints the seed and what happened.
fn simulate(seeds: std::ops::Range<u64>) -> HashMap<State, u64> {
    let mut reached = HashMap::new();
    for seed in seeds {
        let mut world = World::new(seed);
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.run()));
        let Ok(states) = run else {
            let log = world.log.join("\n");
            panic!("{log}\nthe schedule of seed {seed} fails; replay it with SEED={seed} COUNT=1");
        };
        for state in states {
            *reached.entry(state).or_insert(0) += 1;
        }
    }
    reached
}

#[test]
fn the_invariants_hold() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (first, count) = (number("SEED").unwrap_or(0), number("COUNT").unwrap_or(20_000));
    let reached = simulate(first..first + count);
    println!("{count} schedules from seed {first}: {reached:?}");
    if count >= 1_000 {
        // The schedules would say little if they did not end in every way there is.
        for state in [
            State::Forwarded,
            State::Accepted,
            State::Submitted,
            State::Refused,
            State::Unknown,
            State::Withdrawn,
            State::Collecting,
        ] {
            assert!(
                reached.get(&state).is_some_and(|n| *n >= count / 1_000),
                "{state:?}: {reached:?}"
            );
        }
    }
}

#[test]
fn the_same_events_give_the_same_effects() {
    for seed in 0..200 {
        let (mut one, mut other) = (World::new(seed), World::new(seed));
        assert_eq!((one.run(), one.log), (other.run(), other.log), "seed {seed}");
    }
}
