//! 24,000 to 22,050 Hz.
//!
//! The ratio is exactly 147/160, so a polyphase filter of 147 phases computes each output sample from the
//! inputs around it (Crochiere and Rabiner, Multirate Digital Signal Processing, 1983). The filter is a sinc
//! under a Kaiser window: flat to 10 kHz, and at least 90 dB down from 11,025 Hz, where what remains would
//! fold back. Its delay is compensated: output sample 0 stands at the time of input sample 0.

use std::f64::consts::PI;

use speech_acoustic::MODEL_RATE;
use speech_base::fork::LazyLock;
use speech_kernels::dot;

use crate::SAMPLE_RATE;

/// Output samples for [`DOWN`] input samples.
pub(crate) const UP: usize = 147;
pub(crate) const DOWN: usize = 160;
const _: () = assert!(MODEL_RATE as usize * UP == SAMPLE_RATE as usize * DOWN);

/// Input samples that one output sample is made of.
const TAPS: usize = 160;

/// Input samples before the one at, or just before, the time of the output.
const HALF: usize = TAPS / 2 - 1;

/// The middle of the transition band, in hertz.
const CUTOFF: f64 = 10_512.5;

/// The Kaiser window's shape, for about 100 dB.
const BETA: f64 = 10.06;

/// The coefficients, a row of [`TAPS`] for each phase, in the order in which outputs have them: the processor prefetches the next.
/// Each row sums to one.
static FILTER: LazyLock<Vec<[f32; TAPS]>> =
    LazyLock::new(|| (0..UP).map(|output| phase(output * DOWN % UP)).collect());

fn phase(phase: usize) -> [f32; TAPS] {
    // The output lies this fraction of an input sample after the input at index HALF.
    let fraction = phase as f64 / UP as f64;
    let coefficients: [f64; TAPS] = std::array::from_fn(|tap| {
        let distance = tap as f64 - HALF as f64 - fraction;
        sinc(2.0 * CUTOFF / f64::from(MODEL_RATE) * distance)
            * kaiser(distance / (TAPS as f64 / 2.0))
    });
    let sum: f64 = coefficients.iter().sum();
    coefficients.map(|coefficient| (coefficient / sum) as f32)
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

/// The Kaiser window at `x` from -1 to 1.
fn kaiser(x: f64) -> f64 {
    bessel_i0(BETA * (1.0 - x * x).max(0.0).sqrt()) / bessel_i0(BETA)
}

/// The modified Bessel function of the first kind of order zero, by its power series.
fn bessel_i0(x: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    let mut k = 1.0;
    while term > sum * 1e-17 {
        term *= (x / (2.0 * k)).powi(2);
        sum += term;
        k += 1.0;
    }
    sum
}

/// Resamples a stream. However the input is cut into pieces, the output is the same bit for bit.
pub(crate) struct Resampler {
    /// The inputs that outputs to come still need, oldest first.
    pending: Vec<f32>,
    /// The place of the next output after `pending[HALF]`, in 147ths of an input sample.
    offset: usize,
    /// Output samples that the inputs so far are worth, less those given out.
    inputs: usize,
    outputs: usize,
}

impl Resampler {
    pub(crate) fn new() -> Self {
        // Silence stands before the first sample.
        Self { pending: vec![0.0; HALF], offset: 0, inputs: 0, outputs: 0 }
    }

    /// Takes samples at 24,000 Hz and appends what can be computed at 22,050 Hz.
    pub(crate) fn push(&mut self, input: &[f32], output: &mut Vec<f32>) {
        self.inputs += input.len();
        self.pending.extend_from_slice(input);
        self.drain(usize::MAX, output);
    }

    /// Appends the rest: as many samples in all as the input lasts, rounded up.
    pub(crate) fn finish(mut self, output: &mut Vec<f32>) {
        let total = (self.inputs * UP).div_ceil(DOWN);
        self.pending.extend([0.0; TAPS]);
        self.drain(total, output);
    }

    fn drain(&mut self, total: usize, output: &mut Vec<f32>) {
        let mut start = 0;
        while self.outputs < total {
            let at = start + self.offset / UP;
            let Some(window) = self.pending.get(at..at + TAPS) else { break };
            output.push(dot(window, &FILTER[self.outputs % UP]));
            start = at;
            self.offset = self.offset % UP + DOWN;
            self.outputs += 1;
        }
        self.pending.drain(..start.min(self.pending.len()));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn resample(input: &[f32]) -> Vec<f32> {
        let mut output = Vec::new();
        let mut resampler = Resampler::new();
        resampler.push(input, &mut output);
        resampler.finish(&mut output);
        output
    }

    fn sine(frequency: f64, rate: f64, length: usize) -> Vec<f32> {
        (0..length).map(|n| (2.0 * PI * frequency * n as f64 / rate).sin() as f32).collect()
    }

    fn rms_db(samples: impl Iterator<Item = f64>) -> f64 {
        let (count, sum) = samples.fold((0, 0.0), |(count, sum), x| (count + 1, sum + x * x));
        10.0 * (sum / f64::from(count) * 2.0).log10()
    }

    #[test]
    fn the_pass_band_is_flat_and_on_time() {
        for frequency in (50..=10_000).step_by(199) {
            let frequency = f64::from(frequency);
            let output = resample(&sine(frequency, 24_000.0, 6000));
            let expected = sine(frequency, 22_050.0, output.len());
            let middle = 200..output.len() - 200;
            let error = rms_db(middle.map(|n| f64::from(output[n]) - f64::from(expected[n])));
            assert!(error < -80.0, "{frequency} Hz: error {error:.1} dB");
        }
    }

    #[test]
    fn the_stop_band_is_90_db_down() {
        for frequency in (11_025..=11_999).step_by(25) {
            let output = resample(&sine(f64::from(frequency), 24_000.0, 6000));
            let level = rms_db(output[200..output.len() - 200].iter().map(|x| f64::from(*x)));
            assert!(level < -90.0, "{frequency} Hz: {level:.1} dB");
        }
    }

    #[test]
    fn the_length_is_the_duration_rounded_up() {
        for length in [0, 1, 2, 159, 160, 161, 24_000] {
            assert_eq!(
                resample(&vec![0.5; length]).len(),
                (length * 147).div_ceil(160),
                "{length}"
            );
        }
    }

    proptest! {
        #[test]
        fn pieces_give_the_whole_bit_for_bit(
            samples in prop::collection::vec(-1.0_f32..1.0, 0..2000),
            cuts in prop::collection::vec(1..400_usize, 1..20),
        ) {
            let mut output = Vec::new();
            let mut resampler = Resampler::new();
            let mut rest = &samples[..];
            for cut in cuts.iter().cycle() {
                let (piece, after) = rest.split_at((*cut).min(rest.len()));
                resampler.push(piece, &mut output);
                rest = after;
                if rest.is_empty() { break }
            }
            resampler.finish(&mut output);
            let whole = resample(&samples);
            prop_assert_eq!(output.len(), whole.len());
            prop_assert!(output.iter().zip(&whole).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    }
}
