//! What the functions that read an object have in common: a handle in, values out.

use std::ffi::CString;

use speech_core::{Diagnostic, DiagnosticKind, Result, WordTiming};

use crate::boundary::boundary;
use crate::error::speech_error;
use crate::handle::{self, Opaque};
use crate::pointer::{invalid, write};
use crate::status::Status;

/// What a diagnostic is about. A newer library may have kinds that this header does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_diagnostic_kind {
    /// These characters were not said: emoji, control characters and the like.
    SPEECH_DIAGNOSTIC_SKIPPED = 1,
}

/// A [`speech_diagnostic_kind`] as it crosses the boundary.
pub type DiagnosticNumber = i32;

/// A string for C; what is after a NUL character, which no string of ours has, is left out.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// The samples as numbers from -1 to 1.
pub(crate) fn floats(samples: &[i16]) -> Vec<f32> {
    samples.iter().map(|sample| f32::from(*sample) / 32_768.0).collect()
}

/// The entry at an index, or `invalid_request`.
pub(crate) fn at<'a, T>(entries: &'a [T], index: usize, what: &str) -> Result<&'a T> {
    entries
        .get(index)
        .ok_or_else(|| invalid(format!("there is no {what} {index}; there are {}", entries.len())))
}

/// Writes one value of an object to `out`.
///
/// # Safety
///
/// As [`boundary`], for `out` and `error`.
pub(crate) unsafe fn get<O: Opaque, T>(
    handle: *const O,
    out: *mut T,
    name: &str,
    error: *mut *mut speech_error,
    value: impl FnOnce(&O::Object) -> Result<T>,
) -> Status {
    // SAFETY: the obligation of this function.
    unsafe {
        boundary(error, |caller| {
            let object = handle::live(handle)?;
            caller.out(out, name)?.write(value(&object)?);
            Ok(())
        })
    }
}

/// Writes the address and the length of an array that belongs to an object, each to the output of that name.
///
/// # Safety
///
/// As [`boundary`], for both outputs and `error`.
pub(crate) unsafe fn get_slice<O: Opaque, T>(
    handle: *const O,
    (data, data_name): (*mut *const T, &str),
    (length, length_name): (*mut usize, &str),
    error: *mut *mut speech_error,
    slice: impl for<'a> FnOnce(&'a O::Object) -> &'a [T],
) -> Status {
    // SAFETY: the obligation of this function.
    unsafe {
        boundary(error, |caller| {
            let object = handle::live(handle)?;
            let (data, length) = (caller.out(data, data_name)?, caller.out(length, length_name)?);
            let slice = slice(&object);
            data.write(slice.as_ptr());
            length.write(slice.len());
            Ok(())
        })
    }
}

/// The outputs for a word; each may be NULL.
pub(crate) struct WordPlaces {
    pub(crate) begin: *mut usize,
    pub(crate) end: *mut usize,
    pub(crate) start_seconds: *mut f64,
    pub(crate) end_seconds: *mut f64,
}

/// Writes the span and the times of a word of an object.
///
/// # Safety
///
/// As [`boundary`], for every output and `error`.
pub(crate) unsafe fn get_word<O: Opaque>(
    handle: *const O,
    index: usize,
    places: WordPlaces,
    error: *mut *mut speech_error,
    words: impl for<'a> FnOnce(&'a O::Object) -> &'a [WordTiming],
) -> Status {
    // SAFETY: the obligation of this function.
    unsafe {
        boundary(error, |caller| {
            let object = handle::live(handle)?;
            let word = at(words(&object), index, "word")?;
            write(caller.out_or_null(places.begin), word.span.start);
            write(caller.out_or_null(places.end), word.span.end);
            write(caller.out_or_null(places.start_seconds), word.start);
            write(caller.out_or_null(places.end_seconds), word.end);
            Ok(())
        })
    }
}

/// The outputs for a diagnostic; each may be NULL.
pub(crate) struct DiagnosticPlaces {
    pub(crate) kind: *mut DiagnosticNumber,
    pub(crate) begin: *mut usize,
    pub(crate) end: *mut usize,
}

/// Writes the kind and the span of a diagnostic of an object.
///
/// # Safety
///
/// As [`boundary`], for every output and `error`.
pub(crate) unsafe fn get_diagnostic<O: Opaque>(
    handle: *const O,
    index: usize,
    places: DiagnosticPlaces,
    error: *mut *mut speech_error,
    diagnostics: impl for<'a> FnOnce(&'a O::Object) -> &'a [Diagnostic],
) -> Status {
    // SAFETY: the obligation of this function.
    unsafe {
        boundary(error, |caller| {
            let object = handle::live(handle)?;
            let diagnostic = at(diagnostics(&object), index, "diagnostic")?;
            write(caller.out_or_null(places.kind), diagnostic_number(diagnostic.kind));
            write(caller.out_or_null(places.begin), diagnostic.span.start);
            write(caller.out_or_null(places.end), diagnostic.span.end);
            Ok(())
        })
    }
}

fn diagnostic_number(kind: DiagnosticKind) -> DiagnosticNumber {
    match kind {
        DiagnosticKind::Skipped => speech_diagnostic_kind::SPEECH_DIAGNOSTIC_SKIPPED as _,
        // The core may have more kinds: each gets a number here when it is added.
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_scale_is_one() {
        assert_eq!(floats(&[0, i16::MIN, 16_384]), [0.0, -1.0, 0.5]);
    }

    #[test]
    fn an_index_out_of_range_is_named() {
        assert_eq!(*at(&[1, 2], 1, "word").unwrap(), 2);
        let error = at(&[1, 2], 2, "word").unwrap_err();
        assert_eq!(error.message(), "there is no word 2; there are 2");
    }
}
