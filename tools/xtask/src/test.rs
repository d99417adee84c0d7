//! `cargo xtask test`, everything that CI runs; `cargo xtask full`, that and what takes long or needs more than every
//! machine has; `cargo xtask check`, the part that runs nothing of the library.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use clap::Args;

use crate::apple;
use crate::artifacts::Artifacts;
use crate::bindings::web::Web;
use crate::bindings::{Make, go, jvm, node, python as python_package};
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::check;
use crate::determinism::Determinism;
use crate::dist::Dist;
use crate::docs::Docs;
use crate::download;
use crate::fuzz::Fuzz;
use crate::kernels;
use crate::lost;
use crate::miri;
use crate::model;
use crate::passed::Inputs;
use crate::process;
use crate::programs;
use crate::prose;
use crate::python::{self, Venv};
use crate::rust_tests::{self, Executables, Part};
use crate::say::Say;
use crate::service;
use crate::soak::Soak;
use crate::steps::{self, Load, Step};
use crate::tsan::Tsan;
use crate::workflows;
use crate::workspace::Workspace;

/// What every step is given.
pub(crate) struct Project {
    pub(crate) workspace: Workspace,
    pub(crate) cache: Cache,
}

impl Project {
    fn artifacts(&self) -> Result<Artifacts> {
        Artifacts::ensure(&self.workspace, &self.cache)
    }
}

#[derive(Args)]
pub(crate) struct Steps {
    /// Only these steps, and what they need.
    #[arg(value_name = "STEP")]
    names: Vec<String>,
    /// One step, in this process.
    #[arg(long, hide = true, value_name = "STEP", conflicts_with = "names")]
    step: Option<String>,
}

/// Runs the checks alone.
pub(crate) fn check(project: &Project, steps: &Steps) -> Result<()> {
    run("check", checks(), project, steps)
}

/// Runs the checks and the tests. What the machine lacks is said before anything that takes long.
pub(crate) fn test(project: &Project, steps: &Steps) -> Result<()> {
    if steps.step.is_none() {
        programs::require_all()?;
    }
    run("test", tests(), project, steps)
}

/// Runs the tests of packages that were made before, on another machine perhaps, and are where they are made: in `dist`,
/// `npm`, `wheels` and `maven` of the target directory.
pub(crate) fn test_packages(project: &Project, steps: &Steps) -> Result<()> {
    let mut table = vec![step("c-package", &[], Load::Little, |project| {
        Dist::whole().unpack(&project.workspace)
    })];
    table.push(step("jvm-packages", &[], Load::Little, |project| jvm::unpack(&project.workspace)));
    let needed = ["voice-bundle", "rust-build"];
    table.extend(tests().into_iter().filter(|step| needed.contains(&step.name)));
    table.extend(tests_of_packages());
    // cgo wants a C compiler and pkg-config, which few Windows machines have.
    if !cfg!(windows) {
        table.extend(tests_of_go());
    }
    table.extend(tests_of_jvm());
    run("test-packages", table, project, steps)
}

/// Runs all of it. What the machine lacks for all steps is said first; a step that is named says it by itself.
pub(crate) fn full(project: &Project, steps: &Steps) -> Result<()> {
    if steps.step.is_none() && steps.names.is_empty() {
        programs::require_full()?;
        python_package::require_every()?;
        kernels::require()?;
        miri::require(&project.workspace)?;
    }
    let all = tests().into_iter().chain(long()).collect();
    run("full", all, project, steps)
}

fn run(task: &str, table: Vec<Step<Project>>, project: &Project, steps: &Steps) -> Result<()> {
    if let Some(name) = &steps.step {
        return steps::run_one(table, name, project);
    }
    let table = if steps.names.is_empty() { table } else { steps::select(table, &steps.names)? };
    steps::run(&table, &[task, "--step"])
}

fn step(
    name: &'static str,
    after: &'static [&'static str],
    load: Load,
    run: fn(&Project) -> Result<()>,
) -> Step<Project> {
    Step { name, after, load, run }
}

fn checks() -> Vec<Step<Project>> {
    vec![
        step("format", &[], Load::Core, |project| check::format(&project.workspace)),
        step("python-style", &[], Load::Little, |project| check::python_style(&project.workspace)),
        step("prose", &[], Load::Little, |project| prose::check(&project.workspace)),
        step("go-style", &[], Load::Little, |project| go::format(&project.workspace)),
        step("fuzz-lock", &[], Load::Little, |project| check::fuzz_lock(&project.workspace)),
        step("workflows", &[], Load::Little, |project| workflows::check(&project.workspace)),
        step("licences", &[], Load::Little, |project| check::licences(&project.workspace)),
        step("clippy", &[], Load::Cargo, |project| check::clippy(&project.workspace)),
        step("documentation", &[], Load::Cargo, |project| check::documentation(&project.workspace)),
    ]
}

