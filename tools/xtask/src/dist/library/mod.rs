//! The fields of library files: a shared library, and the objects of a static one.

mod elf;
mod macho;
mod pe;
mod universal;

use std::collections::BTreeSet;

use object::read::archive::ArchiveFile;
use object::{File, ImportFlags, NameOrOrdinal, Object as _, ObjectSection as _};
use object::{ObjectSymbol as _, SymbolFlags, SymbolScope};

pub(crate) use self::elf::{Elf, Glibc};
pub(crate) use self::macho::{Build, MachO, builds, hide};
pub(crate) use self::pe::Pe;
pub(crate) use self::universal::{join, parts};
use crate::prelude::*;

/// A shared library, as the dynamic linker sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SharedLibrary {
    pub(crate) exports: BTreeSet<String>,
    /// The functions that it has of other libraries. Those of macOS have the underscore of the symbols of C.
    pub(crate) imports: BTreeSet<String>,
    pub(crate) needed: BTreeSet<String>,
    /// Its own name: SONAME, install name, or that of its table of exports.
    pub(crate) name: Option<String>,
    /// Where it has the dynamic linker look: DT_RPATH and DT_RUNPATH, LC_RPATH.
    pub(crate) run_paths: Vec<String>,
    /// What `strip` takes out.
    pub(crate) strippable: Vec<String>,
    pub(crate) format: Format,
}

/// What only one format has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Elf(Elf),
    MachO(MachO),
    Pe(Pe),
}

impl Default for Format {
    fn default() -> Self {
        Format::Elf(Elf::default())
    }
}

impl SharedLibrary {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let file = File::parse(bytes)?;
        let mut library = Self::default();
        for export in file.exports()? {
            library.exports.insert(name(export?.name()));
        }
        let mut unversioned = BTreeSet::new();
        for import in file.imports()? {
            let import = import?;
            let name = name(import.name());
            let is_any_version = matches!(import.flags(), ImportFlags::Elf { version: None, .. });
            unversioned.extend(Some(name.clone()).filter(|_| is_any_version && !import.is_weak()));
            library.imports.insert(name);
        }
        for needed in file.import_libraries()? {
            library.needed.insert(text(needed?.name()));
        }
        let sections = file.sections().filter_map(|section| Some(section.name().ok()?.to_owned()));
        let is_strippable = |name: &String| {
            name == ".symtab" || name.trim_start_matches(['.', '_']).starts_with("debug_")
        };
        library.strippable = sections.filter(is_strippable).collect();
        match file {
            File::Elf32(file) => elf::read(&mut library, &file, unversioned)?,
            File::Elf64(file) => elf::read(&mut library, &file, unversioned)?,
            File::MachO64(file) => macho::read(&mut library, &file)?,
            File::Pe64(file) => pe::read(&mut library, &file)?,
            _ => bail!("it is no library of a platform that packages are made for"),
        }
        Ok(library)
    }

    /// The oldest glibc that has all symbol versions; `None` where no version is needed.
    pub(crate) fn glibc(&self) -> Result<Option<Glibc>> {
        match &self.format {
            Format::Elf(versions) => versions.glibc(),
            _ => Ok(None),
        }
    }
}

/// The symbols of a static library that every other object of a program sees, and every other library.
pub(crate) fn archive_exports(bytes: &[u8]) -> Result<BTreeSet<String>> {
    symbols(bytes, is_visible)
}

/// Those that the objects of the library itself see of each other.
pub(crate) fn archive_symbols(bytes: &[u8]) -> Result<BTreeSet<String>> {
    symbols(bytes, |_| true)
}

fn symbols(
    bytes: &[u8],
    is_wanted: impl Fn(&object::Symbol<'_, '_>) -> bool,
) -> Result<BTreeSet<String>> {
    let mut symbols = BTreeSet::new();
    for member in ArchiveFile::parse(bytes)?.members() {
        let member = member?;
        let file = File::parse(member.data(bytes)?).with_context(|| text(member.name()))?;
        for symbol in file.symbols() {
            if symbol.is_definition() && symbol.is_global() && is_wanted(&symbol) {
                symbols.insert(text(symbol.name_bytes()?));
            }
        }
    }
    Ok(symbols)
}

/// Whether a symbol can be seen outside the shared library that its object becomes a part of.
fn is_visible(symbol: &object::Symbol<'_, '_>) -> bool {
    match symbol.flags() {
        SymbolFlags::Elf { st_other, .. } => st_other.visibility() == object::elf::STV_DEFAULT,
        _ => symbol.scope() == SymbolScope::Dynamic,
    }
}

fn name(name: NameOrOrdinal<&[u8]>) -> String {
    match name {
        NameOrOrdinal::Name(name) => text(name),
        NameOrOrdinal::Ordinal(ordinal) => format!("#{ordinal:?}"),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
