//! The tests in Rust: compiled all at once, with the programs that other tests run, and run in parts as what they need
//! becomes ready.

use std::fs;
use std::iter;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::bindings;
use crate::passed::Inputs;
use crate::process::{self, QuietFailure};
use crate::progress::{Item, note};
use crate::workspace::Workspace;

/// The folder whose tests need the package of the C library.
const OF_PACKAGE: &str = "tests/";
/// Those with property tests whose number of cases the environment says.
const OF_PROPERTIES: [&str; 4] =
    ["kernels/speech_kernels", OF_ACOUSTIC_MODEL, "text/speech_text", "text/sentences"];
/// The unit tests of the acoustic model.
const OF_ACOUSTIC_MODEL: &str = "acoustic/speech_acoustic";
/// Those of damaged bundles.
const OF_DAMAGE: &str = "api/damage";
/// Those that have the C programs.
const OF_C: &str = "tests/c";
/// Those that run Speech Dispatcher.
const OF_SPEECH_DISPATCHER: &str = "speech-dispatcher/server";
/// Those that compile programs which run wherever the library does.
const OF_PROGRAMS: [&str; 3] = [OF_C, "tests/cpp", "tests/examples"];

/// Those of the service. They wait more than they compute, so that there are more threads than cores.
const OF_SERVICE: &str = "service/http";
/// Threads for each core.
const SERVICE_THREADS: usize = 4;

/// Those that read all of the repository, or Rust.
const OF_REPOSITORY: [&str; 3] = ["header/speech-header", "tests/links", "xtask/xtask"];

/// What the others read beside what was compiled into them.
const READ: [&str; 10] = [
    "README.md",
    "core",
    "docs",
    "examples",
    "ffi",
    "include",
    "research",
    "service",
    "tests",
    "tools/eval",
];

/// The line with which the tests of the kernels say which sets ran.
const KERNELS: &str = "kernels that are tested: ";

/// Which of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All but those of the packages.
    Library,
    /// Those of the package of the C library.
    Package,
    /// The C programs among them.
    C,
    /// All that compile programs against it.
    Programs,
    /// The unit tests of the acoustic model.
    AcousticModel,
    /// Those with property tests.
    Properties,
    /// Those of damaged bundles.
    Damage,
    /// Those under Speech Dispatcher.
    SpeechDispatcher,
}

impl Part {
    /// Whether they need the package of the C library, and compilers.
    pub(crate) fn uses_package(self) -> bool {
        matches!(self, Part::Package | Part::C | Part::Programs)
    }
}

/// The test executables that were compiled last.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Executables(Vec<Executable>);

#[derive(Debug, Serialize, Deserialize)]
struct Executable {
    /// The package, and the target in it.
    name: String,
    /// The folder of the package, in which cargo runs them.
    folder: PathBuf,
    program: PathBuf,
}

/// Compiles all tests and programs of the workspace in one go, so that no package is compiled with two sets of features,
/// and makes the bundle of the fake model.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let mut cargo = workspace.cargo("test");
    cargo.args(["--workspace", "--release", "--no-run"]);
    let messages = process::printed(cargo.arg("--message-format=json-render-diagnostics"))?;
    let executables = Executables::of(&String::from_utf8(messages)?)?;
    executables.require_named()?;
    let list = list(workspace);
    fs::write(&list, serde_json::to_vec_pretty(&executables)?)
        .with_context(|| format!("cannot write {}", list.display()))?;
    bindings::write_fake_model(workspace)
}

impl Executables {
    /// Those that [`build`] left.
    pub(crate) fn built(workspace: &Workspace) -> Result<Self> {
        let list = list(workspace);
        let text = fs::read(&list).with_context(|| format!("cannot read {}", list.display()))?;
        serde_json::from_slice(&text).with_context(|| list.display().to_string())
    }

    /// Checks that those that are named here are there.
    fn require_named(&self) -> Result<()> {
        let named = [OF_DAMAGE, OF_SERVICE, OF_SPEECH_DISPATCHER];
        let mut named =
            named.iter().chain(&OF_PROPERTIES).chain(&OF_PROGRAMS).chain(&OF_REPOSITORY);
        let missing = named.find(|name| self.0.iter().all(|test| test.name != **name));
        ensure!(
            missing.is_none(),
            "no test executable is called {missing:?}: was a folder renamed?"
        );
        Ok(())
    }

    /// Reads what cargo says of each thing that it made.
    fn of(messages: &str) -> Result<Self> {
        let messages = messages.lines().map(serde_json::from_str::<Message>);
        let mut executables = Vec::new();
        for message in messages {
            executables.extend(message.context("cannot read cargo's messages")?.executable());
        }
        ensure!(!executables.is_empty(), "cargo made no tests");
        Ok(Executables(executables))
    }

