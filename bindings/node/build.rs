//! Tells the linker how a module of Node is linked.

fn main() {
    napi_build::setup();
}
