//! Audio objects: the speech of a whole text, or a chunk of it that a stream gave.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use speech_core::{
    Backend, Chunk, Diagnostic, MarkTiming, PhonemeTiming, RequestId, SAMPLE_RATE, SentenceTiming,
    Speech, Viseme, VisemeTiming, WordTiming,
};

use crate::backend;
use crate::error::speech_error;
use crate::getters::{
    DiagnosticNumber, SpanOutputs, at, c_string, floats, get, get_diagnostic, get_slice, with,
};
use crate::handle::{self, handle_type};
use crate::pointers::Output;
use crate::status::Status;

/// Speech, mono, 22,050 samples a second: of a whole text, which speech_engine_synthesize() gives, or a chunk of
/// it, which speech_stream_next() gives: one sentence with the pause after it, or a part of one. It does not change, so any number of threads may read it. What its functions point at belongs to it.
pub struct speech_audio(());
handle_type!(speech_audio, AudioObject, "audio object");

/// The answer to a request as a whole: what audio objects and their stream have in common.
pub(crate) struct Answer {
    pub(crate) request_id: RequestId,
    pub(crate) request_id_text: CString,
    pub(crate) characters: usize,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) backend: Backend,
}

impl Answer {
    pub(crate) fn new(
        request_id: RequestId,
        characters: usize,
        diagnostics: &[Diagnostic],
        backend: Backend,
    ) -> Self {
        Self {
            request_id,
            request_id_text: c_string(&request_id.to_string()),
            characters,
            diagnostics: diagnostics.to_vec(),
            backend,
        }
    }
}

/// Samples and words. The other forms of the samples are made when they are first asked for.
pub(crate) struct AudioObject {
    answer: Arc<Answer>,
    samples: Vec<i16>,
    span: Range<usize>,
    words: Vec<WordTiming>,
    phonemes: Vec<Named<PhonemeTiming>>,
    sentences: Vec<SentenceTiming>,
    marks: Vec<Named<MarkTiming>>,
    visemes: Vec<VisemeTiming>,
    floats: OnceLock<Vec<f32>>,
    wav: OnceLock<Vec<u8>>,
}

/// Something with a name for C.
struct Named<T> {
    name: CString,
    of: T,
}

impl Named<PhonemeTiming> {
    fn phonemes(phonemes: &[PhonemeTiming]) -> Vec<Self> {
        phonemes.iter().map(|one| Self { name: c_string(&one.ipa), of: one.clone() }).collect()
    }
}

impl Named<MarkTiming> {
    fn marks(marks: &[MarkTiming]) -> Vec<Self> {
        marks.iter().map(|one| Self { name: c_string(&one.name), of: one.clone() }).collect()
    }
}

impl AudioObject {
    /// The speech of a whole text of `length` bytes.
    pub(crate) fn whole(speech: Speech, length: usize) -> Self {
        let answer = Answer::new(
            speech.request_id(),
            speech.characters(),
            speech.diagnostics(),
            speech.backend(),
        );
        Self {
            answer: Arc::new(answer),
            span: 0..length,
            words: speech.words().to_vec(),
            phonemes: Named::phonemes(speech.phonemes()),
            sentences: speech.sentences().to_vec(),
            marks: Named::marks(speech.marks()),
            visemes: speech.visemes(),
            samples: speech.into_samples(),
            floats: OnceLock::new(),
            wav: OnceLock::new(),
        }
    }

    /// A chunk of a stream.
    pub(crate) fn chunk(answer: Arc<Answer>, chunk: Chunk) -> Self {
        Self {
            answer,
            words: chunk.words().to_vec(),
            phonemes: Named::phonemes(chunk.phonemes()),
            sentences: chunk.sentences().to_vec(),
            marks: Named::marks(chunk.marks()),
            visemes: chunk.visemes(),
            span: chunk.span(),
            samples: chunk.into_samples(),
            floats: OnceLock::new(),
            wav: OnceLock::new(),
        }
    }

    fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(SAMPLE_RATE)
    }
}

/// The samples as 16-bit integers in the byte order of the machine. The chunks of a stream one after another
/// are, sample for sample, the audio of the whole text, unless the request asks for low latency.
///
/// They belong to the audio. Threads: any. Fails if the audio is not live or another argument is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_samples(
    audio: *const speech_audio,
    samples: Output<'_, *const i16>,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get_slice(audio, (samples, "samples"), (count, "count"), error, |audio| &audio.samples)
}

/// The samples as 32-bit floats from -1 to 1: each is the integer divided by 32,768. They are made by the
/// first call.
///
/// They belong to the audio. Threads: any. Fails if the audio is not live or another argument is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_samples_f32(
    audio: *const speech_audio,
    samples: Output<'_, *const f32>,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get_slice(audio, (samples, "samples"), (count, "count"), error, |audio| {
        audio.floats.get_or_init(|| floats(&audio.samples))
    })
}

