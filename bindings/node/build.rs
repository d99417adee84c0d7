//! Sets the linker flags of a Node-API module.

fn main() {
    // On Windows the module looks Node's functions up in the program that loads it, and is linked with nothing of Node.
    if std::env::var_os("CARGO_CFG_WINDOWS").is_none() {
        napi_build::setup();
    }
}
