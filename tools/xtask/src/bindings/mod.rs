//! The packages of other languages, of Maven, of npm and of pip: what making and testing them has in common.

pub(crate) mod go;
pub(crate) mod jvm;
pub(crate) mod node;
pub(crate) mod python;
pub(crate) mod web;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::artifacts::Artifacts;
use crate::dist::{Platform, Targets};
use crate::lock::Lock;
use crate::npm;
use crate::process;
use crate::progress::{Item, megabytes};
use crate::workspace::Workspace;

/// The largest that a package with the module may be, in bytes.
const MODULE: u64 = 20_000_000;
/// The same of the voices.
const VOICES: u64 = 100_000_000;

/// Variables that lead to something of this machine's.
const LEADS: [&str; 10] = [
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONHOME",
    "PYTHONPATH",
    "JAVA_TOOL_OPTIONS",
    "SPEECH_BUNDLE",
    "SPEECH_CACHE",
    "SPEECH_REFERENCE",
    "SPEECH_THREADS",
    "XDG_CACHE_HOME",
];

/// The tests of memory repeat what they watch this many times as often, to find smaller leaks.
const MEMORY_ROUNDS: (&str, &str) = ("SPEECH_MEMORY_ROUNDS", "5");

/// How packages are made.
#[derive(Args, Default)]
pub(crate) struct Make {
    /// Leave out the package of the voices.
    #[arg(long)]
    without_voices: bool,
    /// Where the files go, instead of a folder under target.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    targets: Targets,
}

impl Make {
    /// With voices, at the usual place.
    pub(crate) fn for_platforms(targets: Targets) -> Self {
        Make { targets, ..Self::default() }
    }

    /// The platforms for which there are modules: those of processors with 64 bits.
    fn platforms(&self) -> Result<Vec<Platform>> {
        self.targets.platforms(Platform::has_modules)
    }

    /// Where the files go: what was asked for, or an empty folder.
    fn folder(&self, usual: PathBuf) -> Result<PathBuf> {
        match &self.out {
            Some(out) => {
                let out = std::path::absolute(out)?;
                fs::create_dir_all(&out)
                    .with_context(|| format!("cannot make {}", out.display()))?;
                Ok(out)
            }
            None => clear(usual),
        }
    }
}

/// Packs a folder as npm does, by way of an empty one, and gives the file.
fn pack_npm(package: &Path, scratch: PathBuf, out: &Path) -> Result<PathBuf> {
    let name = package.file_name().unwrap_or_default().to_string_lossy();
    let item = Item::start(format!("package {name}"));
    let scratch = clear(scratch)?;
    let mut pack = npm::command()?;
    pack.args(["pack", "--pack-destination"]).arg(&scratch);
    process::quiet(pack.current_dir(package), &item)?;
    item.finish("");
    let packed = only(&scratch, ".tgz")?;
    let place = out.join(packed.file_name().unwrap_or_default());
    fs::rename(&packed, &place).with_context(|| format!("cannot write {}", place.display()))?;
    Ok(place)
}

/// Shows what was made.
fn show(files: &[PathBuf]) -> Result<()> {
    for file in files {
        println!("{} ({})", file.display(), megabytes(size(file)?));
    }
    Ok(())
}

/// Checks the size of a package.
fn small(package: &Path, limit: u64) -> Result<()> {
    let size = size(package)?;
    let (found, most) = (megabytes(size), megabytes(limit));
    ensure!(size < limit, "{} has {found}; {most} is the limit", package.display());
    Ok(())
}

fn size(file: &Path) -> Result<u64> {
    Ok(fs::metadata(file).with_context(|| file.display().to_string())?.len())
}

/// Makes the bundle of the fake model, with the program that was built last.
pub(crate) fn write_fake_model(workspace: &Workspace) -> Result<()> {
    let folder = clear(fake_model(workspace))?;
    process::shown(Command::new(workspace.release_program("fake_model")).arg(folder))
}

