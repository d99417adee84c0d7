//! Chooses the kernels at load: the fastest set that the options allow, the processor has, and that
//! passes the self-check.

use speech_base::error::{Error, ErrorDetail, Result};
#[cfg(target_arch = "x86_64")]
use speech_kernels::{Amx, Avx2, Avx512, Int16};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use speech_kernels::{Int16, Simd128};
use speech_kernels::{Kernels, Portable, self_check};
#[cfg(target_arch = "aarch64")]
use speech_kernels::{Neon, NeonBf16};

use super::backend::{Backend, BackendOptions, KernelSet, Precision};
use super::synthesizer::{Synthesize, Synthesizer};
use crate::bundle::Parts;

/// Reads the layers of the acoustic model's networks.
///
/// # Errors
///
/// `model_error`, which names the missing or damaged tensor; `invalid_request` for options that the
/// processor does not support; `internal` if the named kernels fail the self-check.
pub(crate) fn load(parts: Parts, options: BackendOptions) -> Result<Box<dyn Synthesize>> {
    (choose(candidates(options), options)?.read)(parts)
}

/// A set of kernels that the processor supports.
struct Candidate {
    set: KernelSet,
    check: Box<dyn Fn() -> Result<(), String>>,
    read: Box<ReadModel>,
}

/// Reads the layers of the networks for a set of kernels.
type ReadModel = dyn FnOnce(Parts) -> Result<Box<dyn Synthesize>>;

impl Candidate {
    fn new(set: KernelSet, kernels: impl Kernels) -> Self {
        let backend = Backend { kernels: set, precision: kernels.precision().into() };
        Self {
            set,
            check: Box::new(move || self_check::run(kernels).map_err(|error| error.to_string())),
            read: Box::new(move |parts| Ok(Box::new(Synthesizer::read(backend, kernels, parts)?))),
        }
    }
}

/// The sets that the processor supports and the options allow, fastest first.
fn candidates(options: BackendOptions) -> Vec<Candidate> {
    let allows = |set, precision| {
        [KernelSet::Auto, set].contains(&options.kernels)
            && [Precision::Auto, precision].contains(&options.precision)
    };
    let mut candidates = Vec::new();
    // Detect AMX only where it is allowed: detection asks the system for the tile registers.
    #[cfg(target_arch = "x86_64")]
    {
        if allows(KernelSet::Amx, Precision::Bf16) {
            candidates.extend(Amx::detect().map(|kernels| Candidate::new(KernelSet::Amx, kernels)));
        }
        if allows(KernelSet::Avx512, Precision::Int16) {
            candidates.extend(
                Int16::<Avx512>::detect().map(|kernels| Candidate::new(KernelSet::Avx512, kernels)),
            );
        }
        if allows(KernelSet::Avx512, Precision::F32) {
            candidates
                .extend(Avx512::detect().map(|kernels| Candidate::new(KernelSet::Avx512, kernels)));
        }
        if allows(KernelSet::Avx2, Precision::Int16) {
            candidates.extend(
                Int16::<Avx2>::detect().map(|kernels| Candidate::new(KernelSet::Avx2, kernels)),
            );
        }
        if allows(KernelSet::Avx2, Precision::F32) {
            candidates
                .extend(Avx2::detect().map(|kernels| Candidate::new(KernelSet::Avx2, kernels)));
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        if allows(KernelSet::Neon, Precision::Bf16) {
            candidates
                .extend(NeonBf16::detect().map(|kernels| Candidate::new(KernelSet::Neon, kernels)));
        }
        if allows(KernelSet::Neon, Precision::F32) {
            candidates
                .extend(Neon::detect().map(|kernels| Candidate::new(KernelSet::Neon, kernels)));
        }
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    {
        if allows(KernelSet::Simd128, Precision::Int16) {
            candidates.push(Candidate::new(KernelSet::Simd128, Int16::<Simd128>::new()));
        }
        if allows(KernelSet::Simd128, Precision::F32) {
            candidates.push(Candidate::new(KernelSet::Simd128, Simd128));
        }
    }
    if allows(KernelSet::Portable, Precision::F32) {
        candidates.push(Candidate::new(KernelSet::Portable, Portable));
    }
    candidates
}

/// The first candidate that passes the self-check. Failures are logged.
fn choose(candidates: Vec<Candidate>, options: BackendOptions) -> Result<Candidate> {
    let mut failure = None;
    for candidate in candidates {
        match (candidate.check)() {
            Ok(()) => return Ok(candidate),
            Err(disagreement) => {
                let message = format!(
                    "the {} kernels compute wrong results on this processor: {disagreement}",
                    candidate.set
                );
                log::warn!("{message}; they are not used");
                failure = Some(Error::internal(message));
            }
        }
    }
    Err(failure.unwrap_or_else(|| unsupported(options)))
}

fn unsupported(options: BackendOptions) -> Error {
    let BackendOptions { kernels, precision } = options;
    Error::invalid_request(match (kernels, precision) {
        (KernelSet::Auto, _) => format!("this processor cannot compute in {precision}"),
        (_, Precision::Auto) => format!("this processor cannot compute with {kernels}"),
        _ => format!("this processor cannot compute in {precision} with {kernels}"),
    })
    .with_detail(ErrorDetail::UnsupportedBackend)
}

#[cfg(test)]
mod tests {
    use speech_base::error::ErrorKind;

    use super::*;

    fn faulty() -> Candidate {
        Candidate {
            check: Box::new(|| Err("a convolution of 7 taps is off by 1e-2".to_owned())),
            ..Candidate::new(KernelSet::Avx2, Portable)
        }
    }

    #[test]
    fn a_set_that_fails_the_self_check_gives_way_to_the_next() {
        let candidates = vec![faulty(), Candidate::new(KernelSet::Portable, Portable)];
        let chosen = choose(candidates, BackendOptions::default()).ok().unwrap();
        assert_eq!(chosen.set, KernelSet::Portable);
    }

    #[test]
    fn a_named_set_that_fails_the_self_check_is_an_internal_error() {
        let options = BackendOptions { kernels: KernelSet::Avx2, precision: Precision::Auto };
        let error = choose(vec![faulty()], options).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Internal);
        let expected = "the avx2 kernels compute wrong results on this processor: a convolution of 7 taps is off by ";
        assert!(error.message().starts_with(expected), "{}", error.message());
    }

    #[test]
    fn a_set_that_the_processor_lacks_is_an_invalid_request() {
        let other = if cfg!(target_arch = "x86_64") { KernelSet::Neon } else { KernelSet::Avx2 };
        for (kernels, precision, message) in [
            (other, Precision::Auto, format!("with {other}")),
            (KernelSet::Portable, Precision::Bf16, "in bf16 with portable".to_owned()),
        ] {
            let options = BackendOptions { kernels, precision };
            let error = choose(candidates(options), options).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::InvalidRequest);
            assert_eq!(error.detail(), Some(ErrorDetail::UnsupportedBackend));
            assert_eq!(error.message(), format!("this processor cannot compute {message}"));
        }
    }

    #[test]
    fn the_portable_set_is_the_last_of_all() {
        let sets: Vec<_> =
            candidates(BackendOptions::default()).iter().map(|candidate| candidate.set).collect();
        assert_eq!(sets.last(), Some(&KernelSet::Portable));
    }
}
