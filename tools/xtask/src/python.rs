//! The Python that runs the tools written in it: the machine's interpreter, and virtual
//! environments with exactly the packages that a requirements file pins.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use crate::digest;
use crate::lock::Lock;
use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

/// The oldest Python that the pinned packages support.
const MINIMUM: (u32, u32) = (3, 11);

/// The environment of the bundle tool.
pub(crate) fn bundle_venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-bundle", &workspace.bundle_tool().join("requirements.txt"))
}

/// The environment of the bundle tool's tests, which also has pytest, and ONNX Runtime to run the published model.
pub(crate) fn test_venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-test", &workspace.bundle_tool().join("requirements-test.txt"))
}

/// The environment of the tests of the tool that trains the network of unknown words.
pub(crate) fn g2p_test_venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-g2p", &workspace.g2p_tool().join("requirements-test.txt"))
}

/// The environment of what checks the style of Python and the spelling.
pub(crate) fn style_venv(workspace: &Workspace) -> Venv {
    let requirements = workspace.xtask().join("requirements-style.txt");
    Venv::new(workspace, "venv-style", &requirements)
}

/// The environment of the comparison, which has the other engines.
pub(crate) fn compare_venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-compare", &workspace.compare_tool().join("requirements.txt"))
}

/// The environment of kokoro-pi, which needs older packages than the other engines and is compiled for Linux only.
pub(crate) fn kokoro_pi_venv(workspace: &Workspace) -> Option<Venv> {
    let requirements = workspace.compare_tool().join("requirements-kokoro-pi.txt");
    cfg!(target_os = "linux").then(|| Venv::new(workspace, "venv-compare-kokoro-pi", &requirements))
}

/// The environment that chooses and measures the voices, which has PyTorch.
pub(crate) fn voices_venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-voices", &workspace.voices_tool().join("requirements.txt"))
}

/// The environment of what measures the service under load.
pub(crate) fn load_venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-load", &workspace.load_tool().join("requirements.txt"))
}

/// The environment of what watches programs that run for long.
pub(crate) fn soak_venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-soak", &workspace.soak_tool().join("requirements.txt"))
}

/// A virtual environment under the target directory.
#[derive(Debug)]
pub(crate) struct Venv {
    directory: PathBuf,
    requirements: PathBuf,
}

impl Venv {
    pub(crate) fn new(workspace: &Workspace, name: &str, requirements: &Path) -> Self {
        Venv { directory: workspace.target().join(name), requirements: requirements.to_path_buf() }
    }

    /// Makes the environment, unless it is there and was made from the same requirements. An
    /// interrupted one has no stamp and is made again.
    pub(crate) fn ensure(&self) -> Result<()> {
        // Threads of this process wait here, others there, who say so.
        static MAKING: Mutex<()> = Mutex::new(());
        let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = Lock::acquire(&self.directory.with_extension("lock"))?;
        let stamp = self.directory.join("requirements.sha256");
        let wanted = digest::of_file(&self.requirements)?
            .with_context(|| format!("{} is missing", self.requirements.display()))?;
        let made_from = fs::read_to_string(&stamp).unwrap_or_default();
        if made_from == wanted && self.interpreter().exists() {
            return Ok(());
        }
        self.make()?;
        fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))
    }

    /// The environment's own interpreter.
    pub(crate) fn python(&self) -> Command {
        let mut command = Command::new(self.interpreter());
        // The environment is all there is: nothing of the user's own packages.
        command.env("PYTHONNOUSERSITE", "1").env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        command
    }

    /// A program that one of the packages brought.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs().join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// The directory of an installed package.
    pub(crate) fn package(&self, name: &str) -> Result<PathBuf> {
        let script = "import importlib.util as u, sys; \
                      print(u.find_spec(sys.argv[1]).submodule_search_locations[0])";
        let output =
            self.python().args(["-c", script, name]).output().context("cannot run Python")?;
        if !output.status.success() {
            bail!(
                "the Python environment has no {name}:\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
    }

    /// The environment's pip, which never asks and never looks for a newer pip.
    pub(crate) fn pip(&self, subcommand: &str) -> Command {
        let mut command = self.python();
        command.args(["-m", "pip", subcommand, "--disable-pip-version-check", "--no-input"]);
        command
    }

    fn make(&self) -> Result<()> {
        let name = self.directory.file_name().unwrap_or_default().to_string_lossy();
        let (base, _) = find()?;
        let item = Item::start(format!("Python environment {name}"));
        if self.directory.exists() {
            fs::remove_dir_all(&self.directory)
                .with_context(|| format!("cannot remove {}", self.directory.display()))?;
        }
        let mut create = Command::new(&base);
        create.args(["-m", "venv"]).arg(&self.directory);
        process::quiet(&mut create, &item).context(
            "Python could not make a virtual environment. On Debian and Ubuntu its `venv` module \
             is a package of its own: apt install python3-venv",
        )?;
        let mut install = self.pip("install");
        install
            .args(["--no-compile", "--require-hashes", "--only-binary", ":all:", "-r"])
            .arg(&self.requirements);
        process::quiet(&mut install, &item).context(
            "the Python packages could not be installed. The first run needs the network; run the \
             command again when it is there",
        )?;
        item.finish("");
        Ok(())
    }

    fn interpreter(&self) -> PathBuf {
        self.program("python")
    }

    fn programs(&self) -> PathBuf {
        self.directory.join(if cfg!(windows) { "Scripts" } else { "bin" })
    }
}

/// The machine's own interpreter, for scripts that need no packages.
pub(crate) fn system() -> Result<Command> {
    Ok(Command::new(find()?.0))
}

/// The command that runs it, and 11 in 3.11.
pub(crate) fn find() -> Result<(String, u32)> {
    let names = ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];
    let mut too_old = None;
    for name in names {
        match version(name) {
            Some(found) if found >= MINIMUM => return Ok((name.to_owned(), found.1)),
            Some(found) => too_old = too_old.or(Some(found)),
            None => {}
        }
    }
    let (major, minor) = MINIMUM;
    let found = match too_old {
        Some((major, minor)) => format!("only Python {major}.{minor} was found"),
        None => "none was found".to_owned(),
    };
    bail!(
        "Python {major}.{minor} or newer is needed, and {found}. Install it \
         (Debian and Ubuntu: apt install python3 python3-venv; macOS: brew install python; \
         Windows: winget install Python.Python.3.13) and run the command again"
    )
}

fn version(program: &str) -> Option<(u32, u32)> {
    let script = "import sys; print('%d.%d' % sys.version_info[:2])";
    let output = Command::new(program).args(["-c", script]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
