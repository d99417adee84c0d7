//! The sample rate of a request, and its ratio to the model's.

use speech_acoustic::MODEL_RATE;
use speech_base::error::{Error, Result};

use crate::format::SAMPLE_RATES;

/// One of [`SAMPLE_RATES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SampleRate {
    Hz8000,
    Hz16000,
    #[default]
    Hz22050,
    Hz24000,
    Hz44100,
    Hz48000,
}

impl SampleRate {
    /// In the order of [`SAMPLE_RATES`].
    pub(crate) const ALL: [Self; 6] =
        [Self::Hz8000, Self::Hz16000, Self::Hz22050, Self::Hz24000, Self::Hz44100, Self::Hz48000];

    /// # Errors
    ///
    /// `invalid_request` for a rate not in [`SAMPLE_RATES`].
    pub(crate) fn new(hertz: u32) -> Result<Self> {
        Self::ALL.into_iter().find(|rate| rate.hertz() == hertz).ok_or_else(|| {
            let [others @ .., last] = SAMPLE_RATES.map(|rate| rate.to_string());
            let others = others.join(", ");
            let message = format!("sample_rate is {hertz}; it must be {others} or {last}");
            Error::invalid_request(message)
        })
    }

    /// Samples per second.
    pub(crate) const fn hertz(self) -> u32 {
        SAMPLE_RATES[self as usize]
    }

    /// The duration of this many samples, in seconds.
    pub(crate) fn seconds(self, samples: usize) -> f64 {
        samples as f64 / f64::from(self.hertz())
    }

    /// The number of samples in this many milliseconds.
    pub(crate) fn samples(self, ms: u64) -> usize {
        let samples = u64::from(self.hertz()).saturating_mul(ms) / 1000;
        usize::try_from(samples).unwrap_or(usize::MAX)
    }

    /// The smallest numbers of samples, at this rate and at the model's, with equal durations.
    pub(crate) const fn ratio(self) -> (usize, usize) {
        let hertz = self.hertz();
        let (mut divisor, mut rest) = (hertz, MODEL_RATE);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        ((hertz / divisor) as usize, (MODEL_RATE / divisor) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::SAMPLE_RATE;

    #[test]
    fn each_rate_has_its_ratio_and_no_other_rate_is_one() {
        let ratios = SAMPLE_RATES.map(|rate| SampleRate::new(rate).unwrap().ratio());
        assert_eq!(ratios, [(1, 3), (2, 3), (147, 160), (1, 1), (147, 80), (2, 1)]);
        assert_eq!(SampleRate::ALL.map(SampleRate::hertz), SAMPLE_RATES);
        assert_eq!(SampleRate::default().hertz(), SAMPLE_RATE);
        for rate in [0, 1, 11_025, 22_051, u32::MAX] {
            let expected = format!(
                "sample_rate is {rate}; it must be 8000, 16000, 22050, 24000, 44100 or 48000"
            );
            assert_eq!(SampleRate::new(rate).unwrap_err().message(), expected);
        }
    }
}
