//! The set of kernels and the precision of a computation.

use speech_base::string_conversions;

/// The instruction set used to compute speech.
///
/// All sets produce the same speech. The last bits of the samples differ, because the order of
/// additions does. For identical bytes on different machines of one architecture, name a set and a
/// precision that all of them support.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KernelSet {
    /// The fastest set that the processor supports and that passes a self-check when the engine is
    /// loaded; the default.
    #[default]
    Auto,
    /// Plain code without processor-specific instructions; runs on every processor.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512F and AVX-512BW.
    Avx512,
    /// AMX and AVX-512: bfloat16 only.
    Amx,
    /// NEON. Instructions for bfloat16 and byte products are used where the processor has them.
    Neon,
    /// WebAssembly SIMD, and relaxed SIMD if the library was compiled for it.
    Simd128,
}

impl KernelSet {
    /// Every set.
    pub const ALL: [Self; 7] = [
        Self::Auto,
        Self::Portable,
        Self::Avx2,
        Self::Avx512,
        Self::Amx,
        Self::Neon,
        Self::Simd128,
    ];

    /// The name that options use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Amx => "amx",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        }
    }
}

/// The precision of the vocoder's products. Everything before the vocoder is in single precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precision {
    /// The fastest that the processor has instructions for: bfloat16 with AMX or Armv8.6; 16-bit
    /// integers with AVX512-VNNI, AVX-VNNI or AVX2; otherwise single precision. If a set of kernels
    /// is named, the fastest precision of that set. The default.
    #[default]
    Auto,
    /// Single precision: 32 bits.
    F32,
    /// bfloat16 factors, accumulated in single precision.
    Bf16,
    /// 16-bit integers with scales, accumulated exactly.
    Int16,
}

impl Precision {
    /// Every precision.
    pub const ALL: [Self; 4] = [Self::Auto, Self::F32, Self::Bf16, Self::Int16];

    /// The name that options use: `auto`, `fp32`, `bf16` or `int16`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::F32 => "fp32",
            Self::Bf16 => "bf16",
            Self::Int16 => "int16",
        }
    }
}

impl From<speech_kernels::Precision> for Precision {
    fn from(precision: speech_kernels::Precision) -> Self {
        match precision {
            speech_kernels::Precision::F32 => Self::F32,
            speech_kernels::Precision::Int16 => Self::Int16,
            speech_kernels::Precision::Bf16 => Self::Bf16,
        }
    }
}

/// The kernels and the precision in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Backend {
    /// The set of kernels, never [`KernelSet::Auto`].
    pub kernels: KernelSet,
    /// The precision of the vocoder, never [`Precision::Auto`].
    pub precision: Precision,
}

/// The requested kernels and precision.
#[derive(Clone, Copy, Debug, Default)]
pub struct BackendOptions {
    /// The set of kernels.
    pub kernels: KernelSet,
    /// The precision of the vocoder.
    pub precision: Precision,
}

string_conversions!(KernelSet, "kernels");
string_conversions!(Precision, "precision");
