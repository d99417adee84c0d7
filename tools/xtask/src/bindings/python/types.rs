//! Checks the types of all Python code for the package.

use std::ffi::OsStr;

use super::environment::Environment;
use super::{folder, sources};
use crate::prelude::*;

/// Runs the type checkers in the environment with the installed package.
pub(crate) fn check() -> Result<()> {
    let environment = Environment::usual()?;
    let package = root().join("bindings/python");
    let project = package.join("pyproject.toml");
    let python = |arguments: &[&str]| {
        let mut command = environment.python();
        command.args(arguments).current_dir(root());
        command.env("MYPY_CACHE_DIR", folder().join("mypy"));
        command
    };
    let sources = sources();
    let mut mypy = python(&["-m", "mypy", "--config-file"]);
    process::shown(mypy.arg(&project).args(&sources))?;
    let mut stubs = python(&["-m", "mypy.stubtest", "libspeech._libspeech"]);
    process::shown(stubs.arg("--mypy-config-file").arg(&project))?;
    // The public API must have complete types, so that users' type checkers need not infer any.
    let complete = ["--verifytypes", "libspeech", "--ignoreexternal"].map(OsStr::new);
    for arguments in [&["--project".as_ref(), project.as_os_str()][..], &complete] {
        let mut pyright = Command::new("node");
        pyright.arg(fetch()?).args(arguments);
        process::shown(pyright.env("PATH", environment.path()))?;
    }
    Ok(())
}

/// Checks the types of files that the usual check excludes, in an environment with the packages
/// that they need. Modules are also found in the folder `path`; `name` is that of the cache.
pub(super) fn check_excluded(
    environment: &Environment,
    name: &str,
    path: &Path,
    files: impl IntoIterator<Item = PathBuf>,
) -> Result<()> {
    let mut mypy = environment.python();
    mypy.args(["-m", "mypy", "--config-file"])
        .arg(root().join("bindings/python/pyproject.toml"))
        .args(files)
        .current_dir(root())
        .env("MYPYPATH", path)
        .env("MYPY_CACHE_DIR", folder().join(format!("mypy-{name}")));
    process::shown(&mut mypy)
}

/// Installs pyright and returns its program.
pub(super) fn fetch() -> Result<PathBuf> {
    let pyright = folder().join("pyright");
    npm::install("pyright", &root().join("tools/xtask/pyright"), &pyright)?;
    Ok(pyright.join("node_modules/pyright/index.js"))
}
