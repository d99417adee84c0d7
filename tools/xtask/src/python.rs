//! Runs Python tools with the machine's interpreter, in virtual environments with exactly the
//! packages of a requirements file.

use std::borrow::Cow;
use std::env;
use std::sync::{Mutex, PoisonError};

use crate::needs::{Need, require};
use crate::prelude::*;

/// The oldest minor version that the pinned packages support: 11 in 3.11.
pub(crate) const OLDEST: u32 = 11;

/// The environment of the bundle tool.
pub(crate) static BUNDLE: Venv = Venv::new("venv-bundle", "tools/bundle/requirements.txt");
/// The environment of its tests, with pytest, and with ONNX Runtime for the published model.
pub(crate) static TEST: Venv = Venv::new("venv-test", "tools/bundle/requirements-test.txt");
/// The environment for the tests of `research/g2p`, which trains the network for unknown words.
pub(crate) static G2P_TEST: Venv = Venv::new("venv-g2p", "research/g2p/requirements-test.txt");
/// The environment of `compare`, with the other engines.
pub(crate) static COMPARE: Venv = Venv::new("venv-compare", "research/compare/requirements.txt");
/// The environment of kokoro-pi, which needs older packages than the other engines and is compiled
/// for Linux only.
pub(crate) static KOKORO_PI: Venv =
    Venv::new("venv-compare-kokoro-pi", "research/compare/requirements-kokoro-pi.txt");
/// The environment that selects and measures voices, with PyTorch.
pub(crate) static VOICES: Venv = Venv::new("venv-voices", "research/voices/requirements.txt");
/// The environment that monitors long-running programs.
pub(crate) static SOAK: Venv = Venv::new("venv-soak", "tools/soak/requirements.txt");

/// A virtual environment under the target directory.
#[derive(Clone, Debug)]
pub(crate) struct Venv {
    name: Cow<'static, str>,
    requirements: Cow<'static, str>,
}

impl Venv {
    /// An environment with the packages of a requirements file of the repository.
    pub(crate) const fn new(name: &'static str, requirements: &'static str) -> Self {
        Venv { name: Cow::Borrowed(name), requirements: Cow::Borrowed(requirements) }
    }

    /// An environment with a computed name and requirements file.
    pub(crate) fn named(name: String, requirements: String) -> Self {
        Venv { name: name.into(), requirements: requirements.into() }
    }

    /// Creates the environment, unless it exists and was made from the same requirements. An
    /// interrupted one has no stamp and is created again.
    pub(crate) fn ensure(&self) -> Result<()> {
        // Threads of this process wait here. Other processes wait at the file lock, and print a
        // note.
        static MAKING: Mutex<()> = Mutex::new(());
        let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = Lock::acquire(&target().join(format!("{}.lock", self.name)))?;
        let stamp = self.folder().join("requirements.sha256");
        let wanted = digest::of_file(&self.requirements())?;
        let made_from = fs::read_to_string(&stamp).unwrap_or_default();
        if made_from == wanted && self.program("python").exists() {
            return Ok(());
        }
        self.make()?;
        Ok(fs::write(&stamp, wanted)?)
    }

    /// The environment's own interpreter.
    pub(crate) fn python(&self) -> Command {
        let mut command = Command::new(self.program("python"));
        // Hides packages outside the environment.
        command.env("PYTHONNOUSERSITE", "1").env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        command
    }

    /// Runs a module of the environment, or of the repository's tools and research.
    pub(crate) fn module(&self, name: &str) -> Command {
        let folders = ["tools", "research"].map(|folder| root().join(folder));
        let folders = env::join_paths(folders).expect("the repository's path has no separator");
        let mut command = self.python();
        command.args(["-m", name]).env("PYTHONPATH", folders).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }

    /// The path of a program of an installed package.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        programs(&self.folder()).join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// The directory of an installed package.
    pub(crate) fn package(&self, name: &str) -> Result<PathBuf> {
        let script = "import importlib.util as u, sys; \
                      print(u.find_spec(sys.argv[1]).submodule_search_locations[0])";
        let output = process::text(self.python().args(["-c", script, name]));
        Ok(output.with_context(|| format!("{} has no {name}", self.name))?.into())
    }

    /// The environment's pip, without prompts and update checks.
    pub(crate) fn pip(&self, subcommand: &str) -> Command {
        let mut command = self.python();
        command.args(["-m", "pip", subcommand, "--disable-pip-version-check", "--no-input"]);
        command
    }

    fn make(&self) -> Result<()> {
        let mut create = system()?;
        let item = Item::start(format!("Python environment {}", self.name));
        remove(&self.folder())?;
        process::quiet(create.args(["-m", "venv"]).arg(self.folder()), &item).context(
            "Python cannot create a virtual environment. On Debian and Ubuntu, its `venv` module is \
             a separate package: `apt install python3-venv`",
        )?;
        let mut install = self.pip("install");
        install
            .args(["--no-compile", "--require-hashes", "--only-binary", ":all:", "-r"])
            .arg(self.requirements());
        process::quiet(&mut install, &item).context(
            "cannot install the Python packages. The first run needs the network: run the command \
             again when it is available",
        )?;
        item.finish("");
        Ok(())
    }

    fn folder(&self) -> PathBuf {
        target().join(&*self.name)
    }

    fn requirements(&self) -> PathBuf {
        root().join(&*self.requirements)
    }
}

/// The folder of an environment's programs.
pub(crate) fn programs(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts" } else { "bin" })
}

/// The machine's interpreter, for scripts without dependencies.
pub(crate) fn system() -> Result<Command> {
    Ok(Command::new(usual()?.0))
}

/// The command of the default interpreter, and its minor version (11 in 3.11).
pub(crate) fn usual() -> Result<(String, u32)> {
    require(&[Need::AnyPython])?;
    find().context("no supported Python is installed")
}

/// The command of the default interpreter and its minor version, if there is one.
pub(crate) fn find() -> Option<(String, u32)> {
    let names = ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];
    let found = names.iter().filter_map(|name| Some(((*name).to_owned(), minor(name)?)));
    found.into_iter().find(|(_, minor)| *minor >= OLDEST)
}

fn minor(program: &str) -> Option<u32> {
    let script = "import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)";
    let output = Command::new(program).args(["-c", script]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
