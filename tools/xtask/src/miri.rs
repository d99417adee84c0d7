//! `cargo xtask miri`: the code that handles pointers, on an interpreter that finds undefined
//! behaviour.

use anyhow::Result;

use crate::nightly::{Component, Nightly};
use crate::process;
use crate::workspace::Workspace;

/// Runs the unit tests of the C interface: pointers, handles, the boundary that stops panics. Nothing
/// there speaks, which would take Miri too long.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let nightly = Nightly::find(workspace, &[Component::Miri, Component::RustSrc])?;
    let mut cargo = nightly.cargo(&workspace.target().join("nightly"));
    process::shown(cargo.args(["miri", "test", "--package", "speech-ffi", "--lib"]))
}
