//! Lexicons, which requests can share.

use std::ffi::c_char;
use std::sync::Arc;

use speech_core::Lexicon;

use crate::error::speech_error;
use crate::getters::{create, value};
use crate::handle::{self, handle_type};
use crate::pointers::{Array, Output};
use crate::status::Status;

/// Words and their pronunciations. Immutable; any number of requests may share one.
pub struct speech_lexicon(());
handle_type!(speech_lexicon, LexiconObject, "lexicon");

pub(crate) struct LexiconObject(pub(crate) Arc<Lexicon>);

/// Parses a lexicon of at most 5,000 entries from `text`, which is `length` bytes, or ends with a
/// NUL byte if `length` is SPEECH_NUL_TERMINATED. Each line is an entry: words and their reading,
/// separated by a tab, as for speech_engine_options_add_pronunciation(). Empty lines and lines that
/// begin with `#` are comments; of two entries for the same words the later counts.
///
/// Free it with speech_lexicon_free(). Fails with SPEECH_INVALID_REQUEST; the message gives the
/// line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_lexicon_parse(
    text: Array<'_, c_char>,
    length: usize,
    lexicon: Output<'_, *mut speech_lexicon>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(lexicon, "lexicon", error, || {
        // SAFETY: `length` is the length of `text` (the header's contract).
        let text = unsafe { text.text(length, "text") }?;
        Ok(LexiconObject(Arc::new(Lexicon::parse(text)?)))
    })
}

/// Parses a lexicon in the W3C's Pronunciation Lexicon Specification 1.0 for texts in the language
/// of its `xml:lang`: at most 5,000 graphemes, with phonemes in the alphabet `ipa` or
/// `cmu-arpabet`. `document` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is
/// SPEECH_NUL_TERMINATED.
///
/// Free it with speech_lexicon_free(). Fails with SPEECH_INVALID_REQUEST for unsupported content;
/// the message gives its line and column.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_lexicon_from_pls(
    document: Array<'_, c_char>,
    length: usize,
    lexicon: Output<'_, *mut speech_lexicon>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(lexicon, "lexicon", error, || {
        // SAFETY: `length` is the length of `document` (the header's contract).
        let document = unsafe { document.text(length, "document") }?;
        Ok(LexiconObject(Arc::new(Lexicon::from_pls(document)?)))
    })
}

/// The number of entries.
#[unsafe(no_mangle)]
pub extern "C" fn speech_lexicon_entries(lexicon: *const speech_lexicon) -> usize {
    value(lexicon, 0, |lexicon| lexicon.0.len())
}

/// Frees a lexicon. Requests that use it keep it.
#[unsafe(no_mangle)]
pub extern "C" fn speech_lexicon_free(lexicon: *mut speech_lexicon) {
    handle::free(lexicon);
}
