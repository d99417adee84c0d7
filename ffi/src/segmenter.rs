//! Splits a text that arrives in pieces into sentences.

use std::ffi::c_char;
use std::mem;
use std::sync::{Mutex, PoisonError};

use speech_core::{Segment, Segmenter};

use crate::error::speech_error;
use crate::getters::{new, with};
use crate::handle::{self, handle_type};
use crate::pointers::{Array, Output};
use crate::status::Status;
use crate::text::{PartsObject, speech_text_parts};

/// Splits a text that arrives in pieces, such as the tokens of a language model, into sentences.
pub struct speech_segmenter(());
handle_type!(speech_segmenter, SegmenterObject, "segmenter");

/// A segmenter that may be used from any thread.
pub(crate) struct SegmenterObject(Mutex<Segmenter>);

/// Makes a segmenter at the start of a text. Free it with speech_segmenter_free().
#[unsafe(no_mangle)]
pub extern "C" fn speech_segmenter_new() -> *mut speech_segmenter {
    new(|| SegmenterObject(Mutex::default()))
}

/// Takes the next piece of the text, and returns the sentences that are now decided, each suitable
/// for a request. The rest is held back: a text that ends in "Dr." or "3." may continue either way.
/// The sentences do not depend on how the text is divided into pieces.
///
/// `piece` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is
/// SPEECH_NUL_TERMINATED; it must not end inside a character. `sentences` receives a new object,
/// which may contain no sentence: free it with speech_text_parts_free().
///
/// Thread-safe: concurrent calls run one after another. On failure the piece is not taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_segmenter_push(
    segmenter: *mut speech_segmenter,
    piece: Array<'_, c_char>,
    length: usize,
    sentences: Output<'_, *mut speech_text_parts>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(segmenter, error, |segmenter| {
        let output = sentences.required("sentences")?;
        // SAFETY: `length` is the length of `piece` (the header's contract).
        let piece = unsafe { piece.text(length, "piece") }?;
        output.write(parts(segmenter.change(|segmenter| segmenter.push(piece))));
        Ok(())
    })
}

/// Ends the text, and returns the remaining sentences; the segmenter is then ready for another
/// text.
///
/// `sentences` receives a new object: free it with speech_text_parts_free().
#[unsafe(no_mangle)]
pub extern "C" fn speech_segmenter_finish(
    segmenter: *mut speech_segmenter,
    sentences: Output<'_, *mut speech_text_parts>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(segmenter, error, |segmenter| {
        let output = sentences.required("sentences")?;
        output.write(parts(segmenter.change(|segmenter| mem::take(segmenter).finish())));
        Ok(())
    })
}

/// Frees a segmenter and the text it holds back.
#[unsafe(no_mangle)]
pub extern "C" fn speech_segmenter_free(segmenter: *mut speech_segmenter) {
    handle::free(segmenter);
}

impl SegmenterObject {
    fn change(&self, change: impl FnOnce(&mut Segmenter) -> Vec<Segment>) -> Vec<Segment> {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn parts(segments: Vec<Segment>) -> *mut speech_text_parts {
    handle::insert(PartsObject::of(segments.iter().map(|segment| segment.text.as_str())))
}
