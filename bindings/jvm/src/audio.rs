//! ! Timestamps and diagnostics, as in answers.

use std::ops::Range;
use std::time::Duration;

use serde::Serialize;
use speech_core::{
    Chunk, Diagnostic, Encoding, MarkTiming, PhonemeTiming, SentenceTiming, Speech, Utf16Offsets,
    VisemeTiming, WordTiming,
};

use crate::task::{Answer, Sound};
use crate::wire::encode;

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

/// A note on how the text was read.
#[derive(Serialize)]
pub(crate) struct Note {
    kind: &'static str,
    span: Range<u32>,
}

/// The fields of `SpeechSamples`, without the audio.
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

/// The fields of `SpeechAudio`.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    timings: Timings<'a>,
    characters: usize,
    request_id: String,
    diagnostics: Vec<Note>,
    kernels: &'static str,
    precision: &'static str,
    elapsed: f64,
}

/// The fields of `SpeechChunk`.
#[derive(Serialize)]
struct Piece<'a> {
    #[serde(flatten)]
    timings: Timings<'a>,
    span: Range<u32>,
}

impl<'a> Timings<'a> {
    fn new(
        offsets: &Utf16Offsets,
        (samples, sample_rate, encoding): (&[i16], u32, Encoding),
        words: &[WordTiming],
        sentences: &[SentenceTiming],
        phonemes: &'a [PhonemeTiming],
        marks: &'a [MarkTiming],
        visemes: Vec<VisemeTiming>,
    ) -> Self {
        let part = |span: &Range<usize>, start, end| Part { span: offsets.range(span), start, end };
        let word = |of: &WordTiming| part(&of.span, of.start, of.end);
        let sentence = |of: &SentenceTiming| part(&of.span, of.start, of.end);
        let phoneme = |of: &'a PhonemeTiming| {
            let span = offsets.range(&of.span);
            Phoneme { ipa: &of.ipa, span, start: of.start, end: of.end }
        };
        let viseme = |of: VisemeTiming| {
            let (start, end) = (of.start, of.end);
            Viseme { viseme: of.viseme.as_str(), azure: of.azure, start, end }
        };
        Self {
            samples: samples.len(),
            sample_rate,
            encoding: encoding.as_str(),
            words: words.iter().map(word).collect(),
            sentences: sentences.iter().map(sentence).collect(),
            phonemes: phonemes.iter().map(phoneme).collect(),
            marks: marks.iter().map(|of| Mark { name: &of.name, time: of.time }).collect(),
            visemes: visemes.into_iter().map(viseme).collect(),
        }
    }
}

/// The answer with the speech of a whole text.
pub(crate) fn speech(offsets: &Utf16Offsets, speech: Speech, elapsed: Duration) -> Answer {
    let fields = encode(&Whole {
        timings: Timings::new(
            offsets,
            (speech.samples(), speech.sample_rate(), speech.encoding()),
            speech.words(),
            speech.sentences(),
            speech.phonemes(),
            speech.marks(),
            speech.visemes(),
        ),
        characters: speech.characters(),
        request_id: speech.request_id().to_string(),
        diagnostics: notes(offsets, speech.diagnostics()),
        kernels: speech.backend().kernels.as_str(),
        precision: speech.backend().precision.as_str(),
        elapsed: elapsed.as_secs_f64(),
    });
    let encoding = speech.encoding();
    Answer { fields, sound: Some(sound(speech.into_samples(), encoding)) }
}

/// The answer with a chunk of a stream.
pub(crate) fn chunk(offsets: &Utf16Offsets, chunk: Chunk) -> Answer {
    let fields = encode(&Piece {
        timings: Timings::new(
            offsets,
            (chunk.samples(), chunk.sample_rate(), chunk.encoding()),
            chunk.words(),
            chunk.sentences(),
            chunk.phonemes(),
            chunk.marks(),
            chunk.visemes(),
        ),
        span: offsets.range(&chunk.span()),
    });
    let encoding = chunk.encoding();
    Answer { fields, sound: Some(sound(chunk.into_samples(), encoding)) }
}

fn sound(samples: Vec<i16>, encoding: Encoding) -> Sound {
    let encoded = match encoding {
        Encoding::Pcm16 => Vec::new(),
        _ => speech_core::encode(&samples, encoding),
    };
    Sound { samples, encoded }
}

pub(crate) fn notes(offsets: &Utf16Offsets, diagnostics: &[Diagnostic]) -> Vec<Note> {
    let note = |of: &Diagnostic| Note { kind: of.kind.as_str(), span: offsets.range(&of.span) };
    diagnostics.iter().map(note).collect()
}
