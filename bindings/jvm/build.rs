//! Keeps the library loaded: Java unloads it together with the class loader that loaded it, while
//! the library's threads may still run in it. On macOS also sets its install name, which is
//! otherwise the path on the build machine.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let arguments = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        // In the form that linkers and compilers both accept.
        Ok("linux" | "android") => ["-z", "nodelete"],
        Ok("macos") => ["-install_name", "@rpath/libspeech_jvm.dylib"],
        _ => return,
    };
    for argument in arguments {
        println!("cargo::rustc-cdylib-link-arg={argument}");
    }
}
