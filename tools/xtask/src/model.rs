//! `cargo xtask model`: what threads of the library do to each other, in many orders, under the model checker Shuttle.

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

/// Runs the model checks of `speech-base` and of the C interface, which are compiled with the locks of the model checker.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let mut cargo = workspace.cargo("test");
    cargo
        .args(["--release", "--package", "speech-base", "--package", "speech-ffi", "--lib"])
        .args(["model_checks", "--", "--nocapture", "--test-threads=1"])
        .env("CARGO_TARGET_DIR", workspace.target().join("model"))
        .env("RUSTFLAGS", "--cfg shuttle");
    process::shown(&mut cargo)
}
