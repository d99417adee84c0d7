//! Reads and edits Mach-O files: macOS and iOS.

use std::collections::BTreeSet;

use object::macho;
use object::read::archive::ArchiveFile;
use object::read::macho::{LoadCommandVariant, MachHeader, MachOFile, MachOFile64};
use object::{Endianness, Object as _, ObjectSymbol as _};

use super::{Format, SharedLibrary, text};
use crate::dist::platform::System;
use crate::prelude::*;

/// The platform of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MachO {
    /// The oldest macOS version that loads it, such as `11.0`.
    pub(crate) oldest: String,
    /// Whether it is signed. macOS on Arm loads only signed libraries.
    pub(crate) is_signed: bool,
}

/// The target platform of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Build {
    /// The system; `None` if no package is published for it.
    pub(crate) system: Option<System>,
    /// The oldest supported version of the system: major and minor number.
    pub(crate) oldest: (u16, u8),
}

/// The target platforms of the objects of a static library.
pub(crate) fn builds(archive: &[u8]) -> Result<BTreeSet<Build>> {
    let mut builds = BTreeSet::new();
    for member in ArchiveFile::parse(archive)?.members() {
        let member = member?;
        let name = || text(member.name());
        let file = MachOFile64::parse(member.data(archive)?).with_context(name)?;
        builds.insert(build(&file).with_context(name)?);
    }
    Ok(builds)
}

fn build(file: &MachOFile64<'_, Endianness>) -> Result<Build> {
    let endian = file.endian();
    let mut commands = file.macho_load_commands()?;
    while let Some(command) = commands.next()? {
        let (system, version) = match command.variant()? {
            LoadCommandVariant::BuildVersion(build, _) => {
                let system = match build.platform.get(endian) {
                    macho::PLATFORM_MACOS => Some(System::MacOs),
                    macho::PLATFORM_IOS => Some(System::Ios),
                    macho::PLATFORM_IOSSIMULATOR => Some(System::IosSimulator),
                    _ => None,
                };
                (system, build.minos.get(endian))
            }
            // The older load command, from before simulators had their own platform number.
            LoadCommandVariant::VersionMin(oldest) => {
                let is_device = file.architecture() == object::Architecture::Aarch64;
                let system = match command.cmd() {
                    macho::LC_VERSION_MIN_MACOSX => Some(System::MacOs),
                    macho::LC_VERSION_MIN_IPHONEOS if is_device => Some(System::Ios),
                    macho::LC_VERSION_MIN_IPHONEOS => Some(System::IosSimulator),
                    _ => None,
                };
                (system, oldest.version.get(endian))
            }
            _ => continue,
        };
        return Ok(Build { system, oldest: (version.major(), version.minor()) });
    }
    anyhow::bail!("an object does not name its target system")
}

/// Makes all symbols of a static library private external (`private_extern` in C), except those
/// that are public. A program or library that contains it then exports none of them.
pub(crate) fn hide(archive: &mut [u8], is_public: impl Fn(&str) -> bool) -> Result<()> {
    let mut kinds = Vec::new();
    for member in ArchiveFile::parse(&*archive)?.members() {
        let member = member?;
        let file = MachOFile64::<Endianness>::parse(member.data(&*archive)?)
            .with_context(|| text(member.name()))?;
        let Some(symbols) = symbol_table(&file)? else { continue };
        let table = usize::try_from(member.file_range().0)? + symbols;
        for symbol in file.symbols().filter(|symbol| symbol.is_definition() && symbol.is_global()) {
            if !is_public(&text(symbol.name_bytes()?)) {
                // An entry has 16 bytes; the fifth holds the symbol type.
                kinds.push(table + 16 * symbol.index().0 + 4);
            }
        }
    }
    for kind in kinds {
        *archive.get_mut(kind).context("a symbol outside the library")? |= macho::N_PEXT.0;
    }
    Ok(())
}

/// The offset of an object's symbol table.
fn symbol_table(file: &MachOFile64<'_, Endianness>) -> Result<Option<usize>> {
    let mut commands = file.macho_load_commands()?;
    while let Some(command) = commands.next()? {
        if let LoadCommandVariant::Symtab(table) = command.variant()? {
            return Ok(Some(usize::try_from(table.symoff.get(file.endian()))?));
        }
    }
    Ok(None)
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
            LoadCommandVariant::Rpath(path) => {
                library.run_paths.push(text(command.string(endian, path.path)?));
            }
            LoadCommandVariant::LinkeditData(_) if command.cmd() == macho::LC_CODE_SIGNATURE => {
                build.is_signed = true;
            }
            _ => {}
        }
    }
    let (version, _) =
        file.build_version()?.context("the library does not name its target system")?;
    let version = version.minos.get(endian);
    build.oldest = format!("{}.{}", version.major(), version.minor());
    library.format = Format::MachO(build);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::library::{archive_exports, archive_symbols};

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// An object for an Arm processor with a load command for its platform, and two symbols.
    fn object(command: &[u32]) -> Vec<u8> {
        let names = b"\0_speech_version\0_other\0\0";
        let commands = 4 * u32::try_from(command.len()).unwrap() + 24;
        let table = 32 + commands;
        let header = [0xfeed_facf, 0x0100_000c, 0, 1, 2, commands, 0x2000, 0];
        let symbols = [2, 24, table, 2, table + 32, u32::try_from(names.len()).unwrap()];
        // Defined in a section, and external.
        let entry = |name: u32| words(&[name, 0x010f, 0, 0]);
        [words(&header), words(command), words(&symbols), entry(1), entry(17), names.to_vec()]
            .concat()
    }

    fn archive(objects: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = b"!<arch>\n".to_vec();
        for object in objects {
            let size = object.len();
            bytes.extend(
                format!("{:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", "a.o/", 0, 0, 0, 644).bytes(),
            );
            bytes.extend(object);
            bytes.resize(bytes.len().next_multiple_of(2), b'\n');
        }
        bytes
    }

    const DEVICE: [u32; 6] = [0x32, 24, 2, 0x000d_0000, 0, 0];
    const SIMULATOR: [u32; 6] = [0x32, 24, 7, 0x000e_0000, 0, 0];
    const OLD: [u32; 4] = [0x25, 16, 0x000a_0000, 0];

    #[test]
    fn objects_say_what_they_are_for() {
        let objects = [DEVICE.to_vec(), SIMULATOR.to_vec(), OLD.to_vec()].map(|it| object(&it));
        let build = |system, oldest| Build { system: Some(system), oldest };
        let expected = [
            build(System::Ios, (10, 0)),
            build(System::Ios, (13, 0)),
            build(System::IosSimulator, (14, 0)),
        ];
        assert_eq!(builds(&archive(&objects)).unwrap(), expected.into());
        let watch = object(&[0x32, 24, 4, 0x000d_0000, 0, 0]);
        assert_eq!(builds(&archive(&[watch])).unwrap().first().unwrap().system, None);
        let silent = object(&[0x2b, 16, 0, 0]);
        assert!(builds(&archive(&[silent])).is_err());
    }

    #[test]
    fn what_is_not_public_is_hidden() {
        let mut library = archive(&[object(&DEVICE), object(&OLD)]);
        let all = archive_symbols(&library).unwrap();
        assert_eq!(archive_exports(&library).unwrap(), all);
        hide(&mut library, |name| name == "_speech_version").unwrap();
        assert_eq!(archive_exports(&library).unwrap(), ["_speech_version".to_owned()].into());
        assert_eq!(archive_symbols(&library).unwrap(), all);
    }
}
