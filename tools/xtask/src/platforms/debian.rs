//! Programs of Debian for another processor, in a folder: nothing of this machine's system changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::progress::Item;

/// Downloads packages with all that they need, unpacks them, and gives the folder.
pub(super) fn unpacked(folder: &Path, architecture: &str, packages: &[&str]) -> Result<PathBuf> {
    let root = folder.join("root");
    if root.exists() {
        return Ok(root);
    }
    let item = Item::start(format!("{} for {architecture}, from Debian", packages.join(", ")));
    let state = folder.join("apt");
    for name in ["lists/partial", "archives/partial"] {
        let path = state.join(name);
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
    }
    // Nothing is installed there yet.
    fs::write(state.join("status"), "")?;
    process::quiet(apt(&state, architecture).arg("update"), &item)?;
    let mut download = apt(&state, architecture);
    download.args(["install", "--download-only", "--no-install-recommends", "--yes"]);
    process::quiet(download.args(packages), &item)?;
    let partial = folder.join("root-partial");
    let archives = state.join("archives");
    for entry in fs::read_dir(&archives)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            process::quiet(Command::new("dpkg-deb").arg("-x").arg(&path).arg(&partial), &item)?;
        }
    }
    fs::rename(&partial, &root).with_context(|| format!("cannot make {}", root.display()))?;
    item.finish("");
    Ok(root)
}

/// apt with a state and an archive of its own, for a processor.
fn apt(state: &Path, architecture: &str) -> Command {
    let mut apt = Command::new("apt-get");
    let mut set = |name: &str, value: String| {
        apt.arg("-o").arg(format!("{name}={value}"));
    };
    set("Dir::State", state.display().to_string());
    set("Dir::State::status", state.join("status").display().to_string());
    set("Dir::Cache", state.display().to_string());
    set("APT::Architecture", architecture.to_owned());
    set("APT::Architectures", architecture.to_owned());
    apt
}
