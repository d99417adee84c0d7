//! The paths of the repository, and commands that run in it.

use std::env;
use std::ffi::OsString;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::prelude::*;

/// The root of the repository, from cargo's environment variables.
pub(crate) fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .unwrap_or_else(|| OsString::from(env!("CARGO_MANIFEST_DIR")));
        let root = Path::new(&manifest).ancestors().nth(2);
        root.expect("the package is in the folder `tools` of the repository").to_path_buf()
    });
    &ROOT
}

/// Cargo's target directory.
pub(crate) fn target() -> &'static Path {
    static TARGET: LazyLock<PathBuf> = LazyLock::new(|| match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => std::path::absolute(folder).expect("there is a current folder"),
        None => root().join("target"),
    });
    &TARGET
}

static FOR_TESTS: AtomicBool = AtomicBool::new(false);

/// Selects the test profile for packages of this machine, instead of the profile for shipping.
pub(crate) fn compile_for_tests() {
    FOR_TESTS.store(true, Ordering::Relaxed);
}

/// Whether the test profile is selected.
pub(crate) fn is_for_tests() -> bool {
    FOR_TESTS.load(Ordering::Relaxed)
}

/// README.md and all documentation pages.
pub(crate) fn documents() -> Result<Vec<PathBuf>> {
    let docs = root().join("docs");
    let found = files::within(&docs, |_| true)?.into_iter();
    let pages = found.filter(|page| page.ends_with(".md")).map(|page| docs.join(page));
    Ok([root().join("README.md")].into_iter().chain(pages).collect())
}

/// A cargo command that runs in the root.
pub(crate) fn cargo(subcommand: &str) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    cargo_through(Path::new(&program), subcommand)
}

/// A command in the root for a program that runs cargo.
pub(crate) fn cargo_through(program: &Path, subcommand: &str) -> Command {
    let mut command = Command::new(program);
    // A relative target directory would mean another place, because the command runs in the root.
    command.arg(subcommand).current_dir(root()).env("CARGO_TARGET_DIR", target());
    command
}

/// The command that builds the program `speech`. Also selects this tool, so that common
/// dependencies have the same features as in `cargo xtask`, and are compiled once.
pub(crate) fn build_speech() -> Command {
    let mut build = cargo("build");
    build.args(["--release", "--package=xtask", "--package=speech-cli", "--bin=speech"]);
    build
}

/// The path of a program that `cargo build --release` builds.
pub(crate) fn release_program(name: &str) -> PathBuf {
    target().join(format!("release/{name}{}", env::consts::EXE_SUFFIX))
}

/// The path of a program that cargo installs once under the target directory. Compiling it takes
/// minutes.
pub(crate) fn installed(name: &str, version: &str, options: &[&str]) -> Result<PathBuf> {
    let folder = target().join(format!("tools/{name}-{version}"));
    let program = folder.join(format!("bin/{name}{}", env::consts::EXE_SUFFIX));
    if !program.exists() {
        let _lock = Lock::of("tools")?;
        note(&format!("compiling {name}, which happens only once"));
        let mut install = cargo("install");
        install.args(["--locked", "--version", version]).args(options);
        process::shown(install.arg("--root").arg(folder).arg(name))?;
    }
    Ok(program)
}
