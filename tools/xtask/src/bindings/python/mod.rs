//! Builds and tests the Python packages: a wheel of the library for every Python from 3.11 on, a
//! wheel of the voices, and the sources. The tests install the wheels as users do.

mod check;
mod clusters;
mod environment;
mod integrations;
mod interpreters;
mod module;
mod sources;
mod types;
mod voices;

pub(crate) use self::clusters::test as test_clusters;
use self::environment::Environment;
pub(crate) use self::integrations::test as test_integrations;
use self::interpreters::Interpreter;
pub(crate) use self::interpreters::has;
pub(crate) use self::module::name as wheel_name;
pub(crate) use self::sources::build_and_import;
pub(crate) use self::types::check as check_types;
use super::{MEMORY_ROUNDS, Make, show, tell};
use crate::prelude::*;

/// The timestamp of packaged files, so that builds are reproducible: 1 January 2020.
const EPOCH: &str = "1577836800";
/// The requirements of the tests; then those of the examples and the checkers, which not every
/// Python version supports.
const OF_TESTS: &str = "requirements-test.txt";
const OF_CHECKS: &str = "requirements-check.txt";

/// `cargo xtask wheel`: builds and checks the files, and prints their sizes.
pub(crate) fn make(make: &Make) -> Result<()> {
    let platforms = make.platforms()?;
    let _lock = Lock::of("wheel")?;
    TOOLS.ensure()?;
    let voices = (!make.without_voices).then(voices::make).transpose()?;
    voices::pin(voices.as_deref())?;
    let out = make.folder(wheels())?;
    let mut files = Vec::new();
    for platform in &platforms {
        let module = module::make(platform)?;
        check::module(platform, &module, voices.is_some())?;
        files.push(module);
    }
    files.extend(voices.into_iter().chain([module::sources()?]));
    for file in &mut files {
        let place = out.join(name_of(file));
        fs::copy(std::mem::replace(file, place.clone()), place)?;
    }
    show(&files)
}

/// The environment of the tools that build and check the wheels.
pub(crate) static TOOLS: Venv = Venv::new("venv-wheel", "tools/xtask/requirements-wheel.txt");

/// An empty folder for a step.
fn scratch(name: &str) -> Result<PathBuf> {
    clear(target().join("wheel").join(name))
}

