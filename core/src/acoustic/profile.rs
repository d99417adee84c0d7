//! How long each operation of an utterance takes, for the roofline of `cargo bench`.

use std::time::Instant;

use super::kernels::filter::{Filter, Values};
use super::kernels::timed::{self, Timed};
pub use super::kernels::timed::{Operation, Timing};
#[cfg(target_arch = "x86_64")]
use super::kernels::{Avx2, Avx512, Int16};
use super::kernels::{Epilogue, Kernels, Portable, Shape};
#[cfg(target_arch = "aarch64")]
use super::kernels::{Neon, NeonBf16};
use super::synthesizer::{ExecutionContext, Synthesize, Synthesizer};
use super::{MODEL_RATE, Style};
use crate::Result;
use crate::bundle::Blob;
use crate::cancel::CancelToken;
use crate::threads::Threads;

/// What an utterance took on one thread.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Profile {
    /// The kernels and the precision.
    pub backend: String,
    /// Seconds of sound, and seconds that it took.
    pub sound: f64,
    pub seconds: f64,
    /// The longest first.
    pub operations: Vec<(Operation, Timing)>,
    /// Multiplications a second of a matrix product whose operands are in the cache of the core: what convolutions could reach.
    pub peak: f64,
}

/// Speaks tokens with the fastest kernels of this processor.
///
/// # Errors
///
/// As for a synthesis.
pub(crate) fn profile(
    prosody: Blob,
    vocoder: Blob,
    tokens: &[i64],
    style: Style<'_>,
) -> Result<Profile> {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(kernels) = Int16::<Avx512>::detect() {
            return of(kernels, prosody, vocoder, tokens, style);
        }
        if let Some(kernels) = Int16::<Avx2>::detect() {
            return of(kernels, prosody, vocoder, tokens, style);
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        if let Some(kernels) = NeonBf16::detect() {
            return of(kernels, prosody, vocoder, tokens, style);
        }
        if let Some(kernels) = Neon::detect() {
            return of(kernels, prosody, vocoder, tokens, style);
        }
    }
    of(Portable, prosody, vocoder, tokens, style)
}

fn of<K: Kernels<Element = f32>>(
    kernels: K,
    prosody: Blob,
    vocoder: Blob,
    tokens: &[i64],
    style: Style<'_>,
) -> Result<Profile> {
    let synthesizer = Synthesizer::read(Timed(kernels), prosody, vocoder)?;
    let (threads, cancel) = (Threads::new(1)?, CancelToken::new());
    let execution = ExecutionContext::new(style, &threads, &cancel);
    let mut samples = 0;
    let mut seconds = 0.0;
    // The first time memory comes from the system.
    for _ in 0..2 {
        timed::take();
        let started = Instant::now();
        let features = synthesizer.predict(&execution, tokens, None, usize::MAX)?;
        let features = features.expect("any number of frames is allowed");
        let frames = 0..features.text.time_steps();
        let hidden = synthesizer.decode(&execution, &features, frames, None)?;
        let range = 0..hidden.signal.time_steps();
        let source = synthesizer.source(&execution, &features, range.clone())?;
        samples = synthesizer.generate(&execution, &source, &hidden, range, None)?.len();
        seconds = started.elapsed().as_secs_f64();
        [source, hidden.signal, features.text]
            .into_iter()
            .for_each(|signal| synthesizer.release(signal));
    }
    Ok(Profile {
        backend: format!("{} {}", kernels.kernel_set(), kernels.precision()),
        sound: samples as f64 / f64::from(MODEL_RATE),
        seconds,
        operations: timed::take(),
        peak: peak(kernels),
    })
}

/// Multiplications a second of a product that is computed again and again.
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
    // The fastest of some rounds: others on the machine only slow it down.
    let mut fastest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        kernels.convolve(
            &plan,
            &packed,
            &input,
            shape.inputs,
            &mut output,
            &epilogue,
            &mut scratch,
        );
        fastest = fastest.min(started.elapsed().as_secs_f64());
    }
    (ROWS * shape.products()) as f64 / fastest
}
