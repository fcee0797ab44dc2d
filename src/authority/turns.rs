//! All turns of an app as one state machine: what happened goes in, what is to be done comes out.
//! It knows no session; whoever drives it makes them, prompts them and tells what came of it.
//!
//! What it holds to: a session with machine tools has one turn, of an actor who was on the list
//! when it was prompted, and is disposed of whatever happens. A room's shared session has one turn at a
//! time and never machine tools. Each turn settles once and is over after a bounded time.

use std::collections::BTreeMap;

use super::code::Code;
use super::deadline::{Deadline, Moment};
use super::event::{Effect, Event, Session, Start, TurnId};
use super::plan::DEADLINE_MS;
use super::room::Rooms;
use super::share;
use super::turn::{Left, Phase, STOP_MS, Turn};

/// The turns of an app.
#[derive(Debug, Default)]
pub struct Turns {
    last: u32,
    running: BTreeMap<TurnId, Turn>,
    rooms: Rooms,
    effects: Vec<Effect>,
}

impl Turns {
    /// No turn yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a turn. The plan is used up by it.
    pub fn start(&mut self, start: Start<'_>, now: Moment) -> (TurnId, Vec<Effect>) {
        self.last += 1;
        let id = TurnId(self.last);
        let Start { plan, room, has_request, wanted, grants } = start;
        let mut turn = Turn::new(plan, room, DEADLINE_MS, now);
        let refused = match turn.refusal(grants, now) {
            _ if !wanted => Some(Code::TurnCancelled),
            Some(code) => Some(code),
            None if !has_request => Some(Code::RequestMissing),
            None => share::refusal(&turn, self.running.values()),
        };
        let session = turn.session();
        self.running.insert(id, turn);
        match (refused, session) {
            (Some(code), _) => self.end(id, code),
            (None, Some(Session::Shared)) if !self.rooms.enter(room, id) => {}
            (None, _) => self.open(id),
        }
        (id, std::mem::take(&mut self.effects))
    }

    /// Takes in what happened to a turn. Of a turn that is over, nothing matters but a session that
    /// turns up late.
    pub fn handle(&mut self, id: TurnId, event: Event<'_>, now: Moment) -> Vec<Effect> {
        // A result that comes after the deadline is late, even where the timer is later still.
        self.expire(now);
        self.take(id, event, now);
        std::mem::take(&mut self.effects)
    }

    /// Lets time pass.
    pub fn wake(&mut self, now: Moment) -> Vec<Effect> {
        self.expire(now);
        std::mem::take(&mut self.effects)
    }

    /// In how many milliseconds [`Turns::wake`] is due; `None` where nothing waits.
    #[must_use]
    pub fn next_wake(&self) -> Option<u64> {
        self.running.values().filter_map(Turn::look_again).min()
    }

    /// How many turns are not over.
    #[must_use]
    pub fn unfinished(&self) -> usize {
        self.running.values().filter(|turn| turn.phase != Phase::OverWithoutSession).count()
    }

    fn take(&mut self, id: TurnId, event: Event<'_>, now: Moment) {
        let Some(turn) = self.running.get_mut(&id) else { return };
        match (turn.phase, event) {
            // One that is another's is the other's to dispose of.
            (Phase::Opening, Event::Opened { fresh: false, .. }) => {
                self.end(id, Code::SessionUnfit);
            }
            (Phase::Opening, Event::Opened { machine_tools, grants, .. }) => {
                let unfit = (machine_tools && !turn.is_granted()).then_some(Code::SessionUnfit);
                if let Some(code) = unfit.or_else(|| turn.refusal(grants, now)) {
                    self.settle(id, code);
                    self.dispose(id, now);
                } else {
                    turn.phase = Phase::Prompted;
                    self.effects.push(Effect::Prompt(id));
                }
            }
            (Phase::Opening, Event::NotOpened) => self.end(id, Code::SessionFailed),
            (Phase::Prompted, Event::Answered { anything, machine_tools }) => {
                let code = match (machine_tools && !turn.is_granted(), anything) {
                    (true, _) => Code::SessionUnfit,
                    (false, true) => Code::Answered,
                    (false, false) => Code::ResponseMissing,
                };
                self.settle(id, code);
                self.after(id, machine_tools, now);
            }
            (Phase::Prompted, Event::Taken) if !turn.is_granted() => {
                self.stop(id, Code::SessionUnfit, now);
            }
            // That a prompt failed is no proof that its tools have stopped.
            (Phase::Prompted, Event::Failed) => self.stop(id, Code::TurnFailed, now),
            (Phase::StoppingOpening(_), Event::Opened { fresh: true, machine_tools, .. })
            | (Phase::Stopping(_), Event::Stopped { machine_tools }) => {
                self.after(id, machine_tools, now);
            }
            (Phase::StoppingOpening(_), Event::Opened { .. } | Event::NotOpened)
            | (Phase::Disposing(_), Event::Disposed) => self.done(id),
            (Phase::Stopping(_), Event::NotStopped) => self.not_stopped(id, now),
            (Phase::Disposing(_), Event::NotDisposed) => {
                turn.left.push(Left::Session);
                self.done(id);
            }
            (Phase::OverWithoutSession, Event::Opened { fresh, machine_tools, .. }) => {
                if fresh && (machine_tools || turn.session() != Some(Session::Shared)) {
                    self.effects.push(Effect::Dispose(id));
                }
                self.running.remove(&id);
            }
            (Phase::OverWithoutSession, Event::NotOpened) => drop(self.running.remove(&id)),
            (_, Event::Cancel) => self.stop(id, Code::TurnCancelled, now),
            _ => {}
        }
    }

