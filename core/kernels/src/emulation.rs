//! Kernel sets for tests, whose instructions are emulated where the processor lacks them.

use super::{Amx, Avx2, Int16};

/// The AMX kernels, on the processor's own tiles or on emulated ones; `None` without AVX-512 for
/// bfloat16.
///
/// The first call decides for the whole process.
pub(crate) fn amx() -> Option<Amx> {
    Amx::detect().or_else(|| {
        // SAFETY: the set is used only if the emulator is installed.
        let emulated = unsafe { Amx::assuming_tiles() }?;
        speech_emulation::install().then_some(emulated)
    })
}

/// The 16-bit integer kernels for AVX-VNNI, with the processor's own instruction or an emulated
/// one; `None` without AVX2.
pub(crate) fn avx_vnni() -> Option<Int16<Avx2>> {
    // SAFETY: the set is used only if the processor has the instruction or the emulator is
    // installed.
    let set = unsafe { Avx2::assuming_vnni() }?;
    (is_x86_feature_detected!("avxvnni") || speech_emulation::install()).then_some(Int16(set))
}
