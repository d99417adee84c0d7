//! Reads shared libraries, and the objects of static ones.

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

/// The fields of a shared library that the dynamic linker reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SharedLibrary {
    pub(crate) exports: BTreeSet<String>,
    /// The imported functions. On macOS they have the leading underscore of C symbols.
    pub(crate) imports: BTreeSet<String>,
    pub(crate) needed: BTreeSet<String>,
    /// The name that the library declares: SONAME, install name, or the name in the PE export
    /// table.
    pub(crate) name: Option<String>,
    /// The search paths for other libraries: DT_RPATH and DT_RUNPATH, LC_RPATH.
    pub(crate) run_paths: Vec<String>,
    /// The sections and symbols that `strip` would remove.
    pub(crate) strippable: Vec<String>,
    pub(crate) format: Format,
}

/// The properties of a single file format.
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
            _ => bail!("the file is not a library of a supported platform"),
        }
        Ok(library)
    }

    /// The oldest glibc with all required symbol versions; `None` if no version is required.
    pub(crate) fn glibc(&self) -> Result<Option<Glibc>> {
        match &self.format {
            Format::Elf(versions) => versions.glibc(),
            _ => Ok(None),
        }
    }
}

/// The symbols of a static library that are visible to the objects of a program and to other
/// libraries.
pub(crate) fn archive_exports(bytes: &[u8]) -> Result<BTreeSet<String>> {
    symbols(bytes, is_visible)
}

/// The symbols that the objects of a static library share with each other.
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

/// Whether a symbol is visible outside the shared library that links its object.
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
