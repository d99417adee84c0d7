//! Compares the acoustic model in every set of kernels with recordings of the published model,
//! which the bundle tool makes.

use std::path::Path;

use safetensors::SafeTensors;
use speech_base::fork::LazyLock;
use speech_base::threads::Threads;
#[cfg(target_arch = "x86_64")]
use speech_kernels::{Amx, Avx2, Avx512, Int16};
use speech_kernels::{Kernels, Portable, Scalar};
#[cfg(target_arch = "aarch64")]
use speech_kernels::{Neon, NeonBf16};

use super::network::layers::{STYLE_PART, read_floats};
use super::network::signal::{BufferPool, Signal};
use super::synthesizer::{ExecutionContext, Synthesize, Synthesizer};
use super::*;
use crate::bundle::{Blob, Part, Parts};

/// Recordings of the published model: inputs, intermediate signals and audio. The first three
/// utterances last 1.35 s, 5.3 s and 2 s.
static REFERENCE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = std::env::var("SPEECH_REFERENCE").expect("`cargo xtask env` sets it");
    std::fs::read(path).unwrap()
});

const LARGE: [Part; 2] = [Part::Prosody, Part::Vocoder];

const SHORT: usize = 0;
const LONG: usize = 1;
/// An utterance in a style whose generator has its own part.
const HINDI: usize = 2;
/// The most tokens of a text that the scalar specification computes fast enough for every test run.
const SHORT_TEXT: usize = 40;

pub(crate) fn recorded(utterance: usize, name: &str) -> Vec<f32> {
    let file = SafeTensors::deserialize(&REFERENCE).unwrap();
    read_floats(&file, &format!("{utterance}/{name}")).unwrap()
}

/// A recorded tensor of integers.
pub(crate) fn recorded_integers(utterance: usize, name: &str) -> Vec<i64> {
    let file = SafeTensors::deserialize(&REFERENCE).unwrap();
    let tensor = file.tensor(&format!("{utterance}/{name}")).unwrap();
    tensor.data().as_chunks().0.iter().map(|word| i64::from_le_bytes(*word)).collect()
}

fn signal(values: Vec<f32>, channels: usize) -> Signal {
    let mut signal = Signal { values: BufferPool::default().take(values.len()).unwrap(), channels };
    signal.values.copy_from_slice(&values);
    signal
}

fn features(utterance: usize) -> Features {
    Features {
        durations: Vec::new(),
        text: Some(signal(recorded(utterance, "text"), 512)),
        pitch: recorded(utterance, "pitch"),
        energy: recorded(utterance, "energy"),
    }
}

/// The recorded harmonic source of a range of hidden time steps.
fn source(utterance: usize, range: Range<usize>) -> Signal {
    let whole = recorded(utterance, "source");
    signal(whole[22 * 60 * range.start..22 * (60 * range.end + 1)].to_vec(), 22)
}

pub(crate) fn file(name: &str) -> Vec<u8> {
    let bundle = std::env::var("SPEECH_BUNDLE").expect("`cargo xtask env` sets it");
    std::fs::read(Path::new(&bundle).join(name)).unwrap()
}

/// The large networks from both files.
fn large(files: [Vec<u8>; 2]) -> Parts {
    let [prosody, vocoder] = files.map(|file| Some(Blob::of(file)));
    Parts { prosody, vocoder, ..Parts::default() }
}

fn synthesizer(set: KernelSet, kernels: impl Kernels) -> Box<dyn Synthesize> {
    let files = ["prosody", "vocoder"].map(|part| file(&format!("{part}.safetensors")));
    let backend = Backend { kernels: set, precision: kernels.precision().into() };
    Box::new(Synthesizer::read(backend, kernels, large(files)).unwrap())
}

/// The scalar specification.
static SCALAR: LazyLock<Box<dyn Synthesize>> =
    LazyLock::new(|| synthesizer(KernelSet::Portable, Scalar));

/// The single-precision kernel sets of this processor.
static SYNTHESIZERS: LazyLock<Vec<Box<dyn Synthesize>>> = LazyLock::new(|| {
    #[cfg(target_arch = "x86_64")]
    let faster = [
        Avx2::detect().map(|set| synthesizer(KernelSet::Avx2, set)),
        Avx512::detect().map(|set| synthesizer(KernelSet::Avx512, set)),
    ];
    #[cfg(target_arch = "aarch64")]
    let faster = [Neon::detect().map(|set| synthesizer(KernelSet::Neon, set))];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let faster: [Option<_>; 0] = [];
    [synthesizer(KernelSet::Portable, Portable)]
        .into_iter()
        .chain(faster.into_iter().flatten())
        .collect()
});

