//! Loudness, and the last step to 16 bits.

/// The loudest sample that may leave, as a part of full scale: -0.3 dBFS.
const CEILING: f32 = 0.966;

/// Brings samples to the voice's loudness and to 16 bits.
///
/// If the gain would take the loudest sample over the ceiling, all of them get less of it: nothing is
/// clipped and nothing wraps. Rounding is to the nearest value, without dither: the model's own noise
/// floor lies above the last bit.
pub(crate) fn to_samples(samples: &[f32], gain: f32) -> Vec<i16> {
    let peak = samples.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
    let gain = if peak * gain > CEILING { CEILING / peak } else { gain };
    samples.iter().map(|sample| (sample * gain * 32_767.0).round() as i16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gain_is_exact_below_the_ceiling() {
        assert_eq!(to_samples(&[0.0, 0.25, -0.25, 1e-6], 2.0), [0, 16_384, -16_384, 0]);
    }

    #[test]
    fn nothing_wraps_above_it() {
        let loud = to_samples(&[2.0, -2.0, 1.0], 8.0);
        assert_eq!(loud, [31_653, -31_653, 15_826]);
    }
}
