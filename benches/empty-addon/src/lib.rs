//! What any napi-rs addon costs: one function that does nothing.

use napi_derive::napi;

/// Does nothing.
#[napi(catch_unwind)]
pub fn nothing() {}
