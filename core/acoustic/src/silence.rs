//! Finds the audible range of an utterance, and shortens the silence around it, so that short
//! utterances are computed sooner.
//!
//! The padding tokens of a single word take about half of its frames. They are hardly audible, but
//! the normalizations need them: statistics of the speech alone change the sound. So some frames
//! are kept, and weighted for those left out.

use std::ops::Range;

use super::Features;
use super::network::norms::FrameWeights;

/// The predicted energy from which a frame of a padding token is audible. In 385 utterances (77
/// texts in both languages, five voices), the audio within 45 dB of the peak begins up to 9 frames
/// before the first token. It never begins before this energy is reached, except for a click in two
/// utterances and one frame in a third. It never ends after the energy has fallen below this value.
const AUDIBLE_ENERGY: f32 = -5.0;

/// The frames of silence kept at each end. From the outside: [`EDGE`] frames, [`COUNTED`] frames,
/// and those next to the speech.
const KEPT: usize = 5;

/// The outermost frames at each end of an utterance. They differ from other silence, because the
/// networks have no input beyond them.
const EDGE: usize = 1;

/// The frames after the outermost ones. In the normalizations their weights include those of the
/// frames left out.
const COUNTED: usize = 2;

impl Features {
    /// The audible hidden time steps: the tokens, and the audible parts of the padding tokens
    /// around them.
    pub(super) fn audible(&self) -> Range<usize> {
        let padding = |duration: Option<&usize>| duration.map_or(0, |frames| 2 * frames);
        let start = padding(self.durations.first());
        let end = self.energy.len() - padding(self.durations.last());
        let is_heard = |energy: &&f32| **energy >= AUDIBLE_ENERGY;
        let before = self.energy[..start].iter().rev().take_while(is_heard).count();
        let after = self.energy[end..].iter().take_while(is_heard).count();
        start - before..end + after
    }

    /// Leaves out most silent frames of the padding tokens, and returns the weights that make up
    /// for them. None if nothing is left out.
    pub(super) fn shorten_silence(&mut self) -> Option<FrameWeights> {
        let before = self.frames();
        let Range { start, end } = self.audible();
        let excess =
            [start / 2, before - end.div_ceil(2)].map(|silent| silent.saturating_sub(KEPT));
        if excess == [0, 0] {
            return None;
        }
        let [first, .., last] = &mut self.durations[..] else { return None };
        *first -= excess[0];
        *last -= excess[1];
        let end = EDGE + COUNTED;
        let kept = [0..end, end + excess[0]..before - excess[1] - end, before - end..before];
        self.text.iter_mut().for_each(|text| text.keep(&kept));
        for curve in [&mut self.pitch, &mut self.energy] {
            let values = |range: &Range<usize>| 2 * range.start..2 * range.end;
            *curve = kept.iter().flat_map(|range| &curve[values(range)]).copied().collect();
        }
        let frames = self.frames();
        let counted = [EDGE..end, frames - end..frames - EDGE];
        let left_out = counted.into_iter().zip(excess).filter(|(_, count)| *count > 0).collect();
        Some(FrameWeights { frames, left_out })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::signal::{BufferPool, Signal};

    /// Features whose values are their frame numbers, except the energy: -9 in silence and 5
    /// elsewhere.
    fn numbered(durations: [usize; 3], audible: Range<usize>) -> Features {
        let frames = durations.iter().sum();
        let mut text = Signal { values: BufferPool::default().take(frames).unwrap(), channels: 1 };
        text.values.iter_mut().enumerate().for_each(|(frame, value)| *value = frame as f32);
        let pitch = (0..2 * frames).map(|step| (step / 2) as f32).collect();
        let heard = |step| if audible.contains(&step) { 5.0 } else { -9.0 };
        let energy = (0..2 * frames).map(heard).collect();
        Features { durations: durations.to_vec(), text: Some(text), pitch, energy }
    }

    #[test]
    fn what_sounds_of_the_padding_is_heard() {
        let audible = |durations, heard| numbered(durations, heard).audible();
        assert_eq!(audible([9, 4, 8], 15..30), 15..30);
        // A token is audible whatever its energy.
        assert_eq!(audible([9, 4, 8], 20..22), 18..26);
        // An isolated sound at the end is not part of the text.
        assert_eq!(audible([9, 4, 8], 40..42), 18..26);
        assert_eq!(audible([2, 1, 2], 0..10), 0..10);
    }

    #[test]
    fn silence_is_left_out_within_the_padding() {
        // Silences of 8 frames and one time step, and of 6 frames and one.
        let mut features = numbered([9, 4, 8], 17..29);
        let weights = features.shorten_silence().unwrap();
        // Frames 3 to 5 and 17 are left out.
        let kept = [0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20].map(|x| x as f32);
        assert_eq!(*features.text.as_ref().unwrap().values, kept);
        assert_eq!(features.durations, [6, 4, 7]);
        assert_eq!(features.pitch, kept.map(|x| [x, x]).as_flattened());
        assert_eq!(features.audible(), 11..23);
        assert_eq!(weights, FrameWeights { frames: 17, left_out: vec![(1..3, 3), (14..16, 1)] });
        assert!(features.fits(1));
    }

    #[test]
    fn short_silence_is_kept() {
        assert_eq!(numbered([5, 1, 1], 10..14).shorten_silence(), None);
        assert_eq!(numbered([9, 1, 9], 0..38).shorten_silence(), None);
        let mut features = numbered([1, 1, 7], 2..6);
        let weights = features.shorten_silence().unwrap();
        assert_eq!((weights.frames, weights.left_out), (8, vec![(5..7, 1)]));
        assert_eq!(
            *features.text.as_ref().unwrap().values,
            [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0]
        );
    }
}
