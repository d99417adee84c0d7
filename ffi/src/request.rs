//! Requests: a text and how to speak it.

use std::ffi::c_char;
use std::sync::{Mutex, PoisonError};

use speech_core::{Format, Request, Result};

use crate::boundary::{ErrorOutput, boundary};
use crate::error::speech_error;
use crate::getters::{create, with};
use crate::handle::{self, handle_type};
use crate::pointers::{Array, Output, Text};
use crate::status::Status;

/// A text to speak and how to speak it. It may be used for any number of calls, and changed between them.
pub struct speech_request(());
handle_type!(speech_request, RequestObject, "request");

/// A request that may be changed from any thread.
pub(crate) struct RequestObject(Mutex<Request>);

impl RequestObject {
    fn new(request: Request) -> Self {
        Self(Mutex::new(request))
    }

    /// The request as it is now.
    pub(crate) fn request(&self) -> Request {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn try_change(&self, change: impl FnOnce(Request) -> Result<Request>) -> Result<()> {
        let mut request = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *request = change(request.clone())?;
        Ok(())
    }
}

/// Makes a request to speak a text in `en-US`, by `aria`, as `wav`: the setters change these.
///
/// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED. It is
/// copied. Whether it may be spoken (1 to 1,000 characters, not only white space) is checked when it is
/// synthesized, or by speech_request_validate().
///
/// Free it with speech_request_free(). Threads: any. Fails with SPEECH_INVALID_REQUEST if the text is NULL,
/// is not UTF-8 or has a NUL character in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_request_new(
    text: Array<'_, c_char>,
    length: usize,
    request: Output<'_, *mut speech_request>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(request, "request", error, || {
        // SAFETY: `length` is the length of `text`, as the header says.
        let text = unsafe { text.text(length, "text") }?;
        Ok(RequestObject::new(Request::new(text)))
    })
}

/// Makes a request from the contract's JSON, `length` bytes of it, or up to a NUL byte if `length` is
/// SPEECH_NUL_TERMINATED: `{"text": ..., "language": ..., "voice": ..., "format": ..., "latency": ...,
/// "quality": ..., "rate": ..., "pitch": ..., "volume": ..., "ssml": ...}`, all but the text optional. Unknown fields are
/// ignored.
///
/// Free it with speech_request_free(). Threads: any. Fails with SPEECH_INVALID_REQUEST if the JSON is
/// malformed, has no text, or a field is of the wrong type (null is, for every field) or has an unsupported
/// value. A text with an escaped NUL is refused when it is synthesized, or by speech_request_validate().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_request_from_json(
    json: Array<'_, c_char>,
    length: usize,
    request: Output<'_, *mut speech_request>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(request, "request", error, || {
        // SAFETY: `length` is the length of `json`, as the header says.
        let json = unsafe { json.text(length, "json") }?;
        Ok(RequestObject::new(Request::from_json(json.as_bytes())?.0))
    })
}

/// Sets the language, a BCP 47 tag: `en-US` (the default) or `hi-IN`.
///
/// Threads: any; calls that are already running are not affected. Fails if the request is not live, or
/// `language` is NULL, not UTF-8 or not supported; the message lists the tags.
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
/// Threads: any; calls that are already running are not affected. Fails if the request is not live, or
/// `voice` is NULL, not UTF-8 or unknown; the message lists the voices.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_voice(
    request: *mut speech_request,
    voice: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    set(request, voice, "voice", |request, value| Ok(request.voice(value.parse()?)), error)
}

/// Sets the format by its name: `wav` (the default) or `pcm`. It matters to services that answer as the
/// contract says; the functions here give samples and wav bytes whatever it is.
///
/// Threads: any; calls that are already running are not affected. Fails if the request is not live, or
/// `format` is NULL, not UTF-8 or neither of the two.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_format(
    request: *mut speech_request,
    format: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    let check = |request, value: &str| value.parse().map(|_: Format| request);
    set(request, format, "format", check, error)
}

/// Sets whether emoji are read by their names, "red heart". By default they are skipped, and listed in the
/// diagnostics.
///
/// Threads: any; calls that are already running are not affected. Fails if the request
/// is not live.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_read_emoji(
    request: *mut speech_request,
    read: bool,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.read_emoji(read), error)
}

