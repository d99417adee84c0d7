//! What functions of the header have in common: making an object, and reading it.

use std::borrow::Cow;
use std::ffi::CString;
use std::ops::Range;

use speech_core::{Diagnostic, DiagnosticKind, Result};

use crate::boundary::boundary;
use crate::error::speech_error;
use crate::handle::{self, Handle};
use crate::pointers::{Pointers, invalid, write};
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

/// A C string. It ends before the first NUL character, which no string of the library has.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// The samples as floats from -1 to 1.
pub(crate) fn floats(samples: &[i16]) -> Vec<f32> {
    samples.iter().map(|sample| f32::from(*sample) / 32_768.0).collect()
}

/// The entry at an index, or `invalid_request`.
pub(crate) fn at<'a, T>(entries: &'a [T], index: usize, what: &str) -> Result<&'a T> {
    entries
        .get(index)
        .ok_or_else(|| invalid(format!("there is no {what} {index}; there are {}", entries.len())))
}

/// Makes an object, and writes its handle to `output`.
///
/// # Safety
///
/// The contract of [`boundary`], for `output`, `error` and every pointer that `make` converts.
pub(crate) unsafe fn create<H: Handle>(
    output: *mut *mut H,
    name: &str,
    error: *mut *mut speech_error,
    make: impl FnOnce(Pointers) -> Result<H::Object>,
) -> Status {
    // SAFETY: the contract of this function.
    unsafe {
        boundary(error, |pointers| {
            let output = pointers.output(output, name)?;
            output.write(handle::insert(make(pointers)?));
            Ok(())
        })
    }
}

/// Writes one value of an object to `output`.
///
/// # Safety
///
/// The contract of [`boundary`], for `output` and `error`.
pub(crate) unsafe fn get<H: Handle, T>(
    handle: *const H,
    output: *mut T,
    name: &str,
    error: *mut *mut speech_error,
    value: impl FnOnce(&H::Object) -> T,
) -> Status {
    // SAFETY: the contract of this function.
    unsafe { try_get(handle, output, name, error, |object| Ok(value(object))) }
}

/// As [`get`], for a value that an object may not have.
///
/// # Safety
///
/// The contract of [`boundary`], for `output` and `error`.
pub(crate) unsafe fn try_get<H: Handle, T>(
    handle: *const H,
    output: *mut T,
    name: &str,
    error: *mut *mut speech_error,
    value: impl FnOnce(&H::Object) -> Result<T>,
) -> Status {
    // SAFETY: the contract of this function.
    unsafe {
        boundary(error, |pointers| {
            let object = handle::lookup(handle)?;
            let output = pointers.output(output, name)?;
            output.write(value(&object)?);
            Ok(())
        })
    }
}

/// Writes the address and the length of an array that belongs to an object, each to the output of that name.
///
/// # Safety
///
/// The contract of [`boundary`], for both outputs and `error`.
pub(crate) unsafe fn get_slice<H: Handle, T>(
    handle: *const H,
    (data, data_name): (*mut *const T, &str),
    (length, length_name): (*mut usize, &str),
    error: *mut *mut speech_error,
    slice: impl for<'a> FnOnce(&'a H::Object) -> &'a [T],
) -> Status {
    // SAFETY: the contract of this function.
    unsafe {
        boundary(error, |pointers| {
            let object = handle::lookup(handle)?;
            let data = pointers.output(data, data_name)?;
            let length = pointers.output(length, length_name)?;
            let slice = slice(&object);
            data.write(slice.as_ptr());
            length.write(slice.len());
            Ok(())
        })
    }
}

/// The outputs for a span of the text; each may be NULL.
pub(crate) struct SpanOutputs {
    pub(crate) begin: *mut usize,
    pub(crate) end: *mut usize,
}

impl SpanOutputs {
    pub(crate) fn write(self, pointers: Pointers, span: &Range<usize>) {
        write(pointers.optional_output(self.begin), span.start);
        write(pointers.optional_output(self.end), span.end);
    }
}

/// Writes a diagnostic of an object to outputs that may be NULL.
///
/// # Safety
///
/// The contract of [`boundary`], for every output and `error`.
pub(crate) unsafe fn get_diagnostic<H: Handle>(
    handle: *const H,
    index: usize,
    kind: *mut DiagnosticNumber,
    span: SpanOutputs,
    error: *mut *mut speech_error,
    diagnostics: impl for<'a> FnOnce(&'a H::Object) -> Cow<'a, [Diagnostic]>,
) -> Status {
    // SAFETY: the contract of this function.
    unsafe {
        boundary(error, |pointers| {
            let object = handle::lookup(handle)?;
            let diagnostics = diagnostics(&object);
            let diagnostic = at(&diagnostics, index, "diagnostic")?;
            write(pointers.optional_output(kind), diagnostic_number(diagnostic.kind));
            span.write(pointers, &diagnostic.span);
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
