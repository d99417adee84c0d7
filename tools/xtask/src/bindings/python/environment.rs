//! A virtual environment that begins empty, as a stranger's does.

use std::env;
use std::ffi::OsString;

use super::folder;
use super::interpreters::{self, Interpreter};
use crate::bindings::isolate;
use crate::dist::VERSION;
use crate::prelude::*;

/// An environment, and a home of its own.
#[derive(Debug)]
pub(super) struct Environment {
    name: String,
    directory: PathBuf,
    /// What pip downloaded for this Python.
    downloads: PathBuf,
}

impl Environment {
    /// Makes it, in place of what had its name.
    pub(super) fn empty(interpreter: &Interpreter, name: &str) -> Result<Self> {
        let environment = Self::named(interpreter, name);
        clear(environment.directory.clone())?;
        let mut create = interpreter.command();
        create.args(["-I", "-m", "venv"]).arg(environment.directory.join("venv"));
        process::titled(format!("empty environment {name}"), &mut create)?;
        Ok(environment)
    }

    /// The one that the package was installed into for the machine's usual Python.
    pub(super) fn usual() -> Result<Self> {
        let interpreter = interpreters::usual()?;
        Ok(Self::named(&interpreter, &interpreter.name()))
    }

    /// The one of a name, whether it was made or not.
    pub(super) fn named(interpreter: &Interpreter, name: &str) -> Self {
        let root = folder();
        Environment {
            name: name.to_owned(),
            directory: root.join(name),
            downloads: root.join("downloads").join(interpreter.name()),
        }
    }

    /// Installs this version of packages from the files of a folder, with no network, no settings of
    /// the user's and no program of the machine's.
    pub(super) fn install(&self, folder: &Path, packages: &[&str]) -> Result<()> {
        let mut pip = self.pip("install");
        pip.args(["--isolated", "--no-index", "--find-links"]).arg(folder);
        pip.args(packages.iter().map(|package| format!("{package}=={VERSION}")));
        process::titled(format!("installing into {}", self.name), pip.env("PATH", self.programs()))
    }

    /// Installs what a file of requirements pins.
    pub(super) fn add(&self, requirements: &Path) -> Result<()> {
        let downloads = self.download(requirements)?;
        let mut pip = self.pip("install");
        pip.args(["--isolated", "--no-index", "--find-links"]).arg(downloads);
        pip.args(["--require-hashes", "--requirement"]).arg(requirements);
        process::titled(format!("test packages for {}", self.name), &mut pip)
    }

    /// The same from the registry itself, also of packages that have sources alone. Versions of Python that a package does
    /// not claim to support are allowed: Home Assistant claims fewer patch releases than it runs on.
    pub(super) fn add_from_registry(&self, requirements: &Path) -> Result<()> {
        let mut pip = self.pip("install");
        pip.args(["--ignore-requires-python", "--require-hashes", "--requirement"]);
        process::titled(format!("packages for {}", self.name), pip.arg(requirements))
    }

    /// Makes it, in place of what had its name, unless it is complete and was made with these inputs.
    pub(super) fn once(&self, inputs: &str, make: impl FnOnce() -> Result<()>) -> Result<()> {
        files::once(&self.directory.join("contents.sha256"), inputs, make)
    }

    /// Downloads it, unless that is done, and returns the folder.
    pub(super) fn download(&self, requirements: &Path) -> Result<&Path> {
        let stamp = self.downloads.join("requirements.sha256");
        files::once(&stamp, &digest::of_file(requirements)?, || {
            clear(self.downloads.clone())?;
            let mut pip = self.pip("download");
            pip.args(["--require-hashes", "--only-binary", ":all:", "--dest"]).arg(&self.downloads);
            pip.arg("--requirement").arg(requirements);
            process::titled(format!("downloads for {}", self.name), &mut pip)
        })?;
        Ok(&self.downloads)
    }

    /// The environment's interpreter, with a home that is empty and no Rust.
    pub(super) fn python(&self) -> Command {
        let mut command = self.bare();
        command
            .env("HOME", self.directory.join("home"))
            .env("PATH", without_rust(self.path()))
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// A program that one of the packages brought.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.programs().join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// The PATH of the machine, with the environment's programs first.
    pub(super) fn path(&self) -> OsString {
        first_on_path(&self.programs(), env::var_os("PATH").unwrap_or_default())
    }

    /// The folder of an installed package.
    pub(super) fn package(&self, name: &str) -> Result<PathBuf> {
        let script = "import importlib.util as u, sys; print(u.find_spec(sys.argv[1]).origin)";
        let mut python = self.python();
        let origin = PathBuf::from(process::text(python.args(["-I", "-c", script, name]))?);
        ensure!(origin.starts_with(&self.directory), "{name} is not that of the environment");
        Ok(origin.parent().map(Path::to_path_buf).unwrap_or_default())
    }

    /// An empty folder to run in.
    pub(super) fn scratch(&self) -> Result<PathBuf> {
        clear(self.directory.join("home"))?;
        clear(self.directory.join("scratch"))
    }

    fn bare(&self) -> Command {
        let mut command = Command::new(self.program("python"));
        isolate(&mut command).env("PYTHONNOUSERSITE", "1");
        command
    }

    fn pip(&self, subcommand: &str) -> Command {
        let mut command = self.bare();
        command.args(["-m", "pip", subcommand, "--disable-pip-version-check", "--no-input"]);
        command
    }

    fn programs(&self) -> PathBuf {
        python::programs(&self.directory.join("venv"))
    }
}

/// A PATH with one folder more, before the others.
pub(super) fn first_on_path(folder: &Path, path: OsString) -> OsString {
    let folders = [folder.to_path_buf()].into_iter().chain(env::split_paths(&path));
    // A folder with a colon in its name cannot be on a PATH.
    env::join_paths(folders).unwrap_or(path)
}

/// A PATH without the folders that have cargo.
fn without_rust(path: OsString) -> OsString {
    let folders = env::split_paths(&path).filter(|folder| !folder.join("cargo").exists());
    env::join_paths(folders).unwrap_or(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_cargo_on_the_path() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = |name: &str| scratch.path().join(name);
        fs::create_dir(folder("rust")).unwrap();
        fs::write(folder("rust").join("cargo"), "").unwrap();
        let machine = env::join_paths([folder("rust"), folder("usr")]).unwrap();
        let path = first_on_path(&folder("venv"), machine.clone());
        let all = env::join_paths([folder("venv"), folder("rust"), folder("usr")]).unwrap();
        assert_eq!(path, all);
        let without = env::join_paths([folder("venv"), folder("usr")]).unwrap();
        assert_eq!(without_rust(path), without);
        assert_eq!(first_on_path(Path::new("/a:b"), machine.clone()), machine);
    }
}
