//! Builds the Python package from its sources, as pip does on a platform without a wheel.

use std::env;

use super::environment::{Environment, first_on_path};
use super::{TOOLS, folder, interpreters, packed_sources};
use crate::dist::VERSION;
use crate::prelude::*;

/// Prints the compiled module, and the voices for it.
const SCRIPT: &str = "import importlib.resources as r, libspeech\n\
    print('from the sources:', *libspeech.voices().languages)\n\
    print(r.files('libspeech').joinpath('voices.txt').read_text())";

/// Builds a wheel from the sources, and imports it in an otherwise empty environment.
pub(crate) fn build_and_import() -> Result<()> {
    let folder = clear(folder().join("sources"))?;
    let project = unpack(&packed_sources()?, &folder)?;
    process::titled("wheel built from the source distribution", &mut build(&project, &folder)?)?;
    let environment = Environment::empty(&interpreters::usual()?, "from-sources")?;
    environment.install(&folder, &["libspeech-sdk"])?;
    let mut python = environment.python();
    process::shown(python.args(["-c", SCRIPT]).current_dir(environment.scratch()?))
}

/// Unpacks the sources with the current time, because cargo recompiles only files newer than its
/// output.
fn unpack(sources: &Path, folder: &Path) -> Result<PathBuf> {
    let mut tar = Command::new("tar");
    process::shown(tar.arg("-xmzf").arg(sources).arg("-C").arg(folder))?;
    Ok(folder.join(format!("libspeech_sdk-{VERSION}")))
}

/// The command that `pip install` runs for the sources, but with the profile of the tests: the
/// profile `dist` takes minutes.
fn build(project: &Path, out: &Path) -> Result<Command> {
    TOOLS.ensure()?;
    let maturin = TOOLS.program("maturin");
    let programs = maturin.parent().unwrap_or(&maturin);
    let mut pip = TOOLS.pip("wheel");
    pip.args(["--no-cache-dir", "--no-index", "--no-deps", "--no-build-isolation"]);
    pip.arg("--wheel-dir").arg(out);
    pip.arg(project)
        .env("PATH", first_on_path(programs, env::var_os("PATH").unwrap_or_default()))
        .env("CARGO_TARGET_DIR", target())
        .env("MATURIN_PEP517_ARGS", "--profile release --offline --out ../made");
    Ok(pip)
}
