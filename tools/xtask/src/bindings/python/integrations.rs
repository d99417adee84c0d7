//! Tests the framework examples inside their frameworks: Pipecat, LiveKit Agents and Home
//! Assistant.

use super::environment::Environment;
use super::interpreters::{self, Interpreter};
use super::{installed_with, types};
use crate::prelude::*;
use crate::service::Demonstration;

/// The Python version of the pinned version of Home Assistant.
const OF_HOME_ASSISTANT: &str = "3.13";

/// Installs the wheels together with each framework, and runs the tests.
pub(crate) fn test(artifacts: &Artifacts) -> Result<()> {
    let tests = root().join("examples/python/tests");
    let frameworks = installed(&interpreters::usual()?, "frameworks")?;
    let modules = ["test_pipecat.py", "test_livekit.py", "test_readme_of_frameworks.py"];
    process::shown(&mut pytest(&frameworks, modules.iter().map(|name| tests.join(name)))?)?;
    let service = Demonstration::start(artifacts, artifacts.bundle(), &["--cartesia"])?;
    let mut over_a_socket = pytest(&frameworks, [tests.join("test_over_a_socket.py")])?;
    process::shown(service.named_for(&mut over_a_socket)?)?;
    drop(service);
    check_types(&frameworks)?;

    let python = interpreters::named(OF_HOME_ASSISTANT)?;
    let home_assistant = installed(&python, "home-assistant")?;
    let mut pytest = pytest(&home_assistant, [tests.join("test_home_assistant.py")])?;
    process::shown(pytest.arg("--asyncio-mode=auto"))
}

/// An environment with both wheels and the packages of a requirements file.
fn installed(interpreter: &Interpreter, name: &str) -> Result<Environment> {
    let examples = root().join("examples/python");
    let requirements = examples.join("tests").join(format!("requirements-{name}.txt"));
    installed_with(interpreter, name, &requirements, Environment::add_from_registry)
}

fn pytest(
    environment: &Environment,
    modules: impl IntoIterator<Item = PathBuf>,
) -> Result<Command> {
    let mut pytest = environment.python();
    pytest
        .args(["-m", "pytest", "--quiet", "--durations=5", "-p", "no:cacheprovider"])
        .args(modules)
        .current_dir(environment.scratch()?);
    Ok(pytest)
}

/// Checks the types of the examples for Pipecat, LiveKit Agents and websockets, which the usual
/// check excludes.
fn check_types(environment: &Environment) -> Result<()> {
    let examples = root().join("examples/python");
    let programs = [
        "pipecat_service.py",
        "livekit_plugin.py",
        "live_client.py",
        "live_socket.py",
        "telephone",
    ];
    let tests = ["test_pipecat.py", "test_livekit.py", "test_over_a_socket.py"];
    let programs = programs.map(|name| examples.join(name));
    let tests = tests.map(|name| examples.join("tests").join(name));
    types::check_excluded(environment, "frameworks", &examples, programs.into_iter().chain(tests))
}
