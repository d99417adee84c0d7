//! `cargo xtask miri`: the code that handles pointers, on an interpreter that finds undefined
//! behaviour.

use anyhow::Result;

use crate::nightly::{Component, Nightly};
use crate::process;
use crate::workspace::Workspace;

/// The tests that are run of the crate that all others share: calls of the system, and what threads share. Files cannot be
/// mapped there, and `rayon` breaks the rules that Miri assumes (<https://github.com/crossbeam-rs/crossbeam/issues/545>).
const BASE: [&str; 5] = ["request_id", "cancel", "fair_queue", "fair_semaphore", "prefetch"];

/// Runs the unit tests of the C interface (pointers, handles, the boundary that stops panics), of the kernels and of what
/// threads share. The front end is safe code. Nothing there speaks, which would take Miri too long.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let nightly = require(workspace)?;
    let miri = |package| {
        let mut cargo = nightly.cargo(&workspace.target().join("nightly"));
        // Errors have the time in their identifier, and property tests take their seed from the system.
        cargo.env("MIRIFLAGS", "-Zmiri-disable-isolation");
        cargo.args(["miri", "test", "--package", package, "--lib"]);
        cargo
    };
    process::shown(&mut miri("speech-ffi"))?;
    process::shown(&mut miri("speech-bindings"))?;
    process::shown(miri("speech-base").arg("--").args(BASE))?;
    // It compares values, with operations that others test, and takes many minutes.
    process::shown(miri("speech-kernels").args(["--", "--skip", "self_check"]))
}

/// The toolchain, which Miri comes with and what `cargo xtask tsan` compiles.
pub(crate) fn require(workspace: &Workspace) -> Result<Nightly<'_>> {
    Nightly::find(workspace, &[Component::Miri, Component::RustSrc])
}
