//! Virtual environments that start empty, like those of a new user.

use std::env;
use std::ffi::OsString;

use super::folder;
use super::interpreters::{self, Interpreter};
use crate::bindings::isolate;
use crate::dist::VERSION;
use crate::prelude::*;

/// A virtual environment with its own home folder.
#[derive(Debug)]
pub(super) struct Environment {
    name: String,
    directory: PathBuf,
    /// pip's downloads for this Python version.
    downloads: PathBuf,
}

impl Environment {
    /// Creates an empty environment, replacing an existing one of this name.
    pub(super) fn empty(interpreter: &Interpreter, name: &str) -> Result<Self> {
        let environment = Self::named(interpreter, name);
        clear(environment.directory.clone())?;
        let mut create = interpreter.command();
        create.args(["-I", "-m", "venv"]).arg(environment.directory.join("venv"));
        process::titled(format!("empty environment {name}"), &mut create)?;
        Ok(environment)
    }

    /// The environment of the machine's default Python, with the package installed.
    pub(super) fn usual() -> Result<Self> {
        let interpreter = interpreters::usual()?;
        Ok(Self::named(&interpreter, &interpreter.name()))
    }

    /// The environment with this name, which need not exist yet.
    pub(super) fn named(interpreter: &Interpreter, name: &str) -> Self {
        let root = folder();
        Environment {
            name: name.to_owned(),
            directory: root.join(name),
            downloads: root.join("downloads").join(interpreter.name()),
        }
    }

    /// Installs the current version of packages from the files of a folder, without network access,
    /// user settings or programs of the machine.
    pub(super) fn install(&self, folder: &Path, packages: &[&str]) -> Result<()> {
        let mut pip = self.pip("install");
        pip.args(["--isolated", "--no-index", "--find-links"]).arg(folder);
        pip.args(packages.iter().map(|package| format!("{package}=={VERSION}")));
        process::titled(format!("installing into {}", self.name), pip.env("PATH", self.programs()))
    }

    /// Installs the packages that a requirements file pins.
    pub(super) fn add(&self, requirements: &Path) -> Result<()> {
        let downloads = self.download(requirements)?;
        let mut pip = self.pip("install");
        pip.args(["--isolated", "--no-index", "--find-links"]).arg(downloads);
        pip.args(["--require-hashes", "--requirement"]).arg(requirements);
        process::titled(format!("test packages for {}", self.name), &mut pip)
    }

    /// Installs pinned packages from the registry, also those available only as sources. Ignores
    /// the Python versions that a package declares: Home Assistant declares fewer patch releases
    /// than it runs on.
    pub(super) fn add_from_registry(&self, requirements: &Path) -> Result<()> {
        let mut pip = self.pip("install");
        pip.args(["--ignore-requires-python", "--require-hashes", "--requirement"]);
        process::titled(format!("packages for {}", self.name), pip.arg(requirements))
    }

    /// Creates the environment with `make`, unless it is complete and was made from the same
    /// inputs.
    pub(super) fn once(&self, inputs: &str, make: impl FnOnce() -> Result<()>) -> Result<()> {
        files::once(&self.directory.join("contents.sha256"), inputs, make)
    }

    /// Downloads the pinned packages, unless that is done, and returns their folder.
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

    /// A command that runs the environment's interpreter with an empty home folder and without
    /// Rust.
    pub(super) fn python(&self) -> Command {
        let mut command = self.bare();
        command
            .env("HOME", self.directory.join("home"))
            .env("PATH", without_rust(self.path()))
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// The path of a program of an installed package.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.programs().join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// The PATH of the machine, preceded by the environment's programs.
    pub(super) fn path(&self) -> OsString {
        first_on_path(&self.programs(), env::var_os("PATH").unwrap_or_default())
    }

    /// The folder of an installed package.
    pub(super) fn package(&self, name: &str) -> Result<PathBuf> {
        let script = "import importlib.util as u, sys; print(u.find_spec(sys.argv[1]).origin)";
        let mut python = self.python();
        let origin = PathBuf::from(process::text(python.args(["-I", "-c", script, name]))?);
        ensure!(
            origin.starts_with(&self.directory),
            "Python imports {name} from outside the environment"
        );
        Ok(origin.parent().map(Path::to_path_buf).unwrap_or_default())
    }

    /// An empty folder to run programs in.
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

/// PATH with one more folder at the front.
pub(super) fn first_on_path(folder: &Path, path: OsString) -> OsString {
    let folders = [folder.to_path_buf()].into_iter().chain(env::split_paths(&path));
    // A folder with a colon in its name cannot be on a PATH.
    env::join_paths(folders).unwrap_or(path)
}

/// PATH without the folders that contain cargo.
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
