//! `cargo xtask reproduce`: checks that the same sources produce the same packages in another
//! folder at another time.

use crate::dist::{Platform, Targets};
use crate::prelude::*;

#[derive(Args)]
pub(crate) struct Reproduce {
    #[command(flatten)]
    targets: Targets,
}

impl Reproduce {
    /// Builds the packages of the last commit here and in a clone, and compares them.
    pub(crate) fn run(&self) -> Result<()> {
        let mut status = git(root());
        let changed = process::printed(status.args(["status", "--porcelain"]))?;
        ensure!(
            changed.is_empty(),
            "the working tree has uncommitted changes, which a clone lacks: commit them first"
        );
        let folder = clear(target().join("reproduce"))?;
        let clone = folder.join("clone");
        let mut command = git(&folder);
        process::shown(command.args(["clone", "--quiet"]).arg(root()).arg(&clone))?;
        let platforms = self.targets.platforms(|_| true)?;
        let (here, there) = (folder.join("here"), folder.join("there"));
        make(&platforms, root(), target(), &here)?;
        make(&platforms, &clone, &clone.join("target"), &there)?;
        compare(&here, &there)
    }
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder);
    command
}

/// Builds the packages of a tree with the usual commands.
fn make(platforms: &[Platform], root: &Path, target: &Path, out: &Path) -> Result<()> {
    for command in ["dist", "wheel", "npm"] {
        let is_for =
            if command == "dist" { Platform::has_c_package } else { Platform::has_modules };
        let triples = platforms.iter().filter(|platform| is_for(platform)).map(Platform::triple);
        let triples: Vec<_> = triples.flat_map(|triple| ["--target", triple]).collect();
        if triples.is_empty() {
            continue;
        }
        let mut cargo = Command::new("cargo");
        // These variables, set by cargo for this program, refer to the current tree.
        cargo.current_dir(root).env("CARGO_TARGET_DIR", target).env_remove("CARGO_MANIFEST_DIR");
        cargo.args(["xtask", command, "--without-voices", "--out"]).arg(out).args(triples);
        process::shown(&mut cargo)?;
    }
    Ok(())
}

/// Fails unless two folders contain the same files.
fn compare(here: &Path, there: &Path) -> Result<()> {
    // The unpacked folders of archives are not published.
    let is_file = |name: &str| !name.contains('/');
    let (ours, theirs) = (digest::of_folder(here, is_file)?, digest::of_folder(there, is_file)?);
    ensure!(!ours.is_empty(), "there is no package in {}", here.display());
    let names = ours.keys().chain(theirs.keys().filter(|name| !ours.contains_key(*name)));
    let differ: Vec<_> = names.filter(|name| ours.get(*name) != theirs.get(*name)).collect();
    if !differ.is_empty() {
        bail!("files differ between {} and {}: {differ:?}", here.display(), there.display());
    }
    for (name, digest) in &ours {
        note(&format!("{digest} {name}"));
    }
    note(&format!("{} packages, identical in both builds", ours.len()));
    // A separate clone takes several gigabytes.
    remove(&here.with_file_name("clone"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_differ_are_named() {
        let scratch = tempfile::tempdir().unwrap();
        let (here, there) = (scratch.path().join("here"), scratch.path().join("there"));
        for folder in [&here, &there] {
            fs::create_dir_all(folder.join("directory")).unwrap();
            fs::write(folder.join("a.whl"), "same").unwrap();
            fs::write(folder.join("directory/x"), folder.to_str().unwrap()).unwrap();
        }
        compare(&here, &there).unwrap();
        fs::write(there.join("b.tgz"), "").unwrap();
        assert!(compare(&here, &there).unwrap_err().to_string().contains("b.tgz"));
        fs::write(here.join("b.tgz"), "other").unwrap();
        assert!(compare(&here, &there).unwrap_err().to_string().contains("b.tgz"));
        assert!(compare(&scratch.path().join("directory"), &there).is_err());
    }
}
