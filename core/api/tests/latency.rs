//! The latency of streams, kernels and precision, with the real voice bundle.
#![allow(clippy::disallowed_types, reason = "nothing here forks")]

use std::sync::LazyLock;
use std::thread;

use speech_core::{
    CancelToken, Chunk, Engine, ErrorDetail, ErrorKind, KernelSet, Language, Latency, Precision,
    Request, SAMPLE_RATE, Voice,
};

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    Engine::builder()
        .threads(1)
        .load()
        .expect("these tests need the voice bundle: run `cargo xtask test`")
});

const LONG: &str = "The library closes early on Friday because the staff have a training session.";
const LONG_FIRST: &str = "The library closes early on Friday because the staff have a training session. It \
                          opens at ten.";
/// The first sentence is long enough to come in parts.
const TEXT: &str = "The library closes early. It opens at ten.";

fn chunks(engine: &Engine, request: &Request) -> Vec<Chunk> {
    engine.stream(request).unwrap().map(|chunk| chunk.unwrap()).collect()
}

fn joined(chunks: &[Chunk]) -> Vec<i16> {
    chunks.iter().flat_map(|chunk| chunk.samples().to_vec()).collect()
}

/// The energy of each 0.01 s, from the last one back.
fn envelope(samples: &[i16]) -> Vec<f64> {
    let windows = samples.rchunks_exact(SAMPLE_RATE as usize / 100);
    let power =
        |window: &[i16]| window.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>();
    windows.map(|window| (power(window) / window.len() as f64).sqrt()).collect()
}

/// The similarity of two envelopes; 1 if one is a multiple of the other.
fn likeness(one: &[f64], other: &[f64]) -> f64 {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    product(one, other) / (product(one, one) * product(other, other)).sqrt()
}

/// Whether two signals are the same after the first second, except for a sub-sample shift.
fn is_alike(one: &[i16], other: &[i16]) -> bool {
    let later = |samples: &[i16]| envelope(&samples[samples.len().min(SAMPLE_RATE as usize)..]);
    let (one, other) = (later(one), later(other));
    // The lengths may differ by 441 samples, or two windows.
    one.len().abs_diff(other.len()) <= 2 && likeness(&one, &other) >= 0.98
}

