//! `cargo xtask`: the commands for working on this repository.
//!
//! Every command sets up what it needs on a fresh machine: a Python virtual environment under
//! `target/`, and downloads in the user's cache directory. After that it works offline.
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
mod coverage;
mod determinism;
mod digest;
mod dist;
mod docs;
mod download;
mod files;
mod fuzz;
mod header;
mod kernels;
mod lock;
mod lost;
mod miri;
mod names;
mod needs;
mod nightly;
mod npm;
mod passed;
mod platforms;
mod prelude;
mod process;
mod progress;
mod prose;
mod python;
mod release;
mod reproduce;
mod research;
mod rust_tests;
mod say;
mod serve;
mod service;
mod soak;
mod steps;
mod test;
mod tsan;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::bindings::{Make, go, jvm, node, python as python_package, web};
use crate::prelude::*;
use crate::process::QuietFailure;
use crate::test::Steps;

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
    /// Test the library in Rust and C, the command line and the service. With `--all`, everything that CI runs.
    Test(Steps),
    /// Test packages that were built earlier, also on another machine: those in `dist`, `npm`, `wheels` and `maven` of the target
    /// directory.
    TestPackages(Steps),
    /// Run `test --all` and the long tests: every Python and Node, valgrind, the sanitizers, Miri, the model checks, the
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
    /// Check that 200 texts produce the same bytes with 1 to 8 threads, alone and among others, and in several builds.
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
    Compare(research::Compare),
    /// Choose or measure the voices: `choose`, `judge`, `rounding`, `samples`. First installs the scoring models in an environment of
    /// 7 GB; arguments after `--` are passed to the script.
    Voices(research::Voices),
    /// Train the small decoder, which has the voices of the large one at a fraction of the cost. Takes hours, and continues an interrupted
    /// run. Uses the environment of `voices`.
    Student(research::Student),
    /// Measure the HTTP service with 1, 8 and 64 clients; arguments after `--` are passed to the script.
    Load(research::Load),
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
    match task {
        Task::Say(say) => say.run(),
        Task::Serve(serve) => serve.run(&Artifacts::to_speak()?),
        Task::Fetch => fetch(),
        Task::Bundle { model, compact, qualities, out } => {
            let bundle = made_bundle(model.as_deref(), compact, &qualities)?;
            let place = match out {
                Some(out) => bundle.write_to(&out)?,
                None => bundle.directory().to_owned(),
            };
            println!("{}", place.display());
            Ok(())
        }
        Task::Test(steps) => steps.test(),
        Task::TestPackages(steps) => steps.test_packages(),
        Task::Full(steps) => steps.full(),
        Task::Check(steps) => steps.check(),
        Task::Header => header::run(),
        Task::Docs(docs) => docs.run(),
        Task::Dist(dist) => dist.run().map(|_| ()),
        Task::Npm(make) => node::make(&make),
        Task::Web(web) => web.run(),
        Task::Jvm(make) => jvm::make(&make),
        Task::Android(android) => android.run(),
        Task::Xcframework(make) => make.run(),
        Task::Wheel(make) => python_package::make(&make),
        Task::Release(release) => release.run(),
        Task::Reproduce(twice) => twice.run(),
        Task::Fuzz(fuzz) => fuzz.run(),
        Task::Soak(soak) => soak.make_and_run(),
        Task::Tsan(tsan) => tsan.run(),
        Task::Miri => miri::run(),
        Task::Model => miri::model(),
        Task::Coverage => coverage::run(),
        Task::Determinism(texts) => texts.run(&Artifacts::to_speak()?),
        Task::Kernels => kernels::run(),
        Task::Platforms(platforms) => platforms.run(),
        Task::Bench { args } => {
            let artifacts = Artifacts::to_speak()?;
            process::shown(artifacts.set_on(workspace::cargo("bench").arg("--").args(args)))
        }
        Task::Compare(compare) => compare.run(),
        Task::Voices(voices) => voices.run(),
        Task::Student(student) => student.run(),
        Task::Load(load) => load.run(),
        Task::Eval { what, args } => {
            let mut eval = workspace::cargo("run");
            eval.args(["--release", "--quiet", "-p", "speech-eval", "--", &what]).args(args);
            // Only this measurement needs the voices.
            if what == "live" {
                Artifacts::to_speak()?.set_on(&mut eval);
            }
            process::shown(&mut eval)
        }
        Task::Env => {
            print!("{}", Artifacts::ensure()?.shell_lines());
            Ok(())
        }
    }
}

fn fetch() -> Result<()> {
    process::shown(&mut workspace::cargo("fetch"))?;
    fuzz::fetch()?;
    check::fetch()?;
    let _lock = cache::lock()?;
    [&python::BUNDLE, &python::TEST, &python::G2P_TEST].into_iter().try_for_each(Venv::ensure)?;
    download::ensure_all()?;
    dist::fetch()?;
    service::fetch()?;
    python_package::fetch()?;
    node::fetch()?;
    go::fetch()?;
    jvm::fetch()?;
    note(&format!("all downloads are in {}", cache::root()?.display()));
    Ok(())
}

fn made_bundle(model: Option<&Path>, compact: bool, qualities: &[String]) -> Result<Bundle> {
    // For the bundle of this repository, also tells the library its path.
    let noted = model.is_none().then(Artifacts::to_speak).transpose()?;
    let _lock = cache::lock()?;
    let mut bundle = match noted {
        Some(artifacts) => Bundle::at(artifacts.bundle().to_owned()),
        None => Bundle::ensure(model)?,
    };
    if !qualities.is_empty() {
        bundle = bundle.with_qualities(qualities)?;
    }
    if compact {
        bundle = bundle.compacted()?;
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
        for page in workspace::documents().unwrap() {
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
