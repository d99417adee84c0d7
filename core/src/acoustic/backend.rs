//! What speech is computed with: the set of kernels and the precision.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Error, Result};

/// The instruction set that speech is computed with.
///
/// All sets speak the same; the last bits of the samples differ, because the order of additions does. For the same bytes on
/// all machines of a kind, name a set that all of them have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KernelSet {
    /// The fastest that the processor has and that passes a self-check when the engine is loaded; the default.
    #[default]
    Auto,
    /// Plain code without processor-specific instructions: on every processor.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512F and AVX-512BW.
    Avx512,
    /// AMX and AVX-512: bfloat16 only.
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
}

/// What the products of the vocoder are computed in. Everything before it is always in single precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precision {
    /// bfloat16 where the processor has fast instructions for it (AMX) and no other set of kernels is named, else single
    /// precision; the default.
    #[default]
    Auto,
    /// Single precision: 32 bits.
    F32,
    /// bfloat16 factors, accumulated in single precision.
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
}

/// What speech is computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Backend {
    /// The set of kernels, never [`KernelSet::Auto`].
    pub kernels: KernelSet,
    /// The precision of the vocoder, never [`Precision::Auto`].
    pub precision: Precision,
}

/// What the caller wants speech to be computed with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BackendOptions {
    pub(crate) kernels: KernelSet,
    pub(crate) precision: Precision,
}

/// Implements the conversions between a public choice and its string.
macro_rules! string_conversions {
    ($choice:ident, $what:literal) => {
        impl fmt::Display for $choice {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $choice {
            type Err = Error;

            /// Reads what [`as_str`](Self::as_str) gives, compared exactly.
            ///
            /// # Errors
            ///
            /// `invalid_request`, which lists the allowed values.
            fn from_str(name: &str) -> Result<Self> {
                let unsupported = || Error::unsupported($what, name, &Self::ALL.map(Self::as_str));
                Self::ALL.into_iter().find(|x| x.as_str() == name).ok_or_else(unsupported)
            }
        }

        impl Serialize for $choice {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $choice {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = Cow::<str>::deserialize(deserializer)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

string_conversions!(KernelSet, "kernels");
string_conversions!(Precision, "precision");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_read_back_from_strings_and_json() {
        fn json<T: Serialize>(value: T) -> String {
            serde_json::to_string(&value).unwrap()
        }
        for set in KernelSet::ALL {
            assert_eq!(set.to_string().parse::<KernelSet>().unwrap(), set);
            assert_eq!(json(set), format!("{:?}", set.as_str()));
            assert_eq!(serde_json::from_str::<KernelSet>(&json(set)).unwrap(), set);
        }
        for precision in Precision::ALL {
            assert_eq!(precision.to_string().parse::<Precision>().unwrap(), precision);
            assert_eq!(json(precision), format!("{:?}", precision.as_str()));
            assert_eq!(serde_json::from_str::<Precision>(&json(precision)).unwrap(), precision);
        }
        assert_eq!(format!("{:>5}", Precision::F32), " fp32");
    }

    #[test]
    fn other_strings_are_refused_with_the_allowed_ones() {
        let error = KernelSet::from_str("AVX2").unwrap_err();
        let kernels = KernelSet::ALL.map(KernelSet::as_str).join(", ");
        assert_eq!(error.kind(), crate::ErrorKind::InvalidRequest);
        assert_eq!(error.message(), format!("unsupported kernels \"AVX2\"; use {kernels}"));
        let error = Precision::from_str("f32").unwrap_err();
        assert_eq!(error.message(), "unsupported precision \"f32\"; use auto, fp32, bf16");
        let error = serde_json::from_str::<Precision>("\"f32\"").unwrap_err();
        assert!(error.to_string().contains("auto, fp32, bf16"), "{error}");
    }
}