/// The bytes of a RIFF/WAVE file (16-bit PCM) of the samples: write them to a file as they are. They are
/// made by the first call.
///
/// They belong to the audio. Threads: any. Fails if the audio is not live or another argument is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_wav(
    audio: *const speech_audio,
    bytes: Output<'_, *const u8>,
    length: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get_slice(audio, (bytes, "bytes"), (length, "length"), error, |audio| {
        audio.wav.get_or_init(|| speech_core::wav(&audio.samples))
    })
}

/// The sample rate in hertz: 22,050.
///
/// Threads: any. Fails if the audio is not live or `sample_rate` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_sample_rate(
    audio: *const speech_audio,
    sample_rate: Output<'_, u32>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, sample_rate, "sample_rate", error, |_| SAMPLE_RATE)
}

/// The duration of the audio in seconds.
///
/// Threads: any. Fails if the audio is not live or `seconds` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_duration(
    audio: *const speech_audio,
    seconds: Output<'_, f64>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, seconds, "seconds", error, |audio| audio.seconds())
}

/// The bytes `begin` to `end` (exclusive) of the text that was sent which the audio speaks. A chunk has the
/// bytes of its sentence, or all if there was nothing to say. Each of the two outputs may be NULL.
///
/// Threads: any. Fails if the audio is not live.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_span(
    audio: *const speech_audio,
    begin: Output<'_, usize>,
    end: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(audio, error, |audio| {
        SpanOutputs { begin, end }.write(&audio.span);
        Ok(())
    })
}

/// The number of words that have a timing.
///
/// Threads: any. Fails if the audio is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_word_count(
    audio: *const speech_audio,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, count, "count", error, |audio| audio.words.len())
}

/// When a word is heard: bytes `begin` to `end` (exclusive) of the text that was sent, and seconds from the
/// start of the whole speech, also in a chunk. A number such as "12" is one word, however many words
/// it is read as. Each of the four outputs may be NULL.
///
/// Threads: any. Fails if the audio is not live, or the index is not under speech_audio_word_count().
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_word(
    audio: *const speech_audio,
    index: usize,
    begin: Output<'_, usize>,
    end: Output<'_, usize>,
    start_seconds: Output<'_, f64>,
    end_seconds: Output<'_, f64>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(audio, error, |audio| {
        let word = at(&audio.words, index, "word")?;
        SpanOutputs { begin, end }.write(&word.span);
        start_seconds.write(word.start);
        end_seconds.write(word.end);
        Ok(())
    })
}

/// The number of phonemes that have a timing.
///
/// Threads: any. Fails if the audio is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_phoneme_count(
    audio: *const speech_audio,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, count, "count", error, |audio| audio.phonemes.len())
}

/// When a sound is heard: the sound in IPA with the mark of stress before it, bytes `begin` to `end` (exclusive) of its word
/// in the text that was sent, and seconds from the start of the whole speech, also in a chunk. Each of the five outputs may
/// be NULL. `ipa` belongs to the audio.
///
/// Threads: any. Fails if the audio is not live, or the index is not under speech_audio_phoneme_count().
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_phoneme(
    audio: *const speech_audio,
    index: usize,
    ipa: Output<'_, *const c_char>,
    begin: Output<'_, usize>,
    end: Output<'_, usize>,
    start_seconds: Output<'_, f64>,
    end_seconds: Output<'_, f64>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(audio, error, |audio| {
        let phoneme = at(&audio.phonemes, index, "phoneme")?;
        ipa.write(phoneme.name.as_ptr());
        SpanOutputs { begin, end }.write(&phoneme.of.span);
        start_seconds.write(phoneme.of.start);
        end_seconds.write(phoneme.of.end);
        Ok(())
    })
}

/// The number of visemes that have a timing.
///
/// Threads: any. Fails if the audio is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_viseme_count(
    audio: *const speech_audio,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, count, "count", error, |audio| audio.visemes.len())
}

/// When the mouth has a shape: its name among the 15 of OVR LipSync ("sil", "PP", "aa", ...), its number in Azure's table
/// (0 to 21), and seconds from the start of the whole speech, also in a chunk. There are no gaps between shapes. Each of the four
/// outputs may be NULL. The string is the library's own and stays valid.
///
/// Threads: any. Fails if the audio is not live, or the index is not under speech_audio_viseme_count().
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_viseme(
    audio: *const speech_audio,
    index: usize,
    name: Output<'_, *const c_char>,
    azure: Output<'_, u32>,
    start_seconds: Output<'_, f64>,
    end_seconds: Output<'_, f64>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(audio, error, |audio| {
        let viseme = at(&audio.visemes, index, "viseme")?;
        name.write(viseme_name(viseme.viseme).as_ptr());
        azure.write(u32::from(viseme.azure));
        start_seconds.write(viseme.start);
        end_seconds.write(viseme.end);
        Ok(())
    })
}

/// The number of sentences that have a timing.
///
/// Threads: any. Fails if the audio is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_sentence_count(
    audio: *const speech_audio,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, count, "count", error, |audio| audio.sentences.len())
}

