//! Texts: counting characters, and splitting into parts that fit a request.

use std::ffi::{CString, c_char};

use speech_core::{count_characters, split_text};

use crate::boundary::boundary;
use crate::error::speech_error;
use crate::getters::{array, c_string, create};
use crate::handle::{self, handle_type};
use crate::pointers::{Array, Output, StringPointer};
use crate::status::Status;

/// The parts of a text, in order. Immutable.
pub struct speech_text_parts(());
handle_type!(speech_text_parts, PartsObject, "parts object");

/// The parts as C strings.
pub(crate) struct PartsObject {
    pointers: Vec<StringPointer>,
    _strings: Vec<CString>,
}

impl PartsObject {
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut strings = Vec::new();
        let kept = |part| StringPointer::kept(c_string(part), &mut strings);
        Self { pointers: parts.into_iter().map(kept).collect(), _strings: strings }
    }
}

/// The number of characters in a text as counted by the limit and the meter: Unicode scalar values.
///
/// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_text_characters(
    text: Array<'_, c_char>,
    length: usize,
    characters: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let output = characters.required("characters")?;
        // SAFETY: `length` is the length of `text` (the header's contract).
        output.write(count_characters(unsafe { text.text(length, "text") }?));
        Ok(())
    })
}

/// Splits a text into parts of at most `max_characters` characters, in order: after sentences if
/// possible, otherwise after clauses, otherwise between words, and inside a word only if the word
/// alone exceeds the limit. Whitespace around the parts is dropped. A request's limit is 1,000; 0
/// counts as 1.
///
/// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED.
///
/// `parts` receives a new object: free it with speech_text_parts_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_text_split(
    text: Array<'_, c_char>,
    length: usize,
    max_characters: usize,
    parts: Output<'_, *mut speech_text_parts>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(parts, "parts", error, || {
        // SAFETY: `length` is the length of `text` (the header's contract).
        let text = unsafe { text.text(length, "text") }?;
        Ok(PartsObject::of(split_text(text, max_characters)))
    })
}

/// The parts as NUL-terminated strings; none if the text is empty or only whitespace.
#[unsafe(no_mangle)]
pub extern "C" fn speech_text_parts_strings(
    parts: *const speech_text_parts,
    count: Output<'_, usize>,
) -> *const StringPointer {
    array(parts, count, |parts| &parts.pointers)
}

/// Frees the parts with their strings.
#[unsafe(no_mangle)]
pub extern "C" fn speech_text_parts_free(parts: *mut speech_text_parts) {
    handle::free(parts);
}
