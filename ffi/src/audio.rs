//! Audio objects: a whole text, spoken.

use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use speech_core::Speech;

use crate::boundary::or_else;
use crate::error::speech_error;
use crate::getters::{
    DiagnosticNumber, DiagnosticPlaces, WordPlaces, c_string, floats, get, get_diagnostic,
    get_slice, get_word,
};
use crate::handle::{self, opaque};
use crate::names;
use crate::status::Status;

/// A whole text, spoken: mono, 22,050 samples a second. It does not change, so any number of threads may
/// read it; what its functions point at belongs to it.
pub struct speech_audio(());
opaque!(speech_audio, AudioObject, "audio");

/// Speech, with the forms that C asks for, each made once.
pub(crate) struct AudioObject {
    speech: Speech,
    request_id: CString,
    floats: OnceLock<Vec<f32>>,
    wav: OnceLock<Vec<u8>>,
}

impl AudioObject {
    pub(crate) fn new(speech: Speech) -> Self {
        Self {
            request_id: c_string(&speech.request_id().to_string()),
            floats: OnceLock::new(),
            wav: OnceLock::new(),
            speech,
        }
    }
}

/// The samples as 16-bit integers in the byte order of the machine.
///
/// They belong to the audio. Threads: any. Fails if the audio is not live or another argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_samples(
    audio: *const speech_audio,
    samples: *mut *const i16,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get_slice(audio, (samples, "samples"), (count, "count"), error, |audio| {
            audio.speech.samples()
        })
    }
}

/// The samples as 32-bit floats from -1 to 1: each is the integer divided by 32,768. They are made by the
/// first call.
///
/// They belong to the audio. Threads: any. Fails if the audio is not live or another argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_samples_f32(
    audio: *const speech_audio,
    samples: *mut *const f32,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get_slice(audio, (samples, "samples"), (count, "count"), error, |audio| {
            audio.floats.get_or_init(|| floats(audio.speech.samples()))
        })
    }
}

/// The bytes of a RIFF/WAVE file (16-bit PCM) of the samples: write them to a file as they are. They are
/// made by the first call.
///
/// They belong to the audio. Threads: any. Fails if the audio is not live or another argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_wav(
    audio: *const speech_audio,
    bytes: *mut *const u8,
    length: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get_slice(audio, (bytes, "bytes"), (length, "length"), error, |audio| {
            audio.wav.get_or_init(|| audio.speech.to_wav())
        })
    }
}

/// Samples a second, in hertz: 22,050.
///
/// Threads: any. Fails if the audio is not live or `sample_rate` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_sample_rate(
    audio: *const speech_audio,
    sample_rate: *mut u32,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(audio, sample_rate, "sample_rate", error, |audio| Ok(audio.speech.sample_rate())) }
}

/// How long the audio sounds, in seconds.
///
/// Threads: any. Fails if the audio is not live or `seconds` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_duration(
    audio: *const speech_audio,
    seconds: *mut f64,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get(audio, seconds, "seconds", error, |audio| Ok(audio.speech.duration().as_secs_f64()))
    }
}

/// The metered quantity: the Unicode scalar values of the text as it was sent.
///
/// Threads: any. Fails if the audio is not live or `characters` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_characters(
    audio: *const speech_audio,
    characters: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(audio, characters, "characters", error, |audio| Ok(audio.speech.characters())) }
}

/// The identifier of the request, a UUID.
///
/// It belongs to the audio. Threads: any. Fails if the audio is not live or `request_id` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_request_id(
    audio: *const speech_audio,
    request_id: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(audio, request_id, "request_id", error, |audio| Ok(audio.request_id.as_ptr())) }
}

/// The name of the instructions that it was computed with, such as "avx2" or "portable": never "auto".
///
/// The string is the library's own and stays valid. Threads: any. Fails if the audio is not
/// live or `kernels` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_kernels(
    audio: *const speech_audio,
    kernels: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(audio, kernels, "kernels", error, |audio| names::kernels(audio.speech.backend())) }
}

/// What the products of the vocoder were computed in: "fp32" or "bf16", never "auto".
///
/// The string is the library's own and stays valid. Threads: any. Fails if the audio is not
/// live or `precision` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_precision(
    audio: *const speech_audio,
    precision: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get(audio, precision, "precision", error, |audio| names::precision(audio.speech.backend()))
    }
}

/// How many words have a timing.
///
/// Threads: any. Fails if the audio is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_word_count(
    audio: *const speech_audio,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(audio, count, "count", error, |audio| Ok(audio.speech.words().len())) }
}

/// When a word is heard: bytes `begin` to `end` (exclusive) of the text that was sent, and seconds from the
/// start of the audio. A number such as "12" is one word, however many words it is read as. Each of the
/// four places may be NULL.
///
/// Threads: any. Fails if the audio is not live, or the index is not under speech_audio_word_count().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_word(
    audio: *const speech_audio,
    index: usize,
    begin: *mut usize,
    end: *mut usize,
    start_seconds: *mut f64,
    end_seconds: *mut f64,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get_word(
            audio,
            index,
            WordPlaces { begin, end, start_seconds, end_seconds },
            error,
            |audio| audio.speech.words(),
        )
    }
}

/// How many diagnostics there are: what was not said.
///
/// Threads: any. Fails if the audio is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_diagnostic_count(
    audio: *const speech_audio,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(audio, count, "count", error, |audio| Ok(audio.speech.diagnostics().len())) }
}

/// A diagnostic: its kind, and the bytes `begin` to `end` (exclusive) of the text that was sent. Each of the
/// three places may be NULL.
///
/// Threads: any. Fails if the audio is not live, or the index is not under
/// speech_audio_diagnostic_count().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_audio_diagnostic(
    audio: *const speech_audio,
    index: usize,
    kind: *mut DiagnosticNumber,
    begin: *mut usize,
    end: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get_diagnostic(audio, index, DiagnosticPlaces { kind, begin, end }, error, |audio| {
            audio.speech.diagnostics()
        })
    }
}

/// Frees an audio object with its samples, bytes and strings. NULL, and audio that was freed before, do
/// nothing.
///
/// Threads: any; but nobody may still read what its functions point at.
#[unsafe(no_mangle)]
pub extern "C" fn speech_audio_free(audio: *mut speech_audio) {
    or_else((), || drop(handle::take(audio)));
}
