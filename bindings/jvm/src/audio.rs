//! Speech, as the package gets it: the fields of `SpeechAudio` and `SpeechChunk`, in the order in which those read them.

use std::ops::Range;
use std::time::Duration;

use speech_core::{
    Chunk, Diagnostic, MarkTiming, PhonemeTiming, SentenceTiming, Speech, Utf16Offsets,
    VisemeTiming, WordTiming,
};

use crate::task::Answer;
use crate::wire::Writer;

/// What is heard when.
struct Events<'a> {
    words: &'a [WordTiming],
    sentences: &'a [SentenceTiming],
    phonemes: &'a [PhonemeTiming],
    marks: &'a [MarkTiming],
    visemes: Vec<VisemeTiming>,
}

impl Events<'_> {
    fn write(&self, offsets: &Utf16Offsets, writer: &mut Writer) {
        writer.list(self.words, |writer, word| {
            span(writer, offsets, &word.span);
            times(writer, word.start, word.end);
        });
        writer.list(self.sentences, |writer, sentence| {
            span(writer, offsets, &sentence.span);
            times(writer, sentence.start, sentence.end);
        });
        writer.list(self.phonemes, |writer, phoneme| {
            writer.string(&phoneme.ipa);
            span(writer, offsets, &phoneme.span);
            times(writer, phoneme.start, phoneme.end);
        });
        writer.list(self.marks, |writer, mark| {
            writer.string(&mark.name);
            writer.double(mark.time);
        });
        writer.list(&self.visemes, |writer, viseme| {
            writer.string(viseme.viseme.as_str());
            writer.int(viseme.azure.into());
            times(writer, viseme.start, viseme.end);
        });
    }
}

/// The answer with the speech of a whole text.
pub(crate) fn speech(text: &str, speech: Speech, elapsed: Duration) -> Answer {
    let offsets = Utf16Offsets::of(text);
    let mut writer = Writer::new();
    let events = Events {
        words: speech.words(),
        sentences: speech.sentences(),
        phonemes: speech.phonemes(),
        marks: speech.marks(),
        visemes: speech.visemes(),
    };
    events.write(&offsets, &mut writer);
    writer.int(speech.characters());
    writer.string(&speech.request_id().to_string());
    diagnostics(&mut writer, &offsets, speech.diagnostics());
    writer.string(speech.backend().kernels.as_str());
    writer.string(speech.backend().precision.as_str());
    writer.double(elapsed.as_secs_f64());
    Answer { fields: writer, samples: Some(speech.into_samples()) }
}

/// The answer with a chunk of a stream.
pub(crate) fn chunk(offsets: &Utf16Offsets, chunk: Chunk) -> Answer {
    let mut writer = Writer::new();
    writer.flag(true);
    let events = Events {
        words: chunk.words(),
        sentences: chunk.sentences(),
        phonemes: chunk.phonemes(),
        marks: chunk.marks(),
        visemes: chunk.visemes(),
    };
    events.write(offsets, &mut writer);
    span(&mut writer, offsets, &chunk.span());
    Answer { fields: writer, samples: Some(chunk.into_samples()) }
}

/// The answer after the last chunk.
pub(crate) fn no_chunk() -> Answer {
    let mut writer = Writer::new();
    writer.flag(false);
    writer.into()
}

pub(crate) fn diagnostics(writer: &mut Writer, offsets: &Utf16Offsets, diagnostics: &[Diagnostic]) {
    writer.list(diagnostics, |writer, diagnostic| {
        writer.string(diagnostic.kind.as_str());
        span(writer, offsets, &diagnostic.span);
    });
}

/// A part of the text.
pub(crate) fn span(writer: &mut Writer, offsets: &Utf16Offsets, bytes: &Range<usize>) {
    let units = offsets.range(bytes);
    writer.int(units.start as usize);
    writer.int(units.end as usize);
}

fn times(writer: &mut Writer, start: f64, end: f64) {
    writer.double(start);
    writer.double(end);
}