/// Where it is.
pub(crate) fn fake_model(workspace: &Workspace) -> PathBuf {
    workspace.target().join("fake_model")
}

/// Takes from a command what leads to something of this machine's.
fn isolate(command: &mut Command) -> &mut Command {
    LEADS.iter().fold(command, |command, name| command.env_remove(name))
}

/// Tells the tests of a package where things are.
fn tell<'a>(
    command: &'a mut Command,
    workspace: &Workspace,
    artifacts: &Artifacts,
) -> Result<&'a mut Command> {
    let root = workspace.root();
    Ok(command
        .env("SPEECH_FAKE_MODEL", fake_model(workspace))
        .env("SPEECH_PROGRAM", workspace.release_program("speech"))
        .env("SPEECH_REFERENCE_BUNDLE", artifacts.bundle())
        .env("SPEECH_CASES", root.join("tests").join("data").join("cases.json"))
        .env("SPEECH_PAGES", pages(workspace)?))
}

/// The README and all pages of the documentation, in one file: their programs are tests of each language.
fn pages(workspace: &Workspace) -> Result<PathBuf> {
    let mut all = String::new();
    for page in workspace.documents()? {
        all += &fs::read_to_string(&page).with_context(|| page.display().to_string())?;
        all.push('\n');
    }
    let file = workspace.target().join("pages.md");
    // The tests of another language may be reading it.
    let _lock = Lock::acquire(&workspace.target().join("pages.lock"))?;
    if !fs::read_to_string(&file).is_ok_and(|written| written == all) {
        fs::write(&file, all).with_context(|| file.display().to_string())?;
    }
    Ok(file)
}

/// Makes an empty folder.
pub(crate) fn clear(folder: PathBuf) -> Result<PathBuf> {
    let context = || format!("cannot make {}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(context)?;
    }
    fs::create_dir_all(&folder).with_context(context)?;
    Ok(folder)
}

/// Puts the sources of a package in TypeScript into an empty folder: its own, and beside them those that all packages share.
pub(crate) fn typescript(workspace: &Workspace, package: &str, to: PathBuf) -> Result<PathBuf> {
    let to = clear(to)?;
    let bindings = workspace.root().join("bindings");
    let package = bindings.join(package);
    for sources in [bindings.join("typescript"), package.join("ts")] {
        copy_all(&sources, &to.join("ts"))?;
    }
    for file in ["tsconfig.json", "package.json"] {
        fs::copy(package.join(file), to.join(file)).context(file)?;
    }
    Ok(to)
}

/// Copies a folder with all that is in it.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), &place).with_context(|| place.display().to_string())?;
        }
    }
    Ok(())
}

/// The files of a folder whose names end so, in the order of their names.
pub(crate) fn all(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let context = || format!("cannot read {}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    ensure!(!found.is_empty(), "{} has no file *{ending}", folder.display());
    Ok(found)
}

/// The one file of a folder whose name ends so.
fn only(folder: &Path, ending: &str) -> Result<PathBuf> {
    let mut found = all(folder, ending)?;
    ensure!(found.len() == 1, "{} must have one file *{ending}: {found:?}", folder.display());
    Ok(found.remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_file_is_found() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(only(scratch.path(), ".whl").is_err());
        for name in ["a.whl", "a.tar.gz"] {
            fs::write(scratch.path().join(name), "").unwrap();
        }
        assert_eq!(only(scratch.path(), ".whl").unwrap(), scratch.path().join("a.whl"));
        fs::write(scratch.path().join("b.whl"), "").unwrap();
        assert!(only(scratch.path(), ".whl").unwrap_err().to_string().contains("b.whl"));
    }

    #[test]
    fn a_package_that_is_too_large_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let wheel = scratch.path().join("a.whl");
        fs::write(&wheel, [0; 10]).unwrap();
        small(&wheel, 11).unwrap();
        assert!(small(&wheel, 10).unwrap_err().to_string().contains("a.whl"));
    }
}
