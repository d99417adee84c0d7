//! The sources of the Python package, as somebody without a wheel for their machine builds them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::environment::{Environment, first_on_path};
use super::{folder, interpreters, packed_sources, tools};
use crate::bindings::clear;
use crate::dist::VERSION;
use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

/// What is compiled, and the voices that it goes with.
const SCRIPT: &str = "import importlib.resources as r, libspeech\n\
    print('from the sources:', *libspeech.voices().languages)\n\
    print(r.files('libspeech').joinpath('voices.txt').read_text())";

/// Makes a wheel of the sources, and imports it from an environment with nothing else in it.
pub(crate) fn build_and_import(workspace: &Workspace) -> Result<()> {
    let folder = clear(folder(workspace).join("sources"))?;
    let project = unpack(&packed_sources(workspace)?, &folder)?;
    let item = Item::start("a wheel of the sources");
    process::quiet(&mut build(workspace, &project, &folder)?, &item)?;
    item.finish("");
    let environment = Environment::empty(workspace, &interpreters::usual()?, "from-sources")?;
    environment.install(&folder, &["libspeech-sdk"])?;
    let mut python = environment.python();
    process::shown(python.args(["-c", SCRIPT]).current_dir(environment.scratch()?))
}

/// Unpacks them with the time of now: cargo compiles again what is newer than what it made.
fn unpack(sources: &Path, folder: &Path) -> Result<PathBuf> {
    let mut tar = Command::new("tar");
    process::shown(tar.arg("-xmzf").arg(sources).arg("-C").arg(folder))?;
    Ok(folder.join(format!("libspeech_sdk-{VERSION}")))
}

/// What `pip install` of the sources runs, but with the profile that everything else is tested with: `dist`, which is
/// theirs, takes minutes.
fn build(workspace: &Workspace, project: &Path, out: &Path) -> Result<Command> {
    let venv = tools(workspace);
    venv.ensure()?;
    let maturin = venv.program("maturin");
    let programs = maturin.parent().unwrap_or(&maturin);
    let mut pip = venv.pip("wheel");
    pip.args(["--no-cache-dir", "--no-index", "--no-deps", "--no-build-isolation"]);
    pip.arg("--wheel-dir").arg(out);
    pip.arg(project)
        .env("PATH", first_on_path(programs, env::var_os("PATH").unwrap_or_default()))
        .env("CARGO_TARGET_DIR", workspace.target())
        .env("MATURIN_PEP517_ARGS", "--profile release --offline --out ../made");
    Ok(pip)
}