/// A command that runs a program of the environment with a reproducible output.
fn program(name: &str) -> Command {
    let mut command = Command::new(TOOLS.program(name));
    command.env("SOURCE_DATE_EPOCH", EPOCH).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// The folders with Python code for the package.
pub(crate) fn sources() -> Vec<PathBuf> {
    let package = root().join("bindings/python");
    let of_package = ["benches", "python", "tests", "voices"].map(|name| package.join(name));
    let examples = root().join("examples");
    let of_examples = ["python", "mouth"].map(|name| examples.join(name));
    of_package.into_iter().chain(of_examples).collect()
}

/// Downloads the dependencies. Wheels for Windows are built on other systems.
pub(crate) fn fetch() -> Result<()> {
    TOOLS.ensure()?;
    if cfg!(windows) {
        return Ok(());
    }
    types::fetch()?;
    let others = interpreters::others()?.into_iter().map(|other| (other, OF_TESTS));
    for (interpreter, requirements) in others.chain([(interpreters::usual()?, OF_CHECKS)]) {
        let environment = Environment::empty(&interpreter, &interpreter.name())?;
        environment.download(&root().join("bindings/python").join(requirements))?;
    }
    Ok(())
}

/// Installs the wheels into an empty environment of the default Python, with the test and check
/// tools.
pub(crate) fn install() -> Result<()> {
    installed(&interpreters::usual()?, OF_CHECKS).map(drop)
}

/// The interpreter of that environment.
pub(crate) fn interpreter() -> Result<PathBuf> {
    Ok(Environment::usual()?.python().get_program().into())
}

/// Runs the tests in that environment.
pub(crate) fn test(artifacts: &Artifacts) -> Result<()> {
    let environment = Environment::usual()?;
    let inputs = Inputs::new()?
        .command(&pytest(artifacts, &environment)?)
        .built(&wheels())?
        .sources(&["bindings/python"])?
        .shared()?
        .said_by(environment.python().arg("-VV"))?;
    inputs.run("python-tests", || {
        suite(artifacts, &environment, true)?;
        examples_in_docstrings(artifacts, &environment)
    })
}

/// Runs the tests on every other Python of this machine: all of them on the oldest.
pub(crate) fn test_others(artifacts: &Artifacts) -> Result<()> {
    for (place, interpreter) in interpreters::others()?.iter().enumerate() {
        let environment = installed(interpreter, OF_TESTS)?;
        suite(artifacts, &environment, place == 0)?;
    }
    Ok(())
}

/// Runs the memory tests for many rounds.
pub(crate) fn test_memory(artifacts: &Artifacts) -> Result<()> {
    let mut pytest = pytest(artifacts, &Environment::usual()?)?;
    pytest.arg(root().join("bindings/python/tests/test_memory.py"));
    process::shown(pytest.env(MEMORY_ROUNDS.0, MEMORY_ROUNDS.1))
}

/// An environment with both wheels and the test requirements. It is created again if one of these
/// changed.
fn installed(interpreter: &Interpreter, requirements: &str) -> Result<Environment> {
    let requirements = root().join("bindings/python").join(requirements);
    installed_with(interpreter, &interpreter.name(), &requirements, Environment::add)
}

/// An environment of this name with both wheels and the packages of a requirements file.
fn installed_with(
    interpreter: &Interpreter,
    name: &str,
    requirements: &Path,
    add: fn(&Environment, &Path) -> Result<()>,
) -> Result<Environment> {
    let mut inputs = digest::of_file(requirements)?;
    for file in all(&wheels(), ".whl")? {
        inputs += &digest::of_file(&file)?;
    }
    let environment = Environment::named(interpreter, name);
    environment.once(&inputs, || {
        let environment = Environment::empty(interpreter, name)?;
        environment.install(&wheels(), &["libspeech-sdk", "libspeech-sdk-voices"])?;
        add(&environment, requirements)
    })?;
    Ok(environment)
}

/// Runs the tests: all if `whole`, otherwise those without real voices.
fn suite(artifacts: &Artifacts, environment: &Environment, whole: bool) -> Result<()> {
    let mut pytest = pytest(artifacts, environment)?;
    let tests = root().join("bindings/python/tests");
    pytest.arg("--ignore").arg(tests.join("clusters")).arg(tests);
    if !whole {
        pytest.args(["-m", "not voices"]);
    }
    process::shown(&mut pytest)
}

fn examples_in_docstrings(artifacts: &Artifacts, environment: &Environment) -> Result<()> {
    let mut pytest = pytest(artifacts, environment)?;
    pytest.arg("--doctest-modules");
    let package = environment.package("libspeech")?;
    // These need packages that the environment lacks.
    for module in ["ray.py", "spark.py"] {
        pytest.arg("--ignore").arg(package.join(module));
    }
    pytest.arg(package).arg(environment.package("libspeech_voices")?);
    process::shown(&mut pytest)
}

fn pytest(artifacts: &Artifacts, environment: &Environment) -> Result<Command> {
    let mut pytest = environment.python();
    pytest
        .args(["-m", "pytest", "--quiet", "--durations=10", "--config-file"])
        .arg(root().join("bindings/python/pyproject.toml"))
        .current_dir(environment.scratch()?)
        .env("SPEECH_WHEELS", wheels());
    tell(&mut pytest, artifacts)?;
    Ok(pytest)
}

/// The default folder of the files; `--out` names another one.
pub(crate) fn wheels() -> PathBuf {
    target().join("wheels")
}

/// The packed sources among them, a tar.gz.
fn packed_sources() -> Result<PathBuf> {
    only(&wheels(), ".tar.gz")
}

/// The folder for everything that the tests create.
fn folder() -> PathBuf {
    target().join("python")
}
