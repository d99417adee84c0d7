//! Speech, as the package gets it.

use std::time::Duration;

use napi::bindgen_prelude::Int16Array;
use napi_derive::napi;
use speech_core::{Chunk, Diagnostic, Speech, WordTiming};

use crate::text::{Span, Utf16Offsets};

/// When a word is heard.
#[napi(object, object_from_js = false)]
pub struct RawWord {
    /// Where the text has it.
    pub span: Span,
    /// Seconds from the start of the audio.
    pub start: f64,
    /// Seconds from the start of the audio.
    pub end: f64,
}

/// A note on how the text was read.
#[napi(object, object_from_js = false)]
#[derive(Clone, Debug)]
pub struct RawDiagnostic {
    /// `skipped`: these characters are not spoken.
    pub kind: &'static str,
    /// Where the text has them.
    pub span: Span,
}

/// The speech of a whole text.
#[napi(object, object_from_js = false)]
pub struct RawAudio {
    /// The samples, which are not copied.
    pub pcm: Int16Array,
    /// When each word is heard.
    pub words: Vec<RawWord>,
    /// The metered quantity.
    pub characters: u32,
    /// A UUID.
    pub request_id: String,
    /// Notes on how the text was read.
    pub diagnostics: Vec<RawDiagnostic>,
    /// The kernels that it was computed with.
    pub kernels: &'static str,
    /// The precision that it was computed in.
    pub precision: &'static str,
    /// Seconds that it took.
    pub elapsed: f64,
}

impl RawAudio {
    pub(crate) fn new(text: &str, speech: Speech, elapsed: Duration) -> Self {
        let offsets = Utf16Offsets::of(text);
        let backend = speech.backend();
        Self {
            words: words(&offsets, speech.words()),
            characters: speech.characters() as u32,
            request_id: speech.request_id().to_string(),
            diagnostics: diagnostics(&offsets, speech.diagnostics()),
            kernels: backend.kernels.as_str(),
            precision: backend.precision.as_str(),
            elapsed: elapsed.as_secs_f64(),
            pcm: speech.into_samples().into(),
        }
    }
}

/// A chunk of a stream.
#[napi(object, object_from_js = false)]
pub struct RawChunk {
    /// The samples, which are not copied.
    pub pcm: Int16Array,
    /// When each word is heard, from the start of the stream.
    pub words: Vec<RawWord>,
    /// Where the text has the sentence.
    pub span: Span,
}

impl RawChunk {
    pub(crate) fn new(offsets: &Utf16Offsets, chunk: Chunk) -> Self {
        Self {
            words: words(offsets, &chunk.words),
            span: offsets.span(&chunk.span),
            pcm: chunk.samples.into(),
        }
    }
}

fn words(offsets: &Utf16Offsets, words: &[WordTiming]) -> Vec<RawWord> {
    let convert = |word: &WordTiming| RawWord {
        span: offsets.span(&word.span),
        start: word.start,
        end: word.end,
    };
    words.iter().map(convert).collect()
}

pub(crate) fn diagnostics(
    offsets: &Utf16Offsets,
    diagnostics: &[Diagnostic],
) -> Vec<RawDiagnostic> {
    let convert = |diagnostic: &Diagnostic| RawDiagnostic {
        kind: diagnostic.kind.as_str(),
        span: offsets.span(&diagnostic.span),
    };
    diagnostics.iter().map(convert).collect()
}
