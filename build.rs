//! Hands the Node-API link arguments to the linker, only where the addon is built.

fn main() {
    #[cfg(feature = "node")]
    napi_build::setup();
}
