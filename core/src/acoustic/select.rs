//! Which kernels speech is computed with: as the caller says, and as the processor can.

use std::str::FromStr;

#[cfg(target_arch = "aarch64")]
use super::kernels::Neon;
#[cfg(target_arch = "x86_64")]
use super::kernels::{Amx, Avx2, Avx512};
use super::kernels::{Kernels, Portable};
use super::synthesizer::{Synthesize, Synthesizer};
use crate::bundle::Blob;
use crate::{Error, Result};

/// The instructions that speech is computed with.
///
/// All sets speak the same; the last bits of their numbers differ, because they add in another order. For the same bytes
/// on all machines of a kind, name a set that all of them have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KernelSet {
    /// The fastest that the processor has; the default.
    #[default]
    Auto,
    /// Whatever the compiler makes of plain code: on every processor.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F.
    Avx512,
    /// AMX and AVX-512, in bfloat16 only.
    Amx,
    /// NEON.
    Neon,
}

impl KernelSet {
    /// Every set.
    pub const ALL: [Self; 6] =
        [Self::Auto, Self::Portable, Self::Avx2, Self::Avx512, Self::Amx, Self::Neon];

    /// The name that options use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Amx => "amx",
            Self::Neon => "neon",
        }
    }

    /// The set with this name, compared exactly.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.as_str() == name)
    }
}

impl FromStr for KernelSet {
    type Err = Error;

    /// As [`from_name`](Self::from_name); any other name is `invalid_request`, which lists them.
    fn from_str(name: &str) -> Result<Self> {
        Self::from_name(name)
            .ok_or_else(|| Error::unsupported("kernels", name, &Self::ALL.map(Self::as_str)))
    }
}

/// What the products of the vocoder are computed in. Everything before it is always in 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precision {
    /// bfloat16 where the processor has fast instructions for it (AMX) and no set of kernels is named, else 32 bits; the
    /// default.
    #[default]
    Auto,
    /// 32 bits.
    F32,
    /// bfloat16 factors, added up in 32 bits.
    Bf16,
}

impl Precision {
    /// Every precision.
    pub const ALL: [Self; 3] = [Self::Auto, Self::F32, Self::Bf16];

    /// The name that options use: `auto`, `fp32` or `bf16`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::F32 => "fp32",
            Self::Bf16 => "bf16",
        }
    }

    /// The precision with this name, compared exactly.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|precision| precision.as_str() == name)
    }
}

impl FromStr for Precision {
    type Err = Error;

    /// As [`from_name`](Self::from_name); any other name is `invalid_request`, which lists them.
    fn from_str(name: &str) -> Result<Self> {
        Self::from_name(name)
            .ok_or_else(|| Error::unsupported("precision", name, &Self::ALL.map(Self::as_str)))
    }
}

/// What speech was computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Backend {
    /// The set of kernels, never [`KernelSet::Auto`].
    pub kernels: KernelSet,
    /// The precision of the vocoder, never [`Precision::Auto`].
    pub precision: Precision,
}

/// What the caller wants.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BackendOptions {
    pub(crate) kernels: KernelSet,
    pub(crate) precision: Precision,
}

/// Reads the layers of both halves of the acoustic model.
///
/// # Errors
///
/// `model_error`, with the name of the tensor that is missing or damaged; `invalid_request` for a choice that the
/// processor does not have.
pub(crate) fn load(
    prosody: Blob,
    vocoder: Blob,
    choice: BackendOptions,
) -> Result<Box<dyn Synthesize>> {
    let BackendOptions { kernels: set, precision } = choice;
    let is = |candidate| set == KernelSet::Auto || set == candidate;
    #[cfg(target_arch = "x86_64")]
    {
        if precision != Precision::F32
            && is(KernelSet::Amx)
            && let Some(kernels) = Amx::detect()
        {
            return read(kernels, prosody, vocoder);
        }
        if precision != Precision::Bf16 {
            if is(KernelSet::Avx512)
                && let Some(kernels) = Avx512::detect()
            {
                return read(kernels, prosody, vocoder);
            }
            if is(KernelSet::Avx2)
                && let Some(kernels) = Avx2::detect()
            {
                return read(kernels, prosody, vocoder);
            }
        }
    }
    #[cfg(target_arch = "aarch64")]
    if precision != Precision::Bf16
        && is(KernelSet::Neon)
        && let Some(kernels) = Neon::detect()
    {
        return read(kernels, prosody, vocoder);
    }
    if precision != Precision::Bf16 && is(KernelSet::Portable) {
        return read(Portable, prosody, vocoder);
    }
    let message = match (set, precision) {
        (KernelSet::Auto, _) => format!("this processor cannot compute in {}", precision.as_str()),
        (_, Precision::Auto) => format!("this processor cannot compute with {}", set.as_str()),
        _ => {
            format!("this processor cannot compute in {} with {}", precision.as_str(), set.as_str())
        }
    };
    Err(Error::invalid_request(message))
}

fn read(kernels: impl Kernels, prosody: Blob, vocoder: Blob) -> Result<Box<dyn Synthesize>> {
    Ok(Box::new(Synthesizer::read(kernels, prosody, vocoder)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for set in KernelSet::ALL {
            assert_eq!(KernelSet::from_name(set.as_str()), Some(set));
        }
        for precision in Precision::ALL {
            assert_eq!(Precision::from_name(precision.as_str()), Some(precision));
        }
        assert_eq!(KernelSet::from_name("AVX2"), None);
        let message = KernelSet::from_str("AVX2").unwrap_err();
        let kernels = KernelSet::ALL.map(KernelSet::as_str).join(", ");
        assert_eq!(message.message(), format!("unsupported kernels \"AVX2\"; use {kernels}"));
        let message = Precision::from_str("f32").unwrap_err();
        assert_eq!(message.message(), "unsupported precision \"f32\"; use auto, fp32, bf16");
    }
}
