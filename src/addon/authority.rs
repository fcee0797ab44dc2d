//! Voice authority for `main/authority.js`, which documents it. Nothing of it is in the types of
//! the package's own entry.

use napi::bindgen_prelude::{Env, JsObjectValue, Object, Unknown};
use napi_derive::napi;
use serde::Serialize;

use super::argument::{self, throw};
use super::js::Js;
use super::output::{self, give};
use crate::CallerMistake;
use crate::authority::{self, Code, Event, Message, Moment, Plan, Speaker, Start, Turn, TurnId};
use crate::untrusted::{Kind, Untrusted};

/// Who may use the machine's tools.
///
/// @internal
#[napi]
pub struct Grants {
    grants: authority::Grants,
    errors: Vec<String>,
}

#[napi]
impl Grants {
    /// @internal
    #[napi(constructor, catch_unwind, ts_args_type = "settings: unknown, overriding: unknown")]
    pub fn new(env: &Env, settings: Unknown<'_>, overriding: Unknown<'_>) -> napi::Result<Self> {
        argument::probe();
        let read = authority::Grants::read(Js::from(settings), Js::from(overriding));
        let (grants, errors) = read.map_err(|mistake| throw(*env, mistake))?;
        Ok(Self { grants, errors: errors.iter().map(ToString::to_string).collect() })
    }

    #[napi(getter, catch_unwind, skip_typescript)]
    pub fn actor_ids<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &self.grants.ids().collect::<Vec<_>>())
    }

    #[napi(getter, catch_unwind, skip_typescript)]
    pub fn errors<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &self.errors)
    }
}

/// Who a request acts for, until a plan was made of it.
///
/// @internal
#[napi]
pub struct SpeakerBinding(Option<authority::SpeakerBinding>);

#[napi]
impl SpeakerBinding {
    #[napi(catch_unwind, skip_typescript)]
    pub fn view<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct View<'a> {
            actor_id: &'a str,
            utterance: &'a str,
            response_id: &'a str,
        }
        argument::probe();
        let view = self.0.as_ref().map(|binding| View {
            actor_id: binding.actor_id(),
            utterance: binding.utterance(),
            response_id: binding.response_id(),
        });
        give(env, &view)
    }
}

/// Who the responses of one connection answer.
///
/// @internal
#[napi]
pub struct SpeakerBindings(authority::SpeakerBindings);

#[napi]
impl SpeakerBindings {
    /// @internal
    #[napi(constructor, catch_unwind)]
    #[allow(clippy::needless_pass_by_value, reason = "a text crosses as one that is owned")]
    pub fn new(prefix: String) -> Self {
        argument::probe();
        Self(authority::SpeakerBindings::new(&prefix))
    }

    #[napi(catch_unwind, skip_typescript)]
    pub fn reserve(
        &mut self,
        env: &Env,
        speaker: Unknown<'_>,
        monotonic: Unknown<'_>,
        wall: Unknown<'_>,
    ) -> napi::Result<String> {
        argument::probe();
        let speaker = Speaker::read(Js::from(speaker)).map_err(|mistake| throw(*env, mistake))?;
        let now = argument::moment(Js::from(monotonic), Js::from(wall));
        let now = now.map_err(|mistake| throw(*env, mistake))?;
        Ok(self.0.reserve(speaker, now))
    }

    // Both ids come back from the provider: whatever they are, nothing is thrown.
    #[napi(catch_unwind, skip_typescript)]
    pub fn attach(&mut self, binding_id: Unknown<'_>, response_id: Unknown<'_>) -> bool {
        argument::probe();
        let (binding, response) = (id(binding_id), id(response_id));
        binding.zip(response).is_some_and(|(binding, response)| self.0.attach(&binding, &response))
    }

    #[napi(catch_unwind, skip_typescript)]
    pub fn take(
        &mut self,
        env: &Env,
        response_id: Unknown<'_>,
        monotonic: Unknown<'_>,
        wall: Unknown<'_>,
    ) -> napi::Result<Option<SpeakerBinding>> {
        argument::probe();
        let now = argument::moment(Js::from(monotonic), Js::from(wall));
        let now = now.map_err(|mistake| throw(*env, mistake))?;
        let taken = id(response_id).and_then(|response| self.0.take(&response, now));
        Ok(taken.map(|binding| SpeakerBinding(Some(binding))))
    }

    #[napi(catch_unwind, skip_typescript)]
    pub fn release(&mut self, binding_id: Unknown<'_>) -> bool {
        argument::probe();
        id(binding_id).is_some_and(|binding| self.0.release(&binding))
    }

    #[napi(catch_unwind, skip_typescript)]
    pub fn close(&mut self) {
        argument::probe();
        self.0.close();
    }
}

fn id(value: Unknown<'_>) -> Option<String> {
    authority::wire::short_text(Js::from(value))
}

/// A plan, until it has had its turn.
///
/// @internal
#[napi]
pub struct TurnPlan(Option<authority::TurnPlan>);

#[napi]
impl TurnPlan {
    #[napi(catch_unwind, skip_typescript)]
    pub fn view<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &self.0.as_ref().map(authority::TurnPlan::view))
    }

    /// Who asked, where that is known and the plan has not had its turn.
    #[napi(getter, catch_unwind, skip_typescript)]
    pub fn actor_id<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &self.0.as_ref().and_then(authority::TurnPlan::actor_id))
    }
}