    /// What has taken too long.
    fn expire(&mut self, now: Moment) {
        let late: Vec<_> = self
            .running
            .iter_mut()
            .filter_map(|(id, turn)| turn.is_late(now).then_some(*id))
            .collect();
        for id in late {
            let Some(turn) = self.running.get_mut(&id) else { continue };
            match turn.phase {
                Phase::Waiting | Phase::Opening | Phase::Prompted => {
                    self.stop(id, Code::TurnTimeout, now);
                }
                Phase::StoppingOpening(_) => {
                    turn.left.push(Left::Session);
                    turn.phase = Phase::OverWithoutSession;
                    self.over(id);
                }
                Phase::Stopping(_) => self.not_stopped(id, now),
                Phase::Disposing(_) => {
                    turn.left.push(Left::Session);
                    self.done(id);
                }
                Phase::OverWithoutSession => {}
            }
        }
    }

    fn open(&mut self, id: TurnId) {
        let Some(turn) = self.running.get_mut(&id) else { return };
        let Some(session) = turn.session() else { return };
        turn.phase = Phase::Opening;
        turn.waited = Some(turn.deadline.elapsed());
        self.effects.push(Effect::Open(id, session));
    }

    fn settle(&mut self, id: TurnId, code: Code) {
        if self.running.get_mut(&id).is_some_and(|turn| turn.settle(code))
            && code != Code::TurnCancelled
        {
            self.effects.push(Effect::Say(id, code));
        }
    }

    /// Ends a turn that has no session.
    fn end(&mut self, id: TurnId, code: Code) {
        self.settle(id, code);
        self.done(id);
    }

    /// Ends a turn in the middle, wherever it is.
    fn stop(&mut self, id: TurnId, code: Code, now: Moment) {
        let Some(turn) = self.running.get_mut(&id) else { return };
        let until = Deadline::new(STOP_MS, now);
        match turn.phase {
            Phase::Waiting => return self.end(id, code),
            Phase::Opening => turn.phase = Phase::StoppingOpening(until),
            Phase::Prompted => turn.phase = Phase::Stopping(until),
            _ => return,
        }
        self.settle(id, code);
        self.effects.push(Effect::Abort(id));
    }

    /// The agent does not work any more: a session of its own goes with it, and so does a room's
    /// that holds machine tools now; else the room's stays.
    fn after(&mut self, id: TurnId, machine_tools: bool, now: Moment) {
        match self.running.get(&id).and_then(Turn::session) {
            Some(Session::Shared) if !machine_tools => self.done(id),
            _ => self.dispose(id, now),
        }
    }

    /// The agent may still work. No other turn may meet it, so its session goes, a room's too.
    fn not_stopped(&mut self, id: TurnId, now: Moment) {
        if let Some(turn) = self.running.get_mut(&id) {
            turn.left.push(Left::Turn);
        }
        self.dispose(id, now);
    }

    fn dispose(&mut self, id: TurnId, now: Moment) {
        if let Some(turn) = self.running.get_mut(&id) {
            turn.phase = Phase::Disposing(Deadline::new(STOP_MS, now));
            self.effects.push(Effect::Dispose(id));
        }
    }

    fn done(&mut self, id: TurnId) {
        self.over(id);
        self.running.remove(&id);
    }

    /// Writes the receipt and lets the next turn into the room.
    fn over(&mut self, id: TurnId) {
        let Some(turn) = self.running.get(&id) else { return };
        self.effects.push(Effect::Done(id, turn.receipt()));
        if turn.session() == Some(Session::Shared) {
            let room = turn.room.clone();
            if let Some(next) = self.rooms.leave(&room, id) {
                self.open(next);
            }
        }
    }
}
