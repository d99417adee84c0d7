//! Sets the linker flags of a Node-API module.

fn main() {
    // On Windows the module looks Node's functions up in the program that loads it, and is linked with nothing of Node.
    if std::env::var_os("CARGO_CFG_WINDOWS").is_none() {
        napi_build::setup();
    }
    // Node unloads a module together with the worker that loaded it, while threads of the library wait in it.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    // A library of macOS says what it is called: without this, the path of the machine that built it.
    if std::env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libspeech_node.dylib");
    }
}
