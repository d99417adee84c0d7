//! `cargo xtask coverage`: measures the line coverage of the Rust tests and the C programs.

use std::ffi::OsString;

use crate::dist::{Dist, toolchain};
use crate::prelude::*;

/// Paths of third-party code and of tests.
const NOT_COUNTED: &str = r"(/\.cargo/|/rustc/|/tests/|/tests\.rs$|_tests\.rs$|/benches/|/languages/toy/|/tools/|/target/)";

/// Unit tests that compare a kernel with its specification many times. Counters in every loop make
/// kernels a hundred times slower, and tests of the whole model cover the same lines.
const TOO_LONG: [&str; 4] = ["specification", "published", "convolutions", "calls_at"];

/// The integration tests of the core to run. With counters the others, which use the real voices,
/// would take hours.
const OF_CORE: [&str; 4] = ["bundle", "choices", "damage", "sentences"];

/// The packages of the core.
const CORE: [&str; 5] =
    ["speech-acoustic", "speech-base", "speech-core", "speech-kernels", "speech-text"];

/// The packages whose tests run; those of `speech-tests` call the C interface from C.
const PACKAGES: [&str; 7] = [
    "speech-bindings",
    "speech-eval",
    "speech-ffi",
    "speech-cli",
    "speech-dispatcher-module",
    "speech-http",
    "speech-tests",
];

/// Runs the tests with coverage counters, and writes a table of files and an HTML page for each.
pub(crate) fn run() -> Result<()> {
    let mut merge = tool("llvm-profdata")?;
    let artifacts = Artifacts::ensure()?;
    let target = target().join("coverage");
    let (counts, merged) = (target.join("counts"), target.join("merged.profdata"));
    remove(&counts)?;
    let mut build = cargo(&target, "build");
    process::shown(build.args(["--package", "speech-ffi", "--package", "speech-cli"]))?;
    let dist = instrumented(&target)?;
    let mut core = cargo(&target, "test");
    core.args(CORE.iter().flat_map(|package| ["--package", package]));
    core.args(["--no-fail-fast", "--lib"]).args(OF_CORE.iter().flat_map(|name| ["--test", name]));
    core.arg("--").args(TOO_LONG.iter().flat_map(|name| ["--skip", name]));
    let mut others = cargo(&target, "test");
    others.args(["--no-fail-fast", "--tests"]).env("SPEECH_DIST", dist);
    others.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    let tests = [core, others].map(|mut test| process::shown(artifacts.set_on(&mut test)));
    let counted = files(&counts, |name| name.ends_with(".profraw"))?;
    process::shown(merge.args(["merge", "-sparse", "-o"]).arg(&merged).args(counted))?;
    report(&target, &merged)?;
    for outcome in tests {
        outcome.context("tests failed, so the coverage tables are incomplete")?;
    }
    Ok(())
}

/// A cargo command that compiles with counters. All processes write their counts to a few shared
/// files.
fn cargo(target: &Path, subcommand: &str) -> Command {
    let mut cargo = workspace::cargo(subcommand);
    cargo.arg("--release").env("CARGO_TARGET_DIR", target);
    cargo.env("RUSTFLAGS", "-Cinstrument-coverage");
    cargo.env("LLVM_PROFILE_FILE", target.join("counts/%8m.profraw"));
    cargo
}

/// Builds the package of the C library with counters.
fn instrumented(target: &Path) -> Result<PathBuf> {
    let whole = Dist::whole();
    whole.run()?;
    let (from, to) = (whole.directory()?, target.join("dist"));
    let mut copy = Command::new("cp");
    let archive = from.with_added_extension("tar.gz");
    fs::create_dir_all(&to)?;
    process::shown(copy.arg("-a").arg(&from).arg(archive).arg(&to))?;
    let dist = to.join(from.file_name().context("the path of the package has no last part")?);
    let lib = dist.join("lib");
    let shared = files(&lib, |name| name.starts_with("libspeech.so."))?;
    let longest = shared.iter().max_by_key(|path| path.as_os_str().len());
    let shared = longest.context("the package has no shared library")?;
    for (built, packed) in [("libspeech.so", shared), ("libspeech.a", &lib.join("libspeech.a"))] {
        let built = target.join("release").join(built);
        fs::copy(&built, packed)?;
    }
    Ok(dist)
}

/// An LLVM tool of the compiler's version.
fn tool(name: &str) -> Result<Command> {
    let tool = toolchain::program(name)?;
    let is_there = Path::new(tool.get_program()).exists();
    ensure!(is_there, "LLVM's tools are missing: run `rustup component add llvm-tools`");
    Ok(tool)
}

/// Prints and writes the tables.
fn report(target: &Path, merged: &Path) -> Result<()> {
    let mut arguments: Vec<OsString> = vec![
        format!("--instr-profile={}", merged.display()).into(),
        format!("--ignore-filename-regex={NOT_COUNTED}").into(),
        target.join("release/libspeech.so").into(),
    ];
    let mut programs = files(&target.join("release/deps"), |name| !name.contains('.'))?;
    programs.extend(["speech", "speech-http"].map(|name| target.join("release").join(name)));
    arguments.extend(programs.into_iter().flat_map(|program| ["--object".into(), program.into()]));
    let text = process::text(tool("llvm-cov")?.arg("report").args(&arguments))?;
    fs::write(target.join("report.txt"), &text)?;
    println!("{text}");
    let html = target.join("html");
    let mut show = tool("llvm-cov")?;
    show.args(["show", "--format=html", "--output-dir"]).arg(&html).args(&arguments);
    process::printed(&mut show)?;
    note(&format!("coverage of each line: {}", html.join("index.html").display()));
    Ok(())
}

/// The files of a folder with matching names.
fn files(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let mut found = listed(folder)?;
    found.retain(|path| path.is_file() && !path.is_symlink() && is_wanted(&name_of(path)));
    Ok(found)
}
