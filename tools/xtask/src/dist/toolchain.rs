//! The components that the compiler and the linker add to the library: Rust's standard library, and
//! its system interface.
//!
//! Linking against an old glibc also adds a few lines of glibc, for `stat64` and `fstat64`. They
//! are not listed, because their license permits unrestricted distribution in programs.

use std::env;

use super::link;
use super::platform::{Platform, host, rustc, rustc_says};
use super::sbom::Part;
use crate::prelude::*;

/// The components that the library of a platform may contain.
pub(crate) fn parts(platform: &Platform) -> Result<Vec<Part>> {
    let mut parts = vec![standard_library()?];
    parts.extend(link::parts(platform)?);
    Ok(parts)
}

/// The components of a WebAssembly module.
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

/// An LLVM program that comes with Rust, for files of every platform.
pub(crate) fn program(name: &str) -> Result<Command> {
    let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?);
    let folder = sysroot.join("lib/rustlib").join(host()?).join("bin");
    let mut command = Command::new(folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)));
    // The program needs the compiler's LLVM library, and has no path to it.
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
