//! `cargo xtask header`: generates include/speech.h from the crate of the C interface.

use crate::prelude::*;

/// Writes the header if it has changed.
pub(crate) fn run() -> Result<()> {
    let mut tool = workspace::cargo("run");
    let header = process::printed(tool.args(["--quiet", "--package", "speech-header"]))?;
    let path = root().join("include/speech.h");
    if fs::read(&path).is_ok_and(|found| found == header) {
        note("include/speech.h is up to date");
        return Ok(());
    }
    fs::write(&path, header)?;
    note("include/speech.h has been updated");
    Ok(())
}
