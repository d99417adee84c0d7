//! Gives the shared library the name that programs record when they are linked with it, and keeps it loaded once
//! it is: its own threads run in it, and those that used it point into it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The number is SPEECH_ABI_MAJOR of src/version.rs; a test compares them.
    let name = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd") => "-Wl,-soname,libspeech.so.1",
        Ok("macos" | "ios") => "-Wl,-install_name,@rpath/libspeech.1.dylib",
        _ => return,
    };
    println!("cargo::rustc-cdylib-link-arg={name}");
    if name.starts_with("-Wl,-soname") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
