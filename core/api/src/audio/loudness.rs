//! Adjusts loudness and converts to 16 bits.

use super::limiter::Limiter;
use crate::sample_rate::SampleRate;

/// Brings an utterance to the requested loudness and to 16 bits.
///
/// The gain is constant, and a limiter keeps peaks below -0.3 dBFS. Rounding is to the nearest
/// value, without dither: the model's own noise floor is above the last bit. The output does not
/// depend on how the input is divided.
pub(crate) struct Loudness {
    gain: f32,
    limiter: Limiter,
}

impl Loudness {
    pub(crate) fn new(rate: SampleRate, gain: f32) -> Self {
        Self { gain, limiter: Limiter::new(rate) }
    }

    /// Takes samples, and appends those that no longer depend on later ones.
    pub(crate) fn push(&mut self, input: &[f32], output: &mut Vec<i16>) {
        // Clamp to finite values: a product may overflow.
        let amplified = input.iter().map(|x| (x * self.gain).clamp(f32::MIN, f32::MAX));
        let mut limited = Vec::with_capacity(input.len());
        self.limiter.push(&amplified.collect::<Vec<_>>(), &mut limited);
        output.extend(limited.into_iter().map(rounded));
    }

    /// Appends the rest; in total, as many samples as were taken.
    pub(crate) fn finish(mut self, output: &mut Vec<i16>) {
        self.push(&vec![0.0; self.limiter.look_ahead()], output);
    }
}

/// The nearest 16-bit value, and of two the one farther from zero. Equals [`f32::round`], for which
/// many processors have no instruction.
fn rounded(limited: f32) -> i16 {
    let scaled = f64::from(limited * 32_767.0);
    (scaled + 0.5_f64.copysign(scaled)) as i16
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The largest output sample.
    const LOUDEST: i16 = 31_653;

    /// Applies a gain to samples, in pieces whose lengths cycle through `pieces`.
    fn level(rate: SampleRate, gain: f32, samples: &[f32], pieces: &[usize]) -> Vec<i16> {
        let mut loudness = Loudness::new(rate, gain);
        let mut output = Vec::new();
        let mut rest = samples;
        for length in pieces.iter().cycle() {
            let (piece, after) = rest.split_at((*length).min(rest.len()));
            loudness.push(piece, &mut output);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        loudness.finish(&mut output);
        output
    }

    #[test]
    fn the_gain_is_exact_below_the_ceiling() {
        let samples = [0.0, 0.25, -0.25, 1e-6];
        assert_eq!(level(SampleRate::Hz22050, 2.0, &samples, &[4]), [0, 16_384, -16_384, 0]);
    }

    #[test]
    fn nothing_wraps_above_it() {
        let rate = SampleRate::Hz22050;
        let loud = level(rate, 8.0, &[2.0, -2.0, 2.0], &[3]);
        assert!(loud.iter().all(|sample| sample.abs_diff(0) >= 31_652), "{loud:?}");
        assert_eq!(loud.iter().map(|sample| sample.signum()).collect::<Vec<_>>(), [1, -1, 1]);
        for gain in [1e9, 1e30, f32::MAX] {
            let loud = level(rate, gain, &[f32::MAX, -1.0, f32::MIN, 1e-30], &[4]);
            assert!(loud.iter().all(|sample| sample.abs_diff(0) <= LOUDEST as u16), "{loud:?}");
        }
    }

    /// Samples mostly as loud as speech, with some peaks and values that no model produces.
    fn samples() -> impl Strategy<Value = Vec<f32>> {
        let sample = prop_oneof![
            90 => -0.4_f32..0.4,
            9 => -3.0_f32..3.0,
            1 => any::<f32>().prop_filter("a number", |sample| !sample.is_nan()),
        ];
        prop::collection::vec(sample, 0..1500)
    }

    proptest! {
        #[test]
        fn the_ceiling_is_kept_and_pieces_give_the_whole(
            rate in prop::sample::select(&SampleRate::ALL[..]),
            samples in samples(),
            gain in prop_oneof![0.01_f32..4.0, 1.0_f32..1e9],
            pieces in prop::collection::vec(1..400_usize, 1..20),
        ) {
            let whole = level(rate, gain, &samples, &[samples.len()]);
            prop_assert_eq!(whole.len(), samples.len());
            prop_assert_eq!(&level(rate, gain, &samples, &pieces), &whole);
            for (limited, sample) in whole.iter().zip(&samples) {
                let unlimited = sample * gain * 32_767.0;
                prop_assert!(limited.abs_diff(0) <= LOUDEST as u16);
                prop_assert!(f32::from(*limited).abs() <= unlimited.abs().round());
                prop_assert!(*limited == 0 || (*limited > 0) == (unlimited > 0.0));
            }
            let ceiling = crate::audio::limiter::CEILING;
            let peak = samples.iter().position(|sample| (sample * gain).abs() > ceiling);
            let look_ahead = Limiter::new(rate).look_ahead();
            let before = peak.map_or(samples.len(), |peak| peak.saturating_sub(look_ahead));
            for (limited, sample) in whole.iter().zip(&samples).take(before) {
                prop_assert_eq!(*limited, (sample * gain * 32_767.0).round() as i16);
            }
        }
    }
}
