//! The same request on the same bundle and kernels gives the same bytes: with any number of threads, alone and among
//! others, and in every build. `cargo xtask determinism` runs this with many texts, in several builds.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, thread};

use sha2::{Digest, Sha256};
use speech_core::{Engine, KernelSet, Language, Latency, Precision, Request, Voice};

/// How many texts, unless `DETERMINISM_TEXTS` says.
const TEXTS: usize = 2;
/// The tables with the sentences of each language.
const SENTENCES: [(Language, &str); 2] = [
    (Language::EnUs, include_str!("../../text/tests/data/sentences_own.tsv")),
    (Language::HiIn, include_str!("../../text/tests/data/sentences_own_hi.tsv")),
];

/// A request, and whether it is for a stream.
#[derive(Debug)]
struct Case {
    request: Request,
    streamed: bool,
}

/// Requests of sentences that take about a second to say, in both languages, in turn with every voice, whole and as streams
/// whose beginning comes early.
fn cases() -> Vec<Case> {
    let wanted = env::var("DETERMINISM_TEXTS").map_or(TEXTS, |count| count.parse().unwrap());
    let mut sentences = SENTENCES.map(|(language, table)| {
        let rows = table.lines().skip(1).map(|row| row.rsplit('\t').next().unwrap());
        let sentences = rows.flat_map(|json| serde_json::from_str::<Vec<String>>(json).unwrap());
        let short = sentences.filter(|sentence| (8..60).contains(&sentence.chars().count()));
        (language, short.collect::<Vec<_>>().into_iter())
    });
    let cases = (0..wanted).map(|i| {
        let (language, sentences) = &mut sentences[i % 2];
        let request = Request::new(sentences.next().unwrap()).language(*language);
        let request = request.voice(Voice::ALL[i % Voice::ALL.len()]);
        let streamed = i % 3 == 0;
        let request = if streamed { request.latency(Latency::Low) } else { request };
        Case { request, streamed }
    });
    cases.collect()
}

fn load(threads: usize, max_concurrency: usize, kernels: KernelSet) -> Engine {
    let engine = Engine::builder().threads(threads).max_concurrency(max_concurrency);
    engine.kernels(kernels).load().expect("`cargo xtask determinism` provides the voice bundle")
}

/// The SHA-256 of what is heard.
fn digest(engine: &Engine, case: &Case) -> String {
    let Case { request, streamed } = case;
    let pcm: Vec<_> = if *streamed {
        engine.stream(request).unwrap().flat_map(|chunk| chunk.unwrap().to_pcm()).collect()
    } else {
        engine.synthesize(request).unwrap().to_pcm()
    };
    assert!(pcm.len() > 4_000, "{request:?}");
    Sha256::digest(pcm).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digests(engine: &Engine, cases: &[Case]) -> Vec<String> {
    cases.iter().map(|case| digest(engine, case)).collect()
}

/// The same by eight callers at once, who take the cases as they come.
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

/// Writes the digests of this build to the file that `DIGESTS` names, to be compared with those of another.
#[test]
#[ignore = "is for cargo xtask determinism, which compares what it writes"]
fn digests_of_this_build() {
    let file = env::var_os("DIGESTS").expect("a file for the digests");
    let cases = cases();
    let mut lines = String::new();
    // The portable kernels are what a compiler may vectorize in its own way, and are slow.
    for (kernels, step) in [(KernelSet::Auto, 1), (KernelSet::Portable, 10)] {
        let engine = load(1, 1, kernels);
        for (i, case) in cases.iter().enumerate().step_by(step) {
            writeln!(lines, "{kernels:?} {i} {}", digest(&engine, case)).unwrap();
        }
    }
    fs::write(file, lines).unwrap();
}

/// Kernels, precision, language, voice, text, and the SHA-256 of the samples that these gave before requests had settings,
/// pauses and SSML (commit of 2026-11-25). It changes with the voices and with the model alone.
const RECORDED: [(KernelSet, Precision, Language, Voice, &str, &str); 5] = [
    (
        KernelSet::Portable,
        Precision::F32,
        Language::HiIn,
        Voice::Sofia,
        "जी हाँ, 25 लोग हैं।",
        "de455437403e03f0963d2f1899bf63368ab2f5486640b64afb901a009c902a67",
    ),
    (
        KernelSet::Avx2,
        Precision::F32,
        Language::HiIn,
        Voice::Sofia,
        "जी हाँ, 25 लोग हैं।",
        "d7fa96aea22f4732270750db1d9625f4efbcf71f393c4afc5e6722d5067149e5",
    ),
    (
        KernelSet::Avx2,
        Precision::F32,
        Language::EnUs,
        Voice::Aria,
        "It is 10:30. Dr. Smith paid $5.",
        "db0e4a9c607f487d48657cb88985248430ff48a9ffc2740110f0809e1acb6a9c",
    ),
    (
        KernelSet::Avx2,
        Precision::Int16,
        Language::HiIn,
        Voice::Sofia,
        "जी हाँ, 25 लोग हैं।",
        "8a3df4e1bd600c79a7c23dc0c810bc1d0bb9655b865da9e84be589504b0d8107",
    ),
    (
        KernelSet::Avx2,
        Precision::Int16,
        Language::EnUs,
        Voice::Aria,
        "It is 10:30. Dr. Smith paid $5.",
        "0b9d0cbe10219f7fa45dac39112382abecaa50521a9a88408cc6d4aaf803fa39",
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
