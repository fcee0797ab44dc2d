//! Turns, speakers and events as JavaScript objects, read within bounds, each part once.

use super::binding::{Speaker, SpeakerBinding, UTTERANCE_UNITS};
use super::event::Event;
use super::grants::Grants;
use super::message::Words;
use super::plan::Turn;
use crate::error::CallerMistake;
use crate::limits;
use crate::untrusted::{Kind, Untrusted};

impl Turn {
    /// Reads a turn. `binding` takes the binding out of what stands under that name: `None` where
    /// it is none, `Some(None)` where it has been used.
    ///
    /// # Errors
    /// [`CallerMistake::Turn`] names the part that is wrong, [`CallerMistake::Binding`] says that
    /// the binding is none.
    pub fn read<V: Untrusted>(
        value: V,
        binding: impl FnOnce(V) -> Option<Option<SpeakerBinding>>,
    ) -> Result<Self, CallerMistake> {
        let wrong = CallerMistake::Turn;
        if value.kind() != Kind::Object {
            return Err(wrong("(all)"));
        }
        let lane = value.field(c"lane").filter(|lane| lane.units() <= 16).and_then(V::text);
        let lane = lane.ok_or(wrong("lane"))?;
        if lane == "console" {
            return Ok(Self::Console);
        }
        let durable = match value.field(c"durable").ok_or(wrong("durable"))?.kind() {
            Kind::Undefined | Kind::Boolean(true) => true,
            Kind::Boolean(false) => false,
            _ => return Err(wrong("durable")),
        };
        // An id that is too long or broken is nobody's, which is what an empty one is.
        let actor = || match value.field(c"actorId") {
            Some(id) if id.kind() == Kind::Text => Ok(short_text(id).unwrap_or_default()),
            _ => Err(wrong("actorId")),
        };
        match lane.as_str() {
            "text" => Ok(Self::Text { actor_id: actor()?, durable }),
            "gameplay" => Ok(Self::Gameplay { actor_id: actor()?, durable }),
            "voice" => {
                let value = value.field(c"binding").ok_or(CallerMistake::Binding)?;
                let binding = if value.kind() == Kind::Null {
                    None
                } else {
                    binding(value).ok_or(CallerMistake::Binding)?
                };
                Ok(Self::Voice { binding, durable })
            }
            _ => Err(wrong("lane")),
        }
    }
}

impl Speaker {
    /// Reads a speaker.
    ///
    /// # Errors
    /// [`CallerMistake::Speaker`] where the id or the words are none.
    pub fn read<V: Untrusted>(value: V) -> Result<Self, CallerMistake> {
        let field = |name| {
            let object = value.kind() == Kind::Object;
            if object { value.field(name) } else { None }.ok_or(CallerMistake::Speaker)
        };
        let id = short_text(field(c"id")?).filter(|id| !id.is_empty());
        let id = id.ok_or(CallerMistake::Speaker)?;
        let utterance = field(c"utterance")?.start(UTTERANCE_UNITS);
        Ok(Self { id, utterance: utterance.ok_or(CallerMistake::Speaker)? })
    }
}

/// Characters of an answer that are looked at to see whether it says anything.
const ANSWER_CHARS: usize = 8_000;

impl<'a> Event<'a> {
    /// Reads an event of the driver; `None` where it is none. `grants` is the list that stands under
    /// that name, where one does.
    pub fn read<V: Untrusted>(value: V, grants: Option<&'a Grants>) -> Option<Self> {
        let yes = |name| Some(value.field(name)?.kind() == Kind::Boolean(true));
        let holds = || Some(value.field(c"machineTools")?.kind() != Kind::Boolean(false));
        Some(match short_text(value.field(c"type")?)?.as_str() {
            "opened" => Self::Opened { machine_tools: holds()?, fresh: yes(c"fresh")?, grants },
            "notOpened" => Self::NotOpened,
            "answered" => {
                let answer = Words::read(value.field(c"answer")?, ANSWER_CHARS);
                let anything = answer.is_some_and(|words| !words.is_blank());
                Self::Answered { anything, machine_tools: holds()? }
            }
            "failed" => Self::Failed,
            "stopped" => Self::Stopped { machine_tools: holds()? },
            "notStopped" => Self::NotStopped,
            "taken" => Self::Taken,
            "disposed" => Self::Disposed,
            "notDisposed" => Self::NotDisposed,
            "cancel" => Self::Cancel,
            _ => return None,
        })
    }
}

/// A text no longer than an id.
pub(crate) fn short_text<V: Untrusted>(value: V) -> Option<String> {
    // Units are never more than bytes, so a longer text is not copied.
    if value.units() > limits::ID_BYTES {
        return None;
    }
    value.text().filter(|text| text.len() <= limits::ID_BYTES)
}
