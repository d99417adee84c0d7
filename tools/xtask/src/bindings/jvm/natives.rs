//! The native library, of which there is a jar for each platform.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::stage as place;
use crate::digest;
use crate::dist::gates::{self, Kind};
use crate::dist::library::SharedLibrary;
use crate::dist::packages::Packages;
use crate::dist::tree::Tree;
use crate::dist::{Platform, compile, licences, sbom};
use crate::workspace::Workspace;

pub(super) const PACKAGE: &str = "speech-jvm";

/// The library of a platform, which was checked.
pub(super) struct Library {
    pub(super) packages: Packages,
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

/// Compiles the library, and checks it.
pub(super) fn compile(workspace: &Workspace, platform: &Platform) -> Result<Library> {
    let packages = Packages::of_library(workspace, platform, PACKAGE)?;
    let path = compile::module(workspace, platform, &packages, PACKAGE)?;
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    let private = compile::private_directories(workspace);
    gates::no_private_paths("the library of the JVM", &bytes, &private)?;
    gates::shared_library(platform, &SharedLibrary::read(&bytes)?, Kind::Jvm)?;
    Ok(Library { packages, path, bytes })
}

/// Puts together what the jar of a platform has.
pub(super) fn stage(workspace: &Workspace, platform: &Platform) -> Result<()> {
    let library = compile(workspace, platform)?;
    let (name, file) = (platform.of_jvm()?, file(platform)?);
    let tree = Tree::begin(&place(workspace, &name))?;
    tree.copy(&library.path, &file)?;
    // What the loader names the folder by into which it writes the library.
    let hash = digest::of_bytes(&library.bytes);
    tree.write(&format!("{file}.sha256"), &format!("{hash}\n"))?;
    library.document(workspace, platform, &tree, &name)?;
    tree.finish().map(drop)
}

impl Library {
    /// Writes what is in it, and under which licences: beside that of other platforms, if somebody makes one package of all.
    pub(super) fn document(
        &self,
        workspace: &Workspace,
        platform: &Platform,
        tree: &Tree,
        name: &str,
    ) -> Result<()> {
        let texts = format!("META-INF/libspeech/{name}");
        licences::write(tree, &texts, workspace, platform, &self.packages)?;
        let list = sbom::of_module(workspace, platform, &self.packages)?;
        tree.write(&format!("{texts}/sbom.cdx.json"), &list)
    }
}

/// The library in its jar, where the loader of the package looks for it.
pub(super) fn file(platform: &Platform) -> Result<String> {
    Ok(format!("io/libspeech/natives/{}/{}", platform.of_jvm()?, platform.built_module(PACKAGE)))
}
