//! Voice authority: who a turn acts for, and what its session may hold (ADR 0105: the allowlist
//! governs the actor, not the transport).
//!
//! - [`Grants`] is the list of those who may use the machine's tools, read anew for every turn.
//! - [`SpeakerBindings`] says who a response of the voice provider answers.
//! - [`TurnPlan`] is what a turn may do; a durable session with machine tools cannot be expressed.
//! - [`frame`](frame()) writes what was said for the agent, as quoted content.
//! - [`Turns`] runs plans as a state machine: events in, effects out.
//!
//! Nothing here is about answers. A plan approves nothing, and no answer makes a plan: the two have
//! no type in common.

mod actor;
mod binding;
mod code;
mod deadline;
mod event;
mod expiry;
mod frame;
mod grants;
mod message;
mod plan;
mod room;
mod share;
mod turn;
mod turns;
pub(crate) mod wire;

pub use actor::ActorId;
pub use binding::{
    BINDING_MS, BINDINGS, Speaker, SpeakerBinding, SpeakerBindings, UTTERANCE_UNITS,
};
pub use code::Code;
pub use deadline::{Deadline, Moment, TICK_MS};
pub use event::{Effect, Event, Session, Start, Tools, TurnId};
pub use frame::{FRAME_BYTES, FRAME_LEAST_BYTES, frame};
pub use grants::{GRANTS, GrantError, Grants};
pub use message::{Line, Message, Who, Words};
pub use plan::{DEADLINE_MS, OneShot, Plan, PlanView, Turn, TurnPlan};
pub use share::{ONE_SHOTS, ONE_SHOTS_EACH, WAITING, WAITING_EACH};
pub use turn::{Left, Receipt, STOP_MS};
pub use turns::Turns;
