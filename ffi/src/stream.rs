//! Streams: the speech of a text a sentence at a time.

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

/// The speech of a text, a sentence at a time.
pub struct speech_stream(());
handle_type!(speech_stream, StreamObject, "stream");

/// A stream that one thread at a time pulls.
pub(crate) struct StreamObject {
    state: Mutex<State>,
    /// Stops this stream alone.
    token: CancelToken,
    request_id: CString,
    sample_rate: u32,
    encoding: Encoding,
    /// What the chunks have in common, as of the last one: it grows with a live text.
    answer: Mutex<Arc<Answer>>,
    /// What text is pushed into, if the stream takes some.
    text: Option<LiveText>,
}

struct State {
    stream: Stream,
    /// Why the stream failed: every later call fails in the same way, so that it never looks complete.
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

    /// What text is pushed into.
    fn text(&self) -> Result<&LiveText> {
        self.text.as_ref().ok_or_else(|| invalid("the stream takes no more text".into()))
    }
}

/// Gives the next chunk, one sentence or a part of it, as soon as it is computed. At the end it returns SPEECH_END,
/// which is not a failure: there is no error object then, and no chunk.
///
/// From the first call on, a thread of the stream computes one sentence ahead of the one that was given last;
/// nothing is computed before that. A sentence that takes over 16 s to say comes in parts of at most that, a silence of
/// over a second by itself and a second at a time, and with low latency (see speech_request_set_latency()) the first
/// sentence may come as three chunks, all with the same span.
///
/// `audio` receives a new object: free it with speech_audio_free(). Thread-safe: concurrent calls run one after
/// another. Fails with SPEECH_CANCELLED if the stream's token was cancelled or the stream was freed meanwhile, with
/// SPEECH_INVALID_REQUEST once it is known that the speech would be longer than SPEECH_MAX_SECONDS (in a live or a long
/// text, that of one sentence), or with SPEECH_INTERNAL; then every later call fails in the same way.
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

/// Adds a piece of text to a stream of speech_engine_live(): a token, half a word, a page. A sentence is spoken when it is
/// decided: what is not is held back, as speech_segmenter_push() says. It returns at once.
///
/// `piece` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED; it must
/// not end inside a character.
///
/// Thread-safe, also while another thread is inside speech_stream_next(). Fails with SPEECH_INVALID_REQUEST for a
/// stream that takes no text, or no more; then nothing is taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_push(
    stream: *mut speech_stream,
    piece: Array<'_, c_char>,
    length: usize,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(stream, error, |stream| {
        // SAFETY: `length` is the length of `piece`, as the header says.
        let piece = unsafe { piece.text(length, "piece") }?;
        stream.text()?.push(piece)
    })
}

/// Has everything spoken that was pushed into a stream of speech_engine_live(), as if a sentence ended there.
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

/// Ends the text of a stream of speech_engine_live(): what is left is spoken, and then the stream ends.
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

/// The byte of the text of a stream of speech_engine_live() or speech_engine_stream_long() up to which words have been
/// said when playback is at `seconds` from the start of the stream: what the user of an agent has heard when he
/// interrupts it. 0 for another stream.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_heard_at(stream: *const speech_stream, seconds: f64) -> usize {
    value(stream, 0, |stream| stream.text.as_ref().map_or(0, |text| text.heard_at(seconds)))
}

/// Whether a stream of speech_engine_live() has more than 16 KiB of text that is not spoken yet: a source that is faster than
/// speech should wait then, and look again some milliseconds later. speech_stream_push() takes text all the same.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_is_full(stream: *const speech_stream) -> bool {
    value(stream, false, |stream| stream.text.as_ref().is_some_and(LiveText::is_full))
}

/// Stops a stream: calls that are inside it, and later ones, fail with SPEECH_CANCELLED soon.
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

/// The sample rate of its audio in hertz: that of the request, SPEECH_SAMPLE_RATE by default.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_sample_rate(stream: *const speech_stream) -> u32 {
    value(stream, 0, |stream| stream.sample_rate)
}

/// The encoding of the bytes of its audio: that of the request.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_encoding(stream: *const speech_stream) -> EncodingNumber {
    value(stream, 0, |stream| encoding_number(stream.encoding))
}

/// The metered quantity: the Unicode scalar values of the whole text as it was sent; of a live text, those so far.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_characters(stream: *const speech_stream) -> usize {
    value(stream, 0, StreamObject::characters)
}

/// The diagnostics of the whole text: what is not said. In a stream of speech_engine_live() or speech_engine_stream_long()
/// those so far, 10,000 at most; a sentence that is computed ahead may be among them.
///
/// In such a stream pointers returned by this function become invalid when speech_stream_next() is called, in every stream
/// when it is freed.
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

/// Frees a stream. It stops what is computed ahead and waits for that, some milliseconds: when this returns,
/// nothing of the stream runs any more. (Inside a log callback it may not wait.) A call that is inside the stream
/// on another thread is stopped, and returns SPEECH_CANCELLED; then that call waits, and this does not. The audio
/// that the stream gave stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_free(stream: *mut speech_stream) {
    catch_panic_or((), || {
        if let Some(stream) = handle::remove(stream) {
            stream.token.cancel();
        }
    });
}
