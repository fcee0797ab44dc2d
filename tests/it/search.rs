//! Every interleaving of a small world: two inputs of the same words, two requests, a card, a host
//! that may lose a reply or the list's moment, and time, to the depth that fits. States that were
//! reached before are not searched again. What the random schedules check by chance is checked here
//! for all of them.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use serde_json::json;
use spoken_answer::SpokenQuestion;
use spoken_answer::call::Call;
use spoken_answer::call::effect::{Effect, FeedbackKind, State};
use spoken_answer::call::event::{
    Answerer, AskedQuestion, Event, Evidence, FeedbackId, HostEvent, Instruction, OpenInput,
    OperationId, Outcome, ReadId, Rejection, Reply, Resolved, Session, Settlement,
};
use spoken_answer::call::options::Options;

/// What may happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Ask(usize),
    Card,
    Stream,
    List,
    Heard(Hearing),
    Say(usize),
    Host(Fate),
    LookUp,
    Late,
    Wait,
    Forget,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Hearing {
    Spoken,
    Interrupted,
}

/// What becomes of a resolution on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Fate {
    /// It arrives, and the reply as well.
    Fine,
    /// It arrives, and the reply is late.
    Silent,
    /// It never arrives, and nobody says so.
    Lost,
}

/// Who answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taker {
    Card,
    Voice(OperationId),
}

#[derive(Debug, Clone)]
struct World {
    call: Call,
    now: u64,
    questions: [Rc<SpokenQuestion>; 2],
    /// The host: what is open, and who answered what.
    open: [bool; 2],
    answered: [Option<Taker>; 2],
    stream: Vec<HostEvent>,
    lists: Vec<ReadId>,
    readings: Vec<(FeedbackId, usize)>,
    heard: [bool; 2],
    /// What had been read out when each of the two requests was spoken.
    heard_then: Vec<[bool; 2]>,
    said: usize,
    resolve: Option<(OperationId, usize)>,
    late: Option<(OperationId, Reply)>,
    look_up: Option<(OperationId, usize)>,
    dispatched: Vec<(OperationId, usize)>,
    ended: Vec<(OperationId, State)>,
}

impl World {
    fn new() -> Self {
        let question = |id: &str| {
            let text = format!("Shall I {id}?");
            let questions = json!([{ "question": text, "options": ["Yes", "No"] }]);
            let value = json!({ "inputId": id, "sessionId": "s", "questions": questions });
            Rc::new(SpokenQuestion::read(Some(&value)).unwrap())
        };
        let mut world = Self {
            call: Call::new(Options::new("call")),
            now: 0,
            questions: [question("a"), question("b")],
            open: [false; 2],
            answered: [None; 2],
            stream: Vec::new(),
            lists: Vec::new(),
            readings: Vec::new(),
            heard: [false; 2],
            heard_then: Vec::new(),
            said: 0,
            resolve: None,
            late: None,
            look_up: None,
            dispatched: Vec::new(),
            ended: Vec::new(),
        };
        world.send(Event::SetSession(Session { id: "s".to_owned(), local: true }));
        world
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for input in 0..2 {
            if !self.open[input] && self.answered[input].is_none() {
                steps.push(Step::Ask(input));
            }
        }
        if self.open[0] {
            steps.push(Step::Card);
        }
        if !self.stream.is_empty() {
            steps.push(Step::Stream);
        }
        if !self.lists.is_empty() {
            steps.push(Step::List);
        }
        if !self.readings.is_empty() {
            steps.extend([Step::Heard(Hearing::Spoken), Step::Heard(Hearing::Interrupted)]);
        }
        if self.said < 2 {
            steps.extend([Step::Say(0), Step::Say(1)]);
        }
        if self.resolve.is_some() {
            steps.extend([Fate::Fine, Fate::Silent, Fate::Lost].map(Step::Host));
        }
        if self.look_up.is_some() {
            steps.push(Step::LookUp);
        }
        if self.late.is_some() {
            steps.push(Step::Late);
        }
        if self.call.next_wake().is_some() {
            steps.push(Step::Wait);
        }
        steps.push(Step::Forget);
        steps
    }

