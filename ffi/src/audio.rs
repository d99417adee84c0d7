//! Audio objects: the speech of a whole text, or a chunk of a stream.

use std::ffi::{CString, c_char};
use std::sync::{Arc, OnceLock};

use speech_core::{Backend, Chunk, Diagnostic, Encoding, RequestId, Speech, Stream};

use crate::backend;
use crate::getters::{array, c_string, string, value};
use crate::handle::{self, handle_type};
use crate::pointers::Output;
use crate::request::{EncodingNumber, encoding_number};
use crate::timings::{
    Timings, speech_diagnostic, speech_mark, speech_phoneme, speech_sentence, speech_span,
    speech_viseme, speech_word,
};

/// Speech, mono, at the sample rate of the request: a whole text (speech_engine_synthesize()) or a
/// chunk (speech_stream_next()), which is one sentence with the pause after it, or a part of one.
/// Immutable.
pub struct speech_audio(());
handle_type!(speech_audio, AudioObject, "audio object");

/// The data that a request's audio objects and stream share.
pub(crate) struct Answer {
    request_id: CString,
    pub(crate) characters: usize,
    pub(crate) diagnostics: Vec<speech_diagnostic>,
    backend: Backend,
}

impl Answer {
    pub(crate) fn new(
        request_id: RequestId,
        characters: usize,
        diagnostics: &[Diagnostic],
        backend: Backend,
    ) -> Self {
        Self {
            request_id: c_string(&request_id.to_string()),
            characters,
            diagnostics: diagnostics.iter().map(speech_diagnostic::from).collect(),
            backend,
        }
    }

    /// The current state of a stream's text.
    pub(crate) fn of(stream: &Stream) -> Self {
        Self::new(stream.request_id(), stream.characters(), &stream.diagnostics(), stream.backend())
    }
}

/// Samples and timestamps. Other forms of the samples are made on first use.
pub(crate) struct AudioObject {
    answer: Arc<Answer>,
    samples: Vec<i16>,
    sample_rate: u32,
    encoding: Encoding,
    span: speech_span,
    timings: Timings,
    floats: OnceLock<Vec<f32>>,
    bytes: OnceLock<Vec<u8>>,
    wav: OnceLock<Vec<u8>>,
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
        let timings = Timings::new(
            speech.words(),
            speech.phonemes(),
            &speech.visemes(),
            speech.sentences(),
            speech.marks(),
        );
        let span = speech_span { begin: 0, end: length };
        let format = (speech.sample_rate(), speech.encoding());
        Self::of(Arc::new(answer), speech.into_samples(), format, span, timings)
    }

    /// A chunk of a stream.
    pub(crate) fn chunk(answer: Arc<Answer>, chunk: Chunk) -> Self {
        let timings = Timings::new(
            chunk.words(),
            chunk.phonemes(),
            &chunk.visemes(),
            chunk.sentences(),
            chunk.marks(),
        );
        let span = (&chunk.span()).into();
        let format = (chunk.sample_rate(), chunk.encoding());
        Self::of(answer, chunk.into_samples(), format, span, timings)
    }

    fn of(
        answer: Arc<Answer>,
        samples: Vec<i16>,
        (sample_rate, encoding): (u32, Encoding),
        span: speech_span,
        timings: Timings,
    ) -> Self {
        let (floats, bytes, wav) = Default::default();
        Self { answer, samples, sample_rate, encoding, span, timings, floats, bytes, wav }
    }

    fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.sample_rate)
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get_or_init(|| speech_core::encode(&self.samples, self.encoding))
    }

    fn wav(&self) -> &[u8] {
        self.wav.get_or_init(|| speech_core::wav(&self.samples, self.sample_rate, self.encoding))
    }
}

/// The samples as floats from -1 to 1.
fn floats(samples: &[i16]) -> Vec<f32> {
    samples.iter().map(|sample| f32::from(*sample) / 32_768.0).collect()
}

/// The samples as 16-bit integers in native byte order. Without low latency, the concatenated
/// chunks of a stream equal the audio of the whole text, sample for sample.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_samples(
    audio: *const speech_audio,
    count: Output<'_, usize>,
) -> *const i16 {
    array(audio, count, |audio| &audio.samples)
}

