//! Streams: the speech of a text, one sentence at a time.

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use speech_core::{CancelToken, Encoding, Error, LiveText, Result, Stream};

use crate::audio::{Answer, AudioObject, speech_audio};
use crate::boundary::{boundary, catch_panic_or};
use crate::error::speech_error;
use crate::getters::{c_string, parts, string, value, with};
use crate::handle::{self, handle_type};
use crate::pointers::{Array, Output, invalid};
use crate::request::{EncodingNumber, encoding_number};
use crate::status::{END, Status};
use crate::timings::speech_diagnostic;

/// The speech of a text, one sentence at a time.
pub struct speech_stream(());
handle_type!(speech_stream, StreamObject, "stream");

/// A stream that one thread at a time pulls from.
pub(crate) struct StreamObject {
    state: Mutex<State>,
    /// Stops this stream alone.
    token: CancelToken,
    request_id: CString,
    sample_rate: u32,
    encoding: Encoding,
    /// The data shared by the chunks, as of the last one; it grows with a live text.
    answer: Mutex<Arc<Answer>>,
    /// The live text, if the stream takes one.
    text: Option<LiveText>,
}

struct State {
    stream: Stream,
    /// The reason why the stream failed. Every later call fails the same way, so that the stream
    /// never looks complete.
    failure: Option<Error>,
}

impl StreamObject {
    /// A stream, and its text if that is live.
    pub(crate) fn new(stream: Stream, text: Option<LiveText>) -> Self {
        Self {
            request_id: c_string(&stream.request_id().to_string()),
            sample_rate: stream.sample_rate(),
            encoding: stream.encoding(),
            token: stream.cancel_token(),
            answer: Mutex::new(Arc::new(Answer::of(&stream))),
            state: Mutex::new(State { stream, failure: None }),
            text,
        }
    }

    /// The next chunk; `None` at the end.
    fn next(&self) -> Result<Option<AudioObject>> {
        // After a panic inside the stream it must not look complete either.
        let mut state =
            self.state.lock().map_err(|_| Error::internal("the stream has panicked before"))?;
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        let chunk = state
            .stream
            .next()
            .transpose()
            .inspect_err(|error| state.failure = Some(error.clone()))?;
        if self.text.is_some() {
            *self.answer() = Arc::new(Answer::of(&state.stream));
        }
        Ok(chunk.map(|chunk| AudioObject::chunk(Arc::clone(&self.answer()), chunk)))
    }

    fn answer(&self) -> MutexGuard<'_, Arc<Answer>> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn characters(&self) -> usize {
        self.text.as_ref().map_or_else(|| self.answer().characters, LiveText::characters)
    }

    /// The live text.
    fn text(&self) -> Result<&LiveText> {
        self.text.as_ref().ok_or_else(|| invalid("the stream takes no more text".into()))
    }
}

/// Returns the next chunk, one sentence or a part of it, as soon as it is computed. At the end it
/// returns SPEECH_END, which is not a failure: there is then no error object and no chunk.
///
/// From the first call on, a thread of the stream computes one sentence ahead of the last one
/// returned; nothing is computed before that. A sentence that lasts over 16 s comes in parts of at
/// most that length. A silence of over one second comes separately, one second at a time. With low
/// latency (see speech_request_set_latency()) the first sentence may come as three chunks, all with
/// the same span.
///
/// `audio` receives a new object: free it with speech_audio_free(). Thread-safe: concurrent calls
/// run one after another. Fails with SPEECH_CANCELLED if the stream's token is cancelled or the
/// stream is freed during the call, with SPEECH_INVALID_REQUEST once it is known that the speech
/// (in a live or a long text, one sentence) would be longer than SPEECH_MAX_SECONDS, or with
/// SPEECH_INTERNAL. After a failure every later call fails the same way.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_next(
    stream: *mut speech_stream,
    audio: Output<'_, *mut speech_audio>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    let mut ended = false;
    let status = boundary(error, || {
        let output = audio.required("audio")?;
        match handle::lookup(stream)?.next()? {
            Some(chunk) => output.write(handle::insert(chunk)),
            None => ended = true,
        }
        Ok(())
    });
    if ended { END } else { status }
}

