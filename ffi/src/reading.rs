//! What audio objects, chunks and streams have in common: strings, words and diagnostics for C.

use std::ffi::CString;

use speech_core::{Diagnostic, DiagnosticKind, Result, WordTiming};

use crate::pointer::{Out, invalid, write};

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

/// Where a word goes; each place may be left out.
pub(crate) struct WordPlaces {
    pub(crate) begin: Option<Out<usize>>,
    pub(crate) end: Option<Out<usize>>,
    pub(crate) start_seconds: Option<Out<f64>>,
    pub(crate) end_seconds: Option<Out<f64>>,
}

impl WordPlaces {
    pub(crate) fn write(self, word: &WordTiming) {
        write(self.begin, word.span.start);
        write(self.end, word.span.end);
        write(self.start_seconds, word.start);
        write(self.end_seconds, word.end);
    }
}

/// Where a diagnostic goes; each place may be left out.
pub(crate) struct DiagnosticPlaces {
    pub(crate) kind: Option<Out<DiagnosticNumber>>,
    pub(crate) begin: Option<Out<usize>>,
    pub(crate) end: Option<Out<usize>>,
}

impl DiagnosticPlaces {
    pub(crate) fn write(self, diagnostic: &Diagnostic) {
        write(self.kind, diagnostic_number(diagnostic.kind));
        write(self.begin, diagnostic.span.start);
        write(self.end, diagnostic.span.end);
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
