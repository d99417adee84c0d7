//! `cargo xtask neon`: the kernels of aarch64 against the specification, on an emulated processor.
//!
//! The standard library is compiled for it too, so that no other toolchain is needed.

use std::process::Command;

use anyhow::{Result, bail};

use crate::nightly::{Component, Nightly};
use crate::process;
use crate::workspace::Workspace;

const TRIPLE: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";

/// Runs the unit tests of the kernels.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    for program in [LINKER, EMULATOR] {
        if !process::exists(Command::new(program).arg("--version"))? {
            bail!(
                "{program} was not found. Install a compiler for aarch64 and the emulator (Debian and Ubuntu: \
                 apt-get install gcc-aarch64-linux-gnu qemu-user) and run the command again"
            );
        }
    }
    let nightly = Nightly::find(workspace, &[Component::RustSrc])?;
    let mut cargo = nightly.cargo(&workspace.target().join("nightly"));
    cargo
        .args(["test", "-Zbuild-std", "--target", TRIPLE])
        .args(["--package", "speech-core", "--lib", "acoustic::kernels"])
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER)
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
            format!("{EMULATOR} -L /usr/aarch64-linux-gnu"),
        );
    process::shown(&mut cargo)
}
