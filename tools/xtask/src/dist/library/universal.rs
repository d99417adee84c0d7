//! Universal (fat) files of macOS: libraries and static archives for several processors in one
//! file.

use object::macho;
use object::read::macho::{FatArch as _, MachOFatFile32};

use crate::dist::platform::Processor;
use crate::prelude::*;

/// The alignment of parts, as a power of two: the larger of the processors' page sizes.
const ALIGNMENT_BITS: u32 = 14;

/// Joins the files for each processor in the format of Apple's `lipo`: big-endian, with 32-bit
/// offsets.
pub(crate) fn join(parts: &[(Processor, Vec<u8>)]) -> Result<Vec<u8>> {
    let number = |number: usize| u32::try_from(number).context("the parts are too large");
    let mut header = [macho::FAT_MAGIC, number(parts.len())?].to_vec();
    let mut offset = align(8 + 20 * parts.len());
    for (processor, part) in parts {
        let (kind, variant) = match processor {
            Processor::X86_64 => (macho::CPU_TYPE_X86_64.0, macho::CPU_SUBTYPE_X86_64_ALL.0),
            _ => (macho::CPU_TYPE_ARM64.0, macho::CPU_SUBTYPE_ARM64_ALL.0),
        };
        header.extend([kind, variant, number(offset)?, number(part.len())?, ALIGNMENT_BITS]);
        offset = align(offset + part.len());
    }
    let mut file: Vec<u8> = header.into_iter().flat_map(u32::to_be_bytes).collect();
    for (_, part) in parts {
        file.resize(align(file.len()), 0);
        file.extend(part);
    }
    Ok(file)
}

fn align(offset: usize) -> usize {
    offset.next_multiple_of(1 << ALIGNMENT_BITS)
}

/// The parts of a universal file; for any other file, the file itself.
pub(crate) fn parts(bytes: &[u8]) -> Result<Vec<&[u8]>> {
    if !bytes.starts_with(&macho::FAT_MAGIC.to_be_bytes()) {
        return Ok(vec![bytes]);
    }
    let file = MachOFatFile32::parse(bytes)?;
    let parts = file.arches().iter().map(|part| part.data(bytes));
    let parts = parts.collect::<object::Result<Vec<_>>>()?;
    ensure!(!parts.is_empty(), "it has no part");
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_joined_is_found_again() {
        let files = [(Processor::X86_64, b"first".to_vec()), (Processor::Aarch64, vec![7; 20_000])];
        let joined = join(&files).unwrap();
        assert_eq!(parts(&joined).unwrap(), [&files[0].1[..], &files[1].1]);
        assert_eq!(joined.len(), 2 * 16_384 + 20_000);
        assert_eq!(parts(b"one file").unwrap(), [b"one file"]);
        assert!(parts(&joined[..20]).is_err());
    }
}
