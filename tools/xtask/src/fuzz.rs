//! `cargo xtask fuzz`: fuzzes calls of the C interface in arbitrary order, damaged voice bundles,
//! texts, requests, key files and connections to the service, with libFuzzer and AddressSanitizer.
//!
//! The corpora are in the user's cache and grow from run to run. They begin with test data
//! (`seeds.py`).
//!
//! The compiler flags are those of cargo-fuzz, which is not needed. They are unstable in Rust:
//! `RUSTC_BOOTSTRAP` lets the stable compiler accept them.

use clap::builder::PossibleValuesParser;

use crate::dist::Platform;
use crate::prelude::*;

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

/// The length of a round in seconds. A long run consists of rounds: each begins with the corpus of
/// the previous one, and with little memory.
const ROUND: u32 = 300;

#[derive(Args)]
pub(crate) struct Fuzz {
    /// The run time of each target.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u32,
    /// Run only this target.
    #[arg(long, value_parser = PossibleValuesParser::new(TARGETS.map(|(name, _)| name)))]
    target: Option<String>,
    /// Run the target `calls` until it has made this many calls of C functions, earlier runs included. Continues an interrupted
    /// run.
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    calls: Option<u64>,
}

/// The targets with their libFuzzer settings. `ffi/fuzz` describes each target.
const TARGETS: [(&str, &[&str]); 10] = [
    // Starts with long inputs, because an input contains many calls.
    (CALLS, &["-max_len=8192", "-len_control=0"]),
    ("bundle", &["-max_len=4096"]),
    // Longer inputs find no more faults, and several copies of each are read.
    ("english", &["-max_len=600"]),
    ("hindi", &["-max_len=600"]),
    ("json", &["-max_len=4096"]),
    ("ssml", &["-max_len=600"]),
    ("segmenter", &["-max_len=4096"]),
    ("keys", &["-max_len=4096"]),
    ("live", &["-max_len=4096"]),
    // Starts with long inputs too. This target is a hundred times slower.
    ("service", &["-max_len=1024", "-len_control=0"]),
];

/// Sequences of calls.
const CALLS: &str = "calls";

impl Fuzz {
    /// The command that runs each target for a minute.
    pub(crate) fn all() -> Self {
        Fuzz { seconds: 60, target: None, calls: None }
    }

    /// Builds and runs the targets, and prints their progress.
    pub(crate) fn run(&self) -> Result<()> {
        let fuzzer = Fuzzer::build()?;
        if let Some(calls) = self.calls {
            let is_for_calls = self.target.as_deref().is_none_or(|target| target == CALLS);
            ensure!(is_for_calls, "--calls needs the target `{CALLS}`");
            return fuzzer.run_calls(calls);
        }
        let wanted = |name: &str| self.target.as_deref().is_none_or(|target| target == name);
        let mut lines = Vec::new();
        for (target, _) in TARGETS.iter().filter(|(name, _)| wanted(name)) {
            lines.push(format!("{target:<12}{}", fuzzer.run(target, self.seconds)?));
        }
        println!("{}", lines.join("\n"));
        Ok(())
    }
}

/// Downloads the packages that only the targets need.
pub(crate) fn fetch() -> Result<()> {
    process::shown(workspace::cargo("fetch").arg("--manifest-path").arg(manifest()))
}

/// The manifest of the targets' crate, which is a separate workspace.
pub(crate) fn manifest() -> PathBuf {
    root().join("ffi/fuzz/Cargo.toml")
}

/// The compiled targets and their folders.
struct Fuzzer {
    programs: PathBuf,
    /// Failing inputs.
    artifacts: PathBuf,
    /// Inputs made from test data.
    seeds: PathBuf,
    /// Data that grows from run to run: the corpora, and the number of calls.
    kept: PathBuf,
}

impl Fuzzer {
    fn build() -> Result<Self> {
        let target = target().join("fuzz");
        // With an explicit target, the flags do not apply to build scripts.
        let platform = Platform::of_host()?;
        let mut cargo = workspace::cargo("build");
        cargo
            .args(["--release", "--locked", "--target", platform.triple(), "--manifest-path"])
            .arg(manifest())
            .env("CARGO_TARGET_DIR", &target)
            .env("RUSTC_BOOTSTRAP", "1")
            .env_remove("RUSTFLAGS")
            .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
        process::shown(&mut cargo)?;
        let seeds = target.join("seeds");
        let mut script = python::system()?;
        process::shown(script.arg(root().join("tools/xtask/seeds.py")).args([root(), &seeds]))?;
        Ok(Fuzzer {
            programs: target.join(platform.triple()).join("release"),
            artifacts: target.join("artifacts"),
            seeds,
            kept: cache::root()?.join("fuzz"),
        })
    }

    /// Runs one target, and returns libFuzzer's last status line: inputs, coverage, corpus. Fails
    /// on a finding.
    fn run(&self, target: &str, seconds: u32) -> Result<String> {
        let corpus = made(self.kept.join("corpus").join(target))?;
        let inputs = made(self.artifacts.join(target))?;
        let seeds = made(self.seeds.join(target))?;
        let program = self.programs.join(target);
        let options = TARGETS.iter().find(|(name, _)| *name == target);
        let mut fuzzer = Command::new(&program);
        fuzzer
            .args([&corpus, &seeds])
            .args(options.iter().flat_map(|(_, options)| options.iter()))
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-artifact_prefix={}/", inputs.display()))
            // An input that takes this long is a fault: most take a millisecond.
            .arg("-timeout=60")
            // Without a path to a bundle, loading the default one fails at once.
            .env_remove("SPEECH_BUNDLE")
            .env_remove("SPEECH_THREADS")
            .env("SPEECH_CACHE", "/nonexistent")
            .env("RUST_LOG", "off")
            // SQLite has several static tables of one name, which is not a fault.
            .env("ASAN_OPTIONS", "detect_leaks=1:detect_odr_violation=0");
        if target == CALLS {
            fuzzer.env("SPEECH_FUZZ_CALLS", self.count());
        }
        let item = Item::start(format!("fuzzing {target} for {seconds} s"));
        let output = process::captured(&mut fuzzer, &item).with_context(|| {
            format!(
                "{target} failed; the failing input is in {}. To run it again: `{} INPUT`",
                inputs.display(),
                program.display()
            )
        })?;
        item.finish("");
        let last = output.lines().rfind(|line| line.starts_with('#') && line.contains("DONE"));
        Ok(last.context("libFuzzer printed no statistics")?.replace('\t', " "))
    }

    /// Runs the target `calls` until the total number of calls reaches `wanted`.
    fn run_calls(&self, wanted: u64) -> Result<()> {
        loop {
            let before = self.calls()?;
            println!("{before} of {wanted} calls");
            if before >= wanted {
                return Ok(());
            }
            println!("{}", self.run(CALLS, ROUND)?);
            ensure!(self.calls()? > before, "the target made no calls in {ROUND} s");
        }
    }

    /// The total number of calls in all runs.
    fn calls(&self) -> Result<u64> {
        let count = self.count();
        if !count.exists() {
            return Ok(0);
        }
        let calls = fs::read_to_string(&count)?;
        calls.trim().parse().with_context(|| count.display().to_string())
    }

    fn count(&self) -> PathBuf {
        self.kept.join("calls.count")
    }
}
