//! Requests: a text and its settings.

use std::ffi::c_char;
use std::sync::{Arc, Mutex, PoisonError};

use speech_core::{Encoding, Latency, Quality, Request, Result};

use crate::boundary::{ErrorOutput, boundary};
use crate::error::speech_error;
use crate::getters::{create, with};
use crate::handle::{self, handle_type};
use crate::lexicon::speech_lexicon;
use crate::pointers::{Array, Output, Text, invalid};
use crate::status::Status;

/// The latency of a stream's first chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_latency {
    /// A sentence is returned when all of it is computed; the default.
    SPEECH_LATENCY_STANDARD = 0,
    /// The first half second of a long first sentence is returned before the rest is computed.
    SPEECH_LATENCY_LOW = 1,
}

/// A [`speech_latency`] as passed by C: any number is possible.
pub type LatencyNumber = i32;

/// The networks that compute the speech.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_quality {
    /// The first of the qualities below that the voice bundle has for the voice and the language;
    /// the default.
    SPEECH_QUALITY_AUTO = 0,
    /// The reference quality.
    SPEECH_QUALITY_FULL = 1,
    /// The timings and the melody of SPEECH_QUALITY_FULL with less computation.
    SPEECH_QUALITY_FAST = 2,
    /// The least computation.
    SPEECH_QUALITY_LIGHT = 3,
}

/// A [`speech_quality`] as passed by C: any number is possible.
pub type QualityNumber = i32;

/// The encoding of samples as bytes. Every encoding is made from the same 16-bit samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_encoding {
    /// A 16-bit integer, little-endian; the default.
    SPEECH_ENCODING_PCM16 = 0,
    /// A 32-bit float from -1 to 1, little-endian.
    SPEECH_ENCODING_FLOAT32 = 1,
    /// The nearest 8-bit mu-law code (ITU-T G.711).
    SPEECH_ENCODING_MULAW = 2,
    /// The nearest 8-bit A-law code (ITU-T G.711).
    SPEECH_ENCODING_ALAW = 3,
}

/// A [`speech_encoding`] as passed by C: any number is possible.
pub type EncodingNumber = i32;

const LATENCIES: [(LatencyNumber, Latency); 2] = [
    (speech_latency::SPEECH_LATENCY_STANDARD as _, Latency::Standard),
    (speech_latency::SPEECH_LATENCY_LOW as _, Latency::Low),
];

const QUALITIES: [(QualityNumber, Quality); 4] = [
    (speech_quality::SPEECH_QUALITY_AUTO as _, Quality::Auto),
    (speech_quality::SPEECH_QUALITY_FULL as _, Quality::Full),
    (speech_quality::SPEECH_QUALITY_FAST as _, Quality::Fast),
    (speech_quality::SPEECH_QUALITY_LIGHT as _, Quality::Light),
];

const ENCODINGS: [(EncodingNumber, Encoding); 4] = [
    (speech_encoding::SPEECH_ENCODING_PCM16 as _, Encoding::Pcm16),
    (speech_encoding::SPEECH_ENCODING_FLOAT32 as _, Encoding::Float32),
    (speech_encoding::SPEECH_ENCODING_MULAW as _, Encoding::Mulaw),
    (speech_encoding::SPEECH_ENCODING_ALAW as _, Encoding::Alaw),
];

/// The number of an encoding.
pub(crate) fn encoding_number(encoding: Encoding) -> EncodingNumber {
    let found = ENCODINGS.iter().find(|(_, known)| *known == encoding);
    found.map_or(0, |(number, _)| *number)
}

/// The choice with this number.
fn chosen<T: Copy>(choices: &[(i32, T)], number: i32, what: &str) -> Result<T> {
    let found = choices.iter().find(|(known, _)| *known == number);
    found.map(|(_, choice)| *choice).ok_or_else(|| invalid(format!("no {what} {number}")))
}

/// The quality with this number.
pub(crate) fn quality(number: QualityNumber) -> Result<Quality> {
    chosen(&QUALITIES, number, "quality")
}

/// A text to speak and its settings. It may be used for any number of calls, and changed between
/// them; running calls are not affected.
pub struct speech_request(());
handle_type!(speech_request, RequestObject, "request");

/// A request that may be changed from any thread.
pub(crate) struct RequestObject(Mutex<Request>);

impl RequestObject {
    fn new(request: Request) -> Self {
        Self(Mutex::new(request))
    }

