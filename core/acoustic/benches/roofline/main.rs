//! Profiles an utterance by operation: multiplications and bytes per second, next to the peak of a
//! matrix product whose operands are in the cache. An operation at the peak can only get faster
//! with fewer multiplications.
#![allow(clippy::print_stdout, reason = "the table is what it is for")]
#![allow(clippy::disallowed_types, reason = "nothing here forks")]

mod timed;

use std::time::Instant;

use speech_acoustic::bundle::{Bundle, ModelFormat, discovery};
use speech_acoustic::{
    AcousticModel, BackendOptions, MAX_TOKENS, MODEL_RATE, Model, ModelOptions, Spoken,
    SynthesisParameters, VoiceStyle,
};
use speech_base::fair_semaphore::Tenant;
use speech_base::{CancelToken, Error, Language, Quality, Result, Voice};
use speech_kernels::filter::{Filter, Values};
#[cfg(target_arch = "x86_64")]
use speech_kernels::{Avx2, Avx512, Int16};
use speech_kernels::{Epilogue, Kernels, Operands, Portable, Shape};
#[cfg(target_arch = "aarch64")]
use speech_kernels::{Neon, NeonBf16};
use speech_text::front_end::FrontEnd;
use speech_text::normalize::Options;
use speech_text::vocabulary;

use timed::{Operation, Timed, Timing};

const TEXTS: [&str; 2] = [
    "Hello, world.",
    "The library closes early on Friday for a training session, and nobody knew of it until the posters were up.",
];

/// The profile of an utterance on one thread.
struct Profile {
    /// The kernels and the precision.
    backend: String,
    /// The seconds of audio, and the seconds spent computing it.
    sound: f64,
    seconds: f64,
    /// The slowest first.
    operations: Vec<(Operation, Timing)>,
    /// Multiplications per second of a matrix product whose operands are in the core's cache: the
    /// limit for convolutions.
    peak: f64,
}

/// Speaks a one-sentence text in the default voice with this processor's fastest kernels.
fn profile(text: &str) -> Result<Profile> {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(kernels) = Int16::<Avx512>::detect() {
            return of(kernels, text);
        }
        if let Some(kernels) = Int16::<Avx2>::detect() {
            return of(kernels, text);
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        if let Some(kernels) = NeonBf16::detect() {
            return of(kernels, text);
        }
        if let Some(kernels) = Neon::detect() {
            return of(kernels, text);
        }
    }
    of(Portable, text)
}

fn of<K: Kernels<Element = f32>>(kernels: K, text: &str) -> Result<Profile> {
    let format = ModelFormat {
        sample_rate: MODEL_RATE,
        max_tokens: MAX_TOKENS,
        vocabulary: vocabulary::symbols(),
    };
    let bundle = Bundle::open(discovery::bundle()?, true, &format)?.verify()?;
    let (voice, language) = (Voice::default(), Language::EnUs);
    let style = VoiceStyle::read(&bundle, voice, language)?;
    let front_end = FrontEnd::load();
    let mut tokens = Vec::new();
    for (_, normalized) in front_end.normalize(text, Options::plain(language)) {
        let phonemes = front_end.phonemize(&normalized).tokens();
        tokens.extend(phonemes.into_iter().map(|token| i64::from(token.id)));
    }
    let vector = style.for_tokens(tokens.len());
    let options =
        ModelOptions { threads: 1, max_concurrency: 1, backend: BackendOptions::default() };
    let model = Model::load_with(Timed(kernels), bundle.parts().clone(), &options)?;
    let cancel = CancelToken::new();
    let parameters = SynthesisParameters {
        quality: Quality::Full,
        style: vector.style(),
        controls: None,
        averages: &style.averages,
        max_frames: usize::MAX,
        tenant: Tenant::default(),
        cancel: &cancel,
    };
    // The first run includes getting memory from the system.
    model.speak(&tokens, parameters, None)?;
    timed::take();
    let started = Instant::now();
    let Spoken::Utterance(utterance) = model.speak(&tokens, parameters, None)? else {
        return Err(Error::internal("no utterance has that many frames"));
    };
    Ok(Profile {
        backend: format!("{} {:?}", kernels.name(), kernels.precision()),
        sound: utterance.samples.len() as f64 / f64::from(MODEL_RATE),
        seconds: started.elapsed().as_secs_f64(),
        operations: timed::take(),
        peak: peak(kernels),
    })
}

/// The multiplications per second of a product that is repeated.
fn peak<K: Kernels<Element = f32>>(kernels: K) -> f64 {
    const ROWS: usize = 240;
    const ROUNDS: usize = 200;
    let shape = Shape { taps: 1, inputs: 256, outputs: 256, dilation: 1 };
    let plan = kernels.plan(shape);
    let weights = vec![0.5; shape.inputs * shape.outputs];
    let filter = Filter::new(shape.outputs, Values::of(&weights));
    let mut packed = vec![0.0; plan.packed_len()];
    for (panel, packed) in packed.chunks_exact_mut(plan.panel_len).enumerate() {
        kernels.pack(&filter, &plan, panel, packed);
    }
    let input = vec![1.0; ROWS * shape.inputs];
    let bias = vec![0.0; shape.outputs];
    let (mut output, mut scratch) = (vec![0.0; ROWS * shape.outputs], Vec::new());
    let epilogue = Epilogue::plain(&bias);
    let operands =
        Operands { plan: &plan, packed: &packed, input: &input, stride: shape.inputs, epilogue };
    // The fastest of some rounds: other load on the machine only slows it down.
    let mut fastest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        kernels.convolve(&operands, &mut output, &mut scratch);
        fastest = fastest.min(started.elapsed().as_secs_f64());
    }
    (ROWS * shape.products()) as f64 / fastest
}

fn main() {
    for text in TEXTS {
        let profile = profile(text).expect("set SPEECH_BUNDLE, or run `cargo xtask bench`");
        println!(
            "\n{:?}: {:.2} s of sound in {:.3} s, {}; peak {:.1} billion products a second\n",
            text,
            profile.sound,
            profile.seconds,
            profile.backend,
            profile.peak / 1e9,
        );
        println!(
            "{:<34} {:>6} {:>8} {:>7} {:>9} {:>9} {:>7} {:>7}",
            "operation", "calls", "ms", "share", "products", "direct", "of peak", "GB/s"
        );
        let row = |name: &str, timing: &Timing| {
            println!(
                "{name:<34} {:>6} {:>8.1} {:>6.1}% {:>9.1} {:>9.1} {:>6.0}% {:>7.1}",
                timing.calls,
                1e3 * timing.seconds,
                100.0 * timing.seconds / profile.seconds,
                timing.products / timing.seconds / 1e9,
                timing.direct_products / timing.seconds / 1e9,
                100.0 * timing.products / timing.seconds / profile.peak,
                timing.bytes / timing.seconds / 1e9,
            );
        };
        let mut rest = profile.seconds;
        for (operation, timing) in &profile.operations {
            let name = match operation {
                Operation::Convolve { taps, inputs, outputs, dilation } => {
                    format!("convolve {taps} x {inputs} to {outputs}, dilation {dilation}")
                }
                Operation::Pack { taps } => format!("pack {taps} taps"),
                other => format!("{other:?}"),
            };
            row(&name, timing);
            rest -= timing.seconds;
        }
        println!(
            "{:<34} {:>6} {:>8.1} {:>6.1}%",
            "all else",
            "",
            1e3 * rest,
            100.0 * rest / profile.seconds
        );
    }
}
