//! The voiced excitation: all harmonics of the pitch, with equal amplitudes.

use std::ops::Range;

use speech_kernels::Elementwise;

use super::synthesis::{HOP, WINDOW};
use crate::MODEL_RATE;

/// Below this pitch, in hertz, the signal is unvoiced.
const LOWEST: f64 = 40.0;

/// The samples of a frame, rounded up to a multiple that the kernels take.
const PADDED: usize = HOP.next_multiple_of(16);

/// The highest harmonic, in hertz.
const HIGHEST: f64 = 11_000.0;

/// The pulses of a pitch in hertz, [`HOP`] samples per value. The pitch is interpolated between the
/// middles of frames.
pub(super) struct Pulses {
    /// The position of the first value in the utterance, in samples.
    first: usize,
    values: Vec<f32>,
}

impl Pulses {
    /// The pulses within some windows of an utterance.
    pub(super) fn new(kernels: impl Elementwise, pitch: &[f32], windows: &Range<usize>) -> Self {
        let first = windows.start.saturating_sub(WINDOW / 2 / HOP);
        let frames = 0..(windows.end + WINDOW / 2 / HOP).min(pitch.len());
        let hertz = |n: usize| f64::from(pitch[n.min(pitch.len() - 1)]);
        let mut values = vec![0.0; HOP * frames.end.saturating_sub(first)];
        let (mut turns, mut harmonics) = ([0.0; PADDED], [0.0; PADDED]);
        let mut phase = 0.0;
        for frame in frames {
            let neighbors = [frame.saturating_sub(1), frame, frame + 1].map(hertz);
            let mut is_voiced = false;
            for n in 0..HOP {
                // From the middle of the previous frame to that of this one, or from this one to
                // the next.
                let at = (n as f64 + 0.5) / HOP as f64 + 0.5;
                let half = usize::from(n >= HOP / 2);
                let [before, after] = [neighbors[half], neighbors[half + 1]];
                let hertz = before + (after - before) * (at - half as f64);
                // The phase accumulates from the start of the utterance.
                phase += hertz.clamp(LOWEST, f64::from(MODEL_RATE)) / f64::from(MODEL_RATE);
                if phase >= 1.0 {
                    phase -= 1.0;
                }
                turns[n] = phase as f32;
                // An unvoiced frame has no harmonics.
                let count = if hertz > LOWEST { (HIGHEST / hertz) as i32 } else { 0 };
                is_voiced |= count > 0;
                harmonics[n] = count as f32 + 0.5;
            }
            if is_voiced && frame >= first {
                let mut pulses = [0.0; PADDED];
                kernels.pulses(&turns, &harmonics, &mut pulses);
                values[HOP * (frame - first)..][..HOP].copy_from_slice(&pulses[..HOP]);
            }
        }
        Self { first: HOP * first, values }
    }

    /// Writes the samples around the start of a frame, multiplied by the window's weights and scaled.
    /// Returns false if all samples are zero, as in an unvoiced part.
    pub(super) fn window(&self, frame: usize, weights: &[f32], window: &mut [f32]) -> bool {
        window.fill(0.0);
        // The part of the window before the first value.
        let missing = (self.first + WINDOW / 2).saturating_sub(frame * HOP).min(WINDOW);
        let start = (frame * HOP + missing).saturating_sub(self.first + WINDOW / 2);
        let values = self.values.get(start..).unwrap_or_default();
        let weighted = window.iter_mut().zip(weights).skip(missing).zip(values);
        for ((x, weight), sample) in weighted {
            *x = sample * weight / (WINDOW / 4) as f32;
        }
        values.iter().take(WINDOW - missing).any(|sample| *sample != 0.0)
    }
}

#[cfg(test)]
mod tests {
    use speech_kernels::Portable;

    use super::*;

    #[test]
    fn they_come_as_often_as_the_pitch_says() {
        let pulses = |pitch: &[f32]| Pulses::new(Portable, pitch, &(0..pitch.len())).values;
        let count = |pitch: &[f32]| {
            pulses(pitch).windows(2).filter(|w| w[0] < 20.0 && w[1] >= 20.0).count()
        };
        assert_eq!(count(&[100.0; 80]), 100);
        assert_eq!(count(&[[100.0; 40], [200.0; 40]].concat()), 150);
        assert!(pulses(&[0.0, 40.0, 30.0]).iter().all(|x| *x == 0.0));
    }
}
