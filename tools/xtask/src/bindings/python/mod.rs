//! The Python package as pip installs it: a wheel of the library, which is one file for every Python from 3.11 on, a wheel
//! of the voices, and the sources. And its tests, for which the wheels are installed as strangers install them.

mod check;
mod environment;
mod integrations;
mod interpreters;
mod module;
mod sources;
mod types;
mod voices;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use self::environment::Environment;
use self::interpreters::Interpreter;
use super::{MEMORY_ROUNDS, Make, all, clear, only, show, tell};
use crate::artifacts::Artifacts;
use crate::cache::Cache;
use crate::digest;
use crate::lock::Lock;
use crate::passed::Inputs;
use crate::process;
use crate::python::Venv;
use crate::workspace::Workspace;

pub(crate) use self::integrations::test as test_integrations;
pub(crate) use self::interpreters::require_every;
pub(crate) use self::module::{name as wheel_name, tag};
pub(crate) use self::sources::build_and_import;
pub(crate) use self::types::check as check_types;

/// 1 January 2020: what is made has the same times in it whenever it is made.
const EPOCH: &str = "1577836800";
/// What the tests need, and what the examples and the checkers need too, which is not there for every Python.
const OF_TESTS: &str = "requirements-test.txt";
const OF_CHECKS: &str = "requirements-check.txt";

/// `cargo xtask wheel`: makes and checks the files, and shows their sizes.
pub(crate) fn make(make: &Make, workspace: &Workspace, cache: &Cache) -> Result<()> {
    let platforms = make.platforms()?;
    let _lock = Lock::acquire(&workspace.target().join("wheel.lock"))?;
    let venv = tools(workspace);
    venv.ensure()?;
    let shop = Workshop { workspace, venv: &venv };
    let voices = (!make.without_voices).then(|| voices::make(&shop, cache)).transpose()?;
    voices::pin(workspace, voices.as_deref())?;
    let out = make.folder(wheels(workspace))?;
    let mut files = Vec::new();
    for platform in &platforms {
        let module = module::make(&shop, platform)?;
        check::module(&shop, platform, &module, voices.is_some())?;
        files.push(copy(&module, &out)?);
    }
    for file in voices.into_iter().chain([module::sources(&shop)?]) {
        files.push(copy(&file, &out)?);
    }
    show(&files)
}

/// What the files are made with.
struct Workshop<'a> {
    workspace: &'a Workspace,
    venv: &'a Venv,
}

impl Workshop<'_> {
    /// An empty folder for one of the steps.
    fn folder(&self, name: &str) -> Result<PathBuf> {
        clear(self.workspace.target().join("wheel").join(name))
    }

    /// A program of the environment, which makes the same file whenever it is run.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.venv.program(name));
        command.env("SOURCE_DATE_EPOCH", EPOCH).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// The folders that have Python for the package.
pub(crate) fn sources(workspace: &Workspace) -> Vec<PathBuf> {
    let package = workspace.python_package();
    let of_package = ["benches", "python", "tests", "voices"].map(|name| package.join(name));
    let examples = workspace.root().join("examples");
    let of_examples = ["python", "mouth"].map(|name| examples.join(name));
    of_package.into_iter().chain(of_examples).collect()
}

/// Downloads what is needed. Wheels for Windows are made on other systems.
pub(crate) fn fetch(workspace: &Workspace) -> Result<()> {
    tools(workspace).ensure()?;
    if cfg!(windows) {
        return Ok(());
    }
    types::fetch(workspace)?;
    for (interpreter, requirements) in interpreters::others()?
        .iter()
        .map(|other| (other, OF_TESTS))
        .chain([(&interpreters::usual()?, OF_CHECKS)])
    {
        let environment = Environment::empty(workspace, interpreter, &interpreter.name())?;
        environment.download(&workspace.python_package().join(requirements))?;
    }
    Ok(())
}

/// Installs the wheels into an empty environment of the machine's usual Python, with what tests and checks them.
pub(crate) fn install(workspace: &Workspace) -> Result<()> {
    installed(workspace, &interpreters::usual()?, OF_CHECKS).map(drop)
}

/// The Python of that environment.
pub(crate) fn interpreter(workspace: &Workspace) -> Result<PathBuf> {
    Ok(Environment::usual(workspace)?.python().get_program().into())
}

