//! Texts: how long they are, and cutting them into parts that fit a request.

use std::ffi::{CString, c_char};

use speech_core::{count_characters, split_text};

use crate::boundary::boundary;
use crate::error::speech_error;
use crate::getters::{at, c_string, create, get, try_get};
use crate::handle::{self, handle_type};
use crate::pointers::{Array, Output};
use crate::status::Status;

/// The parts of a text, in order. It does not change, so any number of threads may read it.
pub struct speech_text_parts(());
handle_type!(speech_text_parts, PartsObject, "parts object");

/// The parts as C strings.
pub(crate) struct PartsObject(Vec<CString>);

impl PartsObject {
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        Self(parts.into_iter().map(c_string).collect())
    }
}

/// The characters of a text as the limit and the meter count them: its Unicode scalar values.
///
/// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED.
///
/// Threads: any. Fails with SPEECH_INVALID_REQUEST if the text is NULL, is not UTF-8 or has a NUL character
/// in it, or `characters` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_text_characters(
    text: Array<'_, c_char>,
    length: usize,
    characters: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let output = characters.required("characters")?;
        // SAFETY: `length` is the length of `text`, as the header says.
        output.write(count_characters(unsafe { text.text(length, "text") }?));
        Ok(())
    })
}

/// Cuts a text into parts of at most `max_characters` characters, in order: after sentences if it can, else
/// after clauses, else between words, and inside a word only if the word alone is over the limit. White
/// space around the parts is left out. 1,000 is what a request may have; 0 counts as 1.
///
/// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED.
///
/// `parts` receives a new object: free it with speech_text_parts_free(). Threads: any. Fails with
/// SPEECH_INVALID_REQUEST if the text is NULL, is not UTF-8 or has a NUL character in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_text_split(
    text: Array<'_, c_char>,
    length: usize,
    max_characters: usize,
    parts: Output<'_, *mut speech_text_parts>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(parts, "parts", error, || {
        // SAFETY: `length` is the length of `text`, as the header says.
        let text = unsafe { text.text(length, "text") }?;
        Ok(PartsObject::of(split_text(text, max_characters)))
    })
}

/// The number of parts: 0 if the text was empty or only white space.
///
/// Threads: any. Fails if the parts are not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_text_parts_count(
    parts: *const speech_text_parts,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(parts, count, "count", error, |parts| parts.0.len())
}

/// A part: a string that ends with a NUL byte and belongs to the parts.
///
/// Threads: any. Fails if the parts are not live, the index is not under speech_text_parts_count(), or
/// `part` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_text_parts_get(
    parts: *const speech_text_parts,
    index: usize,
    part: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    try_get(parts, part, "part", error, |parts| Ok(at(&parts.0, index, "part")?.as_ptr()))
}

/// Frees the parts and their strings. NULL, and parts that were freed before, do nothing.
///
/// Threads: any; but nobody may still read what its functions point at.
#[unsafe(no_mangle)]
pub extern "C" fn speech_text_parts_free(parts: *mut speech_text_parts) {
    handle::free(parts);
}