#[napi(catch_unwind, skip_typescript)]
pub fn plan_turn<'env>(
    env: &'env Env,
    turn: Unknown<'env>,
    grants: Unknown<'env>,
    monotonic: Unknown<'env>,
    wall: Unknown<'env>,
) -> napi::Result<TurnPlan> {
    argument::probe();
    let now = argument::moment(Js::from(monotonic), Js::from(wall));
    let planned = now.and_then(|now| plan(turn, grants, now));
    planned.map_err(|mistake| throw(*env, mistake))
}

fn plan(turn: Unknown<'_>, grants: Unknown<'_>, now: Moment) -> Result<TurnPlan, CallerMistake> {
    let grants = Js::from(grants).instance::<Grants>().ok_or(CallerMistake::Grants)?;
    let turn = Turn::read(Js::from(turn), |binding| {
        let binding = binding.instance::<SpeakerBinding>();
        binding.map(|mut binding| binding.0.take())
    })?;
    Ok(TurnPlan(Some(authority::TurnPlan::new(turn, &grants.grants, now))))
}

#[napi(catch_unwind, skip_typescript)]
pub fn frame_turn(env: &Env, message: Unknown<'_>, budget: Unknown<'_>) -> napi::Result<String> {
    argument::probe();
    let framed = Message::read(Js::from(message))
        .and_then(|message| authority::frame(&message, argument::frame_budget(Js::from(budget))?));
    framed.map_err(|mistake| throw(*env, mistake))
}

/// The state machine behind `runTurn`, for its driver only.
///
/// @internal
#[napi]
#[derive(Default)]
pub struct TurnMachine(authority::Turns);

#[napi]
impl TurnMachine {
    /// @internal
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        argument::probe();
        Self::default()
    }

    /// Begins a turn: its number, and what is to be done.
    #[napi(catch_unwind, skip_typescript)]
    pub fn start<'env>(
        &mut self,
        env: &'env Env,
        start: Unknown<'env>,
        monotonic: Unknown<'env>,
        wall: Unknown<'env>,
    ) -> napi::Result<Unknown<'env>> {
        argument::probe();
        let now = argument::moment(Js::from(monotonic), Js::from(wall));
        let started = now.and_then(|now| self.begin(Js::from(start), now));
        give(env, &started.map_err(|mistake| throw(*env, mistake))?)
    }

    /// What is to be done about something that happened to a turn.
    #[napi(catch_unwind, skip_typescript)]
    pub fn handle<'env>(
        &mut self,
        env: &'env Env,
        turn: u32,
        event: Unknown<'env>,
        monotonic: Unknown<'env>,
        wall: Unknown<'env>,
    ) -> napi::Result<Unknown<'env>> {
        argument::probe();
        let now = argument::moment(Js::from(monotonic), Js::from(wall));
        let now = now.map_err(|mistake| throw(*env, mistake))?;
        let event = Js::from(event);
        let list = event.field(c"grants").filter(|list| !list.kind().is_absent());
        let read = list.and_then(Js::instance::<Grants>);
        // What stands there and is no list grants nobody.
        let nobody = authority::Grants::default();
        let grants = list.map(|_| read.as_ref().map_or(&nobody, |read| &read.grants));
        let effects = match Event::read(event, grants) {
            Some(event) => self.0.handle(TurnId(turn), event, now),
            // An event that says nothing still lets time pass.
            None => self.0.wake(now),
        };
        give(env, &effects)
    }

    /// In how many milliseconds an event without meaning is due; null where nothing waits.
    #[napi(catch_unwind, skip_typescript)]
    pub fn next_wake<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &self.0.next_wake())
    }
}

impl TurnMachine {
    fn begin(
        &mut self,
        start: Js<'_>,
        now: Moment,
    ) -> Result<(TurnId, Vec<authority::Effect>), CallerMistake> {
        let field = |name, mistake| start.field(name).ok_or(mistake);
        let plan = field(c"plan", CallerMistake::Plan)?.instance::<TurnPlan>();
        let mut plan = plan.ok_or(CallerMistake::Plan)?;
        if plan.0.as_ref().is_some_and(|plan| *plan.plan() == Plan::Console) {
            return Err(CallerMistake::Plan);
        }
        let room = authority::wire::short_text(field(c"room", CallerMistake::Room)?);
        let room = room.filter(|room| !room.is_empty()).ok_or(CallerMistake::Room)?;
        let message = Message::read(field(c"message", CallerMistake::Message("(all)"))?)?;
        argument::frame_budget(field(c"budget", CallerMistake::FrameBudget)?)?;
        let cancelled = start.field(c"cancelled").map(Js::kind) == Some(Kind::Boolean(true));
        let grants = field(c"grants", CallerMistake::Grants)?;
        let grants = match grants.kind() {
            Kind::Undefined => None,
            _ => Some(grants.instance::<Grants>().ok_or(CallerMistake::Grants)?),
        };
        let start = Start {
            // Taken last: a mistake in another argument does not use the plan up.
            plan: plan.0.take().ok_or(CallerMistake::PlanUsed)?,
            room: &room,
            has_request: !message.request.is_blank(),
            wanted: !cancelled,
            grants: grants.as_ref().map(|grants| &grants.grants),
        };
        Ok(self.0.start(start, now))
    }
}

/// `TURN_CODES`, frozen.
pub(super) fn codes(env: &Env) -> napi::Result<Object<'_>> {
    #[derive(Serialize)]
    struct Row {
        message: Option<&'static str>,
    }
    let mut codes = Object::new(env)?;
    for code in Code::ALL {
        codes.set(code.name(), output::frozen(env, &Row { message: code.message() })?)?;
    }
    codes.freeze()?;
    Ok(codes)
}
