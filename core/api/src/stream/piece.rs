//! The audio that a stream's speaker passes to its reader.

use std::ops::Range;

use speech_base::cancel::CancelToken;
use speech_base::prefetch::Handover;

use crate::synthesis::SentenceAudio;

/// The audio of a part of a sentence.
pub(super) struct Piece {
    pub(super) audio: SentenceAudio,
    /// The byte range of the sentence in the text.
    pub(super) span: Range<usize>,
    /// Whether this is the last part of its sentence.
    pub(super) ends_sentence: bool,
}

/// The receiver of the audio, and the cancel token.
pub(super) struct Output<'a> {
    pub(super) cancel: &'a CancelToken,
    pub(super) give: &'a mut dyn FnMut(Piece, Handover),
}

/// The state of a stream after a [`step`](crate::Stream::step).
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next step can be taken.
    Ready,
    /// More text is needed.
    Waiting,
    /// The stream has ended.
    Ended,
}
