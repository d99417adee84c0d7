//! Runs the Rust tests. Compiles all of them at once, with the programs that other tests run. Runs
//! them in parts as their requirements become ready.

use std::iter;
use std::thread;

use serde::{Deserialize, Serialize};

use crate::bindings;
use crate::prelude::*;
use crate::process::{self, QuietFailure};

/// A part of the tests.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The tests of the crates below the programs, and of the tools.
    Library,
    /// The tests of the service.
    Service,
    /// The tests of the command line and the other programs.
    Programs,
    /// The tests of the C library's package.
    Package,
    /// Test executables by name.
    Named(&'static [&'static str]),
}

/// The tests that run C programs.
pub(crate) const C: Part = Part::Named(&["tests/c"]);
/// The tests that compile programs for every platform of the library.
pub(crate) const PROGRAMS: Part = Part::Named(&["tests/c", "tests/cpp", "tests/examples"]);
/// The unit tests of the acoustic model.
pub(crate) const ACOUSTIC_MODEL: Part = Part::Named(&["acoustic/speech_acoustic"]);
/// Property tests whose number of cases is set in the environment.
pub(crate) const PROPERTIES: Part = Part::Named(&[
    "kernels/speech_kernels",
    "acoustic/speech_acoustic",
    "text/speech_text",
    "text/sentences",
]);
/// The tests with damaged bundles.
pub(crate) const DAMAGE: Part = Part::Named(&["api/damage"]);
/// The tests under Speech Dispatcher, for `cargo xtask full`. An executable without any test that
/// runs is a mistake.
pub(crate) const SPEECH_DISPATCHER: Part = Part::Named(&["speech-dispatcher/server"]);
/// The tests of `speech book`, of which `cargo xtask full` runs the one with the real ffmpeg.
pub(crate) const BOOK: Part = Part::Named(&["cli/book"]);
/// The tests of the service. They wait more than they compute, so they use more threads than cores.
pub(crate) const SERVICE: Part = Part::Named(&["service/http"]);
/// The tests of the service, of which `cargo xtask full` runs those with Postgres.
pub(crate) const LEDGER: Part = Part::Named(&["service/speech_http", "service/http"]);
/// Threads per core.
const SERVICE_THREADS: usize = 4;
/// Tests that read the whole repository, or Rust sources.
const OF_REPOSITORY: Part = Part::Named(&["header/speech-header", "tests/links", "xtask/xtask"]);

/// Files that the other tests read at run time.
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

/// The line in which the kernel tests list the tested sets.
const KERNELS: &str = "kernels that are tested: ";

impl Part {
    /// Whether this part needs the package of the C library, and compilers.
    pub(crate) fn uses_package(self) -> bool {
        match self {
            Part::Library | Part::Service | Part::Programs => false,
            Part::Package => true,
            Part::Named(names) => names.iter().any(|name| name.starts_with("tests/")),
        }
    }

    fn has(self, name: &str) -> bool {
        match self {
            Part::Library => {
                !name.starts_with("tests/") && !Part::Service.has(name) && !is_of_program(name)
            }
            Part::Service => name.starts_with("service/"),
            Part::Programs => is_of_program(name) && !SPEECH_DISPATCHER.has(name),
            Part::Package => name.starts_with("tests/"),
            Part::Named(names) => names.contains(&name),
        }
    }
}

/// Whether a test executable belongs to a program other than the service.
fn is_of_program(name: &str) -> bool {
    ["cli/", "http/", "rust/", "speech-dispatcher/"].iter().any(|program| name.starts_with(program))
}

/// The test executables of the last compilation.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Executables(Vec<Executable>);

#[derive(Debug, Serialize, Deserialize)]
struct Executable {
    /// The package and its target.
    name: String,
    /// The folder of the package, in which cargo runs the tests.
    folder: PathBuf,
    program: PathBuf,
}

/// Compiles all tests and programs of the workspace together, so that each package has one set of
/// features. Also writes the bundle of the fake model.
pub(crate) fn build() -> Result<()> {
    let mut cargo = workspace::cargo("test");
    cargo.args(["--workspace", "--release", "--no-run"]);
    let messages = process::text(cargo.arg("--message-format=json-render-diagnostics"))?;
    let executables = Executables::of(&messages)?;
    executables.require_named()?;
    fs::write(list(), serde_json::to_vec_pretty(&executables)?)?;
    bindings::write_fake_model()
}

impl Executables {
    /// The executables that [`build`] compiled.
    pub(crate) fn built() -> Result<Self> {
        Ok(serde_json::from_slice(&fs::read(list())?)?)
    }

    /// Checks that the executables named in this file exist.
    fn require_named(&self) -> Result<()> {
        let parts = [PROGRAMS, PROPERTIES, DAMAGE, SPEECH_DISPATCHER, BOOK, LEDGER, OF_REPOSITORY];
        for part in parts {
            let Part::Named(names) = part else { continue };
            let missing = names.iter().find(|name| self.0.iter().all(|test| test.name != **name));
            ensure!(missing.is_none(), "there are no tests {missing:?}: was a folder renamed?");
        }
        Ok(())
    }

    /// Parses cargo's messages about compiled files.
    fn of(messages: &str) -> Result<Self> {
        let messages = messages.lines().map(serde_json::from_str::<Message>);
        let mut executables = Vec::new();
        for message in messages {
            executables.extend(message.context("cannot read cargo's messages")?.executable());
        }
        ensure!(!executables.is_empty(), "cargo made no tests");
        Ok(Executables(executables))
    }

    /// Runs the executables of a part one after the other, because most use a thread per core.
    /// Continues after a failure. With `inputs`, skips executables that have passed with the same
    /// inputs.
    pub(crate) fn run(
        &self,
        part: Part,
        inputs: Option<&Inputs>,
        prepare: impl Fn(&mut Command),
    ) -> Result<()> {
        let chosen: Vec<_> = self.0.iter().filter(|test| part.has(&test.name)).collect();
        ensure!(!chosen.is_empty(), "there are no tests of this part");
        let read = |inputs: &Inputs| inputs.clone().sources(&READ)?.programs();
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
    fn run(&self, inputs: Option<&Inputs>, prepare: impl Fn(&mut Command)) -> Result<()> {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        if SERVICE.has(&self.name) {
            let cores = thread::available_parallelism().map_or(1, usize::from);
            command.env("RUST_TEST_THREADS", (SERVICE_THREADS * cores).to_string());
        }
        prepare(&mut command);
        let Some(inputs) = inputs.filter(|_| !OF_REPOSITORY.has(&self.name)) else {
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

/// cargo's message about a compiled file.
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

/// The number of passed tests in the output of an executable.
fn passed(output: &str) -> Option<u64> {
    let result = output.lines().rfind(|line| line.starts_with("test result: ok. "))?;
    result.split_whitespace().nth(3)?.parse().ok()
}

fn list() -> PathBuf {
    target().join("rust-tests.json")
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