    /// A copy of the current request.
    pub(crate) fn request(&self) -> Request {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn try_change(&self, change: impl FnOnce(Request) -> Result<Request>) -> Result<()> {
        let mut request = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *request = change(request.clone())?;
        Ok(())
    }
}

/// Makes a request to speak a text in `en-US`, by `aria`; the setters change these.
///
/// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED.
/// It is copied. Its limits (1 to 1,000 characters, not only whitespace) are checked on synthesis,
/// or by speech_request_validate().
///
/// Free it with speech_request_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_request_new(
    text: Array<'_, c_char>,
    length: usize,
    request: Output<'_, *mut speech_request>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(request, "request", error, || {
        // SAFETY: `length` is the length of `text` (the header's contract).
        let text = unsafe { text.text(length, "text") }?;
        Ok(RequestObject::new(Request::new(text)))
    })
}

/// Makes a request from a service's JSON, which is `length` bytes, or ends with a NUL byte if
/// `length` is SPEECH_NUL_TERMINATED: `{"text": ..., "language": ..., "voice": ..., "format": ...,
/// "latency": ..., "quality": ..., "sample_rate": ..., "encoding": ..., "rate": ..., "pitch": ...,
/// "volume": ..., "ssml": ..., "read_pauses": ..., "read_emoji": ..., "read_romanized_hindi": ...,
/// "pronunciations": {words: reading, ...}}`, of which only the text is required. Unknown fields
/// are ignored. The format, `wav` or `pcm`, is checked and otherwise ignored: an audio object
/// provides both.
///
/// Free it with speech_request_free(). Fails with SPEECH_INVALID_REQUEST if the JSON is malformed,
/// has no text, or a field has the wrong type (null is wrong for every field) or an unsupported
/// value. A text with an escaped NUL is rejected on synthesis, or by speech_request_validate().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_request_from_json(
    json: Array<'_, c_char>,
    length: usize,
    request: Output<'_, *mut speech_request>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(request, "request", error, || {
        // SAFETY: `length` is the length of `json` (the header's contract).
        let json = unsafe { json.text(length, "json") }?;
        Ok(RequestObject::new(Request::from_json(json.as_bytes())?.0))
    })
}

/// Sets the language, a BCP 47 tag: `en-US` (the default) or `hi-IN`.
///
/// Fails with SPEECH_INVALID_REQUEST for an unknown language; the message lists the tags.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_language(
    request: *mut speech_request,
    language: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    set(request, language, "language", |request, value| Ok(request.language(value.parse()?)), error)
}

/// Sets the voice by its identifier: `aria` (the default), `jason`, `john`, `leo` or `sofia`.
///
/// Fails with SPEECH_INVALID_REQUEST for an unknown voice; the message lists the voices.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_voice(
    request: *mut speech_request,
    voice: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    set(request, voice, "voice", |request, value| Ok(request.voice(value.parse()?)), error)
}

/// Sets whether emoji are read by name ("red heart"). By default they are skipped, and listed in
/// the diagnostics.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_read_emoji(
    request: *mut speech_request,
    read: bool,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.read_emoji(read), error)
}

/// Sets whether romanized Hindi ("kal milte hain") is read as Hindi. On by default; if off, its
/// words are read as English.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_read_romanized_hindi(
    request: *mut speech_request,
    read: bool,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.read_romanized_hindi(read), error)
}

/// Sets the speaking rate, a factor of the voice's natural rate: 0.5 to 2; 1 by default. Vowels and
/// pauses are stretched more than consonants. The range is checked when the request is used, or by
/// speech_request_validate().
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_rate(
    request: *mut speech_request,
    factor: f64,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.rate(factor), error)
}

/// Sets the pitch in semitones relative to the voice's own, -6 to 6; 0 by default. Formants are not
/// shifted. The range is checked when the request is used, or by speech_request_validate().
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_pitch(
    request: *mut speech_request,
    semitones: f64,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.pitch(semitones), error)
}

/// Sets the volume in decibels relative to the voice's own, -40 to 12; 0 by default. Every sentence
/// gets the same gain. A limiter keeps peaks at or below -0.3 dBFS, so nothing is clipped; from
/// about 6 dB on, it reduces the effective gain. The range is checked when the request is used, or
/// by speech_request_validate().
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_volume(
    request: *mut speech_request,
    decibels: f64,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.volume(decibels), error)
}

/// Sets whether the text is an SSML 1.1 document. By default it is plain text. It is checked when
/// the request is used, or by speech_request_validate().
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_ssml(
    request: *mut speech_request,
    ssml: bool,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.ssml(ssml), error)
}

/// Sets whether `[pause 500ms]` and `[pause 1.5s]` in the text are pauses. On by default.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_read_pauses(
    request: *mut speech_request,
    read: bool,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.read_pauses(read), error)
}

/// Adds a pronunciation to this request, or replaces an earlier one for the same words: as
/// speech_engine_options_add_pronunciation(), and with precedence over those. At most 200, together
/// at most 16,384 bytes. Both strings are copied.
///
/// Fails with SPEECH_INVALID_REQUEST as that function does, and beyond these limits.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_add_pronunciation(
    request: *mut speech_request,
    words: Text<'_>,
    reading: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(request, error, |request| {
        let (words, reading) = (words.read("words")?, reading.read("reading")?);
        request.try_change(|request| request.pronunciation(words, reading))
    })
}

