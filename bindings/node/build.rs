//! Sets the linker flags of a Node-API module.

fn main() {
    // On Windows the module finds Node's functions at run time in the program that loads it, and
    // links with no library of Node.
    if std::env::var_os("CARGO_CFG_WINDOWS").is_none() {
        napi_build::setup();
    }
    // Node unloads a module together with the worker that loaded it, while threads of the library
    // still wait in it.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    // A macOS library contains its own name: by default, the path of the machine that built it.
    if std::env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libspeech_node.dylib");
    }
}
