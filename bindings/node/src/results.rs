//! What came of a request.

use std::time::Duration;

use napi::bindgen_prelude::Int16Array;
use napi_derive::napi;
use speech_core::{
    Chunk, Diagnostic, DiagnosticKind, Error, ErrorKind, Result, Speech, WordTiming,
};

use crate::text::{CodeUnits, Span};

/// When a word is heard.
#[napi(object, object_from_js = false)]
pub struct Word {
    /// Where the text has it.
    pub span: Span,
    /// Seconds from the start of the audio.
    pub start: f64,
    /// Seconds from the start of the audio.
    pub end: f64,
}

/// What was not said.
#[napi(object, object_from_js = false)]
#[derive(Clone, Debug)]
pub struct NotSaid {
    /// `skipped`.
    pub kind: &'static str,
    /// Where the text has it.
    pub span: Span,
}

/// A whole text, spoken.
#[napi(object, object_from_js = false)]
pub struct RawAudio {
    /// The samples, which are not copied.
    pub pcm: Int16Array,
    /// When each word is heard.
    pub words: Vec<Word>,
    /// The metered quantity.
    pub characters: u32,
    /// A UUID.
    pub request_id: String,
    /// What was not said.
    pub diagnostics: Vec<NotSaid>,
    /// What it was computed with.
    pub kernels: &'static str,
    /// What it was computed in.
    pub precision: &'static str,
    /// Seconds that it took.
    pub elapsed: f64,
}

impl RawAudio {
    pub(crate) fn new(text: &str, speech: Speech, elapsed: Duration) -> Result<Self> {
        let units = CodeUnits::of(text);
        let backend = speech.backend();
        Ok(Self {
            words: words(&units, speech.words()),
            characters: speech.characters() as u32,
            request_id: speech.request_id().to_string(),
            diagnostics: diagnostics(&units, speech.diagnostics())?,
            kernels: backend.kernels.as_str(),
            precision: backend.precision.as_str(),
            elapsed: elapsed.as_secs_f64(),
            pcm: speech.into_samples().into(),
        })
    }
}

/// A part of a stream.
#[napi(object, object_from_js = false)]
pub struct RawChunk {
    /// The samples, which are not copied.
    pub pcm: Int16Array,
    /// When each word is heard, from the start of the stream.
    pub words: Vec<Word>,
    /// Where the text has the sentence.
    pub span: Span,
}

impl RawChunk {
    pub(crate) fn new(units: &CodeUnits, chunk: Chunk) -> Self {
        Self {
            words: words(units, &chunk.words),
            span: units.span(&chunk.span),
            pcm: chunk.samples.into(),
        }
    }
}

fn words(units: &CodeUnits, words: &[WordTiming]) -> Vec<Word> {
    let place =
        |word: &WordTiming| Word { span: units.span(&word.span), start: word.start, end: word.end };
    words.iter().map(place).collect()
}

pub(crate) fn diagnostics(units: &CodeUnits, found: &[Diagnostic]) -> Result<Vec<NotSaid>> {
    let place = |diagnostic: &Diagnostic| {
        let kind = match diagnostic.kind {
            DiagnosticKind::Skipped => "skipped",
            _ => return Err(Error::new(ErrorKind::Internal, "a diagnostic has no name")),
        };
        Ok(NotSaid { kind, span: units.span(&diagnostic.span) })
    };
    found.iter().map(place).collect()
}
