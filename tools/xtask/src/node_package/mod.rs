//! `cargo xtask npm`: the Node package as npm installs it. A package of the library in TypeScript, one of the module
//! for each platform, and one of the voices.

mod check;
mod installed;
mod library;
mod module;
mod voices;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::artifacts::Artifacts;
use crate::cache::Cache;
use crate::dist::Platform;
use crate::lock::Lock;
use crate::npm;
use crate::process;
use crate::progress::{Item, megabytes};
use crate::steps::Steps;
use crate::wheel::{clear, only};
use crate::workspace::Workspace;

pub(crate) use self::installed::test;

#[derive(Args)]
pub(crate) struct Npm {
    /// Leave out the package of the voices.
    #[arg(long)]
    without_voices: bool,
    /// Where the files go, instead of target/npm.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Install the packages into an empty project, and run their tests.
    #[arg(long, conflicts_with = "without_voices")]
    test: bool,
}

impl Npm {
    /// All of it, at its usual place.
    pub(crate) fn all() -> Self {
        Npm { without_voices: false, out: None, test: false }
    }

    /// Does what was asked for.
    pub(crate) fn execute(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        let made = self.run(workspace, cache)?;
        if self.test {
            let mut steps = Steps::new();
            let artifacts = Artifacts::ensure(workspace, cache)?;
            test(workspace, &artifacts, &made, &mut steps)?;
            steps.summarize();
        }
        Ok(())
    }

    /// Makes and checks the files, and shows their sizes.
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<Made> {
        let platform = Platform::of_host()?;
        let _lock = Lock::acquire(&workspace.target().join("npm.lock"))?;
        let tools = tools(workspace)?;
        let out = match &self.out {
            Some(out) => std::path::absolute(out)?,
            None => clear(workspace.target().join("npm"))?,
        };
        let shop = Workshop { workspace, tools: &tools, platform: &platform, out: &out };
        let module = module::make(&shop)?;
        let library = library::make(&shop)?;
        check::library(&shop, &library)?;
        let voices = (!self.without_voices).then(|| voices::make(&shop, cache)).transpose()?;
        let files: Vec<_> = [Some(library), Some(module), voices].into_iter().flatten().collect();
        for file in &files {
            println!("{} ({})", file.display(), megabytes(fs::metadata(file)?.len()));
        }
        Ok(Made { files })
    }
}

/// Files that passed the checks.
#[derive(Debug)]
pub(crate) struct Made {
    files: Vec<PathBuf>,
}

/// What the files are made with.
struct Workshop<'a> {
    workspace: &'a Workspace,
    /// Where the compiler of TypeScript and the checkers are.
    tools: &'a Path,
    platform: &'a Platform,
    out: &'a Path,
}

impl Workshop<'_> {
    /// Where a package is put together.
    fn stage(&self, name: &str) -> PathBuf {
        folder(self.workspace).join("stage").join(name)
    }

    /// Packs a folder.
    fn pack(&self, package: &Path) -> Result<PathBuf> {
        let name = package.file_name().unwrap_or_default().to_string_lossy();
        let item = Item::start(format!("package {name}"));
        let scratch = clear(folder(self.workspace).join("packed"))?;
        let mut pack = npm::command()?;
        pack.args(["pack", "--pack-destination"]).arg(&scratch);
        process::quiet(pack.current_dir(package), &item)?;
        item.finish("");
        let packed = only(&scratch, ".tgz")?;
        let place = self.out.join(packed.file_name().unwrap_or_default());
        fs::create_dir_all(self.out)
            .and_then(|()| fs::rename(&packed, &place))
            .with_context(|| format!("cannot write {}", place.display()))?;
        Ok(place)
    }

    /// A program of the tools.
    fn program(&self, name: &str) -> Command {
        Command::new(self.tools.join("node_modules").join(".bin").join(name))
    }
}

/// Installs what builds and checks the package, and gives its folder.
fn tools(workspace: &Workspace) -> Result<PathBuf> {
    let tools = folder(workspace).join("tools");
    npm::install("tools for Node", &workspace.xtask().join("node"), &tools)?;
    Ok(tools)
}

/// Downloads what is needed.
pub(crate) fn fetch(workspace: &Workspace) -> Result<()> {
    tools(workspace).map(drop)
}

/// Where everything is put together and tested.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("node")
}
