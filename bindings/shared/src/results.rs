//! The results of requests as serializable fields, without the audio. Offsets are in UTF-16 code
//! units.

use std::ops::Range;
use std::time::Duration;

use serde::Serialize;
use speech_core::{
    Chunk, Diagnostic, MarkTiming, PhonemeTiming, SentenceTiming, Speech, Utf16Offsets,
    VisemeTiming, WordTiming,
};

/// The fields of the speech of a whole text.
#[derive(Serialize)]
pub struct SpeechFields<'a> {
    #[serde(flatten)]
    timings: Timings<'a>,
    characters: usize,
    request_id: String,
    diagnostics: Vec<Note>,
    kernels: &'static str,
    precision: &'static str,
    elapsed: f64,
}

/// The fields of a chunk of a stream.
#[derive(Serialize)]
pub struct ChunkFields<'a> {
    #[serde(flatten)]
    timings: Timings<'a>,
    span: Range<u32>,
}

/// A note on how the text was read.
#[derive(Serialize)]
pub struct Note {
    kind: &'static str,
    span: Range<u32>,
}

/// The format of the audio and its timestamps.
#[derive(Serialize)]
struct Timings<'a> {
    samples: usize,
    sample_rate: u32,
    encoding: &'static str,
    words: Vec<Part>,
    sentences: Vec<Part>,
    phonemes: Vec<Phoneme<'a>>,
    marks: Vec<Mark<'a>>,
    visemes: Vec<Viseme>,
}

/// A word or a sentence.
#[derive(Serialize)]
struct Part {
    span: Range<u32>,
    start: f64,
    end: f64,
}

#[derive(Serialize)]
struct Phoneme<'a> {
    ipa: &'a str,
    span: Range<u32>,
    start: f64,
    end: f64,
}

#[derive(Serialize)]
struct Mark<'a> {
    name: &'a str,
    time: f64,
}

#[derive(Serialize)]
struct Viseme {
    viseme: &'static str,
    azure: u8,
    start: f64,
    end: f64,
}

impl<'a> SpeechFields<'a> {
    /// The fields of `speech`, which took `elapsed` to compute.
    pub fn new(offsets: &Utf16Offsets, speech: &'a Speech, elapsed: Duration) -> Self {
        let backend = speech.backend();
        Self {
            timings: Timings {
                samples: speech.samples().len(),
                sample_rate: speech.sample_rate(),
                encoding: speech.encoding().as_str(),
                words: words(offsets, speech.words()),
                sentences: sentences(offsets, speech.sentences()),
                phonemes: phonemes(offsets, speech.phonemes()),
                marks: marks(speech.marks()),
                visemes: visemes(&speech.visemes()),
            },
            characters: speech.characters(),
            request_id: speech.request_id().to_string(),
            diagnostics: notes(offsets, speech.diagnostics()),
            kernels: backend.kernels.as_str(),
            precision: backend.precision.as_str(),
            elapsed: elapsed.as_secs_f64(),
        }
    }
}

impl<'a> ChunkFields<'a> {
    /// The fields of `chunk`.
    pub fn new(offsets: &Utf16Offsets, chunk: &'a Chunk) -> Self {
        Self {
            timings: Timings {
                samples: chunk.samples().len(),
                sample_rate: chunk.sample_rate(),
                encoding: chunk.encoding().as_str(),
                words: words(offsets, chunk.words()),
                sentences: sentences(offsets, chunk.sentences()),
                phonemes: phonemes(offsets, chunk.phonemes()),
                marks: marks(chunk.marks()),
                visemes: visemes(&chunk.visemes()),
            },
            span: offsets.range(&chunk.span()),
        }
    }
}

/// The notes on how a text was read.
pub fn notes(offsets: &Utf16Offsets, diagnostics: &[Diagnostic]) -> Vec<Note> {
    let note = |of: &Diagnostic| Note { kind: of.kind.as_str(), span: offsets.range(&of.span) };
    diagnostics.iter().map(note).collect()
}

fn words(offsets: &Utf16Offsets, words: &[WordTiming]) -> Vec<Part> {
    let part =
        |of: &WordTiming| Part { span: offsets.range(&of.span), start: of.start, end: of.end };
    words.iter().map(part).collect()
}

fn sentences(offsets: &Utf16Offsets, sentences: &[SentenceTiming]) -> Vec<Part> {
    let part =
        |of: &SentenceTiming| Part { span: offsets.range(&of.span), start: of.start, end: of.end };
    sentences.iter().map(part).collect()
}

fn phonemes<'a>(offsets: &Utf16Offsets, phonemes: &'a [PhonemeTiming]) -> Vec<Phoneme<'a>> {
    let phoneme = |of: &'a PhonemeTiming| {
        let span = offsets.range(&of.span);
        Phoneme { ipa: &of.ipa, span, start: of.start, end: of.end }
    };
    phonemes.iter().map(phoneme).collect()
}

fn marks(marks: &[MarkTiming]) -> Vec<Mark<'_>> {
    marks.iter().map(|of| Mark { name: &of.name, time: of.time }).collect()
}

fn visemes(visemes: &[VisemeTiming]) -> Vec<Viseme> {
    let viseme = |of: &VisemeTiming| {
        let (start, end) = (of.start, of.end);
        Viseme { viseme: of.viseme.as_str(), azure: of.azure, start, end }
    };
    visemes.iter().map(viseme).collect()
}