    fn take(&mut self, step: Step) {
        // Time passes with everything that happens, so that no two things are at the same moment.
        self.now += 1;
        match step {
            Step::Ask(input) => {
                self.open[input] = true;
                self.stream.push(HostEvent::Requested(self.asked(input)));
            }
            Step::Card => self.write(0, Taker::Card),
            Step::Stream => {
                let event = self.stream.remove(0);
                self.send(Event::Host(event));
            }
            Step::List => {
                let read = self.lists.remove(0);
                let list = (0..2).filter(|i| self.open[*i]).map(|i| self.asked(i)).collect();
                self.send(Event::Listed(read, Some(list), self.now));
            }
            Step::Heard(outcome) => {
                let (id, input) = self.readings.remove(0);
                let outcome = match outcome {
                    Hearing::Spoken => Outcome::Spoken,
                    Hearing::Interrupted => Outcome::Interrupted,
                };
                self.heard[input] |= outcome == Outcome::Spoken;
                self.send(Event::Delivered(id, outcome));
            }
            Step::Say(label) => {
                self.said += 1;
                self.heard_then.push(self.heard);
                let evidence =
                    Evidence { speech_started_at: Some(self.now), ..Evidence::default() };
                let text = ["Yes", "No"][label].to_owned();
                let request_id = format!("r{}", self.said);
                self.send(Event::Instruct(Instruction { request_id, text, evidence }));
            }
            Step::Host(fate) => {
                let (operation, input) = self.resolve.take().unwrap();
                if fate == Fate::Lost {
                    return;
                }
                let reply = if self.open[input] {
                    self.write(input, Taker::Voice(operation));
                    Reply::Resolved
                } else {
                    Reply::Rejected(Rejection::NotFound)
                };
                match fate {
                    Fate::Fine => self.send(Event::Replied(operation, reply)),
                    _ => self.late = Some((operation, reply)),
                }
            }
            Step::LookUp => {
                let (operation, input) = self.look_up.take().unwrap();
                let settlement = match self.answered[input] {
                    _ if self.open[input] => Settlement::Open,
                    Some(by) => Settlement::Resolved(self.resolved(by)),
                    None => Settlement::Unknown,
                };
                self.send(Event::LookedUp(operation, settlement));
            }
            Step::Late => {
                let (operation, reply) = self.late.take().unwrap();
                self.send(Event::Replied(operation, reply));
            }
            Step::Wait => {
                self.now = self.now.max(self.call.next_wake().unwrap());
                self.send(Event::Wake);
            }
            Step::Forget => {
                self.heard = [false; 2];
                self.readings.clear();
                self.send(Event::VoiceReset);
            }
        }
    }

    fn asked(&self, input: usize) -> OpenInput {
        OpenInput::Question(AskedQuestion {
            question: Rc::clone(&self.questions[input]),
            asked_of: None,
            private: false,
            expires_at: None,
        })
    }

    fn write(&mut self, input: usize, by: Taker) {
        assert!(self.open[input], "the host takes one answer");
        self.open[input] = false;
        self.answered[input] = Some(by);
        let id = ["a", "b"][input].to_owned();
        self.stream.push(HostEvent::Resolved(id, self.resolved(by)));
    }

    fn resolved(&self, by: Taker) -> Resolved {
        let by = match by {
            Taker::Card => Answerer::Other,
            Taker::Voice(id) => Answerer::Voice(self.call.operation_id(id)),
        };
        Resolved { by: Some(by), ..Resolved::default() }
    }

    fn send(&mut self, event: Event) {
        for effect in self.call.handle(event, self.now) {
            match effect {
                Effect::List(read) => self.lists.push(read),
                Effect::Deliver(feedback) if feedback.kind == FeedbackKind::InteractionRequired => {
                    let input = usize::from(feedback.text.contains("Shall I b?"));
                    self.readings.push((feedback.id, input));
                }
                Effect::Resolve(operation, resolution) => {
                    let input = usize::from(resolution.input_id == "b");
                    let request = usize::try_from(operation.0).unwrap() - 1;
                    assert!(self.heard_then[request][input], "not read out before it was said");
                    assert!(self.dispatched.iter().all(|(id, _)| *id != operation), "twice");
                    for (other, same) in &self.dispatched {
                        let end = self.ended.iter().find(|(id, _)| id == other);
                        let refused = end.is_some_and(|(_, state)| *state == State::Refused);
                        assert!(*same != input || refused, "a second answer to one opening");
                    }
                    self.dispatched.push((operation, input));
                    self.resolve = Some((operation, input));
                }
                Effect::LookUp(operation, id) => {
                    self.look_up = Some((operation, usize::from(id == "b")));
                }
                Effect::View(view) if view.state.is_final() => {
                    assert!(self.ended.iter().all(|(id, _)| *id != view.id), "ended twice");
                    let took = self.answered.contains(&Some(Taker::Voice(view.id)));
                    match view.state {
                        State::Accepted => assert!(took, "accepted, not taken"),
                        State::Refused => assert!(!took, "refused, but taken"),
                        _ => {}
                    }
                    self.ended.push((view.id, view.state));
                }
                _ => {}
            }
        }
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        format!("{self:?}").hash(&mut hasher);
        hasher.finish()
    }
}

/// Searches every interleaving from a world on; returns how many states, and how many with an
/// accepted answer.
fn search(from: World, depth: usize) -> (usize, usize) {
    let mut layer = vec![from];
    let mut seen = HashSet::new();
    let mut accepted = 0;
    for _ in 0..depth {
        let mut next = Vec::new();
        for world in &layer {
            for step in world.steps() {
                let mut after = world.clone();
                after.take(step);
                if seen.insert(after.fingerprint()) {
                    accepted += usize::from(after.ended.iter().any(|(_, s)| *s == State::Accepted));
                    next.push(after);
                }
            }
        }
        layer = next;
    }
    (seen.len(), accepted)
}

/// DEPTH sets how deep; each level takes about five times as long as the one before.
#[test]
fn every_interleaving_of_a_small_world() {
    let depth = std::env::var("DEPTH").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let (states, _) = search(World::new(), depth);
    // From where one question has just been read out: that is where answers begin.
    let mut read_out = World::new();
    for step in [Step::Ask(0), Step::List, Step::Stream, Step::Heard(Hearing::Spoken)] {
        read_out.take(step);
    }
    let (further, accepted) = search(read_out, depth);
    println!("depth {depth}: {states} and {further} states, {accepted} with an accepted answer");
    assert!(accepted > 0, "deep enough for an answer to be accepted");
}