#[test]
fn with_low_latency_a_long_first_sentence_comes_as_three_chunks() {
    let mut wrong = Vec::new();
    for (text, voice, pieces) in [
        (LONG_FIRST, Voice::ARIA, vec![LONG, LONG, LONG, "It opens at ten."]),
        (LONG_FIRST, Voice::LEO, vec![LONG, LONG, LONG, "It opens at ten."]),
        (LONG, Voice::SOFIA, vec![LONG, LONG, LONG]),
        ("Hi. It opens at ten.", Voice::ARIA, vec!["Hi.", "It opens at ten."]),
        ("Hi.", Voice::ARIA, vec!["Hi."]),
        ("...", Voice::ARIA, vec!["..."]),
    ] {
        let request = Request::new(text).voice(voice);
        let standard = chunks(&ENGINE, &request);
        let low = chunks(&ENGINE, &request.clone().latency(Latency::Low));
        let spans: Vec<_> = low.iter().map(|chunk| &text[chunk.span()]).collect();
        let words = |chunks: &[Chunk]| -> Vec<_> {
            chunks
                .iter()
                .flat_map(|chunk| chunk.words().iter().map(|word| word.span.clone()))
                .collect()
        };
        let early = low.len() > standard.len();
        let (standard_samples, low_samples) = (joined(&standard), joined(&low));
        let seconds = |chunks: &[Chunk]| joined(chunks).len() as f64 / f64::from(SAMPLE_RATE);
        let checks = [
            ("the pieces", spans == pieces),
            ("words", words(&low) == words(&standard)),
            // The early audio alone determines where the speech begins.
            ("length", !early || low_samples.len().abs_diff(standard_samples.len()) < 441),
            ("what comes later", !early || is_alike(&low_samples, &standard_samples)),
            ("the beginning", !early || low_samples != standard_samples),
            ("silence alone", text != "..." || low_samples == standard_samples),
            ("the first piece", !early || (0.1..0.3).contains(&seconds(&low[..1]))),
            ("half a second", !early || (0.3..0.7).contains(&seconds(&low[..2]))),
            (
                "the words' order",
                low.iter()
                    .flat_map(|chunk| chunk.words())
                    .is_sorted_by(|a, b| a.start < b.start && a.end <= b.start + 0.02),
            ),
        ];
        let failed = checks.into_iter().filter(|(_, right)| !right).map(|(check, _)| check);
        wrong.extend(failed.map(|check| format!("{check}: {text:?} by {voice}: {spans:?}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn with_low_latency_a_short_sentence_has_less_silence_to_compute() {
    for (text, voice, language) in [
        ("Hi.", Voice::ARIA, Language::EnUs),
        ("Button", Voice::LEO, Language::EnUs),
        ("नमस्ते।", Voice::SOFIA, Language::HiIn),
    ] {
        let request = Request::new(text).voice(voice).language(language);
        let standard = joined(&chunks(&ENGINE, &request));
        let low = joined(&chunks(&ENGINE, &request.latency(Latency::Low)));
        assert_ne!(low, standard, "{text}");
        assert!(low.len().abs_diff(standard.len()) < SAMPLE_RATE as usize / 20, "{text}");
        let (low, standard) = (envelope(&low), envelope(&standard));
        let alike =
            (0..5).map(|by| likeness(&low[by..], &standard).max(likeness(&low, &standard[by..])));
        let alike = alike.fold(0.0, f64::max);
        assert!(alike > 0.95, "{text}: {alike}");
    }
}

#[test]
fn standard_latency_gives_the_same_samples_in_every_form() {
    let request = Request::new(TEXT);
    let whole = ENGINE.synthesize(&request).unwrap();
    assert!(joined(&chunks(&ENGINE, &request)) == whole.samples());
    assert!(whole.to_wav()[44..] == whole.to_pcm());
}

#[test]
fn low_latency_is_for_streams() {
    let valid = Request::new(TEXT).latency(Latency::Low).validate().unwrap();
    let id = valid.request_id();
    let error = ENGINE.synthesize(valid).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert_eq!(error.detail(), Some(ErrorDetail::LatencyNeedsStream));
    assert_eq!(error.request_id(), id);
}

#[test]
fn the_size_of_a_stream_is_told_as_well_as_it_is_known() {
    for (latency, text, chunks) in [
        (Latency::Standard, TEXT, 2),
        (Latency::Low, TEXT, 4),
        (Latency::Low, "Hi. It opens.", 2),
        (Latency::Standard, "...", 1),
        (Latency::Standard, "[pause 2500ms]", 3),
    ] {
        let cancel = CancelToken::new();
        let request = Request::new(text).latency(latency).cancel_token(&cancel);
        let mut stream = ENGINE.stream(request).unwrap();
        let mut found = vec![stream.size_hint()];
        while stream.size_hint().0 > 0 {
            stream.next().unwrap().unwrap();
            found.push(stream.size_hint());
        }
        let ended = found.pop();
        assert_eq!(ended, Some((0, Some(0))), "{text} {latency}");
        assert_eq!(found, vec![(1, None); chunks], "{text} {latency}");
        // Finished speech is not affected by the cancellation.
        cancel.cancel();
        assert!(stream.next().is_none());
    }
}

#[test]
fn a_prefetching_stream_is_cancelled_and_others_go_on() {
    let cancel = CancelToken::new();
    let request = Request::new(TEXT).latency(Latency::Low);
    let expected = joined(&chunks(&ENGINE, &request));
    for given in 1..3 {
        let cancel = cancel.child();
        let mut stream = ENGINE.stream(request.clone().cancel_token(&cancel)).unwrap();
        (0..given).for_each(|_| drop(stream.next().unwrap().unwrap()));
        cancel.cancel();
        assert_eq!(stream.next().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
        assert!(stream.next().is_none());
    }
    assert!(joined(&chunks(&ENGINE, &request)) == expected);
}

#[test]
fn a_stream_that_nobody_reads_keeps_nobody_waiting() {
    // One sentence at a time, which begins early, in two chunks.
    let engine = Engine::builder().max_concurrency(1).load().unwrap();
    let low = Request::new(TEXT).latency(Latency::Low);
    let mut streams = [(); 2].map(|()| engine.stream(&low).unwrap());
    let first = streams.each_mut().map(|stream| stream.next().unwrap().unwrap());
    assert!(engine.synthesize(Request::new("Hi.")).is_ok());
    let expected = chunks(&ENGINE, &low);
    for (first, stream) in first.into_iter().zip(streams) {
        let rest = stream.map(Result::unwrap);
        assert!(std::iter::once(first).chain(rest).collect::<Vec<_>>() == expected);
    }
}

#[test]
fn eight_streams_at_once_are_what_each_is_alone() {
    let requests: Vec<_> = (0..8)
        .map(|i| {
            let text = format!("Yes. No, {i}.");
            Request::new(text).latency(if i % 2 == 0 { Latency::Low } else { Latency::Standard })
        })
        .collect();
    let alone: Vec<_> = requests.iter().map(|request| chunks(&ENGINE, request)).collect();
    // Sequentially, and three at once.
    let parallel = Engine::builder().threads(2).max_concurrency(3).load().unwrap();
    for engine in [&*ENGINE, &parallel] {
        let together: Vec<_> = thread::scope(|scope| {
            let streams: Vec<_> =
                requests.iter().map(|request| scope.spawn(|| chunks(engine, request))).collect();
            streams.into_iter().map(|stream| stream.join().unwrap()).collect()
        });
        assert!(alone == together, "{} threads", engine.threads());
    }
}

#[test]
fn the_number_of_threads_changes_no_byte_of_any_kernels() {
    let request = Request::new("Hi.");
    let mut sets = 0;
    for kernels in KernelSet::ALL {
        let load = |threads| Engine::builder().kernels(kernels).threads(threads).load();
        let engine = match load(1) {
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::InvalidRequest, "{error}");
                assert!(error.message().contains(kernels.as_str()), "{error}");
                continue;
            }
            Ok(engine) => engine,
        };
        let backend = engine.backend();
        assert!(kernels == KernelSet::Auto || backend.kernels == kernels);
        assert!(backend.kernels != KernelSet::Auto && backend.precision != Precision::Auto);
        let speech = engine.synthesize(&request).unwrap();
        assert_eq!(speech.backend(), backend);
        for threads in 2..4 {
            let other = load(threads).unwrap().synthesize(&request).unwrap();
            assert!(other.samples() == speech.samples(), "{kernels:?}, {threads} threads");
        }
        sets += 1;
    }
    // The default, and the portable set.
    assert!(sets >= 2);
}

#[test]
fn a_precision_is_used_or_refused() {
    for precision in Precision::ALL {
        match Engine::builder().precision(precision).threads(1).load() {
            Ok(engine) => {
                let found = engine.backend().precision;
                assert!(precision == Precision::Auto || found == precision);
                engine.warm_up().unwrap();
                assert_eq!(engine.stream(Request::new("Hi.")).unwrap().backend(), engine.backend());
            }
            Err(error) => {
                assert!([Precision::Bf16, Precision::Int16].contains(&precision));
                assert_eq!(error.kind(), ErrorKind::InvalidRequest);
                assert!(error.message().contains(precision.as_str()), "{error}");
            }
        }
    }
}