    /// Runs one part, one executable after the other: most have as many threads as there are cores. Those after one that fails run
    /// too. With the inputs that all have, those are left out that have passed with the same ones.
    pub(crate) fn run<'a>(
        &self,
        part: Part,
        inputs: Option<&Inputs<'a>>,
        prepare: impl Fn(&mut Command),
    ) -> Result<()> {
        let chosen: Vec<_> = self.0.iter().filter(|test| test.is_of(part)).collect();
        ensure!(!chosen.is_empty(), "there are no tests of this part");
        let read = |inputs: &Inputs<'a>| inputs.clone().sources(&READ)?.programs();
        let inputs = inputs.map(read).transpose()?;
        let failures =
            chosen.into_iter().filter_map(|test| test.run(inputs.as_ref(), &prepare).err());
        let failures = failures.map(|error| {
            if let Some(failure) = error.downcast_ref::<QuietFailure>() {
                eprintln!("{}", failure.output.trim_end());
            }
            format!("{error:#}")
        });
        let failures: Vec<_> = failures.collect();
        ensure!(failures.is_empty(), "{}", failures.join("\n"));
        Ok(())
    }
}

impl Executable {
    fn is_of(&self, part: Part) -> bool {
        let of_package = self.name.starts_with(OF_PACKAGE);
        match part {
            // Each of them is for `cargo xtask full`, and an executable without a test that is run is a mistake.
            Part::Library => !of_package && self.name != OF_SPEECH_DISPATCHER,
            Part::Package => of_package,
            Part::C => self.name == OF_C,
            Part::Programs => OF_PROGRAMS.contains(&self.name.as_str()),
            Part::AcousticModel => self.name == OF_ACOUSTIC_MODEL,
            Part::Damage => self.name == OF_DAMAGE,
            Part::SpeechDispatcher => self.name == OF_SPEECH_DISPATCHER,
            Part::Properties => OF_PROPERTIES.contains(&self.name.as_str()),
        }
    }

    fn run(&self, inputs: Option<&Inputs<'_>>, prepare: impl Fn(&mut Command)) -> Result<()> {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        if self.name == OF_SERVICE {
            let cores = thread::available_parallelism().map_or(1, usize::from);
            command.env("RUST_TEST_THREADS", (SERVICE_THREADS * cores).to_string());
        }
        prepare(&mut command);
        let Some(inputs) = inputs.filter(|_| !OF_REPOSITORY.contains(&self.name.as_str())) else {
            return self.report(&mut command);
        };
        let inputs = inputs.clone().command(&command).built(&self.program)?;
        let arguments = command.get_args().map(|argument| argument.to_string_lossy());
        let parts: Vec<_> =
            iter::once(self.name.replace('/', "-").into()).chain(arguments).collect();
        inputs.run(&parts.join(" "), || self.report(&mut command))
    }

    fn report(&self, command: &mut Command) -> Result<()> {
        let item = Item::start(&self.name);
        let output = process::captured(command, &item)?;
        let passed = passed(&output).with_context(|| format!("{} has no result", self.name))?;
        ensure!(passed > 0, "no test of {} was run", self.name);
        item.finish(&format!("{passed} passed"));
        let kernels = output.lines().filter_map(|line| line.find(KERNELS).map(|at| &line[at..]));
        kernels.for_each(note);
        Ok(())
    }
}

/// What cargo says of a thing that it made.
#[derive(Deserialize)]
struct Message {
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

impl Message {
    fn executable(self) -> Option<Executable> {
        let program =
            self.executable.filter(|_| self.profile.is_some_and(|profile| profile.test))?;
        let manifest = self.manifest_path?;
        let folder = manifest.parent()?.to_path_buf();
        let name = format!("{}/{}", folder.file_name()?.to_string_lossy(), self.target?.name);
        Some(Executable { name, folder, program })
    }
}

/// How many tests passed, as an executable reports it.
fn passed(output: &str) -> Option<u64> {
    let result = output.lines().rfind(|line| line.starts_with("test result: ok. "))?;
    result.split_whitespace().nth(3)?.parse().ok()
}

fn list(workspace: &Workspace) -> PathBuf {
    workspace.target().join("rust-tests.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_made_is_read() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","manifest_path":"/w/core/Cargo.toml","target":{"name":"speech"},"#,
            r#""profile":{"test":true},"executable":"/t/speech-1"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","manifest_path":"/w/cli/Cargo.toml","target":{"name":"cli"},"#,
            r#""profile":{"test":false},"executable":"/t/cli"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        let Executables(found) = Executables::of(messages).unwrap();
        let [test] = &found[..] else { panic!("{found:?}") };
        assert_eq!(test.name, "core/speech");
        assert_eq!(
            (test.folder.to_str(), test.program.to_str()),
            (Some("/w/core"), Some("/t/speech-1"))
        );
        assert!(Executables::of("").is_err());
    }

    #[test]
    fn the_tests_that_passed_are_counted() {
        let output = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored\n";
        assert_eq!(passed(output), Some(2));
        assert_eq!(passed("running 2 tests\n"), None);
    }
}
