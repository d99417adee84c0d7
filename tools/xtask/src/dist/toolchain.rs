//! What the compiler and the linker put into the library beside the packages: Rust's standard library, and what stands between it
//! and the system.
//!
//! Linking against an old glibc also adds glibc's own few lines for `stat64` and `fstat64`. They are
//! not listed: their licence lets programs that have them be distributed without any restriction.

use std::env;

use super::link;
use super::platform::{Platform, host, rustc, rustc_says};
use super::sbom::Part;
use crate::prelude::*;

/// What may be in the library of a platform.
pub(crate) fn parts(platform: &Platform) -> Result<Vec<Part>> {
    let mut parts = vec![standard_library()?];
    parts.extend(link::parts(platform)?);
    Ok(parts)
}

/// What is in a module of WebAssembly.
pub(crate) fn parts_of_wasi() -> Result<Vec<Part>> {
    let mut parts = vec![standard_library()?];
    parts.extend(link::parts_of_wasi()?);
    Ok(parts)
}

fn standard_library() -> Result<Part> {
    let version = rustc_says("release: ")?;
    let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?);
    Ok(Part {
        name: "Rust standard library",
        purl: format!("pkg:generic/rust-std@{version}"),
        version,
        licence: "MIT OR Apache-2.0",
        text: (sysroot.join("share/doc/rust/COPYRIGHT-library.html"), "rust-standard-library.html"),
    })
}

/// A program of LLVM that comes with Rust, for the files of every platform.
pub(crate) fn program(name: &str) -> Result<Command> {
    let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?);
    let folder = sysroot.join("lib/rustlib").join(host()?).join("bin");
    let mut command = Command::new(folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)));
    // It is linked with the compiler's LLVM, and has no path to it.
    let (variable, libraries) = match env::consts::OS {
        "windows" => ("PATH", sysroot.join("bin")),
        "macos" => ("DYLD_LIBRARY_PATH", sysroot.join("lib")),
        _ => ("LD_LIBRARY_PATH", sysroot.join("lib")),
    };
    let old = env::var_os(variable).unwrap_or_default();
    let paths = std::iter::once(libraries).chain(env::split_paths(&old));
    command.env(variable, env::join_paths(paths.filter(|path| path != Path::new("")))?);
    Ok(command)
}