/// The fastest of these sets.
fn fastest() -> &'static dyn Synthesize {
    &**SYNTHESIZERS.last().expect("every processor has one")
}

/// The samples of a range of hidden time steps, or of all.
fn spoken(
    synthesizer: &dyn Synthesize,
    utterance: usize,
    threads: usize,
    range: Option<Range<usize>>,
    averages: Option<&AverageStatistics>,
) -> Vec<f32> {
    let features = features(utterance);
    let (style, threads) = (recorded(utterance, "style"), Threads::new(threads).unwrap());
    let cancel = CancelToken::new();
    let execution = ExecutionContext::new(Style::of(&style), &threads, &cancel);
    let frames = 0..features.frames();
    let hidden = synthesizer.decode(&execution, &features, frames, None).unwrap();
    let range = range.unwrap_or(0..hidden.signal.time_steps());
    let source = source(utterance, range.clone());
    synthesizer.generate(&execution, &source, &hidden, range, averages).unwrap()
}

/// The signal-to-noise ratio against a reference, in decibels.
pub(crate) fn decibels(reference: &[f32], signal: &[f32]) -> f64 {
    assert_eq!(reference.len(), signal.len());
    let power: f64 = reference.iter().map(|x| f64::from(*x).powi(2)).sum();
    let noise: f64 = reference.iter().zip(signal).map(|(a, b)| f64::from(a - b).powi(2)).sum();
    10.0 * (power / noise).log10()
}

