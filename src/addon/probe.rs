//! A panic on demand, for the test that proves every export is guarded.

use std::cell::Cell;

use napi_derive::napi;

thread_local! {
    static ARMED: Cell<bool> = const { Cell::new(false) };
}

/// Makes the next export that is called panic.
#[napi]
pub fn arm_panic() {
    ARMED.set(true);
}

pub(super) fn panic_if_armed() {
    assert!(!ARMED.replace(false), "a panic that a test asked for");
}
