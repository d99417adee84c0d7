//! Finds the Python versions of this machine that can test the package.

use std::collections::BTreeSet;
use std::env;
use std::ops::RangeInclusive;

use crate::prelude::*;

/// The supported minor versions of Python 3.
const MINORS: RangeInclusive<u32> = 11..=14;

/// Prints the version if the interpreter fits the wheel and can create virtual environments.
const PROBE: &str = "import importlib.util as u, sys, sysconfig\n\
    ordinary = sys.implementation.name == 'cpython' and not sysconfig.get_config_var('Py_GIL_DISABLED')\n\
    if ordinary and u.find_spec('venv') and u.find_spec('ensurepip'):\n    \
    print('%d.%d.%d' % sys.version_info[:3])";

/// A working Python interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interpreter {
    /// The minor version: 11 in 3.11.
    minor: u32,
    program: PathBuf,
}

impl Interpreter {
    /// The interpreter of a program, if it has this version.
    fn probe(program: &Path, minor: u32) -> Option<Self> {
        let output = Command::new(program).args(["-I", "-c", PROBE]).output().ok()?;
        let version = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        let fits = version.starts_with(&format!("3.{minor}."));
        fits.then(|| Interpreter { minor, program: program.to_path_buf() })
    }

    /// A command that runs it.
    pub(super) fn command(&self) -> Command {
        Command::new(&self.program)
    }

    /// The version in the usual form, such as `3.11`.
    pub(super) fn name(&self) -> String {
        format!("3.{}", self.minor)
    }
}

/// The default Python of this machine, which also runs the tools of this repository.
pub(super) fn usual() -> Result<Interpreter> {
    let (program, minor) = python::usual()?;
    Interpreter::probe(Path::new(&program), minor)
        .with_context(|| format!("{program} is not a standard CPython with `venv` and `ensurepip`"))
}

/// The interpreter for a version such as `3.13`.
pub(super) fn named(version: &str) -> Result<Interpreter> {
    let mut found = [usual()?].into_iter().chain(others()?);
    found.find(|interpreter| interpreter.name() == version).with_context(|| {
        format!("Python {version} was not found on the PATH, nor where pyenv and uv keep theirs")
    })
}

/// One interpreter for each other available version, the oldest first.
pub(super) fn others() -> Result<Vec<Interpreter>> {
    let (_, usual) = python::usual()?;
    let folders = folders(|name| env::var_os(name).map(PathBuf::from), env::home_dir());
    let others = MINORS.filter(|minor| *minor != usual);
    Ok(others.filter_map(|minor| first(minor, &folders)).collect())
}

/// Whether there is an interpreter for a minor version, such as 12 in 3.12.
pub(crate) fn has(minor: u32) -> Result<bool> {
    Ok(python::usual()?.1 == minor || others()?.iter().any(|other| other.minor == minor))
}

/// The first interpreter found; the PATH precedes the folders.
fn first(minor: u32, folders: &BTreeSet<PathBuf>) -> Option<Interpreter> {
    let name = format!("python3.{minor}");
    let named = [PathBuf::from(&name), "python3".into(), "python".into()];
    let kept = folders.iter().map(|folder| folder.join(&name));
    named.into_iter().chain(kept).find_map(|program| Interpreter::probe(&program, minor))
}

/// The folders of the interpreters that pyenv and uv installed.
fn folders(variable: impl Fn(&str) -> Option<PathBuf>, home: Option<PathBuf>) -> BTreeSet<PathBuf> {
    let at_home = |path: &str| home.as_ref().map(|home| home.join(path));
    let data = variable("XDG_DATA_HOME").or_else(|| at_home(".local/share"));
    let places = [
        variable("PYENV_ROOT").or_else(|| at_home(".pyenv")).map(|root| root.join("versions")),
        variable("UV_PYTHON_INSTALL_DIR").or_else(|| data.map(|data| data.join("uv/python"))),
    ];
    let versions = places.into_iter().flatten().filter_map(|place| listed(&place).ok());
    versions.flatten().map(|version| version.join("bin")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_of_pyenv_and_uv_are_looked_into() {
        let scratch = tempfile::tempdir().unwrap();
        let made = |path: &str| {
            let folder = scratch.path().join(path);
            fs::create_dir_all(folder.join("bin")).unwrap();
            folder.join("bin")
        };
        let pyenv = made(".pyenv/versions/3.9.18");
        let other = made("other/versions/3.10.1");
        let uv = made(".local/share/uv/python/cpython-3.14.0");
        let home = Some(scratch.path().to_path_buf());
        assert_eq!(folders(|_| None, home.clone()), [pyenv, uv.clone()].into());
        let root = scratch.path().join("other");
        let chosen = |name: &str| (name == "PYENV_ROOT").then(|| root.clone());
        assert_eq!(folders(chosen, home), [other, uv].into());
        assert!(folders(|_| None, None).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_run_is_passed_over() {
        use std::os::unix::fs::PermissionsExt as _;

        let scratch = tempfile::tempdir().unwrap();
        let made = |folder: &str, script: &str| {
            let folder = scratch.path().join(folder);
            fs::create_dir(&folder).unwrap();
            let program = folder.join("python3.99");
            fs::write(&program, script).unwrap();
            fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
            folder
        };
        let broken = made("a", "#!/bin/sh\necho 'not found' >&2\nexit 127\n");
        let older = made("b", "#!/bin/sh\necho 3.9.1\n");
        let right = made("c", "#!/bin/sh\necho 3.99.1\n");
        let found = first(99, &[broken.clone(), older, right.clone()].into()).unwrap();
        assert_eq!(found.program, right.join("python3.99"));
        assert_eq!(found.name(), "3.99");
        assert_eq!(first(99, &[broken].into()), None);
    }
}
