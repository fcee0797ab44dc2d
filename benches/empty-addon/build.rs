//! Hands the Node-API link arguments to the linker.

fn main() {
    napi_build::setup();
}
