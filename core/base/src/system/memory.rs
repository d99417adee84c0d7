//! Anonymous memory mappings: whole pages, returned to the system when freed.

#[cfg(any(unix, windows))]
mod pages {
    use memmap2::MmapMut;

    pub(super) type Pages = MmapMut;

    pub(super) fn allocate(bytes: usize) -> Option<Pages> {
        let pages = MmapMut::map_anon(bytes).ok()?;
        // Huge pages cause fewer TLB misses. This is only advice: the system may use small pages.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Some(pages)
    }

    pub(super) fn bytes(pages: &Pages) -> &[u8] {
        pages
    }

    pub(super) fn bytes_mut(pages: &mut Pages) -> &mut [u8] {
        pages
    }
}

/// The allocator, on systems without memory mapping, such as WebAssembly.
#[cfg(not(any(unix, windows)))]
mod pages {
    /// The element type has the largest alignment that a vector register needs there.
    pub(super) type Pages = Vec<u128>;

    pub(super) fn allocate(bytes: usize) -> Option<Pages> {
        let length = bytes.div_ceil(size_of::<u128>());
        let mut pages = Vec::new();
        pages.try_reserve_exact(length).ok()?;
        pages.resize(length, 0);
        Some(pages)
    }

    pub(super) fn bytes(pages: &Pages) -> &[u8] {
        bytemuck::cast_slice(pages)
    }

    pub(super) fn bytes_mut(pages: &mut Pages) -> &mut [u8] {
        bytemuck::cast_slice_mut(pages)
    }
}

use std::ops::{Deref, DerefMut};

/// A block of at least the requested length, aligned for the vectors of every processor.
#[derive(Debug)]
pub struct Memory(pages::Pages);

impl Memory {
    /// Zero-filled memory, or none if the system has too little.
    pub fn allocate(bytes: usize) -> Option<Self> {
        pages::allocate(bytes).map(Self)
    }
}

impl AsRef<[u8]> for Memory {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        pages::bytes(&self.0)
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        pages::bytes_mut(&mut self.0)
    }
}
