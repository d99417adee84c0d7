//! Resamples from the model's rate to the request's rate, in one step.
//!
//! The ratio of the rates is a fraction `up / down` of small integers, so a polyphase filter of
//! `up` phases computes each output sample from the inputs around it (Crochiere and Rabiner,
//! Multirate Digital Signal Processing, 1983). The filter is a Kaiser-windowed sinc: flat in its
//! pass band, and attenuated by at least 80 dB in its stop band, which would alias. Its delay is
//! compensated: output sample 0 is at the time of input sample 0.
//!
//! | rate | ratio | pass band to | stop band from | inputs per output |
//! |---|---|---|---|---|
//! | 8,000 Hz | 1/3 | 3,400 Hz | 4,000 Hz | 208 |
//! | 16,000 Hz | 2/3 | 7,200 Hz | 8,000 Hz | 160 |
//! | 22,050 Hz | 147/160 | 10,000 Hz | 11,025 Hz | 160 |
//! | 24,000 Hz | 1 | all | none | 1 |
//! | 44,100 Hz | 147/80 | 10,000 Hz | 12,000 Hz | 64 |
//! | 48,000 Hz | 2 | 10,000 Hz | 12,000 Hz | 64 |

use std::f64::consts::PI;

use speech_acoustic::MODEL_RATE;
use speech_base::fork::LazyLock;
use speech_kernels::dot;

use crate::sample_rate::SampleRate;

/// The shape parameters of Kaiser windows for 80 and 100 dB.
const BETA_80: f64 = 7.967;
const BETA_100: f64 = 10.06;

/// The filter for an output rate; none for the model's own rate.
fn filter(rate: SampleRate) -> Option<&'static Filter> {
    use SampleRate::{Hz8000, Hz16000, Hz22050, Hz24000, Hz44100, Hz48000};
    static TO_8000: LazyLock<Filter> = LazyLock::new(|| Filter::new(Hz8000, 208, 3_700.0, BETA_80));
    static TO_16000: LazyLock<Filter> =
        LazyLock::new(|| Filter::new(Hz16000, 160, 7_600.0, BETA_80));
    static TO_22050: LazyLock<Filter> =
        LazyLock::new(|| Filter::new(Hz22050, 160, 10_512.5, BETA_100));
    static TO_44100: LazyLock<Filter> =
        LazyLock::new(|| Filter::new(Hz44100, 64, 11_000.0, BETA_80));
    static TO_48000: LazyLock<Filter> =
        LazyLock::new(|| Filter::new(Hz48000, 64, 11_000.0, BETA_80));
    match rate {
        Hz8000 => Some(&TO_8000),
        Hz16000 => Some(&TO_16000),
        Hz22050 => Some(&TO_22050),
        Hz24000 => None,
        Hz44100 => Some(&TO_44100),
        Hz48000 => Some(&TO_48000),
    }
}

/// A polyphase filter.
struct Filter {
    /// The number of output samples per `down` input samples.
    up: usize,
    down: usize,
    /// The number of input samples per output sample.
    taps: usize,
    /// The coefficients, one row of `taps` per phase, in the order in which outputs use them, so
    /// that the processor prefetches the next. Each row sums to one.
    rows: Vec<f32>,
}

impl Filter {
    /// The filter for an output rate. The cut-off, in hertz, is the middle of the transition band.
    fn new(rate: SampleRate, taps: usize, cutoff: f64, beta: f64) -> Self {
        let (up, down) = rate.ratio();
        let mut filter = Self { up, down, taps, rows: Vec::with_capacity(up * taps) };
        for output in 0..up {
            let fraction = filter.fraction(output);
            let coefficients: Vec<f64> = (0..taps)
                .map(|tap| {
                    let distance = tap as f64 - filter.half() as f64 - fraction;
                    sinc(2.0 * cutoff / f64::from(MODEL_RATE) * distance)
                        * kaiser(distance / (taps as f64 / 2.0), beta)
                })
                .collect();
            let sum: f64 = coefficients.iter().sum();
            filter.rows.extend(coefficients.iter().map(|coefficient| (coefficient / sum) as f32));
        }
        filter
    }

