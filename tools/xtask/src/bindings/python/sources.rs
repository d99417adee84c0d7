//! The sources of the Python package, as somebody without a wheel for their machine builds them.

use std::env;

use super::environment::{Environment, first_on_path};
use super::{TOOLS, folder, interpreters, packed_sources};
use crate::dist::VERSION;
use crate::prelude::*;

/// What is compiled, and the voices that it goes with.
const SCRIPT: &str = "import importlib.resources as r, libspeech\n\
    print('from the sources:', *libspeech.voices().languages)\n\
    print(r.files('libspeech').joinpath('voices.txt').read_text())";

/// Makes a wheel of the sources, and imports it from an environment with nothing else in it.
pub(crate) fn build_and_import() -> Result<()> {
    let folder = clear(folder().join("sources"))?;
    let project = unpack(&packed_sources()?, &folder)?;
    process::titled("a wheel of the sources", &mut build(&project, &folder)?)?;
    let environment = Environment::empty(&interpreters::usual()?, "from-sources")?;
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
