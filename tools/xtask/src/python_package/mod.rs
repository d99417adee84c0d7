//! The tests of the Python package: its wheels, installed as strangers install them, on every Python
//! of this machine.

mod environment;
mod sources;
mod types;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use self::environment::Environment;
use crate::artifacts::Artifacts;
use crate::interpreters::{self, Interpreter};
use crate::process;
use crate::steps::Steps;
use crate::wheel::Made;
use crate::workspace::Workspace;

/// What the tests are given.
struct Subject<'a> {
    workspace: &'a Workspace,
    artifacts: &'a Artifacts,
    wheels: &'a Made,
    /// A bundle that hums, for tests whose subject is not the sound.
    hum: PathBuf,
}

/// Runs all of them.
pub(crate) fn test(
    workspace: &Workspace,
    artifacts: &Artifacts,
    wheels: &Made,
    steps: &mut Steps,
) -> Result<()> {
    let mut interpreters = interpreters::find()?;
    let subject = Subject { workspace, artifacts, wheels, hum: hum(workspace)? };
    // The oldest, for the sources and the suite, is another than the newest where there are two.
    let oldest = interpreters.first().cloned().context("there is no Python")?;
    let newest = interpreters.pop().context("there is no Python")?;
    steps.run("Python package", || {
        for interpreter in &interpreters {
            let environment = subject.installed(interpreter, "requirements-test.txt")?;
            subject.suite(&environment, interpreter == &oldest)?;
        }
        Ok(())
    })?;
    let environment = steps.run("Python package, newest", || {
        let environment = subject.installed(&newest, "requirements-check.txt")?;
        subject.suite(&environment, true)?;
        subject.examples_in_docstrings(&environment)?;
        Ok(environment)
    })?;
    steps.run("Python types and style", || types::check(workspace, &environment))?;
    steps.run("Python sources", || sources::build_and_import(workspace, wheels, &oldest))
}

/// Downloads what the tests need. There are none for Windows yet.
pub(crate) fn fetch(workspace: &Workspace) -> Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    types::fetch(workspace)?;
    let mut interpreters = interpreters::find()?;
    let newest = interpreters.pop().context("there is no Python")?;
    let others = interpreters.iter().map(|interpreter| (interpreter, "requirements-test.txt"));
    for (interpreter, requirements) in others.chain([(&newest, "requirements-check.txt")]) {
        let environment = Environment::empty(workspace, interpreter, &interpreter.name())?;
        environment.download(&workspace.python_package().join(requirements))?;
    }
    Ok(())
}

impl Subject<'_> {
    /// An environment with both wheels, and then what the tests need.
    fn installed(&self, interpreter: &Interpreter, requirements: &str) -> Result<Environment> {
        let environment = Environment::empty(self.workspace, interpreter, &interpreter.name())?;
        let wheels = ["libspeech-sdk", "libspeech-sdk-voices"];
        environment.install(&self.wheels.directory, &wheels)?;
        environment.add(&self.workspace.python_package().join(requirements))?;
        Ok(environment)
    }

    /// The tests, all or without those that need the real voices.
    fn suite(&self, environment: &Environment, whole: bool) -> Result<()> {
        let mut pytest = self.pytest(environment)?;
        pytest.arg(self.workspace.python_package().join("tests"));
        if !whole {
            pytest.args(["-m", "not voices"]);
        }
        process::shown(&mut pytest)
    }

    fn examples_in_docstrings(&self, environment: &Environment) -> Result<()> {
        let mut pytest = self.pytest(environment)?;
        pytest.arg("--doctest-modules");
        for package in ["libspeech", "libspeech_voices"] {
            pytest.arg(environment.package(package)?);
        }
        process::shown(&mut pytest)
    }

    fn pytest(&self, environment: &Environment) -> Result<Command> {
        let root = self.workspace.root();
        let mut pytest = environment.python();
        pytest
            .args(["-m", "pytest", "--quiet", "--config-file"])
            .arg(self.workspace.python_package().join("pyproject.toml"))
            .current_dir(environment.scratch()?)
            .env("SPEECH_HUM", &self.hum)
            .env("SPEECH_PROGRAM", self.workspace.release_program("speech"))
            .env("SPEECH_WHEELS", &self.wheels.directory)
            .env("SPEECH_REFERENCE_BUNDLE", self.artifacts.bundle())
            .env("SPEECH_CASES", root.join("tests").join("data").join("cases.json"))
            .env("SPEECH_README", root.join("README.md"));
        Ok(pytest)
    }
}

/// Makes the bundle that hums, and the program whose sound is compared.
pub(crate) fn hum(workspace: &Workspace) -> Result<PathBuf> {
    let folder = folder(workspace).join("hum");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut hum = workspace.cargo("run");
    hum.args(["--release", "--quiet", "-p", "speech-tests", "--bin", "hum", "--"]).arg(&folder);
    process::shown(&mut hum)?;
    let mut build = workspace.cargo("build");
    process::shown(build.args(["--release", "--package", "speech-cli", "--bin", "speech"]))?;
    Ok(folder)
}

/// Where everything that these tests make is.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("python")
}
