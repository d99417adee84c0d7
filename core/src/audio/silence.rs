//! The silence around and between what is said.
//!
//! The model begins and ends every utterance with a third of a second or more of near silence. It is cut to
//! a constant after synthesis (cropping before the vocoder would change the sound), and the pauses between
//! sentences are set here.

use std::ops::Range;

use crate::SAMPLE_RATE;
use crate::acoustic::MODEL_RATE;

/// Below this part of the loudest sample all is silence: 46 dB down.
const THRESHOLD: f32 = 0.005;

/// Kept before the first sound, so that a soft consonant is not cut, in milliseconds.
const LEAD_MS: u32 = 60;

/// Kept after the last sound, for it to fade, in milliseconds.
const TAIL_MS: u32 = 160;

/// The range of an utterance's samples (at the model's rate) that sounds, with a constant margin; empty if
/// nothing does.
pub(crate) fn sounding(samples: &[f32]) -> Range<usize> {
    let peak = samples.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
    let sounds = |sample: &f32| peak > 0.0 && sample.abs() > peak * THRESHOLD;
    let (Some(first), Some(last)) =
        (samples.iter().position(sounds), samples.iter().rposition(sounds))
    else {
        return 0..0;
    };
    let margin = |ms: u32| (MODEL_RATE * ms / 1000) as usize;
    first.saturating_sub(margin(LEAD_MS))..(last + 1 + margin(TAIL_MS)).min(samples.len())
}

/// The pause between the clauses of a sentence that is spoken in parts, in milliseconds.
pub(crate) const PAUSE_CLAUSE: u32 = 60;

/// The pause after a sentence, in milliseconds, beside the margins of [`sounding`].
pub(crate) fn pause_after(ends_paragraph: bool) -> u32 {
    if ends_paragraph { 560 } else { 280 }
}

/// Samples of silence at the library's rate.
pub(crate) fn silence(ms: u32) -> Vec<i16> {
    vec![0; (u64::from(SAMPLE_RATE) * u64::from(ms) / 1000) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_margins_are_kept() {
        let mut samples = vec![0.001; 24_000];
        samples[10_000..12_000].fill(0.5);
        assert_eq!(sounding(&samples), 10_000 - 1440..12_000 + 3840);
    }

    #[test]
    fn an_early_sound_keeps_what_there_is() {
        assert_eq!(sounding(&[0.5, 0.0, 0.0]), 0..3);
        assert_eq!(sounding(&[0.0; 10]), 0..0);
        assert_eq!(sounding(&[]), 0..0);
    }
}