/// Adds a lexicon to the request. It is searched after the request's own pronunciations and earlier
/// lexicons, and before the engine's pronunciations.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_add_lexicon(
    request: *mut speech_request,
    lexicon: *const speech_lexicon,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(request, error, |request| {
        let lexicon = Arc::clone(&handle::lookup(lexicon)?.0);
        request.try_change(|request| Ok(request.lexicon(lexicon)))
    })
}

/// Sets the latency of a stream's first chunk.
///
/// With SPEECH_LATENCY_LOW, the first half second of a stream's first sentence is returned before
/// the rest is computed, if the sentence lasts longer than about a second: it comes as three chunks
/// with the same span. That half second sounds slightly different, because it is computed with the
/// voice's average statistics, and fades into the rest, which sounds as with
/// SPEECH_LATENCY_STANDARD. A shorter first sentence, such as a single word, is computed in a sixth
/// less time, and sounds slightly different. speech_engine_synthesize() rejects a request with low
/// latency.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_latency(
    request: *mut speech_request,
    latency: LatencyNumber,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(request, error, |request| {
        let latency = chosen(&LATENCIES, latency, "latency")?;
        request.try_change(|request| Ok(request.latency(latency)))
    })
}

/// Sets the networks that compute the speech. speech_engine_has_quality() tells which ones an
/// engine has; it rejects others, and never substitutes one.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_quality(
    request: *mut speech_request,
    quality: QualityNumber,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(request, error, |request| {
        let quality = self::quality(quality)?;
        request.try_change(|request| Ok(request.quality(quality)))
    })
}

/// Sets the sample rate in hertz: 8000, 16000, 22050 (the default), 24000, 44100 or 48000. Speech
/// is computed at 24,000 Hz with frequencies up to 12,000 Hz, and resampled once to other rates.
/// Frequencies reach 3,400 Hz at a rate of 8,000 Hz, 7,200 Hz at 16,000 Hz, and 10,000 Hz at other
/// rates. The rate is checked when the request is used, or by speech_request_validate().
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_sample_rate(
    request: *mut speech_request,
    hertz: u32,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.sample_rate(hertz), error)
}

/// Sets the encoding of speech_audio_bytes() and speech_audio_wav().
///
/// Fails with SPEECH_INVALID_REQUEST for an unknown number.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_encoding(
    request: *mut speech_request,
    encoding: EncodingNumber,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(request, error, |request| {
        let encoding = chosen(&ENCODINGS, encoding, "encoding")?;
        request.try_change(|request| Ok(request.encoding(encoding)))
    })
}

fn change(
    request: *const speech_request,
    change: impl FnOnce(Request) -> Request,
    error: ErrorOutput<'_>,
) -> Status {
    with(request, error, |request| request.try_change(|request| Ok(change(request))))
}

fn set(
    request: *const speech_request,
    value: Text<'_>,
    name: &str,
    setter: fn(Request, &str) -> Result<Request>,
    error: ErrorOutput<'_>,
) -> Status {
    with(request, error, |request| {
        let value = value.read(name)?;
        request.try_change(|request| setter(request, value))
    })
}

/// Checks a request without synthesizing it: fails if speech_engine_stream() would reject it. Only
/// the engine checks whether the voice bundle has its quality.
///
/// `characters`, which may be NULL, receives the metered quantity: the number of Unicode scalar
/// values in the text.
///
/// Fails with SPEECH_EMPTY_TEXT, SPEECH_TEXT_TOO_LONG or SPEECH_INVALID_REQUEST.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_validate(
    request: *const speech_request,
    characters: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let valid = handle::lookup(request)?.request().validate()?;
        characters.write(valid.characters());
        Ok(())
    })
}

/// Frees a request.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_free(request: *mut speech_request) {
    handle::free(request);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_the_core_has_its_number() {
        assert_eq!(QUALITIES.map(|(_, quality)| quality), Quality::ALL);
        assert_eq!(LATENCIES.map(|(_, latency)| latency), Latency::ALL);
        assert_eq!(ENCODINGS.map(|(_, encoding)| encoding), Encoding::ALL);
        assert_eq!(Encoding::ALL.map(encoding_number), [0, 1, 2, 3]);
        for number in [-1, 9] {
            let errors = [
                quality(number).unwrap_err(),
                chosen(&LATENCIES, number, "latency").unwrap_err(),
                chosen(&ENCODINGS, number, "encoding").unwrap_err(),
            ];
            for (error, what) in errors.iter().zip(["quality", "latency", "encoding"]) {
                assert_eq!(error.message(), format!("no {what} {number}"));
            }
        }
    }
}
