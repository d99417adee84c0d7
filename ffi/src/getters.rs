//! What functions of the header have in common: making an object, and reading it.

use std::borrow::Cow;
use std::ffi::CString;
use std::ops::Range;

use speech_core::{Diagnostic, DiagnosticKind, Result};

use crate::boundary::{ErrorOutput, boundary};
use crate::handle::{self, Handle};
use crate::pointers::{Output, invalid};
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

/// Runs the body of a function with the object behind a handle.
pub(crate) fn with<H: Handle>(
    handle: *const H,
    error: ErrorOutput<'_>,
    body: impl FnOnce(&H::Object) -> Result<()>,
) -> Status {
    boundary(error, || body(&*handle::lookup(handle)?))
}

/// Makes an object, and writes its handle to `output`.
pub(crate) fn create<H: Handle>(
    output: Output<'_, *mut H>,
    name: &str,
    error: ErrorOutput<'_>,
    make: impl FnOnce() -> Result<H::Object>,
) -> Status {
    boundary(error, || {
        let output = output.required(name)?;
        output.write(handle::insert(make()?));
        Ok(())
    })
}

/// Writes one value of an object to `output`.
pub(crate) fn get<H: Handle, T>(
    handle: *const H,
    output: Output<'_, T>,
    name: &str,
    error: ErrorOutput<'_>,
    value: impl FnOnce(&H::Object) -> T,
) -> Status {
    try_get(handle, output, name, error, |object| Ok(value(object)))
}

/// As [`get`], for a value that an object may not have.
pub(crate) fn try_get<H: Handle, T>(
    handle: *const H,
    output: Output<'_, T>,
    name: &str,
    error: ErrorOutput<'_>,
    value: impl FnOnce(&H::Object) -> Result<T>,
) -> Status {
    with(handle, error, |object| {
        let output = output.required(name)?;
        output.write(value(object)?);
        Ok(())
    })
}

/// Writes the address and the length of an array that belongs to an object, each to the output of that name.
pub(crate) fn get_slice<H: Handle, T>(
    handle: *const H,
    (data, data_name): (Output<'_, *const T>, &str),
    (length, length_name): (Output<'_, usize>, &str),
    error: ErrorOutput<'_>,
    slice: impl for<'a> FnOnce(&'a H::Object) -> &'a [T],
) -> Status {
    with(handle, error, |object| {
        let data = data.required(data_name)?;
        let length = length.required(length_name)?;
        let slice = slice(object);
        data.write(slice.as_ptr());
        length.write(slice.len());
        Ok(())
    })
}

/// The outputs for a span of the text; each may be NULL.
pub(crate) struct SpanOutputs<'call> {
    pub(crate) begin: Output<'call, usize>,
    pub(crate) end: Output<'call, usize>,
}

impl SpanOutputs<'_> {
    pub(crate) fn write(self, span: &Range<usize>) {
        self.begin.write(span.start);
        self.end.write(span.end);
    }
}

/// Writes a diagnostic of an object to outputs that may be NULL.
pub(crate) fn get_diagnostic<H: Handle>(
    handle: *const H,
    index: usize,
    kind: Output<'_, DiagnosticNumber>,
    span: SpanOutputs<'_>,
    error: ErrorOutput<'_>,
    diagnostics: impl for<'a> FnOnce(&'a H::Object) -> Cow<'a, [Diagnostic]>,
) -> Status {
    with(handle, error, |object| {
        let diagnostics = diagnostics(object);
        let diagnostic = at(&diagnostics, index, "diagnostic")?;
        kind.write(diagnostic_number(diagnostic.kind));
        span.write(&diagnostic.span);
        Ok(())
    })
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
