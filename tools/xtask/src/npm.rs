//! The npm client.

use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

/// The npm command, or how to install it.
pub(crate) fn command() -> Result<Command> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    if !process::exists(Command::new(program).arg("--version"))? {
        bail!(
            "npm is needed, and was not found. Install it (Debian and \
             Ubuntu: apt install npm; macOS: brew install node; Windows: winget install \
             OpenJS.NodeJS.LTS) and run the command again"
        );
    }
    Ok(Command::new(program))
}
