//! The native library, of which there is a jar for each platform.

use std::fs;

use anyhow::{Context, Result};

use super::stage as place;
use crate::digest;
use crate::dist::gates::{self, Kind};
use crate::dist::library::SharedLibrary;
use crate::dist::packages::Packages;
use crate::dist::tree::Tree;
use crate::dist::{Platform, compile, licences, sbom};
use crate::workspace::Workspace;

const PACKAGE: &str = "speech-jvm";

/// Compiles the library with the profile `dist`, checks it, and puts together what its jar has.
pub(super) fn stage(workspace: &Workspace, platform: &Platform) -> Result<()> {
    let packages = Packages::of_library(workspace, platform, PACKAGE)?;
    let compiled = compile::module(workspace, platform, &packages, PACKAGE)?;
    let bytes = fs::read(&compiled).with_context(|| compiled.display().to_string())?;
    let private = compile::private_directories(workspace);
    gates::no_private_paths("the library of the JVM", &bytes, &private)?;
    gates::shared_library(platform, &SharedLibrary::read(&bytes)?, Kind::Jvm)?;
    let (name, file) = (platform.of_jvm()?, file(platform)?);
    let tree = Tree::begin(&place(workspace, &name))?;
    tree.copy(&compiled, &file)?;
    // What the loader names the folder by into which it writes the library.
    tree.write(&format!("{file}.sha256"), &format!("{}\n", digest::of_bytes(&bytes)))?;
    // Beside those of other platforms, if somebody makes one jar of all.
    let texts = format!("META-INF/libspeech/{name}");
    licences::write(&tree, &texts, workspace, platform, &packages)?;
    let list = sbom::of_module(workspace, platform, &packages)?;
    tree.write(&format!("{texts}/sbom.cdx.json"), &list)?;
    tree.finish().map(drop)
}

/// The library in its jar, where the loader of the package looks for it.
pub(super) fn file(platform: &Platform) -> Result<String> {
    Ok(format!("io/libspeech/natives/{}/{}", platform.of_jvm()?, platform.built_module(PACKAGE)))
}
