//! What the calling program passes: what it got wrong is a [`CallerMistake`] that names the
//! argument. What a provider or a person said is not its mistake, and is judged later.

use super::scalar::{any_text, text, time};
use crate::call::event::{Evidence, FeedbackId, Session, Utterance};
use crate::call::operation::INSTRUCTION_BYTES;
use crate::error::CallerMistake;
use crate::limits;
use crate::provenance::Speaker;
use crate::untrusted::{Kind, Untrusted};

/// Bytes of a person's own words that are looked at.
const UTTERANCE_BYTES: usize = INSTRUCTION_BYTES;

pub(super) fn session<V: Untrusted>(session: Option<V>) -> Result<Session, CallerMistake> {
    let wrong = CallerMistake::Session;
    let session = session.filter(|session| session.kind() == Kind::Object).ok_or(wrong(""))?;
    let id = session.field(c"id").and_then(|id| text(id, limits::ID_BYTES));
    let id = id.filter(|id| !id.is_empty()).ok_or(wrong(".id"))?;
    let local = match session.field(c"local").map(Untrusted::kind) {
        Some(Kind::Undefined) => true,
        Some(Kind::Boolean(local)) => local,
        _ => return Err(wrong(".local")),
    };
    Ok(Session { id, local })
}

/// The id and the text of a request. Both are the provider's.
pub(super) fn request<V: Untrusted>(request: Option<V>) -> Result<(String, String), CallerMistake> {
    let request = request.filter(|request| request.kind() == Kind::Object);
    let request = request.ok_or(CallerMistake::Request)?;
    let text = |name| request.field(name).map(any_text).ok_or(CallerMistake::Request);
    Ok((text(c"requestId")?, text(c"instruction")?))
}

pub(super) fn evidence<V: Untrusted>(value: Option<V>) -> Result<Evidence, CallerMistake> {
    let wrong = CallerMistake::Evidence;
    let value = value.ok_or(wrong(""))?;
    match value.kind() {
        Kind::Undefined | Kind::Null => return Ok(Evidence::default()),
        Kind::Object => {}
        _ => return Err(wrong("")),
    }
    // Absent, or there.
    let field = |name, named| match value.field(name) {
        Some(part) if part.kind().is_absent() => Ok(None),
        Some(part) => Ok(Some(part)),
        None => Err(wrong(named)),
    };
    let utterance = match field(c"utterance", ".utterance")? {
        None => None,
        Some(words) if words.kind() == Kind::Text => Some(utterance(words)),
        Some(_) => return Err(wrong(".utterance")),
    };
    let speech_started_at = match field(c"speechStartedAt", ".speechStartedAt")? {
        None => None,
        Some(began) => Some(moment(began).ok_or(wrong(".speechStartedAt"))?),
    };
    let speaker = match field(c"speaker", ".speaker")? {
        None => None,
        Some(speaker) => Some(self::speaker(speaker).ok_or(wrong(".speaker"))?),
    };
    Ok(Evidence { utterance, speech_started_at, speaker })
}

fn utterance<V: Untrusted>(words: V) -> Utterance {
    text(words, UTTERANCE_BYTES).map_or(Utterance::Unusable, Utterance::Words)
}

/// A finite number of milliseconds. One beyond counting is later than any other.
fn moment<V: Untrusted>(value: V) -> Option<u64> {
    match value.kind() {
        Kind::Number(number) if number.is_finite() && number >= 0.0 => {
            Some(time(value).unwrap_or(u64::MAX))
        }
        _ => None,
    }
}

fn speaker<V: Untrusted>(speaker: V) -> Option<Speaker> {
    if speaker.kind() != Kind::Object {
        return None;
    }
    let id = text(speaker.field(c"id")?, limits::ID_BYTES).filter(|id| !id.is_empty())?;
    let attribution = speaker.field(c"attribution")?;
    let attribution = match attribution.kind() {
        Kind::Undefined | Kind::Null => String::new(),
        _ => text(attribution, limits::ID_BYTES)?,
    };
    Some(Speaker { id, attribution })
}

/// Which message of this call is meant, if any: ids of other calls, or written otherwise than they
/// were given out, are none of this one's.
pub(super) fn feedback_id<V: Untrusted>(
    value: Option<V>,
    call_id: &str,
) -> Result<Option<FeedbackId>, CallerMistake> {
    let value = value.filter(|id| id.kind() == Kind::Text).ok_or(CallerMistake::FeedbackId)?;
    Ok(text(value, 2 * limits::ID_BYTES).and_then(|id| {
        let number = id.strip_prefix(call_id)?.strip_prefix(':')?;
        let read: u32 = number.parse().ok()?;
        (read.to_string() == number).then_some(FeedbackId(read))
    }))
}
