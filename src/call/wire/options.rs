//! The options of a call.

use super::scalar::{text, word};
use crate::call::options::{Options, Partial, Requirement, Speakers};
use crate::error::CallerMistake;
use crate::limits;
use crate::provenance::ReadOut;
use crate::untrusted::{Kind, Untrusted};

impl Options {
    /// Reads the options of a call.
    ///
    /// # Errors
    /// [`CallerMistake::Option`] names the first that is wrong.
    pub fn read<V: Untrusted>(value: V) -> Result<Self, CallerMistake> {
        let wrong = CallerMistake::Option;
        let field = |name: &'static std::ffi::CStr, named| value.field(name).ok_or(wrong(named));
        let call_id = text(field(c"callId", "callId")?, limits::ID_BYTES - 16)
            .filter(|id| !id.is_empty())
            .ok_or(wrong("callId"))?;
        let mut options = Self::new(&call_id);
        let provider = field(c"provider", "voice.name")?;
        if provider.kind() != Kind::Undefined {
            options.provider = Some(text(provider, limits::ID_BYTES).ok_or(wrong("voice.name"))?);
        }
        options.budget = match field(c"budget", "budget")?.kind() {
            Kind::Undefined => options.budget,
            Kind::Number(bytes) if (0.0..=1e9).contains(&bytes) && bytes.fract() == 0.0 => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "checked"
                )]
                let bytes = bytes as usize;
                bytes
            }
            _ => return Err(wrong("budget")),
        };
        options.read_out = choice(
            field(c"readOut", "readOut")?,
            &[("sent", ReadOut::Sent), ("spoken", ReadOut::Spoken)],
        )
        .ok_or(wrong("readOut"))?
        .unwrap_or(options.read_out);
        options.evidence = choice(
            field(c"evidence", "evidence")?,
            &[("optional", Requirement::Optional), ("required", Requirement::Required)],
        )
        .ok_or(wrong("evidence"))?
        .unwrap_or(options.evidence);
        options.partial_answers = choice(
            field(c"partialAnswers", "partialAnswers")?,
            &[("refuse", Partial::Refuse), ("collect", Partial::Collect)],
        )
        .ok_or(wrong("partialAnswers"))?
        .unwrap_or(options.partial_answers);
        options.speakers = speakers(field(c"speakers", "speakers")?).ok_or(wrong("speakers"))?;
        let flag = |value: V, default, named| match value.kind() {
            Kind::Undefined => Ok(default),
            Kind::Boolean(value) => Ok(value),
            _ => Err(wrong(named)),
        };
        options.may_share_questions =
            flag(field(c"mayShareQuestions", "mayShareQuestions")?, true, "mayShareQuestions")?;
        options.app_classifies = flag(field(c"appClassifies", "classify")?, false, "classify")?;
        options.journal = flag(field(c"journal", "journal")?, false, "journal")?;
        options.host_proves =
            choice(field(c"proof", "host.proof")?, &[("host", true), ("none", false)])
                .flatten()
                .ok_or(wrong("host.proof"))?;
        Ok(options)
    }
}

fn speakers<V: Untrusted>(value: V) -> Option<Speakers> {
    if value.kind() == Kind::List {
        if value.length() > 256 {
            return None;
        }
        let ids = (0..value.length()).map(|index| text(value.item(index)?, limits::ID_BYTES));
        return ids.collect::<Option<_>>().map(Speakers::These);
    }
    choice(value, &[("any", Speakers::Any), ("known", Speakers::Known)])
        .map(|chosen| chosen.unwrap_or(Speakers::Any))
}

/// One of a few words; `Some(None)` where there is none.
#[expect(clippy::option_option, reason = "absent and wrong are two answers here")]
fn choice<V: Untrusted, T: Clone>(value: V, choices: &[(&str, T)]) -> Option<Option<T>> {
    if value.kind() == Kind::Undefined {
        return Some(None);
    }
    let name = word(value)?;
    choices.iter().find(|(other, _)| *other == name).map(|(_, chosen)| Some(chosen.clone()))
}
