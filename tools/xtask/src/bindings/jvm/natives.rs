//! Prepares the content of packages for Maven: a jar with the native library of each platform, and
//! a jar with the voices as one tar file.

use super::stage as place;
use crate::dist::compile::Module;
use crate::dist::gates::Kind;
use crate::dist::{Platform, licences};
use crate::prelude::*;

pub(super) const PACKAGE: &str = "speech-jvm";

/// Compiles and checks the library of a platform.
pub(super) fn compile(platform: &Platform) -> Result<Module> {
    Module::new(platform, PACKAGE, Kind::Jvm)
}

/// Assembles the content of a platform's jar.
pub(super) fn stage(platform: &Platform) -> Result<()> {
    let library = compile(platform)?;
    let (name, file) = (platform.of_jvm()?, file(platform)?);
    let tree = Tree::begin(&place(name))?;
    tree.copy(&library.path, &file)?;
    // The loader extracts the library to a folder with this name.
    tree.write(&format!("{file}.sha256"), &format!("{}\n", digest::of_file(&library.path)?))?;
    document(&library, &tree, name)?;
    tree.finish().map(drop)
}

/// Writes the license texts and the SBOM of a library. Their names contain the platform, so that
/// the jars of several platforms can be merged.
pub(super) fn document(library: &Module, tree: &Tree, name: &str) -> Result<()> {
    let texts = format!("META-INF/libspeech/{name}");
    library.document(tree, &texts, &format!("{texts}/sbom.cdx.json"))
}

/// The path of the library in its jar, where the loader looks for it.
pub(super) fn file(platform: &Platform) -> Result<String> {
    Ok(format!("io/libspeech/natives/{}/{}", platform.of_jvm()?, platform.built_module(PACKAGE)))
}

/// Assembles the content of the voices jar.
pub(super) fn stage_voices() -> Result<()> {
    let tree = Tree::begin(&place("voices"))?;
    write_voices(&tree, "io/libspeech/voices/bundle.tar")?;
    tree.finish().map(drop)
}

/// Writes the voices as a tar file, and their licenses, to a package.
pub(super) fn write_voices(tree: &Tree, file: &str) -> Result<()> {
    licences::write_own(tree, "META-INF/libspeech/voices")?;
    let _lock = cache::lock()?;
    Bundle::ensure(None)?.write_tar(&tree.path(file)?).map(drop)
}
