//! Tests that have passed are not run again with the same inputs, and packages are not made again, as cargo compiles nothing again
//! that has not changed.

use std::collections::BTreeMap;
use std::env;

use crate::bindings::fake_model;
use crate::prelude::*;

/// What the names of variables begin with that tests read.
const SETTINGS: [&str; 5] = ["PROPTEST_", "REQUIRE_", "RUST_LOG", "RUST_TEST_", "SPEECH_"];

/// Everything that decides whether some tests pass: files by their digests, the rest as it is.
#[derive(Clone)]
pub(crate) struct Inputs {
    records: PathBuf,
    all: BTreeMap<String, String>,
}

impl Inputs {
    /// Those of every test: this program, which says how tests are run, the processor, and the settings in the environment.
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

    /// Anything that has a name.
    pub(crate) fn named(mut self, name: &str, value: impl Into<String>) -> Self {
        self.note(name, value);
        self
    }

    /// A command with its arguments and the variables that are set for it. What is in the files that these name is another input.
    pub(crate) fn command(mut self, command: &Command) -> Self {
        self.note("command", format!("{:?}", command.get_program()));
        let arguments: Vec<_> = command.get_args().collect();
        self.note("arguments", format!("{arguments:?}"));
        for (name, value) in command.get_envs() {
            self.note(&name.to_string_lossy(), format!("{value:?}"));
        }
        self
    }

    /// What a program says of itself, such as its version.
    pub(crate) fn said_by(mut self, command: &mut Command) -> Result<Self> {
        let said = process::printed(command)?;
        self.note(&format!("{command:?}"), digest::of_bytes(&said));
        Ok(self)
    }

    /// A file, or a folder with all that is in it.
    pub(crate) fn built(self, path: &Path) -> Result<Self> {
        self.chosen(path, |_| true)
    }

    /// The files of a folder whose names end so.
    pub(crate) fn ending(self, folder: &Path, endings: &[&str]) -> Result<Self> {
        self.chosen(folder, |path| {
            path.ends_with('/') || endings.iter().any(|ending| path.ends_with(ending))
        })
    }

    /// Sources at these paths of the repository. Rust is left out: what was compiled of it is another input.
    pub(crate) fn sources(mut self, paths: &[&str]) -> Result<Self> {
        for path in paths {
            let path = root().join(path);
            self = self.chosen(&path, |path| !is_made(path))?;
        }
        Ok(self)
    }

    /// Every program of the workspace that was built.
    pub(crate) fn programs(self) -> Result<Self> {
        let folder = target().join("release");
        self.chosen(&folder, |path| {
            !path.starts_with("lib") && !path.ends_with('/') && !path.ends_with(".d")
        })
    }

    /// What the tests of every language use: pages, examples, tables, the fake model and the command line.
    pub(crate) fn shared(self) -> Result<Self> {
        let (model, program) = (fake_model(), workspace::release_program("speech"));
        let sources = ["README.md", "docs", "examples", "include", "tests"];
        self.sources(&sources)?.built(&model)?.built(&program)
    }

    /// Runs the tests, unless they have passed with the same inputs. On a machine of CI they are always run.
    ///
    /// # Errors
    ///
    /// Those of the tests.
    pub(crate) fn run(self, name: &str, tests: impl FnOnce() -> Result<()>) -> Result<()> {
        let record = self.place(name);
        let inputs = digest::of_listing(&self.all);
        let is_recorded = fs::read_to_string(&record).is_ok_and(|recorded| recorded == inputs);
        if is_recorded && env::var_os("CI").is_none() {
            println!("{name}: nothing has changed since it passed: {} says so", record.display());
            return Ok(());
        }
        tests()?;
        self.record(name)
    }

    /// Makes files with some endings in a folder, unless they are those that were made with the same inputs.
    ///
    /// # Errors
    ///
    /// Those of what makes them.
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
        // The files are others than they were before.
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

    /// Where it is recorded with what inputs something passed.
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

/// Whether a path of the repository is of something that was made, or of Rust.
fn is_made(path: &str) -> bool {
    let folder = ["__pycache__/", "node_modules/", "target/"];
    path.starts_with('.') || folder.iter().any(|name| path.ends_with(name)) || path.ends_with(".rs")
}

/// What tells one kind of processor from another: on Linux, its name and what it can do.
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
