//! The same request with the same bundle and kernels gives the same bytes: with any number of
//! threads, alone and among others, and in every build. `cargo xtask determinism` runs this with
//! many texts, and compares the output of `examples/digests.rs` in several builds.

mod cases;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use cases::{Case, cases, digest, load};
use speech_core::{Engine, KernelSet, Language, Precision, Request, Voice};

fn digests(engine: &Engine, cases: &[Case]) -> Vec<String> {
    cases.iter().map(|case| digest(engine, case)).collect()
}

/// The digests by eight concurrent callers, who share the cases.
fn digests_together(engine: &Engine, cases: &[Case]) -> Vec<String> {
    let (next, digests) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); cases.len()]));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(i) else { break };
                    let digest = digest(engine, case);
                    digests.lock().unwrap()[i] = digest;
                }
            });
        }
    });
    digests.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn any_number_of_threads_gives_the_same_bytes_alone_and_among_others() {
    let cases = cases();
    let alone = digests(&load(1, 1, KernelSet::Auto), &cases);
    for threads in 2..=8 {
        let engine = load(threads, 1, KernelSet::Auto);
        assert!(alone == digests(&engine, &cases), "{threads} threads");
    }
    for (threads, max_concurrency) in [(1, 2), (2, 4)] {
        let engine = load(threads, max_concurrency, KernelSet::Auto);
        let together = digests_together(&engine, &cases);
        assert!(alone == together, "{threads} threads, {max_concurrency} at once");
    }
}

/// Kernels, precision, language, voice, text, and the SHA-256 of their samples, recorded before
/// requests had settings, pauses and SSML, with the order of sums of 2026-11-28. The digests change
/// with the voices, the model and that order: then [`SOUND_VERSION`](speech_core::SOUND_VERSION) is
/// raised.
const RECORDED: [(KernelSet, Precision, Language, Voice, &str, &str); 5] = [
    (
        KernelSet::Portable,
        Precision::F32,
        Language::HiIn,
        Voice::SOFIA,
        "जी हाँ, 25 लोग हैं।",
        "e139295240963ef2b5631ea5a3f4847da5fec64176503fb8926e088f72fe50f7",
    ),
    (
        KernelSet::Avx2,
        Precision::F32,
        Language::HiIn,
        Voice::SOFIA,
        "जी हाँ, 25 लोग हैं।",
        "ccd761a1009e1726604d280f0501326b47fbeb3d766ab68d9033bbfc473b318f",
    ),
    (
        KernelSet::Avx2,
        Precision::F32,
        Language::EnUs,
        Voice::ARIA,
        "It is 10:30. Dr. Smith paid $5.",
        "a1c0b6944c2c680cf91354609ce064387087be58716d7ee83caf2a13e6e64795",
    ),
    (
        KernelSet::Avx2,
        Precision::Int16,
        Language::HiIn,
        Voice::SOFIA,
        "जी हाँ, 25 लोग हैं।",
        "dbdd94e4b7d5682699b61295e0df92770e2b33ac11074dcfe27fe8a611b18ac2",
    ),
    (
        KernelSet::Avx2,
        Precision::Int16,
        Language::EnUs,
        Voice::ARIA,
        "It is 10:30. Dr. Smith paid $5.",
        "fc3022f251cca82492ea3d8c78b219e49dad73bcf44fe791403976b7b4938745",
    ),
];

#[test]
fn requests_without_settings_give_the_bytes_of_before() {
    #[cfg(target_arch = "x86_64")]
    let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    let has_avx2 = false;
    for (kernels, precision, language, voice, text, recorded) in RECORDED {
        if kernels == KernelSet::Avx2 && !has_avx2 {
            continue;
        }
        let engine = Engine::builder().threads(2).kernels(kernels).precision(precision).load();
        let engine = engine.expect("`cargo xtask test` provides the voice bundle");
        let request = Request::new(text).language(language).voice(voice);
        let case = Case { request, streamed: false };
        assert_eq!(digest(&engine, &case), recorded, "{kernels:?} {precision:?} {text}");
    }
}