    /// The number of input samples before the one at, or just before, the time of the output.
    fn half(&self) -> usize {
        self.taps / 2 - 1
    }

    /// The offset of an output after the preceding input, as a fraction of an input sample.
    fn fraction(&self, output: usize) -> f64 {
        (output * self.down % self.up) as f64 / self.up as f64
    }

    /// The coefficients of an output.
    fn row(&self, output: usize) -> &[f32] {
        &self.rows[output % self.up * self.taps..][..self.taps]
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

/// The Kaiser window at `x` from -1 to 1.
fn kaiser(x: f64, beta: f64) -> f64 {
    bessel_i0(beta * (1.0 - x * x).max(0.0).sqrt()) / bessel_i0(beta)
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

/// Resamples a stream. The output does not depend on how the input is divided, bit for bit.
pub(crate) struct Resampler {
    /// None if the rates are equal.
    filter: Option<&'static Filter>,
    /// The inputs that later outputs need, oldest first.
    pending: Vec<f32>,
    /// The position of the next output after the middle of `pending`, in units of 1 / `filter.up`
    /// input samples.
    offset: usize,
    /// The numbers of input and output samples so far.
    inputs: usize,
    outputs: usize,
}

impl Resampler {
    /// A resampler to a rate. Silence precedes the first sample.
    pub(crate) fn new(rate: SampleRate) -> Self {
        let filter = filter(rate);
        let pending = vec![0.0; filter.map_or(0, Filter::half)];
        Self { filter, pending, offset: 0, inputs: 0, outputs: 0 }
    }

    /// Takes samples at the model's rate, and appends the outputs that can be computed.
    pub(crate) fn push(&mut self, input: &[f32], output: &mut Vec<f32>) {
        let Some(filter) = self.filter else { return output.extend_from_slice(input) };
        self.inputs += input.len();
        self.pending.extend_from_slice(input);
        self.drain(filter, usize::MAX, output);
    }

    /// Appends the rest; in total, as many samples as the input lasts, rounded up.
    pub(crate) fn finish(mut self, output: &mut Vec<f32>) {
        let Some(filter) = self.filter else { return };
        let total = (self.inputs * filter.up).div_ceil(filter.down);
        self.pending.resize(self.pending.len() + filter.taps, 0.0);
        self.drain(filter, total, output);
    }

    fn drain(&mut self, filter: &Filter, total: usize, output: &mut Vec<f32>) {
        let mut start = 0;
        while self.outputs < total {
            let at = start + self.offset / filter.up;
            let Some(window) = self.pending.get(at..at + filter.taps) else { break };
            output.push(dot(window, filter.row(self.outputs)));
            start = at;
            self.offset = self.offset % filter.up + filter.down;
            self.outputs += 1;
        }
        self.pending.drain(..start);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn resample(rate: SampleRate, input: &[f32]) -> Vec<f32> {
        let mut output = Vec::new();
        let mut resampler = Resampler::new(rate);
        resampler.push(input, &mut output);
        resampler.finish(&mut output);
        output
    }

    fn sine(frequency: f64, rate: u32, length: usize) -> Vec<f32> {
        let angle = 2.0 * PI * frequency / f64::from(rate);
        (0..length).map(|n| (angle * n as f64).sin() as f32).collect()
    }

    fn rms_db(samples: impl Iterator<Item = f64>) -> f64 {
        let (count, sum) = samples.fold((0, 0.0), |(count, sum), x| (count + 1, sum + x * x));
        10.0 * (sum / f64::from(count) * 2.0).log10()
    }

    /// For each rate: the end of the pass band and the start of the stop band in hertz, and the
    /// attenuation in decibels.
    const BANDS: [(SampleRate, u32, u32, f64); 5] = [
        (SampleRate::Hz8000, 3_400, 4_000, 80.0),
        (SampleRate::Hz16000, 7_200, 8_000, 80.0),
        (SampleRate::Hz22050, 10_000, 11_025, 100.0),
        (SampleRate::Hz44100, 10_000, 12_000, 80.0),
        (SampleRate::Hz48000, 10_000, 12_000, 80.0),
    ];

    /// The response of a filter at a frequency, in decibels. Above half the model's rate it is that
    /// of the images.
    fn response(filter: &Filter, frequency: f64) -> f64 {
        let (mut real, mut imaginary) = (0.0, 0.0);
        for output in 0..filter.up {
            for (tap, coefficient) in filter.row(output).iter().enumerate() {
                let distance = tap as f64 - filter.half() as f64 - filter.fraction(output);
                let angle = 2.0 * PI * frequency / f64::from(MODEL_RATE) * distance;
                real += f64::from(*coefficient) * angle.cos();
                imaginary += f64::from(*coefficient) * angle.sin();
            }
        }
        20.0 * (real.hypot(imaginary) / filter.up as f64).log10()
    }

    #[test]
    fn the_pass_band_is_flat_and_the_stop_band_is_down() {
        for (rate, pass, stop, down) in BANDS {
            let filter = filter(rate).unwrap();
            for frequency in (0..=pass).step_by(100) {
                let ripple = response(filter, frequency.into());
                assert!(ripple.abs() < 0.001, "{rate:?}, {frequency} Hz: {ripple:.5} dB");
            }
            // Beyond three images the response only falls.
            let end = (filter.up as u32 * MODEL_RATE / 2).min(3 * MODEL_RATE);
            for frequency in (stop..=end).step_by(if filter.up > 2 { 211 } else { 13 }) {
                let level = response(filter, frequency.into());
                assert!(level < -down, "{rate:?}, {frequency} Hz: {level:.1} dB");
            }
        }
    }

    #[test]
    fn samples_stay_on_time_and_nothing_folds_back() {
        for (rate, pass, stop, down) in BANDS {
            let middle = |output: &[f32]| 400..output.len() - 400;
            for frequency in (50..=pass).step_by(199) {
                let output = resample(rate, &sine(frequency.into(), MODEL_RATE, 6000));
                let expected = sine(frequency.into(), rate.hertz(), output.len());
                let error = middle(&output).map(|n| f64::from(output[n]) - f64::from(expected[n]));
                let error = rms_db(error);
                assert!(error < -77.0, "{rate:?}, {frequency} Hz: error {error:.1} dB");
            }
            for frequency in (stop..12_000).step_by(25) {
                let output = resample(rate, &sine(frequency.into(), MODEL_RATE, 6000));
                let level = rms_db(output[middle(&output)].iter().map(|x| f64::from(*x)));
                assert!(level < -down + 1.0, "{rate:?}, {frequency} Hz: {level:.1} dB");
            }
        }
    }

    #[test]
    fn at_the_rate_of_the_model_samples_stay_as_they_are() {
        let input = sine(440.0, MODEL_RATE, 1000);
        assert_eq!(resample(SampleRate::Hz24000, &input), input);
    }

    #[test]
    fn the_length_is_the_duration_rounded_up() {
        for rate in SampleRate::ALL {
            let (up, down) = rate.ratio();
            for length in [0, 1, 2, 159, 160, 161, 24_000] {
                let output = resample(rate, &vec![0.5; length]);
                assert_eq!(output.len(), (length * up).div_ceil(down), "{rate:?}, {length}");
            }
        }
    }

    proptest! {
        #[test]
        fn pieces_give_the_whole_bit_for_bit(
            rate in prop::sample::select(&SampleRate::ALL[..]),
            samples in prop::collection::vec(-1.0_f32..1.0, 0..2000),
            cuts in prop::collection::vec(1..400_usize, 1..20),
        ) {
            let mut output = Vec::new();
            let mut resampler = Resampler::new(rate);
            let mut rest = &samples[..];
            for cut in cuts.iter().cycle() {
                let (piece, after) = rest.split_at((*cut).min(rest.len()));
                resampler.push(piece, &mut output);
                rest = after;
                if rest.is_empty() { break }
            }
            resampler.finish(&mut output);
            let whole = resample(rate, &samples);
            prop_assert_eq!(output.len(), whole.len());
            prop_assert!(output.iter().zip(&whole).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    }
}
