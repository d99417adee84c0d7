//! The harmonic source: sines at the pitch and its multiples (Wang, Takaki and Yamagishi 2019), as
//! an STFT.

use std::ops::Range;

use speech_base::error::Result;
use speech_kernels::{Kernels, Shape};

use crate::MODEL_RATE;
use crate::network::convolve::{Convolver, Input, Sink};
use crate::network::layers::{Convolution, WeightFile};
use crate::network::signal::Signal;
use crate::network::stft::{BINS, FRAME_WIDTH, HOP, SECOND_HALF, WINDOW, hann};

/// The fundamental and the harmonics above it.
const HARMONICS: usize = 9;

/// The samples per pitch value.
const SAMPLES_PER_PITCH: usize = 300;

/// The STFT frames per pitch value.
const FRAMES_PER_PITCH: usize = SAMPLES_PER_PITCH / HOP;

/// Frames with a pitch of at most this, in hertz, are unvoiced.
const MAX_UNVOICED_PITCH: f32 = 10.0;

/// Bins below this magnitude hold only rounding errors. In unvoiced parts these are all bins except
/// the first two.
const SILENT_MAGNITUDE: f32 = 1e-7;

/// The phases of silent bins. They are arbitrary, but the network takes them as input. These are
/// the ones that rounding gives in the published model, nearly the same in every frame and on every
/// processor.
const SILENT_PHASES: [f32; BINS] =
    [0.0, 0.0, -1.5801, 3.053, -1.8329, 0.1929, 3.0461, -0.3411, 3.0888, -2.7847, 0.0];

#[derive(Debug)]
pub(super) struct HarmonicSource {
    /// The amplitude of each harmonic.
    weight: Vec<f32>,
    bias: f32,
    /// Maps a window of samples to its frequency bins.
    basis: Convolution,
}

impl HarmonicSource {
    pub(super) fn read(file: &WeightFile<'_>) -> Result<Self> {
        Ok(Self {
            weight: file.floats("source.weight", HARMONICS)?,
            bias: file.floats("source.bias", 1)?[0],
            basis: basis(),
        })
    }

    /// The STFT over a range of pitch values, as [`BINS`] magnitudes and [`BINS`] phases: 60 frames
    /// per pitch value, and one more.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        pitch: &[f32],
        range: Range<usize>,
    ) -> Result<Signal> {
        // The windows at the ends reach into the neighboring pitch values.
        let around = range.start.saturating_sub(1)..pitch.len().min(range.end + 1);
        let samples = self.samples(convolver, pitch, around.clone())?;
        let frames = FRAMES_PER_PITCH * around.len() + 1;
        let mut spectrum = convolver.signal(frames, FRAME_WIDTH)?;
        let input = Input::plain(&samples);
        convolver.convolve(&self.basis, &input, &mut spectrum, Sink::default())?;
        convolver.release(samples);
        let mut polar = convolver.signal(frames, 2 * BINS)?;
        convolver.threads.for_each_chunk(&mut polar.values, 1024 * 2 * BINS, |chunk, polar| {
            let spectrum = &spectrum.values[chunk * 1024 * FRAME_WIDTH..];
            for (frame, polar) in
                spectrum.chunks_exact(FRAME_WIDTH).zip(polar.chunks_exact_mut(2 * BINS))
            {
                to_polar(frame, polar);
            }
        });
        convolver.release(spectrum);
        if around == range {
            return Ok(polar);
        }
        let first = FRAMES_PER_PITCH * (range.start - around.start);
        let part =
            convolver.copy_time_steps(&polar, first..first + FRAMES_PER_PITCH * range.len() + 1)?;
        convolver.release(polar);
        Ok(part)
    }

    /// The samples over a range of pitch values, with half a window reflected at both ends.
    fn samples<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        pitch: &[f32],
        range: Range<usize>,
    ) -> Result<Signal> {
        const MARGIN: usize = WINDOW / 2;
        let harmonics: Vec<_> =
            (1..=HARMONICS).map(|harmonic| HarmonicPhase::new(pitch, harmonic)).collect();
        let count = range.len() * SAMPLES_PER_PITCH;
        let mut samples = convolver.signal(count + WINDOW, 1)?;
        let inner = &mut samples.values[MARGIN..MARGIN + count];
        convolver.threads.for_each_chunk(inner, SAMPLES_PER_PITCH, |index, sound| {
            let index = range.start + index;
            sound.fill(0.0);
            if pitch[index] > MAX_UNVOICED_PITCH {
                for (harmonic_phase, weight) in harmonics.iter().zip(&self.weight) {
                    harmonic_phase.add(index, *weight, sound);
                }
            }
            sound.iter_mut().for_each(|x| *x = (*x + self.bias).tanh());
        });
        for i in 0..MARGIN {
            samples.values[MARGIN - 1 - i] = samples.values[MARGIN + 1 + i];
            samples.values[MARGIN + count + i] = samples.values[MARGIN + count - 2 - i];
        }
        Ok(samples)
    }
}

