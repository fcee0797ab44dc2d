//! What the calling program passes: right, or a `TypeError` that names the argument.

use napi::bindgen_prelude::Env;

use super::js::{Js, throw_type_error};
use crate::authority::{FRAME_BYTES, FRAME_LEAST_BYTES, Moment};
use crate::untrusted::{Kind, Untrusted};
use crate::{CallerMistake, Dialect, Language, limits};

/// The largest whole number that JavaScript counts to without gaps.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Throws the `TypeError` for a mistake of the calling program, with its `code`.
pub(super) fn throw(env: Env, mistake: CallerMistake) -> napi::Error {
    throw_type_error(env, mistake.code(), &mistake.to_string())
}

/// Bytes of a message; absent is the default.
pub(super) fn budget(value: Js<'_>) -> Result<usize, CallerMistake> {
    whole(value, limits::FEEDBACK_BYTES).ok_or(CallerMistake::Budget)
}

/// The question to start with; absent is the first.
pub(super) fn from(value: Js<'_>) -> Result<usize, CallerMistake> {
    whole(value, 0).ok_or(CallerMistake::From)
}

/// The schema language; absent is the default.
pub(super) fn dialect(value: Js<'_>) -> Result<Dialect, CallerMistake> {
    // No name is longer; a longer text is not copied.
    const LONGEST: usize = 16;
    match value.kind() {
        Kind::Undefined => Ok(Dialect::Draft202012),
        Kind::Text if value.units() <= LONGEST => match value.text().as_deref() {
            Some("2020-12") => Ok(Dialect::Draft202012),
            Some("strict") => Ok(Dialect::Strict),
            _ => Err(CallerMistake::Dialect),
        },
        _ => Err(CallerMistake::Dialect),
    }
}

/// Bytes of a frame; absent is the default.
pub(super) fn frame_budget(value: Js<'_>) -> Result<usize, CallerMistake> {
    whole(value, FRAME_BYTES)
        .filter(|budget| *budget >= FRAME_LEAST_BYTES)
        .ok_or(CallerMistake::FrameBudget)
}

/// A moment on one clock, in milliseconds.
pub(super) fn time(value: Js<'_>) -> Result<u64, CallerMistake> {
    match value.kind() {
        Kind::Number(now) if (0.0..=MAX_SAFE_INTEGER).contains(&now) =>
        {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
            Ok(now as u64)
        }
        _ => Err(CallerMistake::Now),
    }
}

/// A moment on both clocks.
pub(super) fn moment(monotonic: Js<'_>, wall: Js<'_>) -> Result<Moment, CallerMistake> {
    Ok(Moment { monotonic: time(monotonic)?, wall: time(wall)? })
}

/// What somebody said. One that is too long to be an answer is not copied, and one that is broken
/// cannot be read: both say nothing.
pub(super) fn utterance(value: Js<'_>) -> Result<String, CallerMistake> {
    match value.kind() {
        Kind::Text if value.units() > limits::UTTERANCE_BYTES => Ok(String::new()),
        Kind::Text => Ok(value.text().unwrap_or_default()),
        _ => Err(CallerMistake::Utterance),
    }
}

/// The `language` of the options; absent is whichever it is.
pub(super) fn language(options: Js<'_>) -> Result<Option<Language>, CallerMistake> {
    // No code is longer; a longer text is not copied.
    const LONGEST: usize = 2;
    let value = match options.kind() {
        Kind::Undefined => return Ok(None),
        Kind::Object => options.field(c"language").ok_or(CallerMistake::Language)?,
        _ => return Err(CallerMistake::Options),
    };
    match value.kind() {
        Kind::Undefined => Ok(None),
        Kind::Text if value.units() <= LONGEST => {
            let language = value.text().and_then(|code| Language::from_code(&code));
            language.map(Some).ok_or(CallerMistake::Language)
        }
        _ => Err(CallerMistake::Language),
    }
}

/// A whole number, 0 or more.
fn whole(value: Js<'_>, default: usize) -> Option<usize> {
    match value.kind() {
        Kind::Undefined => Some(default),
        Kind::Number(number)
            if number.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(&number) =>
        {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a safe whole number, and every target has 64 bits"
            )]
            Some(number as usize)
        }
        _ => None,
    }
}

/// Panics once where a test asked for it; nothing in a release build.
pub(super) fn probe() {
    #[cfg(feature = "panic-probe")]
    super::probe::panic_if_armed();
}
