//! The harmonic source: sines at the pitch and its multiples, as a spectrum over time (Wang, Takaki and Yamagishi 2019).

use std::ops::Range;

use crate::Result;
use crate::acoustic::MODEL_RATE;
use crate::acoustic::kernels::{Kernels, Shape};
use crate::acoustic::network::convolve::{Convolver, Sink, Source as Input};
use crate::acoustic::network::layers::{Convolution, WeightFile};
use crate::acoustic::network::signal::Signal;
use crate::acoustic::network::stft::{BINS, HOP, SECOND, WIDTH, WINDOW, hann};

/// The fundamental and the harmonics above it.
const HARMONICS: usize = 9;

/// Samples of each number of the pitch.
const SAMPLES: usize = 300;

/// Windows of each number of the pitch.
const ROWS: usize = SAMPLES / HOP;

/// Below this pitch, in hertz, nothing sounds.
const UNVOICED: f32 = 10.0;

/// Below this magnitude a bin holds nothing but what rounding left: where nothing sounds, all but the first two.
const EMPTY: f32 = 1e-7;

/// The phases of empty bins. They mean nothing, but the network hears them: these are those that the published graph
/// gets from its rounding, nearly the same in every window, whatever the processor.
const EMPTY_PHASES: [f32; BINS] =
    [0.0, 0.0, -1.5801, 3.053, -1.8329, 0.1929, 3.0461, -0.3411, 3.0888, -2.7847, 0.0];

#[derive(Debug)]
pub(super) struct HarmonicSource {
    /// How loud each harmonic is.
    weight: Vec<f32>,
    bias: f32,
    /// A window of samples to its bins.
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

    /// Magnitudes and phases, [`BINS`] of each, of windows over the sound at some places of the pitch: 60 rows for each,
    /// and one more.
    pub(super) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        pitch: &[f32],
        places: Range<usize>,
    ) -> Result<Signal> {
        // The windows at the ends reach into the places before and after.
        let around = places.start.saturating_sub(1)..pitch.len().min(places.end + 1);
        let samples = self.samples(convolver, pitch, around.clone());
        let rows = ROWS * around.len() + 1;
        let mut spectrum = convolver.signal(rows, WIDTH);
        let input = Input::plain(&samples);
        convolver.convolve(&self.basis, &input, &mut spectrum, Sink::default())?;
        convolver.free(samples);
        let mut polar = convolver.signal(rows, 2 * BINS);
        convolver.threads.for_each_chunk(&mut polar.values, 1024 * 2 * BINS, |chunk, polar| {
            let spectrum = &spectrum.values[chunk * 1024 * WIDTH..];
            for (row, polar) in spectrum.chunks_exact(WIDTH).zip(polar.chunks_exact_mut(2 * BINS)) {
                to_polar(row, polar);
            }
        });
        convolver.free(spectrum);
        if around == places {
            return Ok(polar);
        }
        let first = ROWS * (places.start - around.start);
        let part = convolver.part_of(&polar, first..first + ROWS * places.len() + 1);
        convolver.free(polar);
        Ok(part)
    }

    /// The sound at some places, with half a window reflected at both ends.
    fn samples<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        pitch: &[f32],
        places: Range<usize>,
    ) -> Signal {
        const MARGIN: usize = WINDOW / 2;
        let paths: Vec<_> = (1..=HARMONICS).map(|harmonic| Path::new(pitch, harmonic)).collect();
        let count = places.len() * SAMPLES;
        let mut samples = convolver.signal(count + WINDOW, 1);
        let sound = &mut samples.values[MARGIN..MARGIN + count];
        convolver.threads.for_each_chunk(sound, SAMPLES, |place, sound| {
            let place = places.start + place;
            sound.fill(0.0);
            if pitch[place] > UNVOICED {
                for (path, weight) in paths.iter().zip(&self.weight) {
                    path.add(place, *weight, sound);
                }
            }
            sound.iter_mut().for_each(|x| *x = (*x + self.bias).tanh());
        });
        for i in 0..MARGIN {
            samples.values[MARGIN - 1 - i] = samples.values[MARGIN + 1 + i];
            samples.values[MARGIN + count + i] = samples.values[MARGIN + count - 2 - i];
        }
        samples
    }
}

/// The phase of one harmonic, in turns.
struct Path {
    /// At the middle of each number of the pitch: less than 1.
    phases: Vec<f32>,
    /// From one sample to the next, before each of those middles: less than 1.
    steps: Vec<f32>,
}