/// Those that others wait for are first, and then those that take longest.
fn tests() -> Vec<Step<Project>> {
    let mut steps = vec![
        step("voice-bundle", &[], Load::Core, |project| project.artifacts().map(drop)),
        step("rust-build", &[], Load::Cargo, |project| rust_tests::build(&project.workspace)),
        step("rust-tests", &["rust-build", "voice-bundle"], Load::Core, |project| {
            rust(project, Part::Library, &[], &[])
        }),
    ];
    // Those for Windows are made on other systems.
    if !cfg!(windows) {
        steps.extend(packages());
        steps.extend(tests_of_packages());
        steps.extend(tests_of_go());
        steps.push(step("jvm-packages", &["voice-bundle"], Load::Cargo, |project| {
            jvm::make(&Make::default(), &project.workspace, &project.cache)
        }));
        steps.extend(tests_of_jvm());
    }
    steps.extend([
        step("service", &["rust-build", "voice-bundle"], Load::Waiting, |project| {
            service::test(&project.workspace, &project.artifacts()?)
        }),
        step("bundle-tool", &["voice-bundle"], Load::Core, bundle_tool),
    ]);
    steps.extend(checks());
    steps.extend([
        step("rust-doctests", &["rust-build", "voice-bundle"], Load::Cargo, |project| {
            let mut tests = project.workspace.cargo("test");
            tests.args(["--workspace", "--release", "--doc"]);
            process::shown(project.artifacts()?.set_on(&mut tests))
        }),
        step("python-tools", &[], Load::Core, python_tools),
        step("english-tables", &["rust-build"], Load::Core, |project| {
            let lexicon = project.workspace.release_program("speech-lexicon");
            process::shown(Command::new(lexicon).arg("--check"))
        }),
        step("say", &["rust-build", "voice-bundle"], Load::Core, |project| {
            let say = Say::hello(project.workspace.target().join("hello.wav"));
            say.speak(&project.workspace, &project.artifacts()?)
        }),
        step("small-voices", &["rust-build", "voice-bundle"], Load::Core, |project| {
            let _lock = project.cache.lock()?;
            let workspace = &project.workspace;
            let bundle = Bundle::ensure(workspace, &project.cache, None)?;
            let compact = bundle.compacted(workspace)?;
            let light = bundle.with_qualities(workspace, &["light".to_owned()])?;
            for bundle in [&compact, &light] {
                let mut speech = Command::new(workspace.release_program("speech"));
                speech.args(["say", "-o"]).arg(workspace.target().join("small.wav"));
                speech.arg("--bundle").arg(bundle.directory());
                process::shown(speech.args(["--", "Hello, world."]))?;
            }
            let size = light.size()?;
            ensure!(size < 10_000_000, "the light voices have {size} bytes: the most is 10 MB");
            Ok(())
        }),
    ]);
    steps
}

/// Makes the packages.
fn packages() -> Vec<Step<Project>> {
    vec![
        step("node-packages", &["voice-bundle"], Load::Cargo, |project| {
            node::make(&Make::default(), &project.workspace, &project.cache)
        }),
        step("python-wheels", &["voice-bundle"], Load::Cargo, |project| {
            python_package::make(&Make::default(), &project.workspace, &project.cache)
        }),
        step("c-package", &["voice-bundle"], Load::Cargo, |project| {
            let made = Dist::whole().run(&project.workspace, &project.cache)?;
            made.iter().try_for_each(|made| made.validate_sbom(&project.workspace))
        }),
    ]
}

/// Installs the packages, and tests them.
fn tests_of_packages() -> Vec<Step<Project>> {
    vec![
        step("node-project", &["node-packages"], Load::Core, |project| {
            node::install(&project.workspace)
        }),
        step("python-environment", &["python-wheels"], Load::Core, |project| {
            python_package::install(&project.workspace)
        }),
        step("node-tests", &["node-project", "rust-build"], Load::Waiting, |project| {
            node::test(&project.workspace, &project.artifacts()?)
        }),
        step("python-tests", &["python-environment", "rust-build"], Load::Waiting, |project| {
            python_package::test(&project.workspace, &project.artifacts()?)
        }),
        step("c-tests", &["rust-build", "c-package"], Load::Core, |project| {
            rust(project, Part::Package, &[], &[])
        }),
        step("python-types", &["python-environment"], Load::Core, |project| {
            python_package::check_types(&project.workspace)
        }),
        step("node-types", &["node-project"], Load::Core, |project| {
            node::check_types(&project.workspace)
        }),
    ]
}

