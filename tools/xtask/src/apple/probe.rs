//! What becomes of a static library in a program: all functions of the interface are linked, and what they do not need is left out.
//!
//! No SDK of Apple is needed: what the system has is looked up when a program runs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::slices::architecture;
use crate::dist::gates::{self, Kind};
use crate::dist::library::SharedLibrary;
use crate::dist::platform::{Platform, System};
use crate::dist::toolchain;
use crate::process;
use crate::progress::Item;

/// What the library says its name is, which a library must.
const NAME: &str = "@rpath/speech";

/// What was linked.
#[derive(Debug)]
pub(super) struct Probe {
    /// The functions of the system that it calls.
    pub(super) imports: BTreeSet<String>,
    /// Its bytes: at most so many does an app grow by.
    pub(super) size: u64,
}

/// Links all functions of a static library, and checks what came of it.
pub(super) fn link(
    platform: &Platform,
    archive: &Path,
    functions: &BTreeSet<String>,
) -> Result<Probe> {
    let linked = archive.with_extension("linked");
    let item = Item::start(format!("linking for {}", platform.triple()));
    let system = match platform.system() {
        System::IosSimulator => "ios-simulator",
        System::Ios => "ios",
        _ => "macos",
    };
    let oldest = platform.oldest().context("there is no oldest version")?;
    let mut linker = toolchain::program("rust-lld")?;
    linker.args(["-flavor", "darwin", "-dylib", "-dead_strip", "-x", "-install_name", NAME]);
    linker.args(["-undefined", "dynamic_lookup", "-arch", architecture(platform)]);
    linker.args(["-platform_version", system, oldest, oldest, "-fatal_warnings"]);
    linker.args(functions.iter().flat_map(|function| ["-u", function]));
    process::quiet(linker.arg(archive).arg("-o").arg(&linked), &item)?;
    item.finish("");
    let bytes = fs::read(&linked).with_context(|| format!("cannot read {}", linked.display()))?;
    let library = SharedLibrary::read(&bytes)?;
    gates::shared_library(platform, &library, Kind::C(NAME))?;
    let mut imports = library.imports;
    // The linker calls it, for what is looked up when a program runs.
    imports.remove("dyld_stub_binder");
    Ok(Probe { imports, size: bytes.len() as u64 })
}
