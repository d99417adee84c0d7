//! `cargo xtask fuzz`: calls of the C interface in arbitrary order and with arbitrary arguments, and
//! voice bundles that are damaged in any way, under libFuzzer and AddressSanitizer.
//!
//! The flags are those of cargo-fuzz, which is not needed for them. They are not yet stable in Rust:
//! `RUSTC_BOOTSTRAP` has the compiler of the other commands take them.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::dist::Platform;
use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

const FLAGS: [&str; 10] = [
    "--cfg=fuzzing",
    "-Zsanitizer=address",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "-Ccodegen-units=1",
    "-Cdebug-assertions",
];

#[derive(Args)]
pub(crate) struct Fuzz {
    /// How long each target runs.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u32,
    /// One target instead of all.
    #[arg(long)]
    target: Option<Target>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Target {
    /// Sequences of calls.
    Calls,
    /// Damaged voice bundles in memory.
    Bundle,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Target::Calls => "calls",
            Target::Bundle => "bundle",
        }
    }
}

impl Fuzz {
    /// A minute of each target.
    pub(crate) fn all() -> Self {
        Fuzz { seconds: 60, target: None }
    }

    /// Builds the targets, runs them, and shows how far they came.
    pub(crate) fn run(&self, workspace: &Workspace) -> Result<()> {
        let fuzzer = Fuzzer::build(workspace)?;
        let targets =
            self.target.map_or_else(|| Target::value_variants().to_vec(), |one| vec![one]);
        let mut lines = Vec::new();
        for target in targets {
            let output = fuzzer.run(target, self.seconds)?;
            lines.push(format!("{:<12}{}", target.name(), Figures::of(&output)?));
        }
        println!("{}", lines.join("\n"));
        Ok(())
    }
}

/// Fetches the packages that only the targets need.
pub(crate) fn fetch(workspace: &Workspace) -> Result<()> {
    process::shown(workspace.cargo("fetch").arg("--manifest-path").arg(manifest(workspace)))
}

/// The crate of the targets, which is a workspace of its own.
pub(crate) fn manifest(workspace: &Workspace) -> PathBuf {
    workspace.root().join("ffi").join("fuzz").join("Cargo.toml")
}

/// The compiled targets, and where they keep what they find.
struct Fuzzer {
    programs: PathBuf,
    found: PathBuf,
}

impl Fuzzer {
    fn build(workspace: &Workspace) -> Result<Self> {
        let found = workspace.target().join("fuzz");
        // Named, so that the flags are not those of build scripts too.
        let platform = Platform::of_host()?;
        let mut cargo = workspace.cargo("build");
        cargo
            .args(["--release", "--target", platform.triple(), "--manifest-path"])
            .arg(manifest(workspace))
            .env("CARGO_TARGET_DIR", &found)
            .env("RUSTC_BOOTSTRAP", "1")
            .env_remove("RUSTFLAGS")
            .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
        process::shown(&mut cargo)?;
        let programs = found.join(platform.triple()).join("release");
        Ok(Fuzzer { programs, found })
    }

    /// Runs one target and gives what it printed; what it finds is an error.
    fn run(&self, target: Target, seconds: u32) -> Result<String> {
        let corpus = self.subdirectory("corpus", target)?;
        let inputs = self.subdirectory("artifacts", target)?;
        let mut program = Command::new(self.programs.join(target.name()));
        program
            .arg(&corpus)
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-artifact_prefix={}/", inputs.display()))
            // An input that takes this long is a fault: most take a millisecond.
            .arg("-timeout=20");
        let item = Item::start(format!("fuzzing {} for {seconds} s", target.name()));
        let output = process::captured(Self::settle(&mut program), &item).with_context(|| {
            format!(
                "{} failed; the input that it failed with is in {}. `{} INPUT` runs it again",
                target.name(),
                inputs.display(),
                self.programs.join(target.name()).display()
            )
        })?;
        item.finish("");
        Ok(output)
    }

    /// Nothing of the machine is found: a load without a bundle fails at once.
    fn settle(program: &mut Command) -> &mut Command {
        program
            .env_remove("SPEECH_BUNDLE")
            .env_remove("SPEECH_THREADS")
            .env("SPEECH_CACHE", "/nonexistent")
            .env("ASAN_OPTIONS", "detect_leaks=1")
    }

    fn subdirectory(&self, kind: &str, target: Target) -> Result<PathBuf> {
        let directory = self.found.join(kind).join(target.name());
        fs::create_dir_all(&directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
        Ok(directory)
    }
}

/// How far libFuzzer came.
#[derive(Debug, PartialEq, Eq)]
struct Figures {
    executions: u64,
    /// The edges of the control flow graph that some input took.
    coverage: u64,
    /// The inputs in the corpus.
    inputs: u64,
}

impl Figures {
    /// Reads what libFuzzer printed: its last line, such as
    /// `#2097152 DONE   cov: 52 ft: 70 corp: 9/22b lim: 4096 exec/s: 699050 rss: 41Mb`.
    fn of(output: &str) -> Result<Self> {
        let last = output.lines().rfind(|line| line.starts_with('#') && line.contains("DONE"));
        let read = |line: &str| -> Option<Self> {
            let words: Vec<_> = line.split_whitespace().collect();
            let after = |name: &str| {
                let place = words.iter().position(|word| *word == name)?;
                words.get(place + 1)?.split('/').next()?.parse().ok()
            };
            Some(Figures {
                executions: words.first()?.strip_prefix('#')?.parse().ok()?,
                coverage: after("cov:")?,
                inputs: after("corp:")?,
            })
        };
        last.and_then(read).context("libFuzzer printed no figures")
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { executions, coverage, inputs } = self;
        write!(
            f,
            "{executions} executions, {coverage} edges covered, {inputs} inputs in the corpus"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_the_last_line() {
        let output = "#2\tINITED cov: 5 ft: 6 corp: 1/1b exec/s: 0 rss: 30Mb\n\
                      #2097152\tDONE   cov: 52 ft: 70 corp: 9/22b lim: 4096 exec/s: 699050 rss: 41Mb\n\
                      Done 2097152 runs in 3 second(s)\n";
        let expected = Figures { executions: 2_097_152, coverage: 52, inputs: 9 };
        assert_eq!(Figures::of(output).unwrap(), expected);
        assert_eq!(
            expected.to_string(),
            "2097152 executions, 52 edges covered, 9 inputs in the corpus"
        );
        assert!(Figures::of(&output.replace("DONE", "pulse")).is_err());
    }
}