/// Tests the Go module with the package of the C library.
fn tests_of_go() -> Vec<Step<Project>> {
    vec![step("go-tests", &["rust-build", "c-package"], Load::Core, |project| {
        go::test(&project.workspace, &project.artifacts()?)
    })]
}

/// Tests the packages for the JVM.
fn tests_of_jvm() -> Vec<Step<Project>> {
    vec![
        step("jvm-tests", &["jvm-packages", "rust-build"], Load::Core, |project| {
            jvm::test(&project.workspace, &project.artifacts()?)
        }),
        step("jvm-newcomers", &["jvm-packages"], Load::Core, |project| {
            jvm::test_newcomers(&project.workspace)
        }),
    ]
}

/// What `full` adds.
fn long() -> Vec<Step<Project>> {
    vec![
        step("say-from-a-fresh-clone", &["voice-bundle"], Load::Cargo, |project| {
            let say = Say::hello(project.workspace.target().join("hello.wav"));
            say.run(&project.workspace, &project.cache)
        }),
        step("python-sources", &["python-wheels"], Load::Cargo, |project| {
            python_package::build_and_import(&project.workspace)
        }),
        step("python-others", &["python-environment", "rust-build"], Load::Core, |project| {
            python_package::test_others(&project.workspace, &project.artifacts()?)
        }),
        // Inside Pipecat, LiveKit Agents and Home Assistant, which are large.
        step(
            "integrations",
            &["python-wheels", "rust-build", "voice-bundle"],
            Load::Core,
            |project| python_package::test_integrations(&project.workspace, &project.artifacts()?),
        ),
        // 200 of them, with interruptions.
        step("telephone-calls", &["service"], Load::Core, |project| {
            service::live(&project.workspace, &project.artifacts()?, 200)
        }),
        step("node-others", &["node-tests"], Load::Core, |project| {
            node::test_others(&project.workspace, &project.artifacts()?)
        }),
        step("jvm-others", &["jvm-newcomers", "jvm-tests"], Load::Core, |project| {
            jvm::test_others(&project.workspace, &project.artifacts()?)
        }),
        // Three builds with whole-program optimisation, and Chromium.
        step("web", &["voice-bundle"], Load::Cargo, |project| {
            Web::tested().run(&project.workspace, &project.cache)
        }),
        step("apple-module", &[], Load::Little, |project| {
            apple::interface::check_sources(&project.workspace)
        }),
        // It empties and uses the same folders as those that it waits for.
        step(
            "binding-memory",
            &["python-tests", "jvm-others", "node-others"],
            Load::Core,
            |project| {
                let artifacts = project.artifacts()?;
                python_package::test_memory(&project.workspace, &artifacts)?;
                jvm::test_memory(&project.workspace, &artifacts)?;
                node::test_memory(&project.workspace, &artifacts)
            },
        ),
        // Under the sanitizers and under valgrind.
        step("c-memory", &["c-tests"], Load::Core, |project| {
            rust(project, Part::C, &[], &["--ignored"])
        }),
        // The output module under the server that screen readers use.
        step("speech-dispatcher", &["rust-build", "voice-bundle"], Load::Core, |project| {
            programs::require_speech_dispatcher()?;
            rust(project, Part::SpeechDispatcher, &[], &["--ignored", "--test-threads=1"])
        }),
        // With PyTorch.
        step("student", &[], Load::Core, |project| {
            let workspace = &project.workspace;
            let venv = python::voices_venv(workspace);
            venv.ensure()?;
            process::shown(&mut pytest(workspace, &venv, &workspace.student_tool()))
        }),
        // On emulated AMX, and of the specification in long texts.
        step("acoustic-model", &["rust-tests"], Load::Core, |project| {
            rust(project, Part::AcousticModel, &[], &["--ignored"])
        }),
        step("properties", &["rust-tests"], Load::Core, |project| {
            rust(project, Part::Properties, &[("PROPTEST_CASES", "5000")], &[])
        }),
        // Bundles that are damaged somewhere.
        step("damage", &["rust-tests"], Load::Core, |project| {
            rust(project, Part::Damage, &[("PROPTEST_CASES", "10000")], &[])
        }),
        step("site", &["rust-build", "voice-bundle"], Load::Cargo, |project| {
            Docs::checked().run(&project.workspace, &project.cache)
        }),
        step("nothing-lost", &["rust-build"], Load::Core, |project| lost::run(&project.workspace)),
        step("miri", &[], Load::Cargo, |project| miri::run(&project.workspace)),
        step("model", &[], Load::Cargo, |project| model::run(&project.workspace)),
        step("determinism", &["voice-bundle"], Load::Cargo, |project| {
            Determinism::usual().run(&project.workspace, &project.artifacts()?)
        }),
        step("tsan", &["rust-build"], Load::Cargo, |project| Tsan::usual().run(&project.workspace)),
        step("kernels", &[], Load::Cargo, |project| kernels::run(&project.workspace)),
        step("fuzz", &[], Load::Cargo, |project| {
            Fuzz::all().run(&project.workspace, &project.cache)
        }),
        // Its memory is watched.
        step("soak", &["c-package", "binding-memory", "rust-build"], Load::Alone, |project| {
            Soak::usual().run(&project.workspace, &project.artifacts()?)
        }),
    ]
}

