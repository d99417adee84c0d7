//! Detects whether the processor has Intel AMX and the system lets the process use it.

use std::arch::x86_64::{__cpuid_count, _xgetbv, CpuidResult};

/// The proof that the processor has AMX for bfloat16 and that the system lets the process use it.
#[derive(Clone, Copy, Debug)]
pub(super) struct GrantedTiles(());

impl GrantedTiles {
    /// Requests the tile registers from the system, if the processor has them.
    ///
    /// Linux grants them to all threads at once. It refuses if a thread has an alternate signal
    /// stack that is too small for them.
    pub(super) fn request() -> Option<Self> {
        (has_tiles() && request_tiles()).then_some(Self(()))
    }

    /// The proof that an earlier request was granted.
    ///
    /// # Safety
    ///
    /// An earlier request was granted, or a SIGILL handler emulates AMX.
    pub(super) unsafe fn assume() -> Self {
        Self(())
    }
}

/// Bits of CPUID and of the control register XCR0 (Intel's Software Developer's Manual, volumes 1
/// and 2).
mod bit {
    /// Leaf 1, ecx: the system has enabled `xgetbv`.
    pub(super) const OSXSAVE: u32 = 1 << 27;
    /// Leaf 7, edx.
    pub(super) const AMX_BF16: u32 = 1 << 22;
    /// Leaf 7, edx.
    pub(super) const AMX_TILE: u32 = 1 << 24;
    /// The system saves the tile configuration and the tiles.
    pub(super) const TILE_STATE: u64 = 0b11 << 17;
}

fn has_tiles() -> bool {
    if leaf(0, 0).eax < 0x1d || leaf(1, 0).ecx & bit::OSXSAVE == 0 {
        return false;
    }
    let features = leaf(7, 0).edx;
    // SAFETY: the OSXSAVE bit shows that `xgetbv` is enabled.
    let state = unsafe { enabled_state() };
    let wanted = bit::AMX_TILE | bit::AMX_BF16;
    features & wanted == wanted && state & bit::TILE_STATE == bit::TILE_STATE && has_palette()
}

/// Whether the tiles have the size that the configuration requires: 8 tiles of 16 rows of 64 bytes.
fn has_palette() -> bool {
    let palette = leaf(0x1d, 1);
    leaf(0x1d, 0).eax >= 1
        && palette.eax >> 16 == 1024
        && palette.ebx == (8 << 16 | 64)
        && palette.ecx & 0xffff == 16
}

/// A subleaf of CPUID.
#[allow(unused_unsafe, reason = "the function is safe from Rust 1.94 on")]
fn leaf(number: u32, subleaf: u32) -> CpuidResult {
    // SAFETY: every x86-64 processor has the instruction.
    unsafe { __cpuid_count(number, subleaf) }
}

#[target_feature(enable = "xsave")]
fn enabled_state() -> u64 {
    // SAFETY: register 0, XCR0, exists wherever the instruction does.
    unsafe { _xgetbv(0) }
}

#[cfg(target_os = "linux")]
fn request_tiles() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_long = 18;
    // SAFETY: the call takes two integers and touches no memory of the process.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0 }
}

#[cfg(not(target_os = "linux"))]
fn request_tiles() -> bool {
    false
}