/// The phase of one harmonic, in cycles.
struct HarmonicPhase {
    /// The phase at the middle of each pitch value; less than 1.
    phases: Vec<f32>,
    /// The increment per sample before each of those middles; less than 1.
    steps: Vec<f32>,
}

impl HarmonicPhase {
    fn new(pitch: &[f32], harmonic: usize) -> Self {
        let per_sample = |hertz: f32| {
            let cycles = hertz * harmonic as f32 * (MODEL_RATE as f32).recip();
            cycles - cycles.floor()
        };
        let steps: Vec<_> = pitch.iter().map(|hertz| per_sample(*hertz)).collect();
        // Double precision: the phase of a long utterance is the sum of many increments.
        let mut phase = 0.0;
        let phases = steps.iter().map(|step| {
            phase = (phase + SAMPLES_PER_PITCH as f64 * f64::from(*step)).fract();
            phase as f32
        });
        Self { phases: phases.collect(), steps }
    }

    /// Adds the sine over one pitch value. The phase is interpolated linearly between the middles,
    /// and constant before the first and after the last.
    fn add(&self, index: usize, weight: f32, samples: &mut [f32]) {
        let (before, after) = samples.split_at_mut(SAMPLES_PER_PITCH / 2);
        let phase = self.phases[index];
        let step = if index == 0 { 0.0 } else { self.steps[index] };
        for (n, sample) in before.iter_mut().rev().enumerate() {
            *sample += weight * sine(phase - step * (n as f32 + 0.5));
        }
        let step = self.steps.get(index + 1).copied().unwrap_or(0.0);
        for (n, sample) in after.iter_mut().enumerate() {
            *sample += weight * sine(phase + step * (n as f32 + 0.5));
        }
    }
}

/// The sine of a phase in cycles, to 1e-6.
fn sine(cycles: f32) -> f32 {
    // Adding and subtracting this rounds to the nearest integer.
    const ROUNDING_BIAS: f32 = 12_582_912.0;
    let halves = 2.0 * cycles;
    let nearest = (halves + ROUNDING_BIAS) - ROUNDING_BIAS;
    // x is between -pi/2 and pi/2; the sign of the sine changes where the nearest half cycle is
    // odd.
    let x = (halves - nearest) * std::f32::consts::PI;
    let odd = nearest - 2.0 * ((0.5 * nearest + ROUNDING_BIAS) - ROUNDING_BIAS);
    let square = x * x;
    let rest =
        ((2.608_316e-6 * square - 1.981_069e-4) * square + 8.333_079e-3) * square - 0.166_666_6;
    (x + x * square * rest) * (1.0 - 2.0 * odd * odd)
}