impl Path {
    fn new(pitch: &[f32], harmonic: usize) -> Self {
        let per_sample = |hertz: f32| {
            let turns = hertz * harmonic as f32 * (MODEL_RATE as f32).recip();
            turns - turns.floor()
        };
        let steps: Vec<_> = pitch.iter().map(|hertz| per_sample(*hertz)).collect();
        // In double precision: in a long utterance there are many turns.
        let mut phase = 0.0;
        let phases = steps.iter().map(|step| {
            phase = (phase + SAMPLES as f64 * f64::from(*step)).fract();
            phase as f32
        });
        Self { phases: phases.collect(), steps }
    }

    /// Adds the sine at a number of the pitch: between the middles the phase grows evenly, and it rests at the ends.
    fn add(&self, place: usize, weight: f32, samples: &mut [f32]) {
        let (before, after) = samples.split_at_mut(SAMPLES / 2);
        let phase = self.phases[place];
        let step = if place == 0 { 0.0 } else { self.steps[place] };
        for (n, sample) in before.iter_mut().rev().enumerate() {
            *sample += weight * sine(phase - step * (n as f32 + 0.5));
        }
        let step = self.steps.get(place + 1).copied().unwrap_or(0.0);
        for (n, sample) in after.iter_mut().enumerate() {
            *sample += weight * sine(phase + step * (n as f32 + 0.5));
        }
    }
}

/// The sine of a number of turns, to 1e-6.
fn sine(turns: f32) -> f32 {
    // Added to a number, it leaves the nearest whole number.
    const TO_WHOLE: f32 = 12_582_912.0;
    let halves = 2.0 * turns;
    let whole = (halves + TO_WHOLE) - TO_WHOLE;
    // The sine of x, between plus and minus half of pi, with the sign of the half turn.
    let x = (halves - whole) * std::f32::consts::PI;
    let odd = whole - 2.0 * ((0.5 * whole + TO_WHOLE) - TO_WHOLE);
    let square = x * x;
    let rest =
        ((2.608_316e-6 * square - 1.981_069e-4) * square + 8.333_079e-3) * square - 0.166_666_6;
    (x + x * square * rest) * (1.0 - 2.0 * odd * odd)
}

/// The product that gives the bins of a window.
fn basis() -> Convolution {
    let shape = Shape { taps: 1, inputs: WINDOW, outputs: WIDTH, dilation: 1 };
    let weight = |sample: usize, column: usize| {
        let (imaginary, bin) = (column >= SECOND, column % SECOND);
        // The first and the last bin of a real signal are real.
        if bin >= BINS || imaginary && (bin == 0 || bin == BINS - 1) {
            return 0.0;
        }
        let angle = std::f64::consts::TAU * (bin * sample % WINDOW) as f64 / WINDOW as f64;
        (hann(sample) * if imaginary { -angle.sin() } else { angle.cos() }) as f32
    };
    let mut bytes = Vec::with_capacity(4 * WINDOW * WIDTH);
    for at in 0..WINDOW * WIDTH {
        bytes.extend(weight(at / WIDTH, at % WIDTH).to_le_bytes());
    }
    Convolution::strided_in_memory(shape, bytes, HOP)
}

/// A row of bins to magnitudes and phases.
fn to_polar(row: &[f32], polar: &mut [f32]) {
    let (magnitudes, phases) = polar.split_at_mut(BINS);
    let bins = row[..BINS].iter().zip(&row[SECOND..][..BINS]).zip(EMPTY_PHASES);
    for ((magnitude, phase), ((real, imaginary), empty)) in
        magnitudes.iter_mut().zip(phases).zip(bins)
    {
        *magnitude = (real * real + imaginary * imaginary).sqrt();
        *phase = if *magnitude < EMPTY { empty } else { angle(*real, *imaginary) };
    }
}

/// The angle of a complex number, above minus pi and up to pi, to 1e-6.
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
        let path = Path::new(&[100.0; 20], 3);
        let mut samples = vec![0.0; 20 * SAMPLES];
        for (place, samples) in samples.chunks_exact_mut(SAMPLES).enumerate() {
            path.add(place, 0.5, samples);
        }
        // The phase rests before the first middle; a turn takes 80 samples.
        assert!(samples[..SAMPLES / 2].iter().all(|sample| *sample == samples[0]));
        for (n, sample) in samples[SAMPLES / 2..19 * SAMPLES].iter().enumerate() {
            let turns = 3.0 * 100.0 / 24_000.0 * (SAMPLES as f64 + n as f64 + 0.5);
            let expected = 0.5 * (turns * std::f64::consts::TAU).sin();
            assert!((f64::from(*sample) - expected).abs() < 1e-4, "{n}");
        }
    }
}
