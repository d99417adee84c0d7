//! Sets the shared library's soname or install name, and keeps the library loaded: its own
//! threads run in it, and objects of the caller may point into it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The number is SPEECH_ABI_MAJOR in src/version.rs; a test compares them.
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
