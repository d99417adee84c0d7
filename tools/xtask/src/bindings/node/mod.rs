//! The Node package as npm installs it: a package of the library in TypeScript, one of the module for each platform, and
//! one of the voices. And its tests, for which the packages are installed as strangers install them.

mod check;
mod installed;
mod library;
mod module;
mod voices;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Make, all, clear, pack_npm, show, small};
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::dist::Platform;
use crate::lock::Lock;
use crate::npm;
use crate::passed::Inputs;
use crate::workspace::Workspace;

pub(crate) use self::installed::{
    check_types, empty_project, install, project, test, test_memory, test_others,
};

/// `cargo xtask npm`: makes and checks the files, and shows their sizes.
pub(crate) fn make(make: &Make, workspace: &Workspace, cache: &Cache) -> Result<()> {
    let platforms = make.platforms()?;
    let _lock = Lock::acquire(&workspace.target().join("npm.lock"))?;
    let tools = tools(workspace)?;
    let out = make.out.clone().unwrap_or_else(|| packages(workspace));
    let inputs = inputs(make, &platforms, workspace, cache)?;
    let run = || run(make, &platforms, &Workshop { workspace, tools: &tools, out: &out }, cache);
    inputs.make("node-packages", (&out, &[".tgz"]), run)?;
    show(&all(&out, ".tgz")?)
}

/// What decides what the files are.
fn inputs<'a>(
    make: &Make,
    platforms: &[Platform],
    workspace: &'a Workspace,
    cache: &Cache,
) -> Result<Inputs<'a>> {
    let texts = ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE", "Cargo.lock"];
    let mut inputs = Inputs::new(workspace)?
        .sources(&texts)?
        .sources(&["bindings/node", "bindings/typescript", "tools/xtask/node"])?
        .said_by(npm::command()?.arg("version"))?;
    for platform in platforms {
        inputs = inputs.built(&module::compile(workspace, platform)?.1)?;
    }
    if make.without_voices {
        return Ok(inputs);
    }
    let _lock = cache.lock()?;
    let voices = Bundle::ensure(workspace, cache, None)?;
    Ok(inputs.named("voices", voices.directory().to_string_lossy()))
}

fn run(make: &Make, platforms: &[Platform], shop: &Workshop<'_>, cache: &Cache) -> Result<()> {
    make.folder(shop.out.to_path_buf())?;
    let modules = platforms.iter().map(|platform| module::make(shop, platform));
    modules.collect::<Result<Vec<_>>>()?;
    check::library(shop, &library::make(shop)?)?;
    if !make.without_voices {
        voices::make(shop, cache)?;
    }
    Ok(())
}

/// What the files are made with.
struct Workshop<'a> {
    workspace: &'a Workspace,
    /// Where the compiler of TypeScript and the checkers are.
    tools: &'a Path,
    out: &'a Path,
}

impl Workshop<'_> {
    /// Where a package is put together.
    fn stage(&self, name: &str) -> PathBuf {
        folder(self.workspace).join("stage").join(name)
    }

    /// Packs a folder.
    fn pack(&self, package: &Path) -> Result<PathBuf> {
        pack_npm(package, folder(self.workspace).join("packed"), self.out)
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

/// Installs other runtimes than Node, and gives their folder.
fn runtimes(workspace: &Workspace) -> Result<PathBuf> {
    let runtimes = folder(workspace).join("runtimes");
    npm::install("Bun and Deno", &workspace.xtask().join("runtimes"), &runtimes)?;
    Ok(runtimes)
}

/// Downloads what is needed.
pub(crate) fn fetch(workspace: &Workspace) -> Result<()> {
    tools(workspace)?;
    runtimes(workspace).map(drop)
}

/// Where everything is put together and tested.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("node")
}

/// Where the files are, unless somebody wants them elsewhere.
pub(crate) fn packages(workspace: &Workspace) -> PathBuf {
    workspace.target().join("npm")
}
