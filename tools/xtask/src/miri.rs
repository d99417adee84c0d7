//! `cargo xtask miri`: the code that handles pointers, on an interpreter that finds undefined
//! behaviour.

use anyhow::Result;

use crate::nightly::{Component, Nightly};
use crate::process;
use crate::workspace::Workspace;

/// Runs the unit tests of the C interface (pointers, handles, the boundary that stops panics) and of the kernels that any
/// machine runs. Nothing there speaks, which would take Miri too long.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let nightly = require(workspace)?;
    let mut cargo = nightly.cargo(&workspace.target().join("nightly"));
    process::shown(cargo.args(["miri", "test", "--package", "speech-ffi", "--lib"]))?;
    let mut cargo = nightly.cargo(&workspace.target().join("nightly"));
    // Property tests take their seed from the system.
    cargo.env("MIRIFLAGS", "-Zmiri-disable-isolation");
    let kernels = ["--package", "speech-core", "--lib", "acoustic::kernels"];
    // It compares values, with operations that others test, and takes many minutes.
    let but = ["--", "--skip", "kernels::self_check"];
    process::shown(cargo.args(["miri", "test"]).args(kernels).args(but))
}

/// The toolchain, which Miri comes with and what `cargo xtask tsan` compiles.
pub(crate) fn require(workspace: &Workspace) -> Result<Nightly<'_>> {
    Nightly::find(workspace, &[Component::Miri, Component::RustSrc])
}
