//! Keeps the library loaded once it is: Java unloads it together with the class loader that loaded it, while threads of its own run
//! in it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok("linux" | "android") = std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        // As the linker itself and compilers both take it.
        println!("cargo::rustc-cdylib-link-arg=-z");
        println!("cargo::rustc-cdylib-link-arg=nodelete");
    }
}
