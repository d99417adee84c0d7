//! A look-ahead peak limiter: lowers the gain before a peak, so that no sample exceeds the ceiling.
//!
//! The gain computer has a hard knee, and the gain recovers exponentially (Giannoulis, Massberg and
//! Reiss, Digital Dynamic Range Compressor Design, Journal of the AES 60(6), 2012). A minimum over
//! a window comes before the recovery (Lemire, Streaming Maximum-Minimum Filter, 2006), and a mean
//! over a window of the same length after it. So the gain falls linearly before a peak. Each gain
//! in the mean for a sample is at most the gain that the sample needs, and so is the mean.
//!
//! Gains are integers, whose sums are exact: away from peaks the gain is one, and samples keep
//! every bit.

use std::collections::VecDeque;

use crate::format::SAMPLE_RATE;
use crate::sample_rate::SampleRate;

/// The largest output magnitude, relative to full scale: -0.3 dBFS.
pub(super) const CEILING: f32 = 0.966;

/// The length of the window in samples at [`SAMPLE_RATE`], including the newest sample: 5.8 ms.
const WINDOW: u32 = 128;

/// The time constant of the recovery in samples at [`SAMPLE_RATE`]: 46 ms, several periods of a low
/// voice, so that the gain does not follow single periods.
const RELEASE: u32 = 1024;

/// The number of samples searched for peaks at a time.
const BLOCK: usize = 2048;

/// A gain of one.
const UNITY: u32 = 1 << 24;

/// Limits a stream. The output does not depend on how the input is divided, bit for bit.
pub(super) struct Limiter {
    /// The time constant of the recovery, in samples.
    release: u32,
    /// The delayed samples, oldest first.
    waiting: VecDeque<f32>,
    /// The number of input samples so far.
    taken: usize,
    /// The gains within the window that are lower than all later ones, each with the index of the
    /// sample that needs it.
    least: VecDeque<(usize, u32)>,
    /// The gain after the recovery.
    recovered: u32,
    /// The recovered gains of the window's samples, the oldest at `taken % last.len()`, and their
    /// sum.
    last: Vec<u32>,
    sum: u64,
}

impl Limiter {
    /// A limiter for a new stream; silence precedes its first sample.
    pub(super) fn new(rate: SampleRate) -> Self {
        let samples = |samples: u32| (samples * rate.hertz() + SAMPLE_RATE / 2) / SAMPLE_RATE;
        let window = samples(WINDOW) as usize;
        Self {
            release: samples(RELEASE),
            waiting: VecDeque::with_capacity(window),
            taken: 0,
            least: VecDeque::with_capacity(window),
            recovered: UNITY,
            last: vec![UNITY; window],
            sum: window as u64 * u64::from(UNITY),
        }
    }

    /// The delay, in samples.
    pub(super) fn look_ahead(&self) -> usize {
        self.last.len() - 1
    }

    /// Takes samples, and appends those from [`look_ahead`](Self::look_ahead) samples earlier.
    pub(super) fn push(&mut self, mut samples: &[f32], limited: &mut Vec<f32>) {
        while !samples.is_empty() {
            let (block, rest) = samples.split_at(samples.len().min(BLOCK));
            let has_peak = block.iter().fold(false, |any, x| any | (x.abs() > CEILING));
            if has_peak || !self.is_idle() {
                limited.extend(block.iter().filter_map(|sample| self.next(*sample)));
            } else {
                self.pass(block, limited);
            }
            samples = rest;
        }
    }

    /// Whether all gains within the window, and so those of all delayed samples, are one.
    fn is_idle(&self) -> bool {
        self.sum == self.last.len() as u64 * u64::from(UNITY)
    }

    /// Equivalent to [`Self::next`] for samples that do not exceed the ceiling, while the limiter
    /// is idle, but faster.
    fn pass(&mut self, samples: &[f32], limited: &mut Vec<f32>) {
        let ready = (self.waiting.len() + samples.len()).saturating_sub(self.look_ahead());
        let waiting = ready.min(self.waiting.len());
        limited.extend(self.waiting.drain(..waiting));
        let (passed, left) = samples.split_at(ready - waiting);
        limited.extend_from_slice(passed);
        self.waiting.extend(left);
        self.taken += samples.len();
        self.least.clear();
    }

