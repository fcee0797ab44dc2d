//! The live call's machine for its driver, `main/live-call.js`. Not for programs of users, so its
//! methods are not in the types.

use napi::bindgen_prelude::{Env, Unknown};
use napi_derive::napi;

use super::js::Js;
use super::output::give;
use super::{SpokenQuestion, argument};
use crate::call::Call;
use crate::call::effect::OperationView;
use crate::call::event::{Event, OperationId};
use crate::call::options::Options;
use crate::untrusted::{Kind, Untrusted};

/// The state machine behind `openLiveCall` of `spoken-answer/main`, for its driver only.
///
/// @internal
#[napi]
pub struct LiveCallMachine(Call);

#[napi]
impl LiveCallMachine {
    /// @internal
    #[napi(constructor, catch_unwind, ts_args_type = "options: object")]
    pub fn new(env: &Env, options: Unknown<'_>) -> napi::Result<Self> {
        argument::probe();
        let options = Options::read(Js::from(options));
        options
            .map(|options| Self(Call::new(options)))
            .map_err(|mistake| argument::throw(*env, mistake))
    }

    /// What is to be done about an event that happens at `now`.
    #[napi(catch_unwind, skip_typescript)]
    pub fn handle<'env>(
        &mut self,
        env: &'env Env,
        event: Unknown<'env>,
        now: Unknown<'env>,
    ) -> napi::Result<Unknown<'env>> {
        argument::probe();
        let event = Event::read(Js::from(event), self.0.id());
        let event = event.map_err(|mistake| argument::throw(*env, mistake))?;
        // An event that says nothing still lets time pass.
        let event = event.unwrap_or(Event::Wake);
        let now = match Js::from(now).kind() {
            Kind::Number(now) if now >= 0.0 => now,
            _ => 0.0,
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let effects = self.0.handle(event, now as u64);
        give(env, &effects)
    }

    /// When a `wake` is due; null where only an event can change anything.
    #[napi(catch_unwind, skip_typescript)]
    pub fn next_wake<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &self.0.next_wake())
    }

    /// The question that the app's classifier may see for an operation.
    #[napi(catch_unwind, skip_typescript)]
    pub fn question(&self, operation: u32) -> Option<SpokenQuestion> {
        argument::probe();
        self.0.seen_question(OperationId(operation)).cloned().map(SpokenQuestion)
    }

    #[napi(catch_unwind, skip_typescript)]
    pub fn operations<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        argument::probe();
        give(env, &self.0.operations().collect::<Vec<OperationView>>())
    }
}
