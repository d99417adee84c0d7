//! Unpacks Debian packages of another release or architecture to a folder, without changing this
//! machine's system.

use crate::prelude::*;

const SOURCES: &str = "sources.list";

/// The keys that sign Debian's package lists.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Downloads packages of a release (such as `stable`) with their dependencies, unpacks them, and
/// returns the folder.
pub(super) fn unpacked(
    folder: &Path,
    suite: &str,
    architecture: &str,
    packages: &[&str],
) -> Result<PathBuf> {
    let root = folder.join("root");
    if root.exists() {
        return Ok(root);
    }
    let item = Item::start(format!("{} for {architecture}, from Debian", packages.join(", ")));
    let state = folder.join("apt");
    for name in ["lists/partial", "archives/partial"] {
        let path = state.join(name);
        fs::create_dir_all(&path)?;
    }
    // An empty list of installed packages.
    fs::write(state.join("status"), "")?;
    let line = format!("deb [signed-by={KEYS}] {} {suite} main\n", mirror()?);
    fs::write(state.join(SOURCES), line)?;
    process::quiet(apt(&state, architecture).arg("update"), &item)?;
    let mut download = apt(&state, architecture);
    download.args(["install", "--download-only", "--no-install-recommends", "--yes"]);
    process::quiet(download.args(packages), &item)?;
    let partial = folder.join("root-partial");
    let archives = state.join("archives");
    for package in all(&archives, ".deb")? {
        process::quiet(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&partial), &item)?;
    }
    // Debian's programs refer to `/lib`, which its packages no longer use.
    let link = partial.join("lib");
    #[cfg(unix)]
    if !link.exists() {
        std::os::unix::fs::symlink("usr/lib", &link)
            .with_context(|| format!("cannot make {}", link.display()))?;
    }
    fs::rename(&partial, &root)?;
    item.finish("");
    Ok(root)
}

/// The package mirror of this machine.
fn mirror() -> Result<String> {
    let mut apt = Command::new("apt-get");
    apt.args(["indextargets", "--format", "$(SITE)"]);
    let of_debian = ["Created-By: Packages", "Origin: Debian", "Label: Debian"];
    let printed = process::text(apt.args(of_debian))?;
    let mirror = printed.lines().next().unwrap_or_default();
    ensure!(!mirror.is_empty(), "apt has no package lists of Debian: run `apt-get update`");
    Ok(mirror.to_owned())
}

/// An apt command with its own state and archive, for an architecture.
fn apt(state: &Path, architecture: &str) -> Command {
    let mut apt = Command::new("apt-get");
    let mut set = |name: &str, value: String| {
        apt.arg("-o").arg(format!("{name}={value}"));
    };
    set("Dir::State", state.display().to_string());
    set("Dir::State::status", state.join("status").display().to_string());
    set("Dir::Etc::sourcelist", state.join(SOURCES).display().to_string());
    set("Dir::Etc::sourceparts", "-".to_owned());
    set("Dir::Cache", state.display().to_string());
    set("APT::Architecture", architecture.to_owned());
    set("APT::Architectures", architecture.to_owned());
    apt
}