/// Runs the tests in that environment.
pub(crate) fn test(workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
    let environment = Environment::usual(workspace)?;
    let inputs = Inputs::new(workspace)?
        .command(&pytest(workspace, artifacts, &environment)?)
        .built(&wheels(workspace))?
        .sources(&["bindings/python"])?
        .shared()?
        .said_by(environment.python().arg("-VV"))?;
    inputs.run("python-tests", || {
        suite(workspace, artifacts, &environment, true)?;
        examples_in_docstrings(workspace, artifacts, &environment)
    })
}

/// Runs them on every other Python of this machine. The oldest is tested whole.
pub(crate) fn test_others(workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
    for (place, interpreter) in interpreters::others()?.iter().enumerate() {
        let environment = installed(workspace, interpreter, OF_TESTS)?;
        suite(workspace, artifacts, &environment, place == 0)?;
    }
    Ok(())
}

/// Runs those of memory for many rounds.
pub(crate) fn test_memory(workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
    let mut pytest = pytest(workspace, artifacts, &Environment::usual(workspace)?)?;
    pytest.arg(workspace.python_package().join("tests").join("test_memory.py"));
    process::shown(pytest.env(MEMORY_ROUNDS.0, MEMORY_ROUNDS.1))
}

/// An environment with both wheels, and then what the tests need. It is made anew when one of those has changed.
fn installed(
    workspace: &Workspace,
    interpreter: &Interpreter,
    requirements: &str,
) -> Result<Environment> {
    let requirements = workspace.python_package().join(requirements);
    installed_with(workspace, interpreter, &interpreter.name(), &requirements, Environment::add)
}

/// An environment of this name with both wheels, to which then a file of requirements is added.
fn installed_with(
    workspace: &Workspace,
    interpreter: &Interpreter,
    name: &str,
    requirements: &Path,
    add: fn(&Environment, &Path) -> Result<()>,
) -> Result<Environment> {
    let mut contents = String::new();
    for file in all(&wheels(workspace), ".whl")?.iter().map(PathBuf::as_path).chain([requirements])
    {
        contents += &digest::of_file(file)?.with_context(|| file.display().to_string())?;
    }
    let environment = Environment::named(workspace, interpreter, name);
    if environment.has(&contents) {
        return Ok(environment);
    }
    let environment = Environment::empty(workspace, interpreter, name)?;
    environment.install(&wheels(workspace), &["libspeech-sdk", "libspeech-sdk-voices"])?;
    add(&environment, requirements)?;
    environment.record(&contents)?;
    Ok(environment)
}

/// The tests, all or without those that need the real voices.
fn suite(
    workspace: &Workspace,
    artifacts: &Artifacts,
    environment: &Environment,
    whole: bool,
) -> Result<()> {
    let mut pytest = pytest(workspace, artifacts, environment)?;
    pytest.arg(workspace.python_package().join("tests"));
    if !whole {
        pytest.args(["-m", "not voices"]);
    }
    process::shown(&mut pytest)
}

fn examples_in_docstrings(
    workspace: &Workspace,
    artifacts: &Artifacts,
    environment: &Environment,
) -> Result<()> {
    let mut pytest = pytest(workspace, artifacts, environment)?;
    pytest.arg("--doctest-modules");
    for package in ["libspeech", "libspeech_voices"] {
        pytest.arg(environment.package(package)?);
    }
    process::shown(&mut pytest)
}

fn pytest(
    workspace: &Workspace,
    artifacts: &Artifacts,
    environment: &Environment,
) -> Result<Command> {
    let mut pytest = environment.python();
    pytest
        .args(["-m", "pytest", "--quiet", "--durations=10", "--config-file"])
        .arg(workspace.python_package().join("pyproject.toml"))
        .current_dir(environment.scratch()?)
        .env("SPEECH_WHEELS", wheels(workspace));
    tell(&mut pytest, workspace, artifacts)?;
    Ok(pytest)
}

/// The environment of what makes and checks the wheels.
pub(crate) fn tools(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-wheel", &workspace.xtask().join("requirements-wheel.txt"))
}

/// Where the files are, unless somebody wants them elsewhere.
pub(crate) fn wheels(workspace: &Workspace) -> PathBuf {
    workspace.target().join("wheels")
}

/// The sources among them, as a tar.gz.
fn packed_sources(workspace: &Workspace) -> Result<PathBuf> {
    only(&wheels(workspace), ".tar.gz")
}

/// Where everything that the tests make is.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("python")
}

fn copy(file: &Path, directory: &Path) -> Result<PathBuf> {
    let place = directory.join(file.file_name().unwrap_or_default());
    fs::copy(file, &place).with_context(|| format!("cannot write {}", place.display()))?;
    Ok(place)
}
