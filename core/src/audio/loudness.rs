//! Loudness, and the last step to 16 bits.

/// The loudest sample that may leave, as a part of full scale: -0.3 dBFS.
const CEILING: f32 = 0.966;

/// Samples over which the gain goes from one value to another.
const RAMP: usize = 441;

/// Brings the pieces of one utterance to the voice's loudness and to 16 bits.
///
/// If the gain would take the loudest sample of a piece over the ceiling, all of it gets less, and what follows too:
/// nothing is clipped and nothing wraps. Rounding is to the nearest value, without dither: the model's own noise
/// floor lies above the last bit.
pub(crate) struct Loudness {
    gain: f32,
    begun: bool,
}

impl Loudness {
    pub(crate) fn new(gain: f32) -> Self {
        Self { gain, begun: false }
    }

    /// The next piece.
    pub(crate) fn apply(&mut self, samples: &[f32]) -> Vec<i16> {
        let peak = super::peak(samples);
        let gain = if peak * self.gain > CEILING { CEILING / peak } else { self.gain };
        let ramp = if self.begun { RAMP } else { 0 };
        let step = (gain - self.gain) / RAMP as f32;
        let gains = (1..=ramp).map(|n| self.gain + step * n as f32).chain(std::iter::repeat(gain));
        let louder =
            |(sample, gain): (&f32, f32)| (sample * gain).clamp(-CEILING, CEILING) * 32_767.0;
        let scaled = samples.iter().zip(gains).map(|pair| louder(pair).round() as i16).collect();
        (self.gain, self.begun) = (gain, true);
        scaled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gain_is_exact_below_the_ceiling() {
        assert_eq!(Loudness::new(2.0).apply(&[0.0, 0.25, -0.25, 1e-6]), [0, 16_384, -16_384, 0]);
    }

    #[test]
    fn nothing_wraps_above_it() {
        let loud = Loudness::new(8.0).apply(&[2.0, -2.0, 1.0]);
        assert_eq!(loud, [31_653, -31_653, 15_826]);
    }

    #[test]
    fn a_later_piece_that_is_too_loud_gets_softer_without_a_step() {
        let mut loudness = Loudness::new(1.0);
        let quiet = loudness.apply(&[0.5; 10]);
        let mut loud = vec![0.5; 2 * RAMP];
        loud[RAMP + 9] = 1.932;
        let loud = loudness.apply(&loud);
        assert!(quiet.iter().chain(&loud[..2]).all(|sample| (16_300..=16_384).contains(sample)));
        assert!(loud[..RAMP].is_sorted_by(|a, b| a >= b));
        assert_eq!(loud[RAMP], 8_192);
        assert_eq!(loud[RAMP + 9], 31_653);
    }
}