/// The samples as 32-bit floats from -1 to 1: the integers divided by 32,768. Computed on the first
/// call.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_samples_f32(
    audio: *const speech_audio,
    count: Output<'_, usize>,
) -> *const f32 {
    array(audio, count, |audio| audio.floats.get_or_init(|| floats(&audio.samples)))
}

/// The samples as bytes in the encoding of the request, see speech_encoding. Computed on the first
/// call.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_bytes(
    audio: *const speech_audio,
    length: Output<'_, usize>,
) -> *const u8 {
    array(audio, length, AudioObject::bytes)
}

/// A complete RIFF/WAVE file of the samples in the encoding of the request. Computed on the first
/// call.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_wav(
    audio: *const speech_audio,
    length: Output<'_, usize>,
) -> *const u8 {
    array(audio, length, AudioObject::wav)
}

/// The sample rate of the request in hertz, SPEECH_SAMPLE_RATE by default.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_sample_rate(audio: *const speech_audio) -> u32 {
    value(audio, 0, |audio| audio.sample_rate)
}

/// The encoding of the request, used by speech_audio_bytes() and speech_audio_wav().
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_encoding(audio: *const speech_audio) -> EncodingNumber {
    value(audio, 0, |audio| encoding_number(audio.encoding))
}

/// The duration in seconds.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_duration(audio: *const speech_audio) -> f64 {
    value(audio, 0.0, AudioObject::seconds)
}

/// The byte range of the request's text that the audio speaks: for a chunk, its sentence; the whole
/// text if it contains nothing speakable.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_span(audio: *const speech_audio) -> speech_span {
    value(audio, speech_span::default(), |audio| audio.span)
}

/// The timestamps of the words.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_words(
    audio: *const speech_audio,
    count: Output<'_, usize>,
) -> *const speech_word {
    array(audio, count, |audio| &audio.timings.words)
}

/// The timestamps of the phonemes.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_phonemes(
    audio: *const speech_audio,
    count: Output<'_, usize>,
) -> *const speech_phoneme {
    array(audio, count, |audio| &audio.timings.phonemes)
}

/// The timestamps of the visemes.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_visemes(
    audio: *const speech_audio,
    count: Output<'_, usize>,
) -> *const speech_viseme {
    array(audio, count, |audio| &audio.timings.visemes)
}

/// The timestamps of the sentences. In a stream, a sentence is in the last of its chunks.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_sentences(
    audio: *const speech_audio,
    count: Output<'_, usize>,
) -> *const speech_sentence {
    array(audio, count, |audio| &audio.timings.sentences)
}

/// The timestamps of SSML marks.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_marks(
    audio: *const speech_audio,
    count: Output<'_, usize>,
) -> *const speech_mark {
    array(audio, count, |audio| &audio.timings.marks)
}

/// The diagnostics of the whole text: skipped text. In a chunk of a live or a long text, those so
/// far.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_diagnostics(
    audio: *const speech_audio,
    count: Output<'_, usize>,
) -> *const speech_diagnostic {
    array(audio, count, |audio| &audio.answer.diagnostics)
}

/// The identifier of the request, a UUID.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_request_id(audio: *const speech_audio) -> *const c_char {
    string(audio, |audio| &audio.answer.request_id)
}

/// The metered quantity: the number of Unicode scalar values in the whole text as sent.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_characters(audio: *const speech_audio) -> usize {
    value(audio, 0, |audio| audio.answer.characters)
}

/// The name of the kernels (the instruction set) that computed the audio, such as "avx2" or
/// "portable", never "auto". The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_kernels(audio: *const speech_audio) -> *const c_char {
    string(audio, |audio| backend::kernels(audio.answer.backend))
}

/// The precision of the vocoder's products: "fp32", "int16" or "bf16", never "auto". The string is
/// static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_precision(audio: *const speech_audio) -> *const c_char {
    string(audio, |audio| backend::precision(audio.answer.backend))
}

/// Frees an audio object with its samples, arrays and strings.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_free(audio: *mut speech_audio) {
    handle::free(audio);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_scale_is_one() {
        assert_eq!(floats(&[0, i16::MIN, 16_384]), [0.0, -1.0, 0.5]);
    }
}
