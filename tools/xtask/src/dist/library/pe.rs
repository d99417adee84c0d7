//! PE: Windows.

use object::pe;
use object::read::pe::{ImageNtHeaders, ImageOptionalHeader, PeFile};
use object::{LittleEndian as LE, Object as _, ObjectSection as _};

use super::{Format, SharedLibrary, text};
use crate::prelude::*;

/// What the system is told of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pe {
    /// Whether it may be at any address, with data that is not run: ASLR of 64 bits, and DEP.
    pub(crate) is_hardened: bool,
    /// Whether it says its version, in a resource.
    pub(crate) has_version: bool,
    /// When it was linked, in seconds since 1970.
    pub(crate) linked_at: u32,
}

const HARDENED: u16 = pe::IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE.0
    | pe::IMAGE_DLLCHARACTERISTICS_HIGH_ENTROPY_VA.0
    | pe::IMAGE_DLLCHARACTERISTICS_NX_COMPAT.0;

pub(super) fn read<'data, Headers: ImageNtHeaders>(
    library: &mut SharedLibrary,
    file: &PeFile<'data, Headers>,
) -> Result<()> {
    if let Some(table) = file.import_table()? {
        let mut descriptors = table.descriptors()?;
        while let Some(descriptor) = descriptors.next()? {
            let name = text(table.name(descriptor.name.get(LE))?);
            library.needed.insert(name.to_ascii_lowercase());
        }
    }
    let exports = file.export_table()?.context("it exports nothing")?;
    let name = exports.directory().name.get(LE);
    library.name = Some(text(exports.name_from_pointer(name)?));
    let sections = file.sections().filter_map(|section| section.name().map(str::to_owned).ok());
    library.strippable = sections.filter(|name| name.starts_with(".debug_")).collect();
    let headers = file.nt_headers();
    let optional = headers.optional_header();
    let resources =
        file.data_directories().resource_directory(file.data(), &file.section_table())?;
    library.format = Format::Pe(Pe {
        is_hardened: optional.dll_characteristics().0 & HARDENED == HARDENED,
        has_version: match resources {
            Some(resources) => {
                let root = resources.root()?;
                root.entries.iter().any(|entry| entry.name_or_id().id() == Some(pe::RT_VERSION))
            }
            None => false,
        },
        linked_at: headers.file_header().time_date_stamp.get(LE),
    });
    Ok(())
}
