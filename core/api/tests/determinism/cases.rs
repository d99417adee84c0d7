//! Test requests and the digests of their audio. The example `digests` includes this module too.

use std::env;

use sha2::{Digest, Sha256};
use speech_core::{Engine, KernelSet, Language, Latency, Request, Voice};

/// The number of texts, unless `DETERMINISM_TEXTS` is set.
const TEXTS: usize = 2;
/// The tables with the sentences of each language.
const SENTENCES: [(Language, &str); 2] = [
    (Language::EnUs, include_str!("../../../text/tests/data/sentences_own.tsv")),
    (Language::HiIn, include_str!("../../../text/tests/data/sentences_own_hi.tsv")),
];

/// A request, and whether it is streamed.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) request: Request,
    pub(crate) streamed: bool,
}

/// Requests of sentences that last about a second, in both languages, in all voices in turn, whole
/// and as streams with early chunks.
pub(crate) fn cases() -> Vec<Case> {
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

pub(crate) fn load(threads: usize, max_concurrency: usize, kernels: KernelSet) -> Engine {
    let engine = Engine::builder().threads(threads).max_concurrency(max_concurrency);
    engine.kernels(kernels).load().expect("`cargo xtask determinism` provides the voice bundle")
}

/// The SHA-256 of the audio.
pub(crate) fn digest(engine: &Engine, case: &Case) -> String {
    let Case { request, streamed } = case;
    let pcm: Vec<_> = if *streamed {
        engine.stream(request).unwrap().flat_map(|chunk| chunk.unwrap().to_pcm()).collect()
    } else {
        engine.synthesize(request).unwrap().to_pcm()
    };
    assert!(pcm.len() > 4_000, "{request:?}");
    Sha256::digest(pcm).iter().map(|byte| format!("{byte:02x}")).collect()
}
