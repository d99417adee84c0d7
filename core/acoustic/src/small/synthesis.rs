//! Spectra to audio: filtered pulses, filtered noise and a component with its own phase in each
//! frame, and one inverse STFT.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use speech_base::threads::Threads;
use speech_kernels::Elementwise;

use super::pulses::Pulses;
use crate::network::signal::Signal;

/// The samples of a window, and from one window to the next (the hop).
pub(super) const WINDOW: usize = 1200;
pub(super) const HOP: usize = 300;

/// Frequency bins of a window.
pub(super) const BINS: usize = WINDOW / 2 + 1;

/// The spectra of a frame, and the channels of each; those past [`BINS`] are padding.
pub(super) const PARTS: usize = 5;
pub(super) const PART: usize = 608;

/// The sum of the squares of overlapping windows.
const OVERLAP: f32 = 1.5;

/// The frames that a thread computes at a time.
const CHUNK: usize = 16;

/// The length of the noise table. A frame takes [`BINS`] consecutive values.
const NOISES: usize = 1 << 14;

pub(super) struct Synthesis {
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
    /// The periodic Hann window.
    window: Vec<f32>,
    /// Real and imaginary parts of Gaussian noise, each with a variance of one.
    noise: [Vec<f32>; 2],
}

impl fmt::Debug for Synthesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Synthesis").finish_non_exhaustive()
    }
}

impl Synthesis {
    pub(super) fn new() -> Self {
        let mut planner = RealFftPlanner::new();
        let angle = |n: usize| std::f64::consts::PI * n as f64 / WINDOW as f64;
        Self {
            forward: planner.plan_fft_forward(WINDOW),
            inverse: planner.plan_fft_inverse(WINDOW),
            window: (0..WINDOW).map(|n| angle(n).sin().powi(2) as f32).collect(),
            noise: noise(),
        }
    }

    /// The windows that reach into a range of frames, in an utterance of `count` frames.
    pub(super) fn windows(frames: &Range<usize>, count: usize) -> Range<usize> {
        let half = WINDOW / 2 / HOP;
        frames.start.saturating_sub(half - 1)..count.min(frames.end + half)
    }

    /// The samples of a range of frames, [`HOP`] each, from the spectra of the
    /// [`windows`](Self::windows) that reach into it. The noise depends only on the frame number.
    pub(super) fn run(
        &self,
        kernels: impl Elementwise + Sync,
        threads: &Threads,
        (spectra, windows): (&Signal, Range<usize>),
        pitch: &[f32],
        frames: Range<usize>,
    ) -> Vec<f32> {
        let pulses = Pulses::new(kernels, pitch, &windows);
        let mut values = vec![0.0; windows.len() * WINDOW];
        threads.for_each_chunk(&mut values, CHUNK * WINDOW, |chunk, values| {
            let mut scratch = self.forward.make_scratch_vec();
            scratch.resize(scratch.len().max(self.inverse.get_scratch_len()), Complex::default());
            let mut spectrum = vec![Complex::default(); BINS];
            let mut parts = [vec![0.0; PART], vec![0.0; PART]];
            let lengths = "the lengths are those of the plans";
            for (n, window) in values.chunks_exact_mut(WINDOW).enumerate() {
                let index = chunk * CHUNK + n;
                let frame = windows.start + index;
                let [real, imaginary] = &mut parts;
                if pulses.window(frame, &self.window, window) {
                    let forward = &self.forward;
                    forward
                        .process_with_scratch(window, &mut spectrum, &mut scratch)
                        .expect(lengths);
                    for ((bin, x), y) in spectrum.iter().zip(&mut *real).zip(&mut *imaginary) {
                        (*x, *y) = (bin.re, bin.im);
                    }
                    real[BINS..].fill(0.0);
                    imaginary[BINS..].fill(0.0);
                } else {
                    real.fill(0.0);
                    imaginary.fill(0.0);
                }
                let start = mixed(frame as u64) as usize % (NOISES - PART);
                let noise = self.noise.each_ref().map(|part| &part[start..start + PART]);
                kernels.filter_source(spectra.frame(index), noise, real, imaginary);
                for ((bin, x), y) in spectrum.iter_mut().zip(real).zip(imaginary) {
                    *bin = Complex::new(*x, *y);
                }
                // The first and the last bin of a real signal's transform are real.
                spectrum[0].im = 0.0;
                spectrum[BINS - 1].im = 0.0;
                let inverse = &self.inverse;
                inverse.process_with_scratch(&mut spectrum, window, &mut scratch).expect(lengths);
            }
        });
        self.overlapped(&values, windows, pitch.len(), frames)
    }

    /// The weighted sum of overlapping windows, for a range of frames of an utterance of `count`.
    fn overlapped(
        &self,
        values: &[f32],
        windows: Range<usize>,
        count: usize,
        frames: Range<usize>,
    ) -> Vec<f32> {
        let mut sums = vec![0.0; frames.len() * HOP];
        for (frame, values) in windows.zip(values.chunks_exact(WINDOW)) {
            // A window is centered on the start of its frame.
            let start =
                (frame * HOP).cast_signed() - (WINDOW / 2 + frames.start * HOP).cast_signed();
            let skipped = start.min(0).unsigned_abs();
            let sums = &mut sums[start.max(0).unsigned_abs()..];
            let weighted = values.iter().zip(&self.window).skip(skipped);
            for (sum, (x, weight)) in sums.iter_mut().zip(weighted) {
                *sum += x * weight / (WINDOW as f32 * OVERLAP);
            }
        }
        // At the ends of the utterance fewer windows overlap.
        for (sums, frame) in sums.chunks_exact_mut(HOP).zip(frames) {
            let overlapping = frame.saturating_sub(1)..count.min(frame + 3);
            if overlapping.len() < WINDOW / HOP {
                for (n, sum) in sums.iter_mut().enumerate() {
                    let at = frame * HOP + n + WINDOW / 2;
                    let weight = |frame: usize| self.window[at - frame * HOP].powi(2);
                    *sum /= (overlapping.clone().map(weight).sum::<f32>() / OVERLAP).max(1e-11);
                }
            }
        }
        sums
    }
}

/// Deterministic Gaussian noise (Box and Muller 1958).
fn noise() -> [Vec<f32>; 2] {
    let uniform = |n: u64| (mixed(n) >> 11) as f64 / (1_u64 << 53) as f64;
    let value = |n: u64| {
        let radius = (-2.0 * (1.0 - uniform(2 * n)).ln()).sqrt();
        let (sine, cosine) = (std::f64::consts::TAU * uniform(2 * n + 1)).sin_cos();
        ((radius * cosine) as f32, (radius * sine) as f32)
    };
    let (real, imaginary) = (0..NOISES as u64).map(value).unzip();
    [real, imaginary]
}

/// A hash of every bit of a number: `SplitMix64` (Steele, Lea and Flood 2014).
fn mixed(n: u64) -> u64 {
    let z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
