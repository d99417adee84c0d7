//! Keeps the library loaded once it is: Java unloads it together with the class loader that loaded it, while threads of its own run
//! in it. On macOS gives it a name, which would be the path where it was built.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let arguments = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        // As linkers and compilers both take them.
        Ok("linux" | "android") => ["-z", "nodelete"],
        Ok("macos") => ["-install_name", "@rpath/libspeech_jvm.dylib"],
        _ => return,
    };
    for argument in arguments {
        println!("cargo::rustc-cdylib-link-arg={argument}");
    }
}
