//! Assembles a package from the compiled library, the texts and the voice bundle.

use super::compile::{self, Compiled};
use super::gates::{self, Kind};
use super::header::Abi;
use super::library::{self, Glibc, SharedLibrary, archive_exports};
use super::packages::Packages;
use super::platform::Platform;
use super::templates::Values;
use super::{SBOM, licences, sbom, toolchain};
use crate::prelude::*;

const ARCHIVE: &str = "lib/libspeech.a";
const DOCUMENTS: &str = "share/doc/libspeech";
const VOICES: &str = "share/libspeech/voices";

/// The checked libraries of a package, each shared one with the glibc version that it needs.
pub(crate) type Checked = Vec<(String, Option<Glibc>)>;

/// The parts of a package.
pub(crate) struct Parts {
    platform: Platform,
    abi: Abi,
    packages: Packages,
}

impl Parts {
    /// Reads the version of the header, and the packages of the library from cargo.
    pub(crate) fn new(platform: Platform) -> Result<Self> {
        Ok(Parts {
            abi: Abi::of_header(&fs::read_to_string(root().join("include/speech.h"))?)?,
            packages: Packages::of_library(&platform, "speech-ffi")?,
            platform,
        })
    }

    /// Compiles the library and writes all files of the package.
    pub(crate) fn assemble(&self, tree: &Tree, with_voices: bool) -> Result<Checked> {
        for header in ["include/speech.h", "include/speech.hpp"] {
            tree.copy(&root().join(header), header)?;
        }
        let compiled = compile::compile(&self.platform, &self.packages)?;
        self.add_libraries(tree, &compiled)?;
        let checked = self.check(tree)?;
        self.add_texts(tree, &compiled)?;
        let bundle = with_voices.then(|| self.add_voices(tree)).transpose()?;
        let (triple, libraries) = (self.platform.triple(), [self.library(), ARCHIVE.to_owned()]);
        let parts = toolchain::parts(&self.platform)?;
        let list =
            sbom::of_package(tree, triple, &libraries, &self.packages, parts, bundle.as_ref())?;
        tree.write(SBOM, &list)?;
        Ok(checked)
    }

    fn library(&self) -> String {
        format!("{}/{}", self.platform.library_folder(), self.platform.library(self.abi))
    }

    /// Adds the libraries, with the symbolic links that linkers and programs look for. On Windows
    /// there are no such links; programs link with an import library, under the name that each
    /// compiler family expects.
    fn add_libraries(&self, tree: &Tree, compiled: &Compiled) -> Result<()> {
        tree.copy(&compiled.shared, &self.library())?;
        if let Some(import_library) = &compiled.import_library {
            tree.copy(import_library, "lib/libspeech.dll.a")?;
            tree.copy(import_library, "lib/speech.lib")?;
        } else {
            let library = self.platform.library(self.abi);
            let at_run_time = self.platform.library_at_run_time(self.abi);
            tree.link(&format!("lib/{at_run_time}"), &library)?;
            tree.link(&format!("lib/{}", self.platform.built_library()), &at_run_time)?;
        }
        tree.copy(&compiled.archive, ARCHIVE)
    }

    fn add_texts(&self, tree: &Tree, compiled: &Compiled) -> Result<()> {
        Values::new(&self.platform, self.abi, &compiled.native_libraries).write(tree)?;
        licences::write(tree, DOCUMENTS, &self.platform, &self.packages)
    }

    fn add_voices(&self, tree: &Tree) -> Result<Bundle> {
        let _lock = cache::lock()?;
        let bundle = Bundle::ensure(None)?;
        bundle.copy_to(&tree.path(VOICES)?)
    }

    /// Checks the libraries of a package.
    fn check(&self, tree: &Tree) -> Result<Checked> {
        let (library, archive) = (self.library(), ARCHIVE.to_owned());
        let private = compile::private_directories();
        let bytes = fs::read(tree.path(&library)?)?;
        let name = self.platform.library_name(self.abi);
        let mut glibc = None;
        let platforms = self.platform.parts();
        let parts = library::parts(&bytes)?;
        ensure!(
            parts.len() == platforms.len(),
            "{library} has code for {} processors instead of {}",
            parts.len(),
            platforms.len()
        );
        for (platform, part) in platforms.iter().zip(parts) {
            let shared = SharedLibrary::read(part)?;
            gates::shared_library(platform, &shared, Kind::C(&name))?;
            glibc = shared.glibc()?;
        }
        gates::no_private_paths(&library, &bytes, &private)?;
        let bytes = fs::read(tree.path(&archive)?)?;
        if !self.platform.is_windows() {
            for (platform, part) in platforms.iter().zip(library::parts(&bytes)?) {
                gates::static_library(platform, &archive_exports(part)?)?;
            }
        }
        gates::no_private_paths(&archive, &bytes, &private)?;
        Ok(vec![(library, glibc), (archive, None)])
    }
}
