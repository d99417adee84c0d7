//! Puts a package together from the compiled library, the texts and the voice bundle.

use std::fs;

use anyhow::{Context, Result, ensure};

use super::compile::{self, Compiled};
use super::gates::{self, Kind};
use super::header::Abi;
use super::library::{self, Glibc, SharedLibrary, archive_exports};
use super::packages::Packages;
use super::platform::Platform;
use super::sbom::Contents;
use super::templates::Values;
use super::tree::Tree;
use super::{SBOM, VERSION, licences, toolchain};
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::sources;
use crate::workspace::Workspace;

const ARCHIVE: &str = "lib/libspeech.a";
const DOCUMENTS: &str = "share/doc/libspeech";
const VOICES: &str = "share/libspeech/voices";

/// The libraries of a package that passed the checks, and the glibc that each shared one needs.
pub(crate) type Checked = Vec<(String, Option<Glibc>)>;

/// What a package is put together from.
pub(crate) struct Parts<'a> {
    workspace: &'a Workspace,
    cache: &'a Cache,
    platform: Platform,
    abi: Abi,
    packages: Packages,
}

impl<'a> Parts<'a> {
    /// Reads the header and asks cargo which packages the library is made of.
    pub(crate) fn new(
        workspace: &'a Workspace,
        cache: &'a Cache,
        platform: Platform,
    ) -> Result<Self> {
        Ok(Parts {
            workspace,
            cache,
            abi: Abi::of_header(&workspace.root().join("include").join("speech.h"))?,
            packages: Packages::of_library(workspace, &platform, "speech-ffi")?,
            platform,
        })
    }

    /// Compiles the library and fills the tree.
    pub(crate) fn assemble(&self, tree: &Tree, with_voices: bool) -> Result<Checked> {
        let root = self.workspace.root();
        for header in ["include/speech.h", "include/speech.hpp"] {
            tree.copy(&root.join(header), header)?;
        }
        let compiled = compile::compile(self.workspace, &self.platform, &self.packages)?;
        self.add_libraries(tree, &compiled)?;
        let checked = self.check(tree)?;
        self.add_texts(tree, &compiled)?;
        let bundle = with_voices.then(|| self.add_voices(tree)).transpose()?;
        tree.write(SBOM, &self.list(tree, bundle.as_ref())?)?;
        Ok(checked)
    }

    fn library(&self) -> String {
        format!("{}/{}", self.platform.library_folder(), self.platform.library(self.abi))
    }

    /// The links have the names that a linker and a program look for. Windows has no such links: a program is linked with an
    /// import library, which each of its two families of compilers looks for by a name of its own.
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
        Values::new(VERSION, &self.platform, self.abi, &compiled.native_libraries).write(tree)?;
        licences::write(tree, DOCUMENTS, self.workspace, &self.platform, &self.packages)
    }

    fn add_voices(&self, tree: &Tree) -> Result<Bundle> {
        let _lock = self.cache.lock()?;
        let bundle = Bundle::ensure(self.workspace, self.cache, None)?;
        bundle.copy_to(&tree.path(VOICES)?)
    }

    fn list(&self, tree: &Tree, bundle: Option<&Bundle>) -> Result<String> {
        let sources = sources::read(&self.workspace.bundle_tool().join("sources.json"))?;
        let paths = [self.library(), ARCHIVE.to_owned()]
            .map(|name| Ok((tree.path(&name)?, name)))
            .into_iter()
            .collect::<Result<Vec<_>>>()?;
        let description = bundle.map(|bundle| bundle.directory().join("bundle.json"));
        let contents = Contents {
            version: VERSION,
            triple: self.platform.triple(),
            libraries: paths.iter().map(|(path, name)| (name.clone(), path.as_path())).collect(),
            packages: &self.packages,
            parts: toolchain::parts(self.workspace, &self.platform)?,
            voices: description.as_deref().map(|description| (description, &sources[..])),
        };
        contents.document()
    }

    /// Checks the libraries in a tree.
    fn check(&self, tree: &Tree) -> Result<Checked> {
        let (library, archive) = (self.library(), ARCHIVE.to_owned());
        let private = compile::private_directories(self.workspace);
        let bytes = read(tree, &library)?;
        let name = self.platform.library_name(self.abi);
        let mut glibc = None;
        let platforms = self.platform.parts()?;
        let parts = library::parts(&bytes)?;
        ensure!(parts.len() == platforms.len(), "{library} is for {} processors", parts.len());
        for (platform, part) in platforms.iter().zip(parts) {
            let shared = SharedLibrary::read(part)?;
            gates::shared_library(platform, &shared, Kind::C(&name))?;
            glibc = shared.glibc()?;
        }
        gates::no_private_paths(&library, &bytes, &private)?;
        let bytes = read(tree, &archive)?;
        if !self.platform.is_windows() {
            for (platform, part) in platforms.iter().zip(library::parts(&bytes)?) {
                gates::static_library(platform, &archive_exports(part)?)?;
            }
        }
        gates::no_private_paths(&archive, &bytes, &private)?;
        Ok(vec![(library, glibc), (archive, None)])
    }
}

fn read(tree: &Tree, name: &str) -> Result<Vec<u8>> {
    fs::read(tree.path(name)?).with_context(|| format!("cannot read {name}"))
}
