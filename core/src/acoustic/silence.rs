//! Less of the silence around an utterance: a short one is computed sooner.
//!
//! The padding tokens of a single word are more than half of its frames. They are not heard, but the normalizations need them:
//! statistics of the speech alone give another sound. So some frames are kept, and count for those that are left out.

use std::ops::Range;

use super::Features;
use super::network::norms::FrameWeights;

/// Frames of a padding token that are kept. The sound of the tokens beside it reaches into some.
const KEPT: usize = 6;

/// Frames at the ends of an utterance that are not like the silence after them, as there is nothing beyond.
const EDGE: usize = 1;

/// Frames after those, which count for what is left out.
const COUNTED: usize = 2;

impl Features {
    /// Leaves out most frames of the padding tokens, and tells what counts for them. None if nothing is left out.
    pub(super) fn shorten_silence(&mut self) -> Option<FrameWeights> {
        let [first, .., last] = &mut self.durations[..] else { return None };
        let excess = [&*first, &*last].map(|frames| frames.saturating_sub(KEPT));
        if excess == [0, 0] {
            return None;
        }
        *first -= excess[0];
        *last -= excess[1];
        let before = self.text.time_steps();
        let end = EDGE + COUNTED;
        let kept = [0..end, end + excess[0]..before - excess[1] - end, before - end..before];
        self.text.keep(&kept);
        for curve in [&mut self.pitch, &mut self.energy] {
            let values = |range: &Range<usize>| 2 * range.start..2 * range.end;
            *curve = kept.iter().flat_map(|range| &curve[values(range)]).copied().collect();
        }
        let frames = self.text.time_steps();
        let counted = [EDGE..end, frames - end..frames - EDGE];
        let left_out = counted.into_iter().zip(excess).filter(|(_, count)| *count > 0).collect();
        Some(FrameWeights { frames, left_out })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acoustic::network::signal::{BufferPool, Signal};

    /// Features whose values are the numbers of their frames.
    fn numbered(durations: &[usize]) -> Features {
        let frames = durations.iter().sum();
        let mut text = Signal { values: BufferPool::default().take(frames), channels: 1 };
        text.values.iter_mut().enumerate().for_each(|(frame, value)| *value = frame as f32);
        let curve: Vec<_> = (0..2 * frames).map(|step| (step / 2) as f32).collect();
        Features { durations: durations.to_vec(), text, pitch: curve.clone(), energy: curve }
    }

    #[test]
    fn silence_is_left_out_within_the_padding() {
        let mut features = numbered(&[9, 4, 8]);
        let weights = features.shorten_silence().unwrap();
        // Frames 3 to 5 of the first and 16 and 17 of the last are left out.
        let kept = [0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 19, 20].map(|x| x as f32);
        assert_eq!(*features.text.values, kept);
        assert_eq!(features.durations, [6, 4, 6]);
        assert_eq!(features.pitch, kept.map(|x| [x, x]).as_flattened());
        assert_eq!(features.pitch, features.energy);
        assert_eq!(weights, FrameWeights { frames: 16, left_out: vec![(1..3, 3), (13..15, 2)] });
        assert!(features.fits(1));
    }

    #[test]
    fn padding_that_is_short_already_is_kept() {
        assert_eq!(numbered(&[6, 1, 1]).shorten_silence(), None);
        let mut features = numbered(&[1, 1, 7]);
        let weights = features.shorten_silence().unwrap();
        assert_eq!((weights.frames, weights.left_out), (8, vec![(5..7, 1)]));
        assert_eq!(*features.text.values, [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0]);
    }
}
