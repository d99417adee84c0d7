//! `cargo xtask fuzz`: calls of the C interface in arbitrary order and with arbitrary arguments, damaged voice bundles,
//! texts, requests, files of keys and connections to the service, under libFuzzer and AddressSanitizer.
//!
//! The corpora are in the user's cache and grow from run to run; they begin with what the tests read (`seeds`).
//!
//! The flags are those of cargo-fuzz, which is not needed for them. They are not yet stable in Rust:
//! `RUSTC_BOOTSTRAP` has the compiler of the other commands take them.

mod seeds;

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::cache::Cache;
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

/// A long run is made of rounds of so many seconds: each begins with the corpus that the one before left, and with little
/// memory.
const ROUND: u32 = 300;

#[derive(Args)]
pub(crate) struct Fuzz {
    /// How long each target runs.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u32,
    /// One target instead of all.
    #[arg(long)]
    target: Option<Target>,
    /// Run the target `calls` until so many functions of the C interface were called, those of earlier runs among them. It
    /// goes on where it was interrupted.
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    calls: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Sequences of calls.
    Calls,
    /// Damaged voice bundles in memory.
    Bundle,
    /// Texts, read as English.
    English,
    /// Texts, read as Hindi.
    Hindi,
    /// Requests in JSON.
    Json,
    /// Documents of SSML.
    Ssml,
    /// Texts that arrive in pieces.
    Segmenter,
    /// Files of API keys.
    Keys,
    /// Messages to live sessions of the service.
    Live,
    /// Connections to the service.
    Service,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Target::Calls => "calls",
            Target::Bundle => "bundle",
            Target::English => "english",
            Target::Hindi => "hindi",
            Target::Json => "json",
            Target::Ssml => "ssml",
            Target::Segmenter => "segmenter",
            Target::Keys => "keys",
            Target::Live => "live",
            Target::Service => "service",
        }
    }

    /// Settings of libFuzzer.
    fn options(self) -> &'static [&'static str] {
        match self {
            // Long inputs from the start: an input is many calls.
            Target::Calls => &["-max_len=8192", "-len_control=0"],
            // Longer ones find no more, and several copies of each are read.
            Target::English | Target::Hindi | Target::Ssml => &["-max_len=600"],
            // The same, at a hundredth of the speed.
            Target::Service => &["-max_len=1024", "-len_control=0"],
            Target::Bundle | Target::Json | Target::Segmenter | Target::Keys | Target::Live => {
                &["-max_len=4096"]
            }
        }
    }
}

impl Fuzz {
    /// A minute of each target.
    pub(crate) fn all() -> Self {
        Fuzz { seconds: 60, target: None, calls: None }
    }

    /// Builds the targets, runs them, and shows how far they came.
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        let fuzzer = Fuzzer::build(workspace, cache)?;
        if let Some(calls) = self.calls {
            ensure!(
                self.target.is_none_or(|target| target == Target::Calls),
                "--calls is for the target `calls`"
            );
            return fuzzer.run_calls(calls);
        }
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
    /// Inputs that a target failed with.
    artifacts: PathBuf,
    /// Inputs made of the data of the tests.
    seeds: PathBuf,
    /// What grows from run to run: the corpora, and the number of calls.
    kept: PathBuf,
}

impl Fuzzer {
    fn build(workspace: &Workspace, cache: &Cache) -> Result<Self> {
        let target = workspace.target().join("fuzz");
        // Named, so that the flags are not those of build scripts too.
        let platform = Platform::of_host()?;
        let mut cargo = workspace.cargo("build");
        cargo
            .args(["--release", "--locked", "--target", platform.triple(), "--manifest-path"])
            .arg(manifest(workspace))
            .env("CARGO_TARGET_DIR", &target)
            .env("RUSTC_BOOTSTRAP", "1")
            .env_remove("RUSTFLAGS")
            .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
        process::shown(&mut cargo)?;
        let seeds = target.join("seeds");
        seeds::write(workspace, &seeds)?;
        Ok(Fuzzer {
            programs: target.join(platform.triple()).join("release"),
            artifacts: target.join("artifacts"),
            seeds,
            kept: cache.root().join("fuzz"),
        })
    }

    /// Runs one target and gives what it printed; what it finds is an error.
    fn run(&self, target: Target, seconds: u32) -> Result<String> {
        let corpus = directory(&self.kept.join("corpus"), target)?;
        let inputs = directory(&self.artifacts, target)?;
        let seeds = directory(&self.seeds, target)?;
        let mut program = Command::new(self.programs.join(target.name()));
        program
            .args([&corpus, &seeds])
            .args(target.options())
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-artifact_prefix={}/", inputs.display()))
            // An input that takes this long is a fault: most take a millisecond.
            .arg("-timeout=60");
        if target == Target::Calls {
            program.env("SPEECH_FUZZ_CALLS", self.count());
        }
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

    /// Runs the target `calls` until so many calls were made.
    fn run_calls(&self, wanted: u64) -> Result<()> {
        loop {
            let made = self.calls()?;
            println!("{made} of {wanted} calls");
            if made >= wanted {
                return Ok(());
            }
            let output = self.run(Target::Calls, ROUND)?;
            println!("{}", Figures::of(&output)?);
            ensure!(self.calls()? > made, "nothing was called in {ROUND} s");
        }
    }

    /// The calls that were ever made.
    fn calls(&self) -> Result<u64> {
        let count = self.count();
        match fs::read_to_string(&count) {
            Ok(made) => made.trim().parse().with_context(|| count.display().to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
            Err(error) => Err(error).with_context(|| count.display().to_string()),
        }
    }

    fn count(&self) -> PathBuf {
        self.kept.join("calls.count")
    }

    /// Nothing of the machine is found: a load without a bundle fails at once.
    fn settle(program: &mut Command) -> &mut Command {
        program
            .env_remove("SPEECH_BUNDLE")
            .env_remove("SPEECH_THREADS")
            .env("SPEECH_CACHE", "/nonexistent")
            .env("RUST_LOG", "off")
            // SQLite has several static tables of one name, which is no fault.
            .env("ASAN_OPTIONS", "detect_leaks=1:detect_odr_violation=0")
    }
}

/// The directory of a target, which is made if it is not there.
fn directory(parent: &Path, target: Target) -> Result<PathBuf> {
    let directory = parent.join(target.name());
    fs::create_dir_all(&directory)
        .with_context(|| format!("cannot make {}", directory.display()))?;
    Ok(directory)
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
