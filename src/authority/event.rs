//! What goes into the machine of turns, and what comes out.

use serde::Serialize;

use super::code::Code;
use super::grants::Grants;
use super::plan::TurnPlan;
use super::turn::Receipt;

/// Which turn, numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct TurnId(pub u32);

/// The session of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Session {
    /// The room's durable one, which never has machine tools.
    Shared,
    /// A new one in memory, for this turn alone.
    Own(Tools),
}

/// What a session for one turn holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tools {
    /// The machine's.
    Machine,
    /// Nothing of the machine's.
    None,
}

/// How a turn is to be run.
#[derive(Debug)]
pub struct Start<'a> {
    /// What it may do.
    pub plan: TurnPlan,
    /// The room it is asked in.
    pub room: &'a str,
    /// Whether anything is asked for.
    pub has_request: bool,
    /// Whether the app wants it at all.
    pub wanted: bool,
    /// The list as it is now, where the app reads it once more.
    pub grants: Option<&'a Grants>,
}

/// Something that happened to a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    /// Its session is there.
    Opened {
        /// Whether it holds machine tools.
        machine_tools: bool,
        /// Whether it may be this turn's: a new one for a turn of its own, or the one that this
        /// room has had, and not disposed of.
        fresh: bool,
        /// The list as it is now, where the app reads it once more. Making a session takes time.
        grants: Option<&'a Grants>,
    },
    /// Its session could not be made.
    NotOpened,
    /// The agent is done; whether it said anything.
    Answered {
        /// Whether there is an answer.
        anything: bool,
        /// Whether the session holds machine tools now.
        machine_tools: bool,
    },
    /// The agent failed. What it was doing may still go on.
    Failed,
    /// What was aborted has stopped.
    Stopped {
        /// Whether the session holds machine tools now.
        machine_tools: bool,
    },
    /// What was aborted cannot be stopped.
    NotStopped,
    /// The app gave its session to a turn with machine tools as well, and may have put them there.
    Taken,
    /// The session was disposed of.
    Disposed,
    /// The session could not be disposed of.
    NotDisposed,
    /// The app wants the turn to end.
    Cancel,
}

/// Something to be done, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", content = "value", rename_all = "camelCase")]
pub enum Effect {
    /// Get the session of a turn.
    Open(TurnId, Session),
    /// Prompt it.
    Prompt(TurnId),
    /// Stop what the turn is doing.
    Abort(TurnId),
    /// Dispose of its session.
    Dispose(TurnId),
    /// Let the room hear how it ended: the sentence of the code, or the answer.
    Say(TurnId, Code),
    /// The turn is over.
    Done(TurnId, Receipt),
}
