//! One turn, from its plan to its receipt.

use serde::Serialize;

use super::code::Code;
use super::deadline::{Deadline, Moment};
use super::event::{Session, Tools};
use super::grants::Grants;
use super::plan::{Plan, TurnPlan};

/// How long an abort, and then a disposal, is awaited (milliseconds). What has not stopped by then
/// is reported.
pub const STOP_MS: u64 = 5_000;

/// A turn that is not over.
#[derive(Debug)]
pub(super) struct Turn {
    plan: TurnPlan,
    pub(super) room: String,
    pub(super) deadline: Deadline,
    pub(super) phase: Phase,
    settled: Option<Settled>,
    /// How long it waited for the room, once it does no longer.
    pub(super) waited: Option<u64>,
    pub(super) left: Vec<Left>,
}

/// Where a turn is. Whatever happens, it moves only downwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// It waits for the room's session.
    Waiting,
    /// Its session is being made.
    Opening,
    /// The agent works.
    Prompted,
    /// It was settled while its session was being made; it waits for that, to dispose of it.
    StoppingOpening(Deadline),
    /// It was settled while the agent worked; it waits for that to stop.
    Stopping(Deadline),
    /// Its session is being disposed of.
    Disposing(Deadline),
    /// It is over. If its session turns up after all, it is disposed of.
    OverWithoutSession,
}

#[derive(Debug, Clone, Copy)]
struct Settled {
    code: Code,
    at: u64,
}

/// What had not stopped when a turn's receipt was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Left {
    /// The agent: the abort did not end in time, or failed. A tool may still run.
    Turn,
    /// The session: it was not made, or not disposed of, in time.
    Session,
}

/// What became of a turn: ids, a code and durations, nothing that anybody said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// The plan: `shared`, `detached`, `one-shot`, `refused`.
    pub plan: &'static str,
    /// Who asked, where that is known.
    pub actor_id: Option<String>,
    /// The provider's response that the request came in.
    pub response_id: Option<String>,
    /// How it ended.
    pub code: Code,
    /// How long it waited for the room's session (milliseconds, as all).
    pub waited_ms: u64,
    /// How long until the room heard of it, from the beginning.
    pub settled_ms: u64,
    /// How long until all was over.
    pub total_ms: u64,
    /// What had not stopped by then.
    pub left: Vec<Left>,
}

impl Turn {
    pub(super) fn new(plan: TurnPlan, room: &str, limit: u64, now: Moment) -> Self {
        Self {
            plan,
            room: room.to_owned(),
            deadline: Deadline::new(limit, now),
            phase: Phase::Waiting,
            settled: None,
            waited: None,
            left: Vec::new(),
        }
    }

    /// The session this turn runs in; `None` where it runs in none.
    pub(super) fn session(&self) -> Option<Session> {
        match self.plan.plan() {
            Plan::Shared => Some(Session::Shared),
            Plan::Detached => Some(Session::Own(Tools::None)),
            Plan::OneShot(_) => Some(Session::Own(Tools::Machine)),
            Plan::Console | Plan::Refused => None,
        }
    }

    pub(super) fn plan(&self) -> &TurnPlan {
        &self.plan
    }

    /// Whether its session may hold the machine's tools.
    pub(super) fn is_granted(&self) -> bool {
        self.session() == Some(Session::Own(Tools::Machine))
    }

    /// Why this turn may not begin, by what is known now; asked when it starts, and once more when
    /// its session is there.
    pub(super) fn refusal(&mut self, grants: Option<&Grants>, now: Moment) -> Option<Code> {
        match self.plan.plan() {
            Plan::Console | Plan::Refused => return Some(Code::SpeakerUnknown),
            Plan::OneShot(one) if grants.is_some_and(|grants| !grants.holds(one.actor())) => {
                return Some(Code::GrantWithdrawn);
            }
            // Waiting for the room makes nobody's words too old to be talked about.
            Plan::Shared if self.phase != Phase::Waiting => return None,
            Plan::OneShot(_) | Plan::Detached | Plan::Shared => {}
        }
        self.plan.is_over(now).then_some(Code::SpeakerUnknown)
    }

    /// Takes note of the time; whether what the turn waits for has taken too long.
    pub(super) fn is_late(&mut self, now: Moment) -> bool {
        let late = self.deadline.passed(now);
        self.plan.is_over(now);
        match &mut self.phase {
            Phase::Waiting | Phase::Opening | Phase::Prompted => late,
            Phase::StoppingOpening(until) | Phase::Stopping(until) | Phase::Disposing(until) => {
                until.passed(now)
            }
            Phase::OverWithoutSession => false,
        }
    }

    /// Settles the turn; only the first time counts.
    pub(super) fn settle(&mut self, code: Code) -> bool {
        if self.settled.is_some() {
            return false;
        }
        self.settled = Some(Settled { code, at: self.deadline.elapsed() });
        true
    }

    /// In how many milliseconds this turn needs to know the time.
    pub(super) fn look_again(&self) -> Option<u64> {
        match self.phase {
            Phase::Waiting | Phase::Opening | Phase::Prompted => Some(self.deadline.look_again()),
            Phase::StoppingOpening(until) | Phase::Stopping(until) | Phase::Disposing(until) => {
                Some(until.look_again())
            }
            Phase::OverWithoutSession => None,
        }
    }

    pub(super) fn receipt(&self) -> Receipt {
        let total_ms = self.deadline.elapsed();
        // A turn is settled before it is over.
        let settled = self.settled.unwrap_or(Settled { code: Code::TurnFailed, at: total_ms });
        Receipt {
            plan: match self.plan.plan() {
                Plan::Shared => "shared",
                Plan::Detached => "detached",
                Plan::OneShot(_) => "one-shot",
                Plan::Console => "console",
                Plan::Refused => "refused",
            },
            actor_id: self.plan.actor_id().map(str::to_owned),
            response_id: self.plan.response_id().map(str::to_owned),
            code: settled.code,
            waited_ms: self.waited.unwrap_or(settled.at),
            settled_ms: settled.at,
            total_ms,
            left: self.left.clone(),
        }
    }
}