/// Adds a piece of text to a stream of speech_engine_live(): a token, half a word, a page. A
/// sentence is spoken once it is decided; the rest is held back, as in speech_segmenter_push().
/// Returns at once.
///
/// `piece` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is
/// SPEECH_NUL_TERMINATED; it must not end inside a character.
///
/// Thread-safe, also while another thread is inside speech_stream_next(). Fails with
/// SPEECH_INVALID_REQUEST for a stream that takes no text, or no more; the piece is then not taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_push(
    stream: *mut speech_stream,
    piece: Array<'_, c_char>,
    length: usize,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(stream, error, |stream| {
        // SAFETY: `length` is the length of `piece` (the header's contract).
        let piece = unsafe { piece.text(length, "piece") }?;
        stream.text()?.push(piece)
    })
}

/// Speaks everything pushed so far into a stream of speech_engine_live(), as if a sentence ended
/// there. More text may follow.
///
/// Thread-safe, also while another thread is inside speech_stream_next().
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_flush(
    stream: *mut speech_stream,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(stream, error, |stream| {
        stream.text()?.flush();
        Ok(())
    })
}

/// Ends the text of a stream of speech_engine_live(): the rest is spoken, and then the stream ends.
///
/// Thread-safe, also while another thread is inside speech_stream_next().
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_finish(
    stream: *mut speech_stream,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(stream, error, |stream| {
        stream.text()?.finish();
        Ok(())
    })
}

/// The position, in bytes, in the text of a stream of speech_engine_live() or
/// speech_engine_stream_long() up to which words have been heard when playback is at `seconds` from
/// the start of the stream: for example, when the user interrupts an agent. 0 for other streams.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_heard_at(stream: *const speech_stream, seconds: f64) -> usize {
    value(stream, 0, |stream| stream.text.as_ref().map_or(0, |text| text.heard_at(seconds)))
}

/// Whether a stream of speech_engine_live() has more than 16 KiB of text waiting to be spoken. A
/// source that is faster than speech should then pause, and check again some milliseconds later;
/// speech_stream_push() still accepts text.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_is_full(stream: *const speech_stream) -> bool {
    value(stream, false, |stream| stream.text.as_ref().is_some_and(LiveText::is_full))
}

/// Stops a stream: calls inside it, and later ones, fail with SPEECH_CANCELLED shortly after.
///
/// Thread-safe, also while another thread is inside speech_stream_next().
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_cancel(
    stream: *mut speech_stream,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(stream, error, |stream| {
        stream.token.cancel();
        Ok(())
    })
}

/// The identifier of the request, a UUID.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_request_id(stream: *const speech_stream) -> *const c_char {
    string(stream, |stream| &stream.request_id)
}

/// The sample rate of the stream's audio in hertz, as set by the request; SPEECH_SAMPLE_RATE by
/// default.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_sample_rate(stream: *const speech_stream) -> u32 {
    value(stream, 0, |stream| stream.sample_rate)
}

/// The encoding of the bytes of the stream's audio, as set by the request.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_encoding(stream: *const speech_stream) -> EncodingNumber {
    value(stream, 0, |stream| encoding_number(stream.encoding))
}

/// The metered quantity: the number of Unicode scalar values in the whole text as sent; for a live
/// text, those pushed so far.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_characters(stream: *const speech_stream) -> usize {
    value(stream, 0, StreamObject::characters)
}

/// The diagnostics of the whole text: skipped text. In a stream of speech_engine_live() or
/// speech_engine_stream_long(), those so far, at most 10,000; they may include a sentence that is
/// computed ahead.
///
/// In such a stream, pointers returned by this function become invalid when speech_stream_next() is
/// called; in every stream, when it is freed.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_diagnostics(
    stream: *const speech_stream,
    count: Output<'_, usize>,
) -> *const speech_diagnostic {
    let none = (ptr::null(), 0);
    let (data, length) = value(stream, none, |stream| parts(&stream.answer().diagnostics));
    count.write(length);
    data
}

/// Frees a stream. Stops the computation ahead, and waits some milliseconds for it to end: when
/// this returns, nothing of the stream is running. (Inside a log callback it may not wait.) A call
/// inside the stream on another thread is stopped, and returns SPEECH_CANCELLED; then that call
/// waits, and this one does not. Audio returned by the stream stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_free(stream: *mut speech_stream) {
    catch_panic_or((), || {
        if let Some(stream) = handle::remove(stream) {
            stream.token.cancel();
        }
    });
}
