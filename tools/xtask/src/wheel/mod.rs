//! `cargo xtask wheel`: the Python package as pip installs it. A wheel of the library, which is one
//! file for every Python from 3.9 on, a wheel of the voices, and the sources.

mod check;
mod module;
mod voices;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::artifacts::Artifacts;
use crate::cache::Cache;
use crate::dist::Platform;
use crate::lock::Lock;
use crate::progress::megabytes;
use crate::python::Venv;
use crate::python_package;
use crate::steps::Steps;
use crate::workspace::Workspace;

/// 1 January 2020: what is made has the same times in it whenever it is made.
const EPOCH: &str = "1577836800";

#[derive(Args)]
pub(crate) struct Wheel {
    /// Leave out the wheel of the voices; `python -m libspeech fetch` then knows none to fetch.
    #[arg(long)]
    without_voices: bool,
    /// Where the files go, instead of target/wheels.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Install the wheels on every Python of this machine, and run the tests of the package.
    #[arg(long, conflicts_with = "without_voices")]
    test: bool,
}

impl Wheel {
    /// All of it, at its usual place.
    pub(crate) fn all() -> Self {
        Wheel { without_voices: false, out: None, test: false }
    }

    /// Does what was asked for.
    pub(crate) fn execute(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        let made = self.run(workspace, cache)?;
        if self.test {
            let mut steps = Steps::new();
            let artifacts = Artifacts::ensure(workspace, cache)?;
            python_package::test(workspace, &artifacts, &made, &mut steps)?;
            steps.summarize();
        }
        Ok(())
    }

    /// Makes and checks the files, and shows their sizes.
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<Made> {
        let platform = Platform::of_host()?;
        let _lock = Lock::acquire(&workspace.target().join("wheel.lock"))?;
        let venv = venv(workspace);
        venv.ensure()?;
        let shop = Workshop { workspace, venv: &venv, platform: &platform };
        let voices = (!self.without_voices).then(|| voices::make(&shop, cache)).transpose()?;
        voices::pin(workspace, voices.as_deref())?;
        let module = module::make(&shop)?;
        check::module(&shop, &module, voices.is_some())?;
        let sources = module::sources(&shop)?;
        let out = match &self.out {
            Some(out) => std::path::absolute(out)?,
            None => clear(workspace.target().join("wheels"))?,
        };
        let files = [Some(module), voices, Some(sources)].into_iter().flatten();
        let files = files.map(|file| copy(&file, &out)).collect::<Result<Vec<_>>>()?;
        for file in &files {
            println!("{} ({})", file.display(), megabytes(fs::metadata(file)?.len()));
        }
        Ok(Made { directory: out, sources: files.last().cloned().context("nothing was made")? })
    }
}

/// Files that passed the checks.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) directory: PathBuf,
    /// The sources, as a tar.gz.
    pub(crate) sources: PathBuf,
}

/// What the files are made with.
pub(crate) struct Workshop<'a> {
    workspace: &'a Workspace,
    venv: &'a Venv,
    platform: &'a Platform,
}

impl Workshop<'_> {
    /// An empty folder for one of the steps.
    fn folder(&self, name: &str) -> Result<PathBuf> {
        clear(self.workspace.target().join("wheel").join(name))
    }

    /// A program of the environment, which makes the same file whenever it is run.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.venv.program(name));
        command.env("SOURCE_DATE_EPOCH", EPOCH).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// The environment of what makes and checks the wheels.
pub(crate) fn venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-wheel", &workspace.xtask().join("requirements-wheel.txt"))
}

/// Fetches what is needed beside what `dist` needs.
pub(crate) fn fetch(workspace: &Workspace) -> Result<()> {
    venv(workspace).ensure()
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

/// The one file of a folder whose name ends so.
pub(crate) fn only(folder: &Path, ending: &str) -> Result<PathBuf> {
    let context = || format!("cannot read {}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    ensure!(found.len() == 1, "{} must have one file *{ending} in it: {found:?}", folder.display());
    Ok(found.remove(0))
}

fn copy(file: &Path, directory: &Path) -> Result<PathBuf> {
    let place = directory.join(file.file_name().unwrap_or_default());
    fs::create_dir_all(directory)
        .and_then(|()| fs::copy(file, &place))
        .with_context(|| format!("cannot write {}", place.display()))?;
    Ok(place)
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
}
