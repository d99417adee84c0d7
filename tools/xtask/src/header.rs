//! `cargo xtask header`: include/speech.h, made from the crate of the C interface.

use std::fs;

use anyhow::{Context, Result};

use crate::process;
use crate::progress::note;
use crate::workspace::Workspace;

/// Writes the header, unless it is as it should be.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let mut tool = workspace.cargo("run");
    let header = process::printed(tool.args(["--quiet", "--package", "speech-header"]))?;
    let path = workspace.root().join("include").join("speech.h");
    if fs::read(&path).is_ok_and(|found| found == header) {
        note("include/speech.h is up to date");
        return Ok(());
    }
    fs::write(&path, header).with_context(|| format!("cannot write {}", path.display()))?;
    note("include/speech.h is new");
    Ok(())
}
