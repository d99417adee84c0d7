//! `cargo xtask`: one command for each thing one does with this repository.
//!
//! Every command does its own set-up on a fresh machine (a Python virtual environment under
//! `target/`, downloads in the user's cache directory) and works offline once that is done.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool: printing is what it does"
)]

mod apple;
mod artifacts;
mod bindings;
mod bundle;
mod cache;
mod check;
mod compare;
mod coverage;
mod determinism;
mod digest;
mod dist;
mod docs;
mod download;
mod fuzz;
mod header;
mod kernels;
mod load;
mod lock;
mod lost;
mod miri;
mod model;
mod names;
mod nightly;
mod npm;
mod passed;
mod platforms;
mod process;
mod programs;
mod progress;
mod prose;
mod python;
mod release;
mod reproduce;
mod rust_tests;
mod say;
mod serve;
mod service;
mod soak;
mod sources;
mod steps;
mod student;
mod test;
mod tsan;
mod voices;
mod workflows;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::artifacts::Artifacts;
use crate::bindings::{Make, go, jvm, node, python as python_package, web};
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::process::QuietFailure;
use crate::progress::note;
use crate::test::{Project, Steps};
use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Project tasks of libspeech")]
struct Options {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write the speech of a text to a wav file.
    Say(say::Say),
    /// Run the HTTP service with a demonstration key; arguments after `--` are passed to it.
    Serve(serve::Serve),
    /// Download everything; all commands except `compare`, `docs`, `load` and `voices` then work offline.
    Fetch,
    /// Make the voice bundle and print its directory.
    Bundle {
        /// Another ONNX export of Kokoro v1.0 (fp32, fp16 or int8) instead of the published one.
        #[arg(long, value_name = "FILE")]
        model: Option<PathBuf>,
        /// Round weights to larger steps, for small packages: the download shrinks by a quarter.
        #[arg(long)]
        compact: bool,
        /// Include only these qualities, such as `light` or `fast,light`.
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        qualities: Vec<String>,
        /// Copy the bundle to this path: a directory, or one file if the name ends in .tar or .tar.gz.
        #[arg(long, value_name = "PATH")]
        out: Option<PathBuf>,
    },
    /// Run everything that CI runs: `check`, and the tests on one Python and one Node.
    Test(Steps),
    /// Test packages that were built earlier, also on another machine: those in `dist`, `npm`, `wheels` and `maven` of the target
    /// directory.
    TestPackages(Steps),
    /// Run `test` and the long tests: every Python and Node, valgrind, the sanitizers, Miri, the model checks, the
    /// kernels of aarch64, many cases of the property tests, `soak` and `fuzz`.
    Full(Steps),
    /// Check format, lints, documentation, prose and licenses.
    Check(Steps),
    /// Generate include/speech.h from the crate of the C API.
    Header,
    /// Build the documentation site: guides, references, audio samples. Also needs espeak-ng and javadoc, and compiles mdBook once.
    Docs(docs::Docs),
    /// Build the package of the C library: a relocatable directory, and a tar.gz of it.
    Dist(dist::Dist),
    /// Build the Python package: a wheel of the library, one of the voices, and the sources.
    Wheel(Make),
    /// Build the Node packages: the library, its module for this platform, and the voices.
    Npm(Make),
    /// Build the JVM packages in a local Maven repository: the classes, the native library for this platform, the voices, the functions for
    /// Kotlin, and a package that depends on all of them.
    Jvm(Make),
    /// Build the web package: the library for browsers, in WebAssembly, and its voice files.
    Web(web::Web),
    /// Build the Android packages in the same repository, and test them: the classes under Robolectric, the native libraries on an emulated
    /// processor.
    Android(jvm::Android),
    /// Build the packages for iOS and macOS: an XCFramework of the static libraries, and Swift packages; checks their module with Clang. Needs
    /// Rust for iOS and clang.
    Xcframework(apple::Xcframework),
    /// Check the tag and the changelog, and assemble the files of a release. Publishes nothing.
    Release(release::Release),
    /// Build the packages of the last commit in two folders and compare the bytes.
    Reproduce(reproduce::Reproduce),
    /// Fuzz the C API, texts, requests, bundles and connections with libFuzzer and AddressSanitizer.
    Fuzz(fuzz::Fuzz),
    /// Speak in C, Python, Node, Java and the service for an hour and check for leaks. Continues an interrupted run.
    Soak(soak::Soak),
    /// Run many threads in one engine under ThreadSanitizer; needs a nightly Rust.
    Tsan(tsan::Tsan),
    /// Run the code that handles pointers under Miri; needs a nightly Rust.
    Miri,
    /// Check that 200 texts give the same bytes with 1 to 8 threads, alone and among others, and in several builds.
    Determinism(determinism::Determinism),
    /// Measure the line coverage of the Rust tests and the C programs; needs the compiler's LLVM tools.
    Coverage,
    /// Check the concurrency of the library in many thread orders, under a model checker.
    Model,
    /// Test the kernels of other processors (aarch64, armv7, riscv64) on emulated ones; needs Rust for them, cross compilers and
    /// qemu-user.
    Kernels,
    /// Build the packages for every platform, run them under emulators where possible, and print the results.
    Platforms(platforms::Platforms),
    /// Run the benchmarks; arguments after `--` are passed to them, such as `-- --quick`.
    Bench {
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Compare speed, throughput and predicted quality with other engines, and write tables and a plot. First installs the engines in
    /// separate environments, and the scoring models, which take 7 GB.
    Compare(compare::Compare),
    /// Choose or measure the voices: `choose`, `judge`, `rounding`, `samples`. First installs the scoring models in an environment of
    /// 7 GB; arguments after `--` are passed to the script.
    Voices(voices::Voices),
    /// Train the small decoder, which has the voices of the large one at a fraction of the cost. Takes hours, and continues an interrupted
    /// run. Uses the environment of `voices`.
    Student(student::Student),
    /// Measure the HTTP service with 1, 8 and 64 clients; arguments after `--` are passed to the script.
    Load(load::Load),
    /// Score the text front end: `text` for normalization and sentences, `g2p` for words outside the lexicon. `live` measures the time from
    /// the first token of a language model to the first audio. Further arguments are passed to the program.
    Eval {
        what: String,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Print the lines that set SPEECH_BUNDLE and SPEECH_REFERENCE in a shell.
    Env,
}

fn main() -> ExitCode {
    match run(Options::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let quiet = error.chain().find_map(|cause| cause.downcast_ref::<QuietFailure>());
            if let Some(failure) = quiet {
                eprintln!("{}", failure.output.trim_end());
            }
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    let workspace = Workspace::find()?;
    let cache = Cache::of_user()?;
    match task {
        Task::Say(say) => say.run(&workspace, &cache),
        Task::Serve(serve) => serve.run(&workspace, &Artifacts::to_speak(&workspace, &cache)?),
        Task::Fetch => fetch(&workspace, &cache),
        Task::Bundle { model, compact, qualities, out } => {
            let bundle = made_bundle(&workspace, &cache, model.as_deref(), compact, &qualities)?;
            let place = match out {
                Some(out) => bundle.write_to(&workspace, &out)?,
                None => bundle.directory().to_owned(),
            };
            println!("{}", place.display());
            Ok(())
        }
        Task::Test(steps) => {
            test::test(&Project { workspace: workspace.for_tests(), cache }, &steps)
        }
        Task::TestPackages(steps) => test::test_packages(&Project { workspace, cache }, &steps),
        Task::Full(steps) => test::full(&Project { workspace, cache }, &steps),
        Task::Check(steps) => test::check(&Project { workspace, cache }, &steps),
        Task::Header => header::run(&workspace),
        Task::Docs(docs) => docs.run(&workspace, &cache),
        Task::Dist(dist) => dist.run(&workspace, &cache).map(|_| ()),
        Task::Npm(make) => node::make(&make, &workspace, &cache),
        Task::Web(web) => web.run(&workspace, &cache),
        Task::Jvm(make) => jvm::make(&make, &workspace, &cache),
        Task::Android(android) => android.run(&workspace, &cache),
        Task::Xcframework(make) => make.run(&workspace, &cache),
        Task::Wheel(make) => python_package::make(&make, &workspace, &cache),
        Task::Release(release) => release.run(&workspace),
        Task::Reproduce(twice) => twice.run(&workspace),
        Task::Fuzz(fuzz) => fuzz.run(&workspace, &cache),
        Task::Soak(soak) => soak.make_and_run(&workspace, &cache),
        Task::Tsan(tsan) => tsan.run(&workspace),
        Task::Miri => miri::run(&workspace),
        Task::Model => model::run(&workspace),
        Task::Coverage => coverage::run(&workspace, &cache),
        Task::Determinism(texts) => {
            texts.run(&workspace, &Artifacts::to_speak(&workspace, &cache)?)
        }
        Task::Kernels => kernels::run(&workspace),
        Task::Platforms(platforms) => platforms.run(&workspace, &cache),
        Task::Bench { args } => {
            let artifacts = Artifacts::to_speak(&workspace, &cache)?;
            process::shown(artifacts.set_on(workspace.cargo("bench").arg("--").args(args)))
        }
        Task::Compare(compare) => compare.run(&workspace, &cache),
        Task::Voices(voices) => voices.run(&workspace, &cache),
        Task::Student(student) => student.run(&workspace, &cache),
        Task::Load(load) => load.run(&workspace, &Artifacts::to_speak(&workspace, &cache)?),
        Task::Eval { what, args } => {
            let mut eval = workspace.cargo("run");
            eval.args(["--release", "--quiet", "-p", "speech-eval", "--", &what]).args(args);
            // Only this needs the voices.
            if what == "live" {
                Artifacts::to_speak(&workspace, &cache)?.set_on(&mut eval);
            }
            process::shown(&mut eval)
        }
        Task::Env => {
            print!("{}", Artifacts::ensure(&workspace, &cache)?.shell_lines());
            Ok(())
        }
    }
}

fn fetch(workspace: &Workspace, cache: &Cache) -> Result<()> {
    process::shown(&mut workspace.cargo("fetch"))?;
    fuzz::fetch(workspace)?;
    check::CargoDeny::ensure(workspace)?;
    python::style_venv(workspace).ensure()?;
    let _lock = cache.lock()?;
    python::bundle_venv(workspace).ensure()?;
    python::test_venv(workspace).ensure()?;
    python::g2p_test_venv(workspace).ensure()?;
    download::ensure_all(workspace, cache)?;
    workflows::fetch(workspace)?;
    dist::fetch(workspace)?;
    service::fetch(workspace)?;
    python_package::fetch(workspace)?;
    node::fetch(workspace)?;
    go::fetch(workspace)?;
    jvm::fetch(workspace)?;
    note(&format!("everything is in {}", cache.root().display()));
    Ok(())
}

fn made_bundle(
    workspace: &Workspace,
    cache: &Cache,
    model: Option<&Path>,
    compact: bool,
    qualities: &[String],
) -> Result<Bundle> {
    // The bundle of this repository is also noted for the library.
    let noted = model.is_none().then(|| Artifacts::to_speak(workspace, cache)).transpose()?;
    let _lock = cache.lock()?;
    let mut bundle = match noted {
        Some(artifacts) => Bundle::at(artifacts.bundle().to_owned()),
        None => Bundle::ensure(workspace, cache, model)?,
    };
    if !qualities.is_empty() {
        bundle = bundle.with_qualities(workspace, qualities)?;
    }
    if compact {
        bundle = bundle.compacted(workspace)?;
    }
    Ok(bundle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_is_spoken_without_arguments() {
        let options = Options::try_parse_from(["xtask", "say"]).unwrap();
        assert!(matches!(options.task, Task::Say(_)));
    }

    #[test]
    fn the_commands_of_the_documentation_are_commands() {
        let mut is_any = false;
        for page in Workspace::find().unwrap().documents().unwrap() {
            let text = std::fs::read_to_string(&page).unwrap();
            for line in text.lines().filter_map(|line| line.strip_prefix("$ cargo xtask ")) {
                let line = line.split(" #").next().unwrap().replace("\"Hello, world.\"", "Hello");
                let words = std::iter::once("xtask").chain(line.split_whitespace());
                if let Err(error) = Options::try_parse_from(words) {
                    panic!("{}: {line}: {error}", page.display());
                }
                is_any = true;
            }
        }
        assert!(is_any);
    }
}
