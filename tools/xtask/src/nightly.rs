//! The nightly Rust, for what no stable one does: Miri, and a standard library with a sanitizer.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;
use crate::workspace::Workspace;

/// A toolchain that has what a command needs.
pub(crate) struct Nightly<'a> {
    workspace: &'a Workspace,
    sysroot: PathBuf,
}

impl<'a> Nightly<'a> {
    /// Finds it, or says how to install it.
    pub(crate) fn find(workspace: &'a Workspace, components: &[Component]) -> Result<Self> {
        let nightly = sysroot().map(|sysroot| Nightly { workspace, sysroot });
        match nightly {
            Some(nightly) if components.iter().all(|part| part.is_in(&nightly.sysroot)) => {
                Ok(nightly)
            }
            _ => bail!("{}", advice(components)),
        }
    }

    /// A cargo command of this toolchain, with a target directory of its own.
    pub(crate) fn cargo(&self, target: &Path) -> Command {
        let mut cargo = self.workspace.cargo_through(Path::new("rustup"), "run");
        cargo.args(["nightly", "cargo"]).env("CARGO_TARGET_DIR", target);
        // Of the stable toolchain that runs this tool.
        for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
            cargo.env_remove(variable);
        }
        cargo
    }

    /// A library that comes with the toolchain, such as the run-time part of a sanitizer.
    pub(crate) fn library(&self, triple: &str, name: &str) -> PathBuf {
        self.sysroot.join("lib").join("rustlib").join(triple).join("lib").join(name)
    }
}

/// A part of a toolchain that is installed on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    Miri,
    RustSrc,
}

impl Component {
    fn name(self) -> &'static str {
        match self {
            Component::Miri => "miri",
            Component::RustSrc => "rust-src",
        }
    }

    fn is_in(self, sysroot: &Path) -> bool {
        match self {
            Component::Miri => sysroot.join("bin").join("cargo-miri").exists(),
            Component::RustSrc => sysroot.join("lib/rustlib/src/rust/library").exists(),
        }
    }
}

fn sysroot() -> Option<PathBuf> {
    let mut rustc = Command::new("rustup");
    rustc.args(["run", "nightly", "rustc", "--print", "sysroot"]);
    if !process::exists(&mut rustc).ok()? {
        return None;
    }
    let output = rustc.stdout(std::process::Stdio::piped()).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

fn advice(components: &[Component]) -> String {
    let flags = components.iter().map(|component| format!(" --component {}", component.name()));
    format!(
        "this needs a nightly Rust. Install it (rustup toolchain install nightly{}) and run the \
         command again",
        flags.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_names_the_components() {
        let advice = advice(&[Component::Miri, Component::RustSrc]);
        let command = "rustup toolchain install nightly --component miri --component rust-src";
        assert!(advice.contains(command), "{advice}");
    }

    #[test]
    fn a_component_is_known_by_its_files() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(!Component::RustSrc.is_in(scratch.path()));
        std::fs::create_dir_all(scratch.path().join("lib/rustlib/src/rust/library")).unwrap();
        assert!(Component::RustSrc.is_in(scratch.path()));
        assert!(!Component::Miri.is_in(scratch.path()));
    }
}
