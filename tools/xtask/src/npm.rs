//! The npm client, and folders of what it installs.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::digest;
use crate::process;
use crate::progress::Item;

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

/// Copies the files of a folder and installs there what its lock names, unless that is done.
pub(crate) fn install(label: &str, from: &Path, to: &Path) -> Result<()> {
    copy(from, to)?;
    let stamp = to.join("node_modules").join("lock.sha256");
    let wanted = digest::of_file(&to.join("package-lock.json"))?.context("there is no lock")?;
    if fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == wanted) {
        return Ok(());
    }
    let item = Item::start(label);
    let mut install = command()?;
    install.args(["ci", "--no-audit", "--no-fund"]).current_dir(to);
    process::quiet(&mut install, &item)?;
    item.finish("");
    fs::write(&stamp, wanted).with_context(|| stamp.display().to_string())
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    for file in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let file = file?;
        if file.file_type()?.is_file() {
            fs::copy(file.path(), to.join(file.file_name()))?;
        }
    }
    Ok(())
}
