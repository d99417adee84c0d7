//! Sets of kernels whose instructions are emulated where the processor lacks them, for tests.

use super::{Amx, Avx2, Int16};

/// The kernels for AMX: on the processor's own tiles, or on emulated ones; `None` where it has no AVX-512 for bfloat16.
///
/// The first call decides which, for the whole process.
pub(crate) fn amx() -> Option<Amx> {
    Amx::detect().or_else(|| {
        // SAFETY: it is used only if the emulator is installed.
        let emulated = unsafe { Amx::assuming_tiles() }?;
        speech_emulation::install().then_some(emulated)
    })
}

/// The kernels of 16-bit integers for AVX-VNNI: by the processor's own instruction, or by an emulated one; `None` where it
/// has no AVX2.
pub(crate) fn avx_vnni() -> Option<Int16<Avx2>> {
    // SAFETY: it is used only if the processor has the instruction or the emulator is installed.
    let set = unsafe { Avx2::assuming_vnni() }?;
    (is_x86_feature_detected!("avxvnni") || speech_emulation::install()).then_some(Int16(set))
}