/// Sets whether Hindi that is typed in Latin letters, "kal milte hain", is read as Hindi. By default it is; else its
/// words are read as English ones.
///
/// Threads: any; calls that are already running are not affected. Fails if the request
/// is not live.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_read_romanized_hindi(
    request: *mut speech_request,
    read: bool,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.read_romanized_hindi(read), error)
}

/// Sets how fast the text is read: a factor of the voice's own speed, 0.5 to 2; 1 by default. Vowels and pauses bear more of
/// it than other sounds do. The range is checked when the request is used, or by speech_request_validate().
///
/// Threads: any; calls that are already running are not affected. Fails if the request
/// is not live.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_rate(
    request: *mut speech_request,
    factor: f64,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.rate(factor), error)
}

/// Sets how much higher than the voice's own the pitch is, in semitones, -6 to 6; 0 by default. The range is checked when the
/// request is used, or by speech_request_validate().
///
/// Threads: any; calls that are already running are not affected. Fails if the request
/// is not live.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_pitch(
    request: *mut speech_request,
    semitones: f64,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.pitch(semitones), error)
}

/// Sets how much louder than the voice's own the speech is, in decibels, -40 to 12; 0 by default. Every sentence gets the
/// same gain. A limiter keeps peaks at -0.3 dBFS or below, so nothing is clipped; from about 6 on it takes away a part of
/// the gain. The range is checked when the request is used, or by speech_request_validate().
///
/// Threads: any; calls that are already running are not affected. Fails if the request
/// is not live.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_volume(
    request: *mut speech_request,
    decibels: f64,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.volume(decibels), error)
}

/// Sets whether the text is a document of SSML 1.1, which says itself what is to be read how. By default it is plain text. It
/// is checked when the request is used, or by speech_request_validate().
///
/// Threads: any; calls that are already running are not affected. Fails if the request
/// is not live.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_ssml(
    request: *mut speech_request,
    ssml: bool,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.ssml(ssml), error)
}

/// Sets whether `[pause 500ms]` and `[pause 1.5s]` in the text are pauses. By default they are.
///
/// Threads: any; calls that are already running are not affected. Fails if the request
/// is not live.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_read_pauses(
    request: *mut speech_request,
    read: bool,
    error: Output<'_, *mut speech_error>,
) -> Status {
    change(request, |request| request.read_pauses(read), error)
}

/// Sets how soon a stream gives its first sound, by its name: `standard` (the default) or `low`.
///
/// With `low`, the first half second of a stream's first sentence is given before the rest of it is computed,
/// if it sounds for longer than a second or so: it comes as three chunks with the same span. That half second
/// sounds a little different (it is made with average statistics of the voice) and fades into the rest, which
/// sounds as with `standard`. A shorter first sentence, such as a word, is computed in a sixth less time and sounds a
/// little different. speech_engine_synthesize() refuses a request with `low`.
///
/// Threads: any; calls that are already running are not affected. Fails if the request is not live, or
/// `latency` is NULL, not UTF-8 or neither of the two.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_latency(
    request: *mut speech_request,
    latency: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    set(request, latency, "latency", |request, value| Ok(request.latency(value.parse()?)), error)
}

/// Sets which networks compute the speech, by name: `full` (the reference), `fast` (the same timings and melody, for less
/// computation), `light` (for the least) or `auto` (the default: the first of these that the voice bundle has for the voice and
/// the language). speech_engine_has_quality() says what it has; an engine refuses the others, and never replaces one.
///
/// Threads: any; calls that are already running are not affected. Fails if the request is not live, or
/// `quality` is NULL, not UTF-8 or none of these.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_set_quality(
    request: *mut speech_request,
    quality: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    set(request, quality, "quality", |request, value| Ok(request.quality(value.parse()?)), error)
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

/// Checks a request without synthesizing it: whether speech_engine_stream() would refuse it, and why. Whether the voice bundle
/// has its quality is checked by the engine alone.
///
/// `characters`, which may be NULL, receives the metered quantity: the Unicode scalar values of the text.
///
/// Threads: any. Fails with SPEECH_EMPTY_TEXT, SPEECH_TEXT_TOO_LONG or SPEECH_INVALID_REQUEST.
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

/// Frees a request. NULL, and a request that was freed before, do nothing.
///
/// Threads: any, also while other threads are inside calls with this request.
#[unsafe(no_mangle)]
pub extern "C" fn speech_request_free(request: *mut speech_request) {
    handle::free(request);
}
