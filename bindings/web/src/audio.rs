//! ! Timestamps and diagnostics as JSON.

use std::ops::Range;

use serde_json::{Value, json};
use speech_core::{
    Chunk, Diagnostic, MarkTiming, PhonemeTiming, SentenceTiming, Speech, Utf16Offsets,
    VisemeTiming, WordTiming,
};

/// The speech of a whole text, without its samples.
pub(crate) fn speech(offsets: &Utf16Offsets, speech: &Speech, seconds: f64) -> Value {
    let backend = speech.backend();
    json!({
        "words": words(offsets, speech.words()),
        "sentences": sentences(offsets, speech.sentences()),
        "phonemes": phonemes(offsets, speech.phonemes()),
        "marks": marks(speech.marks()),
        "visemes": visemes(&speech.visemes()),
        "characters": speech.characters(),
        "diagnostics": diagnostics(offsets, speech.diagnostics()),
        "kernels": backend.kernels.as_str(),
        "precision": backend.precision.as_str(),
        "elapsed": seconds,
    })
}

/// A chunk of a stream, without its samples.
pub(crate) fn chunk(offsets: &Utf16Offsets, chunk: &Chunk) -> Value {
    json!({
        "words": words(offsets, chunk.words()),
        "sentences": sentences(offsets, chunk.sentences()),
        "phonemes": phonemes(offsets, chunk.phonemes()),
        "marks": marks(chunk.marks()),
        "visemes": visemes(&chunk.visemes()),
        "span": span(offsets, &chunk.span()),
    })
}

pub(crate) fn diagnostics(offsets: &Utf16Offsets, diagnostics: &[Diagnostic]) -> Vec<Value> {
    let convert = |diagnostic: &Diagnostic| json!({ "kind": diagnostic.kind.as_str(), "span": span(offsets, &diagnostic.span) });
    diagnostics.iter().map(convert).collect()
}

fn span(offsets: &Utf16Offsets, bytes: &Range<usize>) -> Value {
    let Range { start, end } = offsets.range(bytes);
    json!({ "start": start, "end": end })
}

fn words(offsets: &Utf16Offsets, words: &[WordTiming]) -> Vec<Value> {
    let convert = |word: &WordTiming| json!({ "span": span(offsets, &word.span), "start": word.start, "end": word.end });
    words.iter().map(convert).collect()
}

fn sentences(offsets: &Utf16Offsets, sentences: &[SentenceTiming]) -> Vec<Value> {
    let convert = |sentence: &SentenceTiming| json!({ "span": span(offsets, &sentence.span), "start": sentence.start, "end": sentence.end });
    sentences.iter().map(convert).collect()
}

fn phonemes(offsets: &Utf16Offsets, phonemes: &[PhonemeTiming]) -> Vec<Value> {
    let convert = |phoneme: &PhonemeTiming| {
        json!({
            "ipa": phoneme.ipa,
            "span": span(offsets, &phoneme.span),
            "start": phoneme.start,
            "end": phoneme.end,
        })
    };
    phonemes.iter().map(convert).collect()
}

fn marks(marks: &[MarkTiming]) -> Vec<Value> {
    marks.iter().map(|mark| json!({ "name": mark.name, "time": mark.time })).collect()
}

fn visemes(visemes: &[VisemeTiming]) -> Vec<Value> {
    let convert = |viseme: &VisemeTiming| {
        json!({
            "viseme": viseme.viseme.as_str(),
            "azure": viseme.azure,
            "start": viseme.start,
            "end": viseme.end,
        })
    };
    visemes.iter().map(convert).collect()
}