#[test]
fn the_specification_is_the_published_graph() {
    let found = decibels(&recorded(SHORT, "audio"), &spoken(&**SCALAR, SHORT, 2, None, None));
    // The upsamplings are stored in 16 bits; the published graph has floats.
    assert!(found > 85.0, "{found:.1} dB");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn sixteen_bit_integers_are_near_the_published_graph() {
    let sets = [
        Int16::<Avx2>::detect().map(|set| synthesizer(KernelSet::Avx2, set)),
        Int16::<Avx512>::detect().map(|set| synthesizer(KernelSet::Avx512, set)),
    ];
    for synthesizer in sets.into_iter().flatten() {
        for utterance in [SHORT, LONG, HINDI] {
            let found = decibels(
                &recorded(utterance, "audio"),
                &spoken(&*synthesizer, utterance, 2, None, None),
            );
            assert!(found > 61.0, "{:?} {utterance}: {found:.1} dB", synthesizer.backend());
        }
    }
}

#[test]
fn every_set_of_kernels_is_the_published_graph() {
    for synthesizer in &*SYNTHESIZERS {
        for utterance in [SHORT, LONG, HINDI] {
            let found = decibels(
                &recorded(utterance, "audio"),
                &spoken(&**synthesizer, utterance, 2, None, None),
            );
            assert!(found > 80.0, "{:?} {utterance}: {found:.1} dB", synthesizer.backend());
        }
    }
}

/// bfloat16 in the decoder and the generator is inaudible. The average over 15 utterances was 38
/// dB; this utterance is short, and is below that.
#[test]
#[ignore = "takes long where AMX is emulated: `cargo xtask full` runs it"]
#[cfg(any(target_arch = "aarch64", all(target_arch = "x86_64", target_os = "linux")))]
fn bfloat16_is_near_the_published_graph() {
    // Even emulated, AMX needs a processor with AVX-512.
    #[cfg(target_arch = "x86_64")]
    let set = Amx::detect().or_else(|| {
        // SAFETY: the tiles are used only if the emulator is installed.
        unsafe { Amx::assuming_tiles() }.filter(|_| speech_emulation::install())
    });
    #[cfg(target_arch = "aarch64")]
    let set = NeonBf16::detect();
    let Some(set) = set else { return };
    let kernels = if cfg!(target_arch = "x86_64") { KernelSet::Amx } else { KernelSet::Neon };
    let synthesizer = synthesizer(kernels, set);
    assert_eq!(synthesizer.backend().precision, Precision::Bf16);
    let found = decibels(&recorded(SHORT, "audio"), &spoken(&*synthesizer, SHORT, 2, None, None));
    assert!(found > 34.0, "{found:.1} dB");
}

#[test]
fn threads_change_nothing() {
    for synthesizer in &*SYNTHESIZERS {
        let one = spoken(&**synthesizer, SHORT, 1, None, None);
        for threads in [2, 3] {
            let more = spoken(&**synthesizer, SHORT, threads, None, None);
            assert!(one == more, "{:?} {threads}", synthesizer.backend());
        }
    }
}

#[test]
fn a_part_with_the_statistics_of_all_is_that_part_of_the_whole() {
    let synthesizer = fastest();
    let channels = synthesizer.statistics_channels().unwrap();
    // Any statistics do: both signals use the same ones.
    let averages = AverageStatistics::new(&[vec![0.01; channels], vec![1.0; channels]].concat());
    let whole = spoken(synthesizer, SHORT, 2, None, Some(&averages));
    let part = spoken(synthesizer, SHORT, 2, Some(30..70), Some(&averages));
    let inner = |first: usize| 300 * (first + 10)..300 * (first + 30);
    let found = decibels(&whole[inner(30)], &part[inner(0)]);
    assert!(found > 60.0, "{found:.1} dB");
}

#[test]
fn a_cancelled_token_ends_it() {
    let synthesizer = fastest();
    let features = features(SHORT);
    let (style, threads) = (recorded(SHORT, "style"), Threads::new(1).unwrap());
    let cancel = CancelToken::new();
    cancel.cancel();
    let execution = ExecutionContext::new(Style::of(&style), &threads, &cancel);
    let error = synthesizer.decode(&execution, &features, 0..20, None).unwrap_err();
    assert_eq!(error.kind(), speech_base::error::ErrorKind::Cancelled);
    let error = synthesizer.predict(&execution, LARGE, &[1, 2, 3], None, usize::MAX).unwrap_err();
    assert_eq!(error.kind(), speech_base::error::ErrorKind::Cancelled);
}

#[test]
fn a_damaged_tensor_is_named() {
    for (half, tensor) in [(0, "pitch.blocks.1.pool.weight"), (1, "generator.out.weight")] {
        let mut files = ["prosody", "vocoder"].map(|half| file(&format!("{half}.safetensors")));
        let bytes = &mut files[half];
        let at = bytes.windows(tensor.len()).position(|name| name == tensor.as_bytes()).unwrap();
        bytes[at] = b'x';
        let error = select::load(large(files), BackendOptions::default()).err().unwrap();
        assert_eq!(error.kind(), speech_base::error::ErrorKind::ModelError);
        assert!(error.message().contains(tensor), "{}", error.message());
    }
}

#[test]
fn layers_that_do_not_fit_each_other_are_refused() {
    // Swap a convolution of 256 channels with one of 128.
    let mut vocoder = file("vocoder.safetensors");
    for (name, other) in
        [("blocks.0", "blocks.x"), ("blocks.3", "blocks.0"), ("blocks.x", "blocks.3")]
    {
        let [name, other] = [name, other].map(|name| format!("\"generator.{name}.conv1.0."));
        let head = u64::from_le_bytes(vocoder[..8].try_into().unwrap()) as usize;
        for at in 8..head {
            if vocoder[at..].starts_with(name.as_bytes()) {
                vocoder[at..at + other.len()].copy_from_slice(other.as_bytes());
            }
        }
    }
    let files = [file("prosody.safetensors"), vocoder];
    let error = select::load(large(files), BackendOptions::default()).err().unwrap();
    assert_eq!(error.kind(), speech_base::error::ErrorKind::ModelError);
    assert!(error.message().contains("generator.upsample.0"), "{}", error.message());
}

/// Real and imaginary parts of frames of 11 magnitudes and 11 phases.
fn complex(frames: &[f32]) -> Vec<f32> {
    let parts = |frame: &[f32]| {
        let (magnitudes, phases) = frame.split_at(11);
        let parts = magnitudes.iter().zip(phases);
        parts.flat_map(|(m, phase)| [m * phase.cos(), m * phase.sin()]).collect::<Vec<_>>()
    };
    frames.chunks_exact(22).flat_map(parts).collect()
}

/// The utterances recorded at the library's usual rate, and the number of their tokens.
fn at_usual_speed() -> Vec<(usize, usize)> {
    let usual = (0..7).filter(|utterance| recorded(*utterance, "speed") == [1.0]);
    usual.map(|utterance| (utterance, recorded_integers(utterance, "tokens").len())).collect()
}

fn text_side_agrees(synthesizer: &dyn Synthesize, utterance: usize) {
    let (threads, cancel) = (Threads::new(2).unwrap(), CancelToken::new());
    let style = recorded(utterance, "style");
    let execution = ExecutionContext::new(Style::of(&style), &threads, &cancel);
    let tokens = recorded_integers(utterance, "tokens");
    let found = synthesizer
        .predict(&execution, LARGE, &tokens[1..tokens.len() - 1], None, usize::MAX)
        .unwrap()
        .unwrap();
    let durations: Vec<_> = found.durations.iter().map(|frames| *frames as i64).collect();
    assert_eq!(durations, recorded_integers(utterance, "durations"));
    let agrees = |name: &str, expected: &[f32], values: &[f32], at_least: f64| {
        let found = decibels(expected, values);
        let backend = synthesizer.backend();
        assert!(found > at_least, "{backend:?} {utterance} {name}: {found:.1} dB");
    };
    // Sets with int16 products quantize their input.
    let quantizes = synthesizer.backend().kernels != KernelSet::Portable;
    let at_least = if quantizes { 80.0 } else { 100.0 };
    agrees("text", &recorded(utterance, "text"), &found.text.as_ref().unwrap().values, at_least);
    agrees("pitch", &recorded(utterance, "pitch"), &found.pitch, at_least);
    agrees("energy", &recorded(utterance, "energy"), &found.energy, at_least);
    // The published model accumulates phases in single precision, in steps of 1/128 at the end of
    // the longest utterance. The error depends on the processor that made the recordings: 35 dB,
    // and 32.5 dB with AVX-512.
    let at_least = if tokens.len() < SHORT_TEXT { 40.0 } else { 30.0 };
    let same = features(utterance);
    let range = 0..same.pitch.len();
    let source = synthesizer.source(&execution, &same, range).unwrap();
    agrees("source", &complex(&recorded(utterance, "source")), &complex(&source.values), at_least);
    let part = synthesizer.source(&execution, &same, 20..30).unwrap();
    assert!(part.values[..] == source.values[22 * 60 * 20..22 * (60 * 30 + 1)]);
}

#[test]
fn the_text_side_is_that_of_the_published_model() {
    let utterances = at_usual_speed();
    assert_eq!(utterances.len(), 5);
    for (synthesizer, (utterance, _)) in
        SYNTHESIZERS.iter().flat_map(|s| utterances.iter().map(move |u| (s, u)))
    {
        text_side_agrees(&**synthesizer, *utterance);
    }
}

#[test]
fn the_specification_of_the_text_side_is_the_published_model() {
    let short = at_usual_speed().into_iter().filter(|(_, tokens)| *tokens < SHORT_TEXT);
    assert_eq!(short.map(|(utterance, _)| text_side_agrees(&**SCALAR, utterance)).count(), 3);
}

#[test]
#[ignore = "takes long: `cargo xtask full` runs it"]
fn the_specification_of_the_text_side_is_the_published_model_in_long_texts() {
    let long = at_usual_speed().into_iter().filter(|(_, tokens)| *tokens >= SHORT_TEXT);
    assert_eq!(long.map(|(utterance, _)| text_side_agrees(&**SCALAR, utterance)).count(), 2);
}

#[test]
fn the_whole_is_the_published_model() {
    let (threads, cancel) = (Threads::new(2).unwrap(), CancelToken::new());
    let short = SYNTHESIZERS.iter().map(|synthesizer| (&**synthesizer, SHORT));
    for (synthesizer, utterance) in short.chain([(fastest(), LONG), (fastest(), HINDI)]) {
        let style = recorded(utterance, "style");
        let execution = ExecutionContext::new(Style::of(&style), &threads, &cancel);
        let tokens = recorded_integers(utterance, "tokens");
        let features = synthesizer
            .predict(&execution, LARGE, &tokens[1..tokens.len() - 1], None, usize::MAX)
            .unwrap()
            .unwrap();
        let frames = 0..features.frames();
        let hidden = synthesizer.decode(&execution, &features, frames, None).unwrap();
        let range = 0..hidden.signal.time_steps();
        let source = synthesizer.source(&execution, &features, range.clone()).unwrap();
        let samples = synthesizer.generate(&execution, &source, &hidden, range, None).unwrap();
        let found = decibels(&recorded(utterance, "audio"), &samples);
        // The difference is in the phases of the source, which accumulate the published model's
        // rounding and small pitch errors. The vocoder alone is far closer.
        assert!(found > 20.0, "{:?} {utterance}: {found:.1} dB", synthesizer.backend());
    }
}

#[test]
fn a_token_that_is_unknown_is_an_error() {
    let (threads, cancel) = (Threads::new(1).unwrap(), CancelToken::new());
    let execution = ExecutionContext::new(Style::of(&[0.0; 2 * STYLE_PART]), &threads, &cancel);
    let synthesizer = fastest();
    for tokens in [&[1, 178][..], &[-1], &[1; 511]] {
        let error = synthesizer.predict(&execution, LARGE, tokens, None, usize::MAX).unwrap_err();
        assert_eq!(error.kind(), speech_base::error::ErrorKind::Internal);
    }
}
