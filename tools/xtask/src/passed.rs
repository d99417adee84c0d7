//! Skips tests that have passed with the same inputs, and packages that were built from the same
//! inputs.

use std::collections::BTreeMap;
use std::env;

use crate::bindings::fake_model;
use crate::prelude::*;

/// The prefixes of environment variables that tests read.
const SETTINGS: [&str; 5] = ["PROPTEST_", "REQUIRE_", "RUST_LOG", "RUST_TEST_", "SPEECH_"];

/// All inputs that determine whether tests pass: files and outputs of programs as digests, the rest
/// as text.
#[derive(Clone)]
pub(crate) struct Inputs {
    records: PathBuf,
    all: BTreeMap<String, String>,
}

impl Inputs {
    /// The common inputs of all tests: this program, which defines how tests run, the processor,
    /// and the settings in the environment.
    pub(crate) fn new() -> Result<Self> {
        let mut inputs = Self::recorded_in(target().join("passed"));
        inputs.note("processor", processor());
        for (name, value) in env::vars_os() {
            let name = name.to_string_lossy();
            if SETTINGS.iter().any(|setting| name.starts_with(setting)) {
                inputs.note(&name, value.to_string_lossy());
            }
        }
        inputs.built(&env::current_exe().context("cannot find this program")?)
    }

    fn recorded_in(records: PathBuf) -> Self {
        Inputs { records, all: BTreeMap::new() }
    }

    /// Adds a value under a name.
    pub(crate) fn named(mut self, name: &str, value: impl Into<String>) -> Self {
        self.note(name, value);
        self
    }

    /// Adds a command with its arguments and variables. Files that these name must be added
    /// separately.
    pub(crate) fn command(mut self, command: &Command) -> Self {
        self.note("command", format!("{:?}", command.get_program()));
        let arguments: Vec<_> = command.get_args().collect();
        self.note("arguments", format!("{arguments:?}"));
        for (name, value) in command.get_envs() {
            self.note(&name.to_string_lossy(), format!("{value:?}"));
        }
        self
    }

    /// Adds the output of a program, such as its version.
    pub(crate) fn said_by(mut self, command: &mut Command) -> Result<Self> {
        let said = process::printed(command)?;
        self.note(&format!("{command:?}"), digest::of_bytes(&said));
        Ok(self)
    }

    /// Adds a file, or a folder with all its contents.
    pub(crate) fn built(self, path: &Path) -> Result<Self> {
        self.chosen(path, |_| true)
    }

    /// Adds the files of a folder with these name endings.
    pub(crate) fn ending(self, folder: &Path, endings: &[&str]) -> Result<Self> {
        self.chosen(folder, |path| {
            path.ends_with('/') || endings.iter().any(|ending| path.ends_with(ending))
        })
    }

    /// Adds sources at these paths of the repository, without hidden files and build outputs. Omits
    /// Rust sources: add the compiled programs instead, with [`Self::programs`].
    pub(crate) fn sources(mut self, paths: &[&str]) -> Result<Self> {
        for path in paths {
            let path = root().join(path);
            self = self.chosen(&path, |path| !is_made(path))?;
        }
        Ok(self)
    }

    /// Adds every built program of the workspace.
    pub(crate) fn programs(self) -> Result<Self> {
        let folder = target().join("release");
        self.chosen(&folder, |path| {
            !path.starts_with("lib") && !path.ends_with('/') && !path.ends_with(".d")
        })
    }

    /// Adds the common inputs of all languages: pages, examples, tables, the fake model and the
    /// command line program.
    pub(crate) fn shared(self) -> Result<Self> {
        let (model, program) = (fake_model(), workspace::release_program("speech"));
        let sources = ["README.md", "docs", "examples", "include", "tests"];
        self.sources(&sources)?.built(&model)?.built(&program)
    }

    /// Runs the tests, unless they have passed with the same inputs. On CI they always run.
    ///
    /// # Errors
    ///
    /// If a test fails.
    pub(crate) fn run(self, name: &str, tests: impl FnOnce() -> Result<()>) -> Result<()> {
        let record = self.place(name);
        let inputs = digest::of_listing(&self.all);
        let is_recorded = fs::read_to_string(&record).is_ok_and(|recorded| recorded == inputs);
        if is_recorded && env::var_os("CI").is_none() {
            println!(
                "{name}: skipped, unchanged since it passed (recorded in {})",
                record.display()
            );
            return Ok(());
        }
        tests()?;
        self.record(name)
    }