/// The windowed Fourier transform as a matrix product.
fn basis() -> Convolution {
    let shape = Shape { taps: 1, inputs: WINDOW, outputs: FRAME_WIDTH, dilation: 1 };
    let weight = |sample: usize, column: usize| {
        let (imaginary, bin) = (column >= SECOND_HALF, column % SECOND_HALF);
        // The first and the last bin of a real signal are real.
        if bin >= BINS || imaginary && (bin == 0 || bin == BINS - 1) {
            return 0.0;
        }
        let angle = std::f64::consts::TAU * (bin * sample % WINDOW) as f64 / WINDOW as f64;
        (hann(sample) * if imaginary { -angle.sin() } else { angle.cos() }) as f32
    };
    let mut bytes = Vec::with_capacity(4 * WINDOW * FRAME_WIDTH);
    for at in 0..WINDOW * FRAME_WIDTH {
        bytes.extend(weight(at / FRAME_WIDTH, at % FRAME_WIDTH).to_le_bytes());
    }
    Convolution::strided_in_memory(shape, bytes, HOP)
}

/// Converts an STFT frame to magnitudes and phases.
fn to_polar(frame: &[f32], polar: &mut [f32]) {
    let (magnitudes, phases) = polar.split_at_mut(BINS);
    let bins = frame[..BINS].iter().zip(&frame[SECOND_HALF..][..BINS]).zip(SILENT_PHASES);
    for ((magnitude, phase), ((real, imaginary), empty)) in
        magnitudes.iter_mut().zip(phases).zip(bins)
    {
        *magnitude = (real * real + imaginary * imaginary).sqrt();
        *phase = if *magnitude < SILENT_MAGNITUDE { empty } else { angle(*real, *imaginary) };
    }
}

/// The angle of a complex number in (-pi, pi], to 1e-6.
fn angle(real: f32, imaginary: f32) -> f32 {
    use std::f32::consts::{FRAC_PI_2, PI};
    let (width, height) = (real.abs(), imaginary.abs());
    let (small, large) = (width.min(height), width.max(height));
    let x = small / large.max(f32::MIN_POSITIVE);
    // Abramowitz and Stegun 1964, 4.4.49.
    let s = x * x;
    let tail = ((((0.002_866_225_7 * s - 0.016_165_737) * s + 0.042_909_614) * s - 0.075_289_64)
        * s
        + 0.106_562_64)
        * s;
    let angle = x + x * s * ((((tail - 0.142_089) * s + 0.199_935_51) * s) - 0.333_331_45);
    let angle = if height > width { FRAC_PI_2 - angle } else { angle };
    let angle = if real < 0.0 { PI - angle } else { angle };
    if imaginary < 0.0 { -angle } else { angle }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_angles_are_accurate() {
        for n in -30_000..30_000_i32 {
            let turns = n as f32 / 97.0;
            let error = f64::from(sine(turns)) - (f64::from(turns) * std::f64::consts::TAU).sin();
            assert!(error.abs() < 1e-6, "{turns}: {error:e}");
            let (imaginary, real) = (turns * 3.0).sin_cos();
            let error = angle(real, imaginary) - imaginary.atan2(real);
            assert!(error.abs() < 2e-6, "{turns}: {error:e}");
        }
        let pi = std::f32::consts::PI;
        assert_eq!([angle(-1.0, 0.0), angle(1.0, 0.0), angle(0.0, 0.0)], [pi, 0.0, 0.0]);
    }

    #[test]
    fn an_even_pitch_is_an_even_sine() {
        let harmonic_phase = HarmonicPhase::new(&[100.0; 20], 3);
        let mut samples = vec![0.0; 20 * SAMPLES_PER_PITCH];
        for (index, samples) in samples.chunks_exact_mut(SAMPLES_PER_PITCH).enumerate() {
            harmonic_phase.add(index, 0.5, samples);
        }
        // The phase is constant before the first middle; a cycle takes 80 samples.
        assert!(samples[..SAMPLES_PER_PITCH / 2].iter().all(|sample| *sample == samples[0]));
        for (n, sample) in samples[SAMPLES_PER_PITCH / 2..19 * SAMPLES_PER_PITCH].iter().enumerate()
        {
            let turns = 3.0 * 100.0 / 24_000.0 * (SAMPLES_PER_PITCH as f64 + n as f64 + 0.5);
            let expected = 0.5 * (turns * std::f64::consts::TAU).sin();
            assert!((f64::from(*sample) - expected).abs() < 1e-4, "{n}");
        }
    }
}
