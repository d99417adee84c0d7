//! `cargo xtask test`: everything that CI runs.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::artifacts::Artifacts;
use crate::cache::Cache;
use crate::check;
use crate::dist::{Dist, Made};
use crate::download;
use crate::node_package::{self, Npm};
use crate::process;
use crate::programs;
use crate::python::{self, Venv};
use crate::python_package;
use crate::say::Say;
use crate::service;
use crate::steps::Steps;
use crate::wheel::Wheel;
use crate::workspace::Workspace;

/// Runs the checks and the tests, and stops at the first step that fails. What the machine lacks is
/// said before anything that takes long.
pub(crate) fn run(workspace: &Workspace, cache: &Cache) -> Result<()> {
    let mut steps = Steps::new();
    programs::require_all()?;
    check::run(workspace, &mut steps)?;
    let artifacts = steps.run("voice bundle", || Artifacts::ensure(workspace, cache))?;
    steps.run("Python tests", || {
        bundle_tests(workspace, cache, &artifacts)?;
        g2p_tests(workspace)?;
        compare_tests(workspace)?;
        load_tests(workspace)
    })?;
    let dist = dist(workspace, cache, &mut steps)?;
    steps.run("Rust tests", || {
        let mut tests = workspace.cargo("test");
        if let Some(dist) = dist {
            tests.env("SPEECH_DIST", dist.directory);
        }
        process::shown(artifacts.set_on(tests.args(["--workspace", "--release"])))
    })?;
    python_package(workspace, cache, &artifacts, &mut steps)?;
    node_package(workspace, cache, &artifacts, &mut steps)?;
    steps.run("service", || service::test(workspace, &artifacts))?;
    steps.run("English tables", || {
        let mut lexicon = workspace.cargo("run");
        lexicon.args(["--release", "--quiet", "-p", "speech-lexicon", "--", "--check"]);
        process::shown(&mut lexicon)
    })?;
    steps.run("say", || {
        Say::hello(workspace.target().join("hello.wav")).run(workspace, &artifacts)
    })?;
    steps.summarize();
    Ok(())
}

/// The package that the C programs among the tests are linked with. There is none for Windows yet.
fn dist(workspace: &Workspace, cache: &Cache, steps: &mut Steps) -> Result<Option<Made>> {
    if cfg!(windows) {
        return Ok(None);
    }
    let made = steps.run("dist", || Dist::whole().run(workspace, cache))?;
    steps.run("SBOM", || made.validate_sbom(workspace))?;
    Ok(Some(made))
}

/// The wheels, and their tests. There are none for Windows yet.
fn python_package(
    workspace: &Workspace,
    cache: &Cache,
    artifacts: &Artifacts,
    steps: &mut Steps,
) -> Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    let wheels = steps.run("Python wheels", || Wheel::all().run(workspace, cache))?;
    python_package::test(workspace, artifacts, &wheels, steps)
}

/// The packages of npm, and their tests. There are none for Windows yet.
fn node_package(
    workspace: &Workspace,
    cache: &Cache,
    artifacts: &Artifacts,
    steps: &mut Steps,
) -> Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    let packages = steps.run("Node packages", || Npm::all().run(workspace, cache))?;
    node_package::test(workspace, artifacts, &packages, steps)
}

fn bundle_tests(workspace: &Workspace, cache: &Cache, artifacts: &Artifacts) -> Result<()> {
    let venv = python::test_venv(workspace);
    venv.ensure()?;
    let lock = cache.lock()?;
    let downloads = download::ensure_all(workspace, cache)?;
    drop(lock);
    let mut pytest = pytest(workspace, &venv, &workspace.bundle_tool());
    pytest.env("SPEECH_DOWNLOADS", downloads);
    process::shown(artifacts.set_on(&mut pytest))
}

fn g2p_tests(workspace: &Workspace) -> Result<()> {
    let venv = python::g2p_test_venv(workspace);
    venv.ensure()?;
    process::shown(&mut pytest(workspace, &venv, &workspace.g2p_tool()))
}

/// The tests of the comparison, which need none of the other engines.
fn compare_tests(workspace: &Workspace) -> Result<()> {
    let venv = python::test_venv(workspace);
    venv.ensure()?;
    process::shown(&mut pytest(workspace, &venv, &workspace.compare_tool()))
}

/// The tests of what measures the service under load, which need no service.
fn load_tests(workspace: &Workspace) -> Result<()> {
    let venv = python::test_venv(workspace);
    venv.ensure()?;
    process::shown(&mut pytest(workspace, &venv, &workspace.load_tool()))
}

/// The tests of a tool that is written in Python.
fn pytest(workspace: &Workspace, venv: &Venv, tool: &Path) -> Command {
    let mut pytest = venv.python();
    pytest
        .args(["-m", "pytest", "-p", "no:cacheprovider"])
        .arg(tool.join("tests"))
        .current_dir(workspace.root())
        .env("PYTHONPATH", workspace.root().join("tools"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    pytest
}
