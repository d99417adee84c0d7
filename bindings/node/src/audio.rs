//! Converts speech, chunks and timestamps of the core to objects for the TypeScript package.

use std::time::Duration;

use napi::bindgen_prelude::Int16Array;
use napi_derive::napi;
use speech_core::{
    Chunk, Diagnostic, MarkTiming, PhonemeTiming, SentenceTiming, Speech, Utf16Offsets,
    VisemeTiming, WordTiming,
};

use crate::text::Span;

/// The timestamps of a word or a sentence.
#[napi(object, object_from_js = false)]
pub struct RawPart {
    /// Its span in the text.
    pub span: Span,
    /// Seconds from the start of the audio.
    pub start: f64,
    /// Seconds from the start of the audio.
    pub end: f64,
}

/// The timestamps of a phoneme.
#[napi(object, object_from_js = false)]
pub struct RawPhoneme {
    /// The phoneme in IPA.
    pub ipa: String,
    /// The span of its word in the text.
    pub span: Span,
    /// Seconds from the start of the audio.
    pub start: f64,
    /// Seconds from the start of the audio.
    pub end: f64,
}

/// The timestamp of an SSML mark.
#[napi(object, object_from_js = false)]
pub struct RawMark {
    /// Its name.
    pub name: String,
    /// Seconds from the start of the audio.
    pub time: f64,
}

/// The timestamps of a viseme.
#[napi(object, object_from_js = false)]
pub struct RawViseme {
    /// The viseme, one of the 15 of OVR LipSync.
    pub viseme: &'static str,
    /// The viseme ID, 0 to 21, of Azure Speech.
    pub azure: u8,
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
    /// Their span in the text.
    pub span: Span,
}

/// The speech of a whole text.
#[napi(object, object_from_js = false)]
pub struct RawAudio {
    /// The samples, not copied.
    pub pcm: Int16Array,
    /// The timestamps of the words.
    pub words: Vec<RawPart>,
    /// The timestamps of the sentences.
    pub sentences: Vec<RawPart>,
    /// The timestamps of the phonemes.
    pub phonemes: Vec<RawPhoneme>,
    /// The timestamps of the SSML marks.
    pub marks: Vec<RawMark>,
    /// The timestamps of the visemes.
    pub visemes: Vec<RawViseme>,
    /// The metered quantity.
    pub characters: u32,
    /// A UUID.
    pub request_id: String,
    /// Notes on how the text was read.
    pub diagnostics: Vec<RawDiagnostic>,
    /// The kernels in use.
    pub kernels: &'static str,
    /// The precision in use.
    pub precision: &'static str,
    /// The seconds of computation.
    pub elapsed: f64,
}

impl RawAudio {
    pub(crate) fn new(text: &str, speech: Speech, elapsed: Duration) -> Self {
        let offsets = Utf16Offsets::of(text);
        let backend = speech.backend();
        Self {
            words: words(&offsets, speech.words()),
            sentences: sentences(&offsets, speech.sentences()),
            phonemes: phonemes(&offsets, speech.phonemes()),
            marks: marks(speech.marks()),
            visemes: visemes(&speech.visemes()),
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
    /// The samples, not copied.
    pub pcm: Int16Array,
    /// The timestamps of the words, from the start of the stream.
    pub words: Vec<RawPart>,
    /// The timestamps of the sentences.
    pub sentences: Vec<RawPart>,
    /// The timestamps of the phonemes.
    pub phonemes: Vec<RawPhoneme>,
    /// The timestamps of the SSML marks.
    pub marks: Vec<RawMark>,
    /// The timestamps of the visemes.
    pub visemes: Vec<RawViseme>,
    /// The span of the sentence in the text.
    pub span: Span,
}

impl RawChunk {
    pub(crate) fn new(offsets: &Utf16Offsets, chunk: Chunk) -> Self {
        Self {
            words: words(offsets, chunk.words()),
            sentences: sentences(offsets, chunk.sentences()),
            phonemes: phonemes(offsets, chunk.phonemes()),
            marks: marks(chunk.marks()),
            visemes: visemes(&chunk.visemes()),
            span: offsets.range(&chunk.span()).into(),
            pcm: chunk.into_samples().into(),
        }
    }
}

fn words(offsets: &Utf16Offsets, words: &[WordTiming]) -> Vec<RawPart> {
    let convert = |word: &WordTiming| RawPart {
        span: offsets.range(&word.span).into(),
        start: word.start,
        end: word.end,
    };
    words.iter().map(convert).collect()
}

fn sentences(offsets: &Utf16Offsets, sentences: &[SentenceTiming]) -> Vec<RawPart> {
    let convert = |sentence: &SentenceTiming| RawPart {
        span: offsets.range(&sentence.span).into(),
        start: sentence.start,
        end: sentence.end,
    };
    sentences.iter().map(convert).collect()
}

fn phonemes(offsets: &Utf16Offsets, phonemes: &[PhonemeTiming]) -> Vec<RawPhoneme> {
    let convert = |phoneme: &PhonemeTiming| RawPhoneme {
        ipa: phoneme.ipa.clone(),
        span: offsets.range(&phoneme.span).into(),
        start: phoneme.start,
        end: phoneme.end,
    };
    phonemes.iter().map(convert).collect()
}

fn marks(marks: &[MarkTiming]) -> Vec<RawMark> {
    let convert = |mark: &MarkTiming| RawMark { name: mark.name.clone(), time: mark.time };
    marks.iter().map(convert).collect()
}

fn visemes(visemes: &[VisemeTiming]) -> Vec<RawViseme> {
    let convert = |viseme: &VisemeTiming| RawViseme {
        viseme: viseme.viseme.as_str(),
        azure: viseme.azure,
        start: viseme.start,
        end: viseme.end,
    };
    visemes.iter().map(convert).collect()
}

pub(crate) fn diagnostics(
    offsets: &Utf16Offsets,
    diagnostics: &[Diagnostic],
) -> Vec<RawDiagnostic> {
    let convert = |diagnostic: &Diagnostic| RawDiagnostic {
        kind: diagnostic.kind.as_str(),
        span: offsets.range(&diagnostic.span).into(),
    };
    diagnostics.iter().map(convert).collect()
}