    /// Creates files with some endings in a folder, unless they were created from the same inputs
    /// and have not changed since.
    ///
    /// # Errors
    ///
    /// If `make` fails.
    pub(crate) fn make(
        self,
        name: &str,
        (folder, endings): (&Path, &[&str]),
        make: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let with_files = |inputs: Self| match folder.is_dir() {
            true => inputs.ending(folder, endings),
            false => Ok(inputs),
        };
        let mut made = false;
        with_files(self.clone())?.run(name, || {
            made = true;
            make()
        })?;
        // The files have changed.
        if made { with_files(self)?.record(name) } else { Ok(()) }
    }

    fn chosen(mut self, path: &Path, wanted: impl Fn(&str) -> bool) -> Result<Self> {
        if path.is_dir() {
            let files = digest::of_folder(path, wanted)?;
            self.note(&path.to_string_lossy(), digest::of_listing(&files));
        } else {
            self.note(&path.to_string_lossy(), digest::of_file(path)?);
        }
        Ok(self)
    }

    /// The path of the record of the inputs with which something passed.
    fn place(&self, name: &str) -> PathBuf {
        self.records.join(format!("{name}.sha256"))
    }

    fn record(&self, name: &str) -> Result<()> {
        fs::create_dir_all(&self.records)?;
        Ok(fs::write(self.place(name), digest::of_listing(&self.all))?)
    }

    fn note(&mut self, name: &str, value: impl Into<String>) {
        self.all.insert(name.to_owned(), value.into());
    }
}

/// Whether a path in a folder of the repository is hidden, a build output or a Rust source.
fn is_made(path: &str) -> bool {
    let folder = ["__pycache__/", "node_modules/", "target/"];
    path.starts_with('.') || folder.iter().any(|name| path.ends_with(name)) || path.ends_with(".rs")
}

/// Identifies the kind of processor: on Linux, its name and features.
fn processor() -> String {
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let kept = ["model name", "flags", "Features"];
    let lines = known.split("\n\n").next().unwrap_or_default().lines();
    let lines: Vec<_> =
        lines.filter(|line| kept.iter().any(|name| line.starts_with(name))).collect();
    format!("{} {}", env::consts::ARCH, lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use anyhow::bail;

    use super::*;

    #[test]
    fn tests_run_again_when_an_input_has_changed_and_after_a_failure() {
        let scratch = tempfile::tempdir().unwrap();
        fs::create_dir_all(scratch.path().join("sources/.hidden")).unwrap();
        let write = |name: &str, text: &str| fs::write(scratch.path().join(name), text).unwrap();
        let (runs, sources) = (Cell::new(0), scratch.path().join("sources"));
        let run = |setting: &str, passes: bool| {
            let mut command = Command::new("tests");
            command.arg("--all").env("SETTING", setting);
            let inputs = Inputs::recorded_in(scratch.path().join("passed"));
            let inputs = inputs.command(&command).sources(&[sources.to_str().unwrap()]).unwrap();
            let ran = inputs.run("some", || {
                runs.set(runs.get() + 1);
                if passes { Ok(()) } else { bail!("a test fails") }
            });
            assert_eq!(ran.is_ok(), passes);
            runs.get()
        };
        write("sources/a", "one");
        let on_ci = env::var_os("CI").is_some();
        assert_eq!(run("x", true), 1);
        assert_eq!(run("x", true), if on_ci { 2 } else { 1 }, "the same");
        runs.set(1);
        write("sources/compiled.rs", "");
        write("sources/.hidden/b", "");
        assert_eq!(run("x", true), if on_ci { 2 } else { 1 }, "nothing that they read");
        runs.set(1);
        write("sources/a", "two");
        assert_eq!(run("x", true), 2, "a file");
        assert_eq!(run("y", true), 3, "a variable");
        write("sources/b", "");
        assert_eq!(run("y", false), 4, "a file more");
        assert_eq!(run("y", false), 5, "they failed");
        assert!(Inputs::new().unwrap().built(Path::new("/no/file")).is_err());
    }
}
