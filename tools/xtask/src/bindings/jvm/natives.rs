//! What is put together before Maven packs it: the native library, of which there is a jar for each platform, and the voices, which are
//! one tar file in their jar.

use super::stage as place;
use crate::dist::compile::Module;
use crate::dist::gates::Kind;
use crate::dist::{Platform, licences};
use crate::prelude::*;

pub(super) const PACKAGE: &str = "speech-jvm";

/// Compiles the library of a platform, and checks it.
pub(super) fn compile(platform: &Platform) -> Result<Module> {
    Module::new(platform, PACKAGE, Kind::Jvm)
}

/// Puts together what the jar of a platform has.
pub(super) fn stage(platform: &Platform) -> Result<()> {
    let library = compile(platform)?;
    let (name, file) = (platform.of_jvm()?, file(platform)?);
    let tree = Tree::begin(&place(name))?;
    tree.copy(&library.path, &file)?;
    // What the loader names the folder by into which it writes the library.
    tree.write(&format!("{file}.sha256"), &format!("{}\n", digest::of_file(&library.path)?))?;
    document(&library, &tree, name)?;
    tree.finish().map(drop)
}

/// Writes what is in a library: beside that of other platforms, if somebody makes one package of all.
pub(super) fn document(library: &Module, tree: &Tree, name: &str) -> Result<()> {
    let texts = format!("META-INF/libspeech/{name}");
    library.document(tree, &texts, &format!("{texts}/sbom.cdx.json"))
}

/// The library in its jar, where the loader of the package looks for it.
pub(super) fn file(platform: &Platform) -> Result<String> {
    Ok(format!("io/libspeech/natives/{}/{}", platform.of_jvm()?, platform.built_module(PACKAGE)))
}

/// Puts together what the jar of the voices has.
pub(super) fn stage_voices() -> Result<()> {
    let tree = Tree::begin(&place("voices"))?;
    write_voices(&tree, "io/libspeech/voices/bundle.tar")?;
    tree.finish().map(drop)
}

/// Writes the voices as a tar file into a package, and their licences.
pub(super) fn write_voices(tree: &Tree, file: &str) -> Result<()> {
    licences::write_own(tree, "META-INF/libspeech/voices")?;
    let _lock = cache::lock()?;
    Bundle::ensure(None)?.write_tar(&tree.path(file)?).map(drop)
}
