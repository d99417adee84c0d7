//! Audio on its way from the speaker of a stream to its reader.

use std::ops::Range;

use speech_base::cancel::CancelToken;
use speech_base::prefetch::Handover;

use crate::synthesis::SentenceAudio;

/// The audio of a part of a sentence.
pub(super) struct Piece {
    pub(super) audio: SentenceAudio,
    /// The bytes of the sentence in the text.
    pub(super) span: Range<usize>,
    /// Whether it is the last of its sentence.
    pub(super) ends_sentence: bool,
}

/// Where the audio goes, and what stops it.
pub(super) struct Output<'a> {
    pub(super) cancel: &'a CancelToken,
    pub(super) give: &'a mut dyn FnMut(Piece, Handover),
}

/// What follows a step of a stream that is computed step by step.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next step can be taken.
    Ready,
    /// More text has to arrive.
    Waiting,
    /// That was all.
    Ended,
}
