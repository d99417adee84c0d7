//! Divides audio into messages of whole frames.

use super::settings::Sound;

/// The audio of a turn on its way to the socket.
#[derive(Debug)]
pub(super) struct Frames {
    sound: Sound,
    /// Less than a frame, kept until more audio follows.
    rest: Vec<u8>,
}

impl Frames {
    pub(super) fn new(sound: Sound) -> Self {
        Self { sound, rest: Vec::new() }
    }

    /// Adds audio, and returns the complete frames.
    pub(super) fn add(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let mut all = std::mem::take(&mut self.rest);
        if all.is_empty() {
            all = bytes;
        } else {
            all.extend(bytes);
        }
        let frame = self.sound.frame_bytes();
        self.rest = all.split_off(all.len() / frame * frame);
        all
    }

    /// Fills the last frame with silence. Returns that frame, if any, and the number of samples of
    /// silence in it.
    pub(super) fn fill(&mut self) -> (Vec<u8>, usize) {
        if self.rest.is_empty() {
            return (Vec::new(), 0);
        }
        let silence = self.sound.silence();
        let missing = (self.sound.frame_bytes() - self.rest.len()) / silence.len();
        (self.add(silence.repeat(missing)), missing)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::settings::{Changes, Settings};
    use super::*;

    proptest! {
        #[test]
        fn frames_are_whole_and_nothing_is_lost(
            pieces in prop::collection::vec(prop::collection::vec(any::<[u8; 2]>(), 0..900), 0..9),
            milliseconds in 1_u32..40,
        ) {
            let query = format!("sample_rate=8000&frame_ms={milliseconds}");
            let mut settings = Settings::default();
            settings.change(&Changes::of_query(&query).unwrap(), true).unwrap();
            let mut frames = Frames::new(settings.sound);
            let frame = 16 * milliseconds as usize;
            let mut sent = Vec::new();
            for piece in &pieces {
                let more = frames.add(piece.concat());
                prop_assert!(more.len().is_multiple_of(frame));
                sent.extend(more);
            }
            let (last, missing) = frames.fill();
            prop_assert!(last.is_empty() || last.len() == frame);
            sent.extend(last);
            let mut expected = pieces.concat().concat();
            expected.resize(expected.len() + 2 * missing, 0);
            prop_assert_eq!(sent, expected);
            prop_assert_eq!(frames.fill(), (Vec::new(), 0));
        }
    }
}
