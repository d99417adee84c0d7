//! Nightly Rust, for features that stable Rust lacks: Miri, and a standard library with a
//! sanitizer.

use crate::prelude::*;

/// A cargo command of this toolchain with its own target directory.
pub(crate) fn cargo(target: &Path) -> Command {
    let mut cargo = workspace::cargo_through(Path::new("rustup"), "run");
    cargo.args(["nightly", "cargo"]).env("CARGO_TARGET_DIR", target);
    // These variables belong to the stable toolchain that runs this tool.
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        cargo.env_remove(variable);
    }
    cargo
}

/// Whether the toolchain is installed, with a component.
pub(crate) fn has(component: &str) -> bool {
    let file = match component {
        "miri" => "bin/cargo-miri",
        _ => "lib/rustlib/src/rust/library",
    };
    sysroot().is_some_and(|sysroot| sysroot.join(file).exists())
}

/// A library of the toolchain, such as the runtime of a sanitizer.
pub(crate) fn library(triple: &str, name: &str) -> Result<PathBuf> {
    let sysroot = sysroot().context("nightly Rust is not installed")?;
    Ok(sysroot.join("lib/rustlib").join(triple).join("lib").join(name))
}

fn sysroot() -> Option<PathBuf> {
    let mut rustc = Command::new("rustup");
    rustc.args(["run", "nightly", "rustc", "--print", "sysroot"]);
    let output = rustc.output().ok().filter(|output| output.status.success())?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}