    /// Takes a sample, and returns the one from [`look_ahead`](Self::look_ahead) samples earlier.
    fn next(&mut self, sample: f32) -> Option<f32> {
        let window = self.last.len();
        let least = self.least_in_window(gain(sample));
        let recovered = self.recovered + (UNITY - self.recovered).div_ceil(self.release);
        self.recovered = least.min(recovered);
        let oldest = std::mem::replace(&mut self.last[self.taken % window], self.recovered);
        self.sum = self.sum - u64::from(oldest) + u64::from(self.recovered);
        self.taken += 1;
        self.waiting.push_back(sample);
        if self.waiting.len() < window {
            return None;
        }
        let mean = self.sum / window as u64;
        let limited = self.waiting.pop_front()? * (mean as f32 / UNITY as f32);
        // A product may be rounded up.
        Some(limited.clamp(-CEILING, CEILING))
    }

    /// The lowest gain in the window after adding one more.
    fn least_in_window(&mut self, gain: u32) -> u32 {
        while self.least.back().is_some_and(|(_, before)| *before >= gain) {
            self.least.pop_back();
        }
        self.least.push_back((self.taken, gain));
        if self.least[0].0 + self.last.len() <= self.taken {
            self.least.pop_front();
        }
        self.least[0].1
    }
}

/// The gain that brings a sample to the ceiling, rounded down; one if the sample does not exceed
/// it.
fn gain(sample: f32) -> u32 {
    let magnitude = sample.abs();
    if magnitude > CEILING { (CEILING / magnitude * UNITY as f32) as u32 } else { UNITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(rate: SampleRate, samples: &[f32]) -> Vec<f32> {
        let mut limiter = Limiter::new(rate);
        let all = [samples, &vec![0.0; limiter.look_ahead()]].concat();
        let one_by_one: Vec<_> = all.iter().filter_map(|sample| limiter.next(*sample)).collect();
        let mut limited = Vec::new();
        Limiter::new(rate).push(&all, &mut limited);
        assert_eq!(limited, one_by_one);
        limited
    }

    #[test]
    fn the_gain_falls_to_a_peak_and_recovers_to_one() {
        for rate in SampleRate::ALL {
            let samples_of = |ms: f64| (ms * f64::from(rate.hertz()) / 1000.0).round() as usize;
            let (look_ahead, release) = (samples_of(5.805) - 1, samples_of(46.44));
            let peak = 1000;
            let mut samples = vec![0.5; peak + samples_of(1000.0)];
            samples[peak] = 2.0 * CEILING;
            let limited = limit(rate, &samples);
            assert_eq!(limited.len(), samples.len());
            assert_eq!(limited[..peak - look_ahead], samples[..peak - look_ahead]);
            let before = &limited[peak - look_ahead..peak];
            assert!(before.is_sorted_by(|a, b| a > b), "{rate:?}: it falls before");
            assert!((limited[peak] - CEILING).abs() < 1e-6, "{rate:?}: {}", limited[peak]);
            assert!(limited[peak + 1..].is_sorted(), "{rate:?}: it recovers after");
            let gain_after = |samples: usize| limited[peak + samples] / 0.5;
            let at_once = gain_after(look_ahead + 1);
            assert!((0.5..0.54).contains(&at_once), "{rate:?}: {at_once}");
            let third = gain_after(look_ahead + 1 + release);
            let expected = 1.0 - 0.5 / std::f32::consts::E;
            assert!((third - expected).abs() < 0.02, "{rate:?}: {third}");
            let over = peak + samples_of(600.0);
            assert_eq!(limited[over..], samples[over..], "{rate:?}: it is over");
            let steps = limited.windows(2).map(|pair| (pair[1] - pair[0]).abs());
            let steps = steps.enumerate().filter(|(n, _)| ![peak - 1, peak].contains(n));
            let largest = steps.map(|(_, step)| step).fold(0.0, f32::max);
            // The gain falls by a half within the window.
            assert!(largest < 0.3 / look_ahead as f32, "{rate:?}: a step of {largest}");
        }
    }

    #[test]
    fn peaks_at_the_ends_are_limited_too() {
        for rate in SampleRate::ALL {
            for samples in [&[2.0][..], &[2.0, 0.1], &[0.1, -2.0], &[9.0; 300]] {
                let limited = limit(rate, samples);
                assert_eq!(limited.len(), samples.len());
                assert!(limited.iter().all(|sample| sample.abs() <= CEILING), "{samples:?}");
            }
        }
    }
}
