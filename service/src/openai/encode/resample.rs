//! From the rate of the library to that which OpenAI's clients take.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Indexing, Resampler as _, WindowFunction};
use speech_core::{Error, SAMPLE_RATE};

use super::{RATE, failed};

/// Samples that are resampled at once: the more they are, the narrower the band in which the filter falls.
const BLOCK: usize = 2352;

/// Resamples a stream, without delay: sample 0 of the output is at the time of sample 0 of the input.
pub(crate) struct Resampler {
    resampler: Fft<f32>,
    pending: Vec<f32>,
    /// Samples of the output that are still to be dropped: the delay of the filter.
    delay: usize,
    /// Samples of the input, and of the output without the delay.
    taken: usize,
    given: usize,
}

impl Resampler {
    pub(crate) fn new() -> Result<Self, Error> {
        let (from, to) = (SAMPLE_RATE as usize, RATE as usize);
        let resampler = Fft::new_custom(
            from,
            to,
            BLOCK,
            1,
            1,
            WindowFunction::BlackmanHarris2,
            FixedSync::Input,
        );
        let resampler = resampler.map_err(failed)?;
        let delay = resampler.output_delay();
        Ok(Self { resampler, pending: Vec::new(), delay, taken: 0, given: 0 })
    }

    /// Takes samples and gives those that are now known.
    pub(crate) fn push(&mut self, samples: &[i16]) -> Result<Vec<i16>, Error> {
        self.taken += samples.len();
        self.pending.extend(samples.iter().map(|sample| f32::from(*sample)));
        let mut output = Vec::new();
        let mut at = 0;
        while self.pending.len() - at >= self.resampler.input_frames_next() {
            at += self.block(at, &mut output)?;
        }
        self.pending.drain(..at);
        Ok(output)
    }

    /// Gives the rest: as many samples in all as the input lasts, rounded up.
    pub(crate) fn finish(&mut self) -> Result<Vec<i16>, Error> {
        let total = (self.taken * RATE as usize).div_ceil(SAMPLE_RATE as usize);
        let (given, mut output) = (self.given, Vec::new());
        while self.given < total {
            self.pending.resize(self.resampler.input_frames_next(), 0.0);
            self.block(0, &mut output)?;
            self.pending.clear();
        }
        output.truncate(total - given);
        Ok(output)
    }

    /// Resamples a block of what is pending, and gives its length.
    fn block(&mut self, at: usize, output: &mut Vec<i16>) -> Result<usize, Error> {
        let input = &self.pending[at..];
        let input = InterleavedSlice::new(input, 1, input.len()).map_err(failed)?;
        let taken = self.resampler.input_frames_next();
        let samples =
            self.resampler.process(&input, None::<&Indexing>).map_err(failed)?.take_data();
        let dropped = self.delay.min(samples.len());
        self.delay -= dropped;
        self.given += samples.len() - dropped;
        // A conversion of a float saturates.
        output.extend(samples[dropped..].iter().map(|sample| sample.round() as i16));
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn sine(frequency: f64, rate: u32, length: usize) -> Vec<i16> {
        let at = |n: usize| (2.0 * PI * frequency * n as f64 / f64::from(rate)).sin();
        (0..length).map(|n| (at(n) * 16_384.0).round() as i16).collect()
    }

    fn resampled<'a>(pieces: impl Iterator<Item = &'a [i16]>) -> Vec<i16> {
        let mut resampler = Resampler::new().unwrap();
        let mut output: Vec<i16> =
            pieces.flat_map(|piece| resampler.push(piece).unwrap()).collect();
        output.extend(resampler.finish().unwrap());
        output
    }

    #[test]
    fn a_tone_keeps_its_length_its_time_and_its_level() {
        for frequency in [100.0, 1000.0, 9900.0] {
            let input = sine(frequency, SAMPLE_RATE, 22_051);
            let output = resampled([&input[..]].into_iter());
            assert_eq!(output.len(), 24_002);
            let expected = sine(frequency, RATE, 24_002);
            // Beside the ends, where the tone is cut off.
            let worst = (2000..22_000).map(|n| (output[n] - expected[n]).abs()).max().unwrap();
            assert!(worst <= 16, "{frequency} Hz is off by {worst}");
            assert!(resampled(input.chunks(777)) == output);
        }
    }

    #[test]
    fn short_and_loud_sound_is_taken() {
        assert!(resampled(std::iter::empty()).is_empty());
        assert_eq!(resampled([&[5][..]].into_iter()).len(), 2);
        let loud = resampled([&[i16::MAX; 5000][..]].into_iter());
        assert!(loud[2000..3000].iter().all(|sample| *sample > 32_700));
    }
}
