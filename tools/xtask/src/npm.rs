//! The npm client, and folders of installed packages.

use crate::needs::{self, require};
use crate::prelude::*;

/// The npm command; the error explains how to install it.
pub(crate) fn command() -> Result<Command> {
    require(&[needs::NPM])?;
    Ok(Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" }))
}

/// Copies the files of a folder, and installs the packages of its lock file there, unless that is
/// done.
pub(crate) fn install(label: &str, from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for file in listed(from)?.iter().filter(|path| path.is_file()) {
        fs::copy(file, to.join(name_of(file)))?;
    }
    let lock = digest::of_file(&to.join("package-lock.json"))?;
    files::once(&to.join("node_modules/lock.sha256"), &lock, || {
        let mut install = command()?;
        install.args(["ci", "--no-audit", "--no-fund"]).current_dir(to);
        process::titled(label, &mut install)
    })
}
