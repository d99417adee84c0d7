//! Reads PE files: Windows.

use object::read::pe::{ImageNtHeaders, ImageOptionalHeader, PeFile};
use object::{LittleEndian as LE, pe};

use super::{Format, SharedLibrary, text};
use crate::prelude::*;

/// The fields that the Windows loader reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pe {
    /// Whether it supports 64-bit ASLR and DEP.
    pub(crate) is_hardened: bool,
    /// Whether it has a version resource.
    pub(crate) has_version: bool,
    /// The link time in seconds since 1970.
    pub(crate) linked_at: u32,
}

const HARDENED: u16 = pe::IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE.0
    | pe::IMAGE_DLLCHARACTERISTICS_HIGH_ENTROPY_VA.0
    | pe::IMAGE_DLLCHARACTERISTICS_NX_COMPAT.0;

pub(super) fn read<'data, Headers: ImageNtHeaders>(
    library: &mut SharedLibrary,
    file: &PeFile<'data, Headers>,
) -> Result<()> {
    library.needed = library.needed.iter().map(|name| name.to_ascii_lowercase()).collect();
    let exports = file.export_table()?.context("it exports nothing")?;
    let name = exports.directory().name.get(LE);
    library.name = Some(text(exports.name_from_pointer(name)?));
    let headers = file.nt_headers();
    let optional = headers.optional_header();
    let resources =
        file.data_directories().resource_directory(file.data(), &file.section_table())?;
    library.format = Format::Pe(Pe {
        is_hardened: optional.dll_characteristics().0 & HARDENED == HARDENED,
        has_version: resources.map(|all| all.root()).transpose()?.is_some_and(|root| {
            root.entries.iter().any(|entry| entry.name_or_id().id() == Some(pe::RT_VERSION))
        }),
        linked_at: headers.file_header().time_date_stamp.get(LE),
    });
    Ok(())
}