/// When a sentence is heard: bytes `begin` to `end` (exclusive) of the text that was sent, and seconds from the start of the
/// whole speech, also in a chunk, to its first word and to the end of its last. A stream has it in the last chunk of the
/// sentence. Each of the four outputs may be NULL.
///
/// Threads: any. Fails if the audio is not live, or the index is not under speech_audio_sentence_count().
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_sentence(
    audio: *const speech_audio,
    index: usize,
    begin: Output<'_, usize>,
    end: Output<'_, usize>,
    start_seconds: Output<'_, f64>,
    end_seconds: Output<'_, f64>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(audio, error, |audio| {
        let sentence = at(&audio.sentences, index, "sentence")?;
        SpanOutputs { begin, end }.write(&sentence.span);
        start_seconds.write(sentence.start);
        end_seconds.write(sentence.end);
        Ok(())
    })
}

/// The number of marks that have a timing.
///
/// Threads: any. Fails if the audio is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_mark_count(
    audio: *const speech_audio,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, count, "count", error, |audio| audio.marks.len())
}

/// When a mark of SSML is reached: its name, and seconds from the start of the whole speech, also in a chunk. Both outputs may
/// be NULL. `name` belongs to the audio.
///
/// Threads: any. Fails if the audio is not live, or the index is not under speech_audio_mark_count().
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_mark(
    audio: *const speech_audio,
    index: usize,
    name: Output<'_, *const c_char>,
    seconds: Output<'_, f64>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(audio, error, |audio| {
        let mark = at(&audio.marks, index, "mark")?;
        name.write(mark.name.as_ptr());
        seconds.write(mark.of.time);
        Ok(())
    })
}

/// The identifier of the request, a UUID.
///
/// It belongs to the audio. Threads: any. Fails if the audio is not live or `request_id` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_request_id(
    audio: *const speech_audio,
    request_id: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, request_id, "request_id", error, |audio| audio.answer.request_id_text.as_ptr())
}

/// The metered quantity: the Unicode scalar values of the whole text as it was sent.
///
/// Threads: any. Fails if the audio is not live or `characters` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_characters(
    audio: *const speech_audio,
    characters: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, characters, "characters", error, |audio| audio.answer.characters)
}

/// The name of the kernels (the instruction set) that computed it, such as "avx2" or "portable": never "auto".
///
/// The string is the library's own and stays valid. Threads: any. Fails if the audio is not live or `kernels` is
/// NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_kernels(
    audio: *const speech_audio,
    kernels: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, kernels, "kernels", error, |audio| backend::kernels(audio.answer.backend))
}

/// The precision of the products of the vocoder: "fp32", "int16" or "bf16", never "auto".
///
/// The string is the library's own and stays valid. Threads: any. Fails if the audio is not live or `precision`
/// is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_precision(
    audio: *const speech_audio,
    precision: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, precision, "precision", error, |audio| backend::precision(audio.answer.backend))
}

/// The number of diagnostics of the whole text: what was not said.
///
/// Threads: any. Fails if the audio is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_diagnostic_count(
    audio: *const speech_audio,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(audio, count, "count", error, |audio| audio.answer.diagnostics.len())
}

/// A diagnostic: its kind, and the bytes `begin` to `end` (exclusive) of the text that was sent. Each of the
/// three outputs may be NULL.
///
/// Threads: any. Fails if the audio is not live, or the index is not under
/// speech_audio_diagnostic_count().
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_diagnostic(
    audio: *const speech_audio,
    index: usize,
    kind: Output<'_, DiagnosticNumber>,
    begin: Output<'_, usize>,
    end: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get_diagnostic(audio, index, kind, SpanOutputs { begin, end }, error, |audio| {
        Cow::Borrowed(&audio.answer.diagnostics)
    })
}

/// Frees an audio object with its samples, bytes and strings. NULL, and audio that was freed before, do
/// nothing.
///
/// Threads: any; but nobody may still read what its functions point at.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_free(audio: *mut speech_audio) {
    handle::free(audio);
}

/// The name of a shape of the mouth in OVR LipSync.
fn viseme_name(viseme: Viseme) -> &'static CStr {
    match viseme {
        Viseme::PP => c"PP",
        Viseme::FF => c"FF",
        Viseme::TH => c"TH",
        Viseme::DD => c"DD",
        Viseme::KK => c"kk",
        Viseme::CH => c"CH",
        Viseme::SS => c"SS",
        Viseme::NN => c"nn",
        Viseme::RR => c"RR",
        Viseme::AA => c"aa",
        Viseme::E => c"E",
        Viseme::IH => c"ih",
        Viseme::OH => c"oh",
        Viseme::OU => c"ou",
        _ => c"sil",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visemes_have_the_names_of_the_core() {
        for viseme in Viseme::ALL {
            assert_eq!(viseme_name(viseme).to_str(), Ok(viseme.as_str()));
        }
    }
}
