//! What the compiler puts into the library beside the packages: Rust's standard library.
//!
//! Linking against an old glibc also adds glibc's own few lines for `stat64` and `fstat64`. They are
//! not listed: their licence lets programs that have them be distributed without any restriction.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::platform::rustc;
use super::sbom::Part;

/// The licence text of Rust's standard library.
pub(crate) fn licence() -> Result<PathBuf> {
    let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?);
    Ok(sysroot.join("share/doc/rust/COPYRIGHT-library.html"))
}

/// The entry in the list of components.
pub(crate) fn standard_library() -> Result<Part> {
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
