//! What the compiler and the linker put into the library beside the packages: Rust's standard
//! library, and where zig links it, the unwinder of LLVM.
//!
//! Linking against an old glibc also adds glibc's own few lines for `stat64` and `fstat64`. They are
//! not listed: their licence lets programs that have them be distributed without any restriction.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::compile::linker_venv;
use super::platform::{Platform, rustc};
use super::sbom::Part;
use crate::python;
use crate::workspace::Workspace;

/// The licence texts, by the name that each has in the package.
pub(crate) fn licences(
    workspace: &Workspace,
    platform: &Platform,
) -> Result<Vec<(&'static str, PathBuf)>> {
    let documents = PathBuf::from(rustc(&["--print", "sysroot"])?).join("share/doc/rust");
    let mut texts = vec![("rust-standard-library.html", documents.join("COPYRIGHT-library.html"))];
    if platform.has_glibc() {
        let venv = linker_venv(workspace);
        venv.ensure()?;
        let unwinder = venv.package("ziglang")?.join("lib/libunwind");
        texts.push(("libunwind-LICENSE.txt", unwinder.join("LICENSE.TXT")));
    }
    Ok(texts)
}

/// The entries in the list of components.
pub(crate) fn parts(workspace: &Workspace, platform: &Platform) -> Result<Vec<Part>> {
    let mut parts = vec![standard_library()?];
    if platform.has_glibc() {
        let requirements = workspace.xtask().join("requirements-dist.txt");
        parts.push(unwinder(python::pinned_version(&requirements, "ziglang")?));
    }
    Ok(parts)
}

fn standard_library() -> Result<Part> {
    let description = rustc(&["-vV"])?;
    let version = description.lines().find_map(|line| line.strip_prefix("release: "));
    let version = version.context("rustc does not say its version")?.to_owned();
    Ok(Part {
        name: "Rust standard library",
        purl: format!("pkg:generic/rust-std@{version}"),
        version,
        licence: "MIT OR Apache-2.0",
    })
}

/// The version is that of the zig that has its sources.
fn unwinder(zig: String) -> Part {
    Part {
        name: "libunwind of LLVM, from zig",
        purl: format!("pkg:pypi/ziglang@{zig}"),
        version: zig,
        licence: "Apache-2.0 WITH LLVM-exception",
    }
}