fn rust(
    project: &Project,
    part: Part,
    settings: &[(&str, &str)],
    arguments: &[&str],
) -> Result<()> {
    let artifacts = project.artifacts()?;
    let dist = Dist::whole().directory(&project.workspace)?;
    let mut inputs = Inputs::new(&project.workspace)?;
    if part.uses_package() {
        inputs = inputs.built(&dist)?.said_by(Command::new("c++").arg("--version"))?;
    }
    Executables::built(&project.workspace)?.run(part, Some(&inputs), |test| {
        let settings = settings.iter().copied();
        artifacts.set_on(test.args(arguments).env("SPEECH_DIST", &dist).envs(settings));
    })
}

/// The tests of the tool that makes the bundle. They use nothing of the library.
fn bundle_tool(project: &Project) -> Result<()> {
    let workspace = &project.workspace;
    let venv = python::test_venv(workspace);
    venv.ensure()?;
    let artifacts = project.artifacts()?;
    let mut tests = pytest(workspace, &venv, &workspace.bundle_tool());
    let inputs = Inputs::new(workspace)?
        .command(artifacts.set_on(&mut tests))
        .sources(&["tools/bundle"])?
        .said_by(venv.python().arg("--version"))?;
    inputs.run("bundle-tool", || {
        let lock = project.cache.lock()?;
        let downloads = download::ensure_all(workspace, &project.cache)?;
        drop(lock);
        process::shown(tests.env("SPEECH_DOWNLOADS", downloads))
    })
}

/// The tests of tools that are run by hand, which need none of what those compare or measure.
fn python_tools(project: &Project) -> Result<()> {
    let workspace = &project.workspace;
    let (venv, g2p) = (python::test_venv(workspace), python::g2p_test_venv(workspace));
    for (venv, tool) in [
        (&g2p, workspace.g2p_tool()),
        (&venv, workspace.compare_tool()),
        (&venv, workspace.voices_tool()),
        (&venv, workspace.samples_tool()),
        (&venv, workspace.load_tool()),
        (&venv, workspace.soak_tool()),
    ] {
        venv.ensure()?;
        process::shown(&mut pytest(workspace, venv, &tool))?;
    }
    Ok(())
}

/// The tests of a tool that is written in Python.
fn pytest(workspace: &Workspace, venv: &Venv, tool: &Path) -> Command {
    let mut pytest = venv.python();
    pytest
        .args(["-m", "pytest", "-p", "no:cacheprovider"])
        .arg(tool.join("tests"))
        .current_dir(workspace.root())
        .env("PYTHONPATH", workspace.python_path())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    pytest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_step_has_its_own_name_and_waits_for_ones_that_there_are() {
        let all: Vec<_> = tests().into_iter().chain(long()).collect();
        let names: BTreeSet<_> = all.iter().map(|step| step.name).collect();
        assert_eq!(names.len(), all.len());
        let missing: Vec<_> =
            all.iter().flat_map(|step| step.after).filter(|name| !names.contains(*name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        let alone: BTreeSet<_> = tests().iter().map(|step| step.name).collect();
        assert!(tests().iter().flat_map(|step| step.after).all(|name| alone.contains(name)));
        let of_packages = tests_of_packages();
        assert!(of_packages.iter().all(|step| cfg!(windows) || alone.contains(step.name)));
    }
}
