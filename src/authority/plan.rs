//! What a turn may do, decided before anything is prompted.

use serde::Serialize;

use super::actor::ActorId;
use super::binding::SpeakerBinding;
use super::deadline::Moment;
use super::expiry::Expiry;
use super::grants::Grants;

/// How long a turn may take, tools included (ADR 0105; milliseconds).
pub const DEADLINE_MS: u64 = 600_000;

/// A turn that somebody asks for. There is no way to say "these tools" or "that list": what a turn
/// gets follows from who asks and where.
#[derive(Debug)]
pub enum Turn {
    /// The operator at the machine itself. Never asks the list.
    Console,
    /// A game in the room. Never gets tools, whoever plays.
    Gameplay {
        /// Who plays.
        actor_id: String,
        /// Whether the room has a durable session.
        durable: bool,
    },
    /// A message, as the chat service attributes it.
    Text {
        /// Who wrote it.
        actor_id: String,
        /// Whether the room has a durable session.
        durable: bool,
    },
    /// A request of the voice provider.
    Voice {
        /// Who spoke; `None` where nobody is bound to the response.
        binding: Option<SpeakerBinding>,
        /// Whether the room has a durable session.
        durable: bool,
    },
}

/// What a turn may do. Neither copied nor made elsewhere: a plan is for one turn.
#[derive(Debug, PartialEq, Eq)]
pub struct TurnPlan {
    plan: Plan,
    actor_id: Option<String>,
    response_id: Option<String>,
    expiry: Option<Expiry>,
}

/// The kinds of plan. None of them is a durable session with the machine's tools (ADR 0105).
#[derive(Debug, PartialEq, Eq)]
pub enum Plan {
    /// The room's durable session, which has no machine tools.
    Shared,
    /// An in-memory session for one turn without machine tools, where the room has no durable one.
    Detached,
    /// An in-memory session for one turn, with the machine's tools.
    OneShot(OneShot),
    /// The operator's own session.
    Console,
    /// No turn: nobody is bound to the request, or not any more.
    Refused,
}

/// The grant of one turn. Only the planner makes one.
#[derive(Debug, PartialEq, Eq)]
pub struct OneShot {
    actor: ActorId,
}

impl OneShot {
    /// The one who is on the list.
    #[must_use]
    pub fn actor(&self) -> &ActorId {
        &self.actor
    }
}

impl TurnPlan {
    /// Plans a turn by the list as it is now.
    #[must_use]
    pub fn new(turn: Turn, grants: &Grants, now: Moment) -> Self {
        let nobodys = |plan| Self { plan, actor_id: None, response_id: None, expiry: None };
        let (actor_id, spoken, durable) = match turn {
            Turn::Console => return nobodys(Plan::Console),
            Turn::Gameplay { actor_id, durable } => {
                return Self { actor_id: Some(actor_id), ..nobodys(without_tools(durable)) };
            }
            Turn::Voice { binding: None, .. } => return nobodys(Plan::Refused),
            Turn::Text { actor_id, durable } => (actor_id, None, durable),
            Turn::Voice { binding: Some(binding), durable } => {
                let (actor_id, response_id, mut expiry) = binding.into_parts();
                if expiry.is_over(now) {
                    return nobodys(Plan::Refused);
                }
                (actor_id, Some((response_id, expiry)), durable)
            }
        };
        let listed = ActorId::new(&actor_id).filter(|id| grants.holds(id));
        let plan = match listed {
            Some(actor) => Plan::OneShot(OneShot { actor }),
            None => without_tools(durable),
        };
        let (response_id, expiry) = spoken.unzip();
        Self { plan, actor_id: Some(actor_id), response_id, expiry }
    }

    /// Whether the words that it was made of are too old by now, or their connection has ended.
    pub(super) fn is_over(&mut self, now: Moment) -> bool {
        self.expiry.as_mut().is_some_and(|expiry| expiry.is_over(now))
    }

    /// The kind of plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Who asked, where that is known.
    #[must_use]
    pub fn actor_id(&self) -> Option<&str> {
        self.actor_id.as_deref()
    }

    /// The provider's response that the request came in.
    #[must_use]
    pub fn response_id(&self) -> Option<&str> {
        self.response_id.as_deref()
    }

    /// The plan as TypeScript knows it.
    #[must_use]
    pub fn view(&self) -> PlanView<'_> {
        let deadline_ms = DEADLINE_MS;
        match &self.plan {
            Plan::Shared => PlanView::Shared { tools: "none", deadline_ms },
            Plan::Detached => PlanView::Detached { tools: "none", deadline_ms },
            Plan::OneShot(OneShot { actor }) => {
                PlanView::OneShot { tools: "machine", actor_id: actor, deadline_ms }
            }
            Plan::Console => PlanView::Console { tools: "operator" },
            Plan::Refused => PlanView::Refused { reason: super::Code::SpeakerUnknown },
        }
    }
}

fn without_tools(durable: bool) -> Plan {
    if durable { Plan::Shared } else { Plan::Detached }
}

/// A plan as TypeScript knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "plan", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "documented in TypeScript, as `TurnPlan`")]
pub enum PlanView<'a> {
    Shared { tools: &'static str, deadline_ms: u64 },
    Detached { tools: &'static str, deadline_ms: u64 },
    OneShot { tools: &'static str, actor_id: &'a ActorId, deadline_ms: u64 },
    Console { tools: &'static str },
    Refused { reason: super::Code },
}
