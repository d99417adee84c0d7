//! A look-ahead peak limiter: it lowers the gain before a peak, so that no sample is over the ceiling.
//!
//! The gain computer has a hard knee, and the gain recovers exponentially (Giannoulis, Massberg and Reiss, Digital Dynamic
//! Range Compressor Design, Journal of the AES 60(6), 2012). Before the recovery comes the minimum over a window (Lemire,
//! Streaming Maximum-Minimum Filter, 2006), after it the mean over a window as long. So the gain falls in a line that ends at
//! the peak, and each gain in the mean of a sample is at most what the sample needs.
//!
//! Gains are integers, whose sums are exact: away from peaks the gain is one, and samples keep every bit.

use std::collections::VecDeque;

/// The largest magnitude that leaves, as a part of full scale: -0.3 dBFS.
pub(super) const CEILING: f32 = 0.966;

/// Samples of the window, with the one at its start: 5.8 ms. A power of two; the sum of as many gains fits 32 bits.
const WINDOW: usize = 128;

/// Samples that wait for those after them.
pub(super) const LOOK_AHEAD: usize = WINDOW - 1;

/// The time constant of the recovery in samples: 46 ms, which is several periods of a low voice. The gain does not follow them.
const RELEASE: u32 = 1024;

/// Samples that are looked through for peaks at a time.
const BLOCK: usize = 2048;

/// A gain of one.
const UNITY: u32 = 1 << 24;
const _: () = assert!(WINDOW as u64 * UNITY as u64 <= u32::MAX as u64);

/// Limits a stream. However the input is cut into pieces, the output is the same bit for bit.
pub(super) struct Limiter {
    /// The samples that wait, oldest first.
    waiting: VecDeque<f32>,
    /// Samples that were taken.
    taken: usize,
    /// The gains within the window that are less than all after them, and which sample needs each.
    least: VecDeque<(usize, u32)>,
    /// The gain after the recovery.
    recovered: u32,
    /// Its last values, oldest at `taken % WINDOW`, and their sum.
    last: [u32; WINDOW],
    sum: u32,
}

impl Limiter {
    /// Of a stream with silence before it.
    pub(super) fn new() -> Self {
        Self {
            waiting: VecDeque::with_capacity(WINDOW),
            taken: 0,
            least: VecDeque::with_capacity(WINDOW),
            recovered: UNITY,
            last: [UNITY; WINDOW],
            sum: WINDOW as u32 * UNITY,
        }
    }

    /// Takes samples, and appends those that came [`LOOK_AHEAD`] samples before them.
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

    /// Whether all gains within the window are one, and so are all samples that wait.
    fn is_idle(&self) -> bool {
        self.sum == WINDOW as u32 * UNITY
    }

    /// What [`Self::next`] does with samples below the ceiling while the limiter is idle.
    fn pass(&mut self, samples: &[f32], limited: &mut Vec<f32>) {
        let ready = (self.waiting.len() + samples.len()).saturating_sub(LOOK_AHEAD);
        let waiting = ready.min(self.waiting.len());
        limited.extend(self.waiting.drain(..waiting));
        let (passed, left) = samples.split_at(ready - waiting);
        limited.extend_from_slice(passed);
        self.waiting.extend(left);
        self.taken += samples.len();
        self.least.clear();
    }

    /// Takes a sample, and gives the one that came [`LOOK_AHEAD`] samples before it.
    fn next(&mut self, sample: f32) -> Option<f32> {
        let least = self.least_in_window(gain(sample));
        let recovered = self.recovered + (UNITY - self.recovered).div_ceil(RELEASE);
        self.recovered = least.min(recovered);
        let oldest = std::mem::replace(&mut self.last[self.taken % WINDOW], self.recovered);
        self.sum = self.sum - oldest + self.recovered;
        self.taken += 1;
        self.waiting.push_back(sample);
        if self.waiting.len() < WINDOW {
            return None;
        }
        let mean = self.sum / WINDOW as u32;
        let limited = self.waiting.pop_front()? * (mean as f32 / UNITY as f32);
        // A product may be rounded up.
        Some(limited.clamp(-CEILING, CEILING))
    }

    /// The least gain of the last samples, with that of one more.
    fn least_in_window(&mut self, gain: u32) -> u32 {
        while self.least.back().is_some_and(|(_, before)| *before >= gain) {
            self.least.pop_back();
        }
        self.least.push_back((self.taken, gain));
        if self.least[0].0 + WINDOW <= self.taken {
            self.least.pop_front();
        }
        self.least[0].1
    }
}

/// What takes a sample to the ceiling, rounded down; one if it is below.
fn gain(sample: f32) -> u32 {
    let magnitude = sample.abs();
    if magnitude > CEILING { (CEILING / magnitude * UNITY as f32) as u32 } else { UNITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(samples: &[f32]) -> Vec<f32> {
        let mut limiter = Limiter::new();
        let all = [samples, &[0.0; LOOK_AHEAD]].concat();
        let one_by_one: Vec<_> = all.iter().filter_map(|sample| limiter.next(*sample)).collect();
        let mut limited = Vec::new();
        Limiter::new().push(&all, &mut limited);
        assert_eq!(limited, one_by_one);
        limited
    }

    #[test]
    fn the_gain_falls_to_a_peak_and_recovers_to_one() {
        let peak = 1000;
        let mut samples = vec![0.5; 20_000];
        samples[peak] = 2.0 * CEILING;
        let limited = limit(&samples);
        assert_eq!(limited.len(), samples.len());
        assert_eq!(limited[..peak - LOOK_AHEAD], samples[..peak - LOOK_AHEAD]);
        assert!(limited[peak - LOOK_AHEAD..peak].is_sorted_by(|a, b| a > b), "it falls before");
        assert!((limited[peak] - CEILING).abs() < 1e-6, "{}", limited[peak]);
        assert!(limited[peak + 1..].is_sorted(), "it recovers after");
        let gain_after = |samples: usize| limited[peak + samples] / 0.5;
        assert!((0.5..0.54).contains(&gain_after(WINDOW)), "{}", gain_after(WINDOW));
        let third = gain_after(WINDOW + RELEASE as usize);
        assert!((1.0 - third - 0.5 / std::f32::consts::E).abs() < 0.02, "{third}");
        assert_eq!(limited[peak + 11_000..], samples[peak + 11_000..], "it is over");
        let steps = limited.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        let steps = steps.enumerate().filter(|(n, _)| ![peak - 1, peak].contains(n));
        assert!(steps.map(|(_, step)| step).fold(0.0, f32::max) < 0.003, "no step");
    }

    #[test]
    fn peaks_at_the_ends_are_limited_too() {
        for samples in [&[2.0][..], &[2.0, 0.1], &[0.1, -2.0], &[9.0; 300]] {
            let limited = limit(samples);
            assert_eq!(limited.len(), samples.len());
            assert!(limited.iter().all(|sample| sample.abs() <= CEILING), "{samples:?}");
        }
    }
}
