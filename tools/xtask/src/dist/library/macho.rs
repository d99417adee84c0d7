//! Mach-O: macOS.

use anyhow::{Context, Result};
use object::macho;
use object::read::macho::{LoadCommandVariant, MachHeader, MachOFile};
use object::{Object as _, ObjectSection as _};

use super::{Format, SharedLibrary, text};

/// What it was made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MachO {
    /// The oldest macOS that loads it, such as `11.0`.
    pub(crate) oldest: String,
    /// Whether it has a signature, without which Arm's macOS does not load it.
    pub(crate) is_signed: bool,
}

pub(super) fn read<'data, Mach: MachHeader>(
    library: &mut SharedLibrary,
    file: &MachOFile<'data, Mach>,
) -> Result<()> {
    let endian = file.endian();
    let mut build = MachO::default();
    let mut commands = file.macho_load_commands()?;
    while let Some(command) = commands.next()? {
        match command.variant()? {
            LoadCommandVariant::IdDylib(own) => {
                library.name = Some(text(command.string(endian, own.dylib.name)?));
            }
            LoadCommandVariant::Dylib(other) => {
                library.needed.insert(text(command.string(endian, other.dylib.name)?));
            }
            LoadCommandVariant::Rpath(path) => {
                library.run_paths.push(text(command.string(endian, path.path)?));
            }
            LoadCommandVariant::LinkeditData(_) if command.cmd() == macho::LC_CODE_SIGNATURE => {
                build.is_signed = true;
            }
            _ => {}
        }
    }
    let (version, _) = file.build_version()?.context("it does not say what it was made for")?;
    let version = version.minos.get(endian);
    build.oldest = format!("{}.{}", version.major(), version.minor());
    let sections = file.sections().filter_map(|section| section.name().map(str::to_owned).ok());
    library.strippable = sections.filter(|name| name.starts_with("__debug_")).collect();
    library.format = Format::MachO(build);
    Ok(())
}
