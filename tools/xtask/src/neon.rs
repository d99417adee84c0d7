//! `cargo xtask neon`: the kernels of aarch64 against the specification, on an emulated processor.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::programs;
use crate::workspace::Workspace;

const TRIPLE: &str = "aarch64-unknown-linux-gnu";
pub(crate) const LINKER: &str = "aarch64-linux-gnu-gcc";
pub(crate) const EMULATOR: &str = "qemu-aarch64";

/// Processors that are emulated, and the tests that run on them: all tests where there are all instructions; on the others, that
/// none is used that there is not.
const PROCESSORS: [(&str, &[&str]); 3] = [
    // All instructions, those of Armv8.6 for products of bfloat16 and 8-bit matrices among them.
    ("max", &["acoustic::kernels"]),
    // Products of bytes (Armv8.2).
    ("cortex-a76", &["kernels::self_check", "kernels::tests::int16"]),
    // Neither.
    ("cortex-a72", &["kernels::self_check", "kernels::tests::int16"]),
];

/// Runs the unit tests of the kernels.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    require()?;
    PROCESSORS.iter().try_for_each(|(processor, tests)| run_on(workspace, processor, tests))
}

fn run_on(workspace: &Workspace, processor: &str, tests: &[&str]) -> Result<()> {
    let mut cargo = workspace.cargo("test");
    cargo
        .args(["--target", TRIPLE, "--package", "speech-core", "--lib", "--"])
        .args(tests)
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER)
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
            format!("{EMULATOR} -cpu {processor} -L /usr/aarch64-linux-gnu"),
        );
    process::shown(&mut cargo)
}

/// Fails unless everything is there that this needs.
pub(crate) fn require() -> Result<()> {
    programs::require_emulator()?;
    if !has_standard_library()? {
        bail!(
            "Rust's standard library for aarch64 was not found. Install it (rustup target add {TRIPLE}) and run the \
             command again"
        );
    }
    Ok(())
}

fn has_standard_library() -> Result<bool> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TRIPLE])
        .output()
        .context("rustc could not be run")?;
    let directory = String::from_utf8(output.stdout).context("rustc names a strange directory")?;
    Ok(Path::new(directory.trim()).is_dir())
}
