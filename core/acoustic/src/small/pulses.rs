//! The pulses of a voice: all harmonics of its pitch, with the same amplitude.

use std::f64::consts::TAU;

use super::synthesis::HOP;
use crate::MODEL_RATE;

/// Below this there is no voice, in hertz.
const LOWEST: f64 = 40.0;

/// No harmonic is above this, in hertz.
const HIGHEST: f64 = 11_000.0;

/// Below this the sine of half the angle is zero: a pulse is at its peak.
const PEAK: f64 = 1e-3;

/// The pulses of a pitch in hertz, [`HOP`] samples for each value. Between the middles of two frames the pitch is interpolated.
pub(super) fn pulses(pitch: &[f32]) -> Vec<f32> {
    let mut turns = 0.0;
    let frame = |n: usize| f64::from(pitch[n.min(pitch.len() - 1)]);
    let sample = |n: usize| {
        let at = ((n as f64 + 0.5) / HOP as f64 - 0.5).max(0.0);
        let before = at as usize;
        let hertz = frame(before) + (frame(before + 1) - frame(before)) * at.fract();
        turns = (turns + hertz.max(LOWEST) / f64::from(MODEL_RATE)).fract();
        if hertz > LOWEST { pulse(hertz, TAU * turns) as f32 } else { 0.0 }
    };
    (0..pitch.len() * HOP).map(sample).collect()
}

/// The sum of the cosines of an angle and of its multiples: the kernel of Dirichlet.
fn pulse(hertz: f64, angle: f64) -> f64 {
    let harmonics = (HIGHEST / hertz).floor() + 0.5;
    let sine = (angle / 2.0).sin();
    let kernel =
        if sine.abs() <= PEAK { harmonics } else { (harmonics * angle).sin() / (2.0 * sine) };
    kernel - 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_the_sum_of_all_harmonics() {
        for (hertz, angle) in [(220.0, 1.0), (80.0, 0.01), (3000.0, 3.0), (9000.0, 6.0)] {
            let count = (HIGHEST / hertz) as i32;
            let sum: f64 = (1..=count).map(|n| (f64::from(n) * angle).cos()).sum();
            assert!((pulse(hertz, angle) - sum).abs() < 1e-9, "{hertz} {angle}");
        }
        assert_eq!(pulse(220.0, 0.0), 50.0);
    }

    #[test]
    fn they_come_as_often_as_the_pitch_says() {
        let count = |pitch: &[f32]| {
            pulses(pitch).windows(2).filter(|w| w[0] < 20.0 && w[1] >= 20.0).count()
        };
        assert_eq!(count(&[100.0; 80]), 100);
        assert_eq!(count(&[[100.0; 40], [200.0; 40]].concat()), 150);
        assert!(pulses(&[0.0, 40.0, 30.0]).iter().all(|x| *x == 0.0));
    }
}
