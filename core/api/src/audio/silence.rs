//! Trims the silence around utterances, and sets the pauses between sentences.
//!
//! The model begins and ends every utterance with a third of a second or more of near silence. It
//! is trimmed to a constant length after synthesis.
//!
//! For a single word, this silence is half of the computation. By default it is computed
//! nevertheless: the generator normalizes each channel over the whole utterance, and in silence
//! some channels are far from their values in speech. Without it, even with a few time steps
//! weighted to stand for the rest, the spectrum of a sentence changes by 4 to 7 dB. Only with low
//! latency does the acoustic model leave out most of the silence of a short utterance.

use std::ops::Range;

use speech_acoustic::MODEL_RATE;
use speech_text::segment::Boundary;

/// The silence threshold relative to the loudest sample: -46 dB.
pub(crate) const THRESHOLD: f32 = 0.005;

/// The silence kept before the first sound, in milliseconds, so that a soft consonant is not cut.
pub(crate) const LEAD_MS: u32 = 60;

/// The silence kept after the last sound, in milliseconds, in which it fades.
pub(crate) const TAIL_MS: u32 = 160;

/// The silence kept around an utterance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Margins {
    /// Before the first sound, in milliseconds.
    pub(crate) lead_ms: u32,
    /// After the last sound, in milliseconds.
    pub(crate) tail_ms: u32,
}

impl Default for Margins {
    fn default() -> Self {
        Self { lead_ms: LEAD_MS, tail_ms: TAIL_MS }
    }
}

/// The fade-in before the first sound, in milliseconds. The model's silence is noise at about -70
/// dBFS, audible as such next to the caller's digital silence.
const FADE_IN_MS: u32 = 30;

/// The fade-out after the last sound, in milliseconds; a soft consonant ends within it.
const FADE_OUT_MS: u32 = 60;

/// The part of an utterance that is kept, in samples at the model's rate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sounding {
    /// The audible range with a constant margin; empty if nothing is audible.
    pub(crate) kept: Range<usize>,
    /// The margins before the first sound and after the last, in samples.
    lead: usize,
    tail: usize,
}

impl Sounding {
    /// Finds the audible range of an utterance, or of its beginning.
    pub(crate) fn of(samples: &[f32], margins: Margins) -> Self {
        let peak = super::peak(samples);
        let sounds = |sample: &f32| peak > 0.0 && sample.abs() > peak * THRESHOLD;
        let (Some(first), Some(last)) =
            (samples.iter().position(sounds), samples.iter().rposition(sounds))
        else {
            return Self { kept: 0..0, lead: 0, tail: 0 };
        };
        let start = first.saturating_sub(model_samples(margins.lead_ms));
        let end = (last + 1 + model_samples(margins.tail_ms)).min(samples.len());
        Self { kept: start..end, lead: first - start, tail: end - (last + 1) }
    }

    /// From the first audible sample to the last.
    pub(crate) fn heard(&self) -> Range<usize> {
        self.kept.start + self.lead..self.kept.end - self.tail
    }

    /// Fades in samples that start where the kept range starts.
    pub(crate) fn fade_in(&self, samples: &mut [f32]) {
        let lead = self.lead.min(samples.len());
        for (sample, to_go) in samples[..lead].iter_mut().zip((1..=self.lead).rev()) {
            *sample *= fade(to_go, model_samples(FADE_IN_MS));
        }
    }

    /// Fades out samples that end where the kept range ends.
    pub(crate) fn fade_out(&self, samples: &mut [f32]) {
        let tail = self.tail.min(samples.len());
        let start = samples.len() - tail;
        for (sample, since) in samples[start..].iter_mut().zip(self.tail - tail + 1..) {
            *sample *= fade(since, model_samples(FADE_OUT_MS));
        }
    }
}

/// A raised cosine: 1 at the sound, falling to 0 at `length` samples away.
fn fade(away: usize, length: usize) -> f32 {
    let phase = away.min(length) as f32 / length as f32 * std::f32::consts::PI;
    0.5 + 0.5 * phase.cos()
}

fn model_samples(ms: u32) -> usize {
    (MODEL_RATE * ms / 1000) as usize
}

/// The pause between the clauses of a sentence that is spoken in parts, in milliseconds.
pub(crate) const PAUSE_CLAUSE: u32 = 60;

/// The pause after a sentence, in milliseconds, in addition to the margins of [`Sounding`] (about
/// 220 ms).
///
/// It is shorter after a short answer, which leads on to its explanation ("Yes. Of course."), and
/// longer after an ellipsis.
pub(crate) fn pause_after(words: usize, last_mark: Option<char>, boundary: Boundary) -> u32 {
    match boundary {
        Boundary::Clause => PAUSE_CLAUSE,
        Boundary::Paragraph => 560,
        Boundary::Line => 380,
        Boundary::Sentence if last_mark == Some('…') => 380,
        Boundary::Sentence if words <= SHORT_ANSWER => 180,
        Boundary::Sentence => 280,
    }
}

/// The most words in a sentence that counts as a short answer.
const SHORT_ANSWER: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_with_what_ends() {
        use Boundary::{Line, Paragraph, Sentence};
        let pauses = [
            pause_after(1, Some('.'), Sentence),
            pause_after(4, Some('.'), Sentence),
            pause_after(4, Some('…'), Sentence),
            pause_after(1, None, Paragraph),
        ];
        assert!(pauses.is_sorted_by(|a, b| a < b), "{pauses:?}");
        assert_eq!(pause_after(1, None, Line), pauses[2]);
    }

    fn a_sound_in_noise() -> Vec<f32> {
        let mut samples = vec![0.001; 24_000];
        samples[10_000..12_000].fill(0.5);
        samples
    }

    #[test]
    fn only_the_margins_are_kept() {
        let samples = a_sound_in_noise();
        assert_eq!(Sounding::of(&samples, Margins::default()).kept, 10_000 - 1440..12_000 + 3840);
    }

    #[test]
    fn an_early_sound_keeps_what_there_is() {
        assert_eq!(Sounding::of(&[0.5, 0.0, 0.0], Margins::default()).kept, 0..3);
        assert_eq!(Sounding::of(&[0.0; 10], Margins::default()).kept, 0..0);
        assert_eq!(Sounding::of(&[], Margins::default()).kept, 0..0);
    }

    #[test]
    fn the_margins_are_faded_and_the_sound_is_not() {
        let samples = a_sound_in_noise();
        let sounding = Sounding::of(&samples, Margins::default());
        let mut kept = samples[sounding.kept.clone()].to_vec();
        sounding.fade_in(&mut kept);
        sounding.fade_out(&mut kept);
        assert!(kept[..720].iter().all(|sample| *sample == 0.0));
        assert!((kept[1080] - 0.0005).abs() < 2e-6, "half-way");
        assert!(kept[720..1440].is_sorted());
        assert_eq!(kept[1440..3440], samples[10_000..12_000]);
        assert!(kept[3440..].is_sorted_by(|a, b| a >= b));
        assert!(kept[3440 + 1440..].iter().all(|sample| *sample == 0.0));
    }

    #[test]
    fn a_tail_that_is_given_in_two_parts_is_faded_as_one() {
        let samples = a_sound_in_noise();
        let sounding = Sounding::of(&samples, Margins::default());
        let mut whole = samples[sounding.kept.clone()].to_vec();
        let mut end = whole[3800..].to_vec();
        sounding.fade_out(&mut whole);
        sounding.fade_out(&mut end);
        assert_eq!(end, whole[3800..]);
    }
}
