//! Streams: the speech of a text a sentence at a time, pulled or called back.

use std::borrow::Cow;
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use speech_core::{CancelToken, Diagnostic, Error, ErrorKind, LiveText, Result, Stream};

use crate::audio::{Answer, AudioObject, speech_audio};
use crate::backend;
use crate::boundary::{boundary, catch_panic_or};
use crate::error::speech_error;
use crate::getters::{DiagnosticNumber, SpanOutputs, get, get_diagnostic, try_get, with};
use crate::handle::{self, handle_type};
use crate::pointers::{Array, Output, invalid};
use crate::status::Status;

/// The speech of a text, a sentence at a time.
pub struct speech_stream(());
handle_type!(speech_stream, StreamObject, "stream");

/// What a callback answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_flow {
    /// Continue with the next chunk.
    SPEECH_CONTINUE = 0,
    /// Stop.
    SPEECH_STOP = 1,
}

/// A [`speech_flow`] as it crosses the boundary: any number may.
pub type Flow = i32;

/// Receives a chunk of the speech, which is valid only during the call: the library frees it. Any answer but
/// SPEECH_CONTINUE stops.
///
/// It runs on the thread that called speech_stream_for_each(), may call the library, and must not throw or
/// longjmp.
pub type speech_audio_callback =
    Option<unsafe extern "C" fn(userdata: *mut c_void, audio: *const speech_audio) -> Flow>;

/// A stream that one thread at a time pulls.
pub(crate) struct StreamObject {
    state: Mutex<State>,
    /// Stops this stream alone.
    token: CancelToken,
    answer: Arc<Answer>,
    /// What text is pushed into, if the stream takes some.
    live: Option<Live>,
}

struct State {
    stream: Stream,
    /// Why the stream failed: every later call fails in the same way, so that it never looks complete.
    failure: Option<Error>,
}

struct Live {
    text: LiveText,
    /// What was not said, so far.
    diagnostics: Mutex<Vec<Diagnostic>>,
}

impl StreamObject {
    /// A stream, and what text is pushed into if it takes some.
    pub(crate) fn new(stream: Stream, text: Option<LiveText>) -> Self {
        let answer = Answer::new(
            stream.request_id(),
            stream.characters(),
            &stream.diagnostics(),
            stream.backend(),
        );
        Self {
            token: stream.cancel_token(),
            state: Mutex::new(State { stream, failure: None }),
            answer: Arc::new(answer),
            live: text.map(|text| Live { text, diagnostics: Mutex::default() }),
        }
    }

    /// The next chunk; `None` when all is spoken.
    fn next(&self) -> Result<Option<AudioObject>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        let chunk = state
            .stream
            .next()
            .transpose()
            .inspect_err(|error| state.failure = Some(error.clone()))?;
        if let Some(live) = &self.live {
            *live.lock() = state.stream.diagnostics();
        }
        Ok(chunk.map(|chunk| AudioObject::chunk(self.answer(), chunk)))
    }

    /// The answer as it is now.
    fn answer(&self) -> Arc<Answer> {
        let Some(live) = &self.live else { return Arc::clone(&self.answer) };
        let Answer { request_id, backend, .. } = *self.answer;
        Arc::new(Answer::new(request_id, live.text.characters(), &live.lock(), backend))
    }

    fn characters(&self) -> usize {
        self.live.as_ref().map_or(self.answer.characters, |live| live.text.characters())
    }

    fn diagnostics(&self) -> Cow<'_, [Diagnostic]> {
        match &self.live {
            Some(live) => Cow::Owned(live.lock().clone()),
            None => Cow::Borrowed(&self.answer.diagnostics),
        }
    }

    /// What text is pushed into.
    fn text(&self) -> Result<&LiveText> {
        let live = self.live.as_ref();
        live.map(|live| &live.text).ok_or_else(|| invalid("the stream takes no more text".into()))
    }
}

impl Live {
    fn lock(&self) -> MutexGuard<'_, Vec<Diagnostic>> {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds a piece of text to a stream of speech_engine_live(): a token, half a word, a page. A sentence is spoken when it is
/// decided: what is not is held back, as speech_segmenter_push() says. It returns at once.
///
/// `piece` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED; it must
/// not end inside a character.
///
/// Threads: any, also while another is inside speech_stream_next(). Fails with SPEECH_INVALID_REQUEST if the stream is not
/// live, is none of speech_engine_live(), or is finished, or the piece is NULL, is not UTF-8 or has a NUL character in it; then
/// nothing is taken.
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
/// Threads: any, also while another is inside speech_stream_next(). Fails if the stream is not live or is none of
/// speech_engine_live().
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
/// Threads: any, also while another is inside speech_stream_next(). Fails if the stream is not live or is none of
/// speech_engine_live().
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

/// The byte of the text of a stream of speech_engine_live() up to which words have been said when playback is at `seconds` from
/// the start of the stream: what the user of an agent has heard when he interrupts it.
///
/// Threads: any, also while another is inside speech_stream_next(). Fails if the stream is not live, is none of
/// speech_engine_live(), or `byte` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_heard(
    stream: *const speech_stream,
    seconds: f64,
    byte: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    try_get(stream, byte, "byte", error, |stream| Ok(stream.text()?.heard_at(seconds)))
}

/// Stops a stream, from any thread: calls that are inside it, and later ones, fail with SPEECH_CANCELLED soon.
///
/// Threads: any. Fails if the stream is not live.
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

/// Gives the next chunk, one sentence or a part of it, as soon as it is computed. At the end it succeeds, and `*audio` is NULL.
///
/// From the first call on, a thread of the stream computes one sentence ahead of the one that was given last;
/// nothing is computed before that. A sentence that takes over 16 s to say comes in parts of at most that, a silence of
/// over a second by itself and a second at a time, and with low latency (see speech_request_set_latency()) the first
/// sentence may come as three chunks, all with the same span.
///
/// `audio` receives a new object: free it with speech_audio_free().
///
/// Threads: any, one at a time: others wait. Fails with SPEECH_CANCELLED if the stream's token was cancelled
/// or the stream was freed meanwhile, with SPEECH_INVALID_REQUEST once it is known that the speech would be longer than
/// SPEECH_MAX_SECONDS, or with SPEECH_INTERNAL; then every later call fails in the same way.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_next(
    stream: *mut speech_stream,
    audio: Output<'_, *mut speech_audio>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let output = audio.required("audio")?;
        let chunk = handle::lookup(stream)?.next()?;
        output.write(chunk.map_or(ptr::null_mut(), handle::insert));
        Ok(())
    })
}

/// Computes the rest, and calls `callback` with `userdata` and each chunk in order, on this thread.
///
/// Threads: any, as speech_stream_next(). Fails as that does, and with SPEECH_CANCELLED if the callback
/// stops: then the stream itself is not cancelled, and speech_stream_next() gives the rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_for_each(
    stream: *mut speech_stream,
    callback: speech_audio_callback,
    userdata: *mut c_void,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(stream, error, |stream| {
        let callback = callback.ok_or_else(|| invalid("callback is NULL".into()))?;
        while let Some(chunk) = stream.next()? {
            let chunk = CallbackArgument(handle::insert(chunk));
            // SAFETY: the header obliges the caller to pass a callback that can be called, with
            // `userdata`, until this function returns.
            let flow = unsafe { callback(userdata, chunk.0) };
            if flow != speech_flow::SPEECH_CONTINUE as Flow {
                let stopped = "the callback stopped the stream";
                return Err(Error::new(ErrorKind::Cancelled, stopped)
                    .with_request_id(stream.answer.request_id));
            }
        }
        Ok(())
    })
}

/// A chunk that is freed when the callback that received it has returned.
struct CallbackArgument(*mut speech_audio);

impl Drop for CallbackArgument {
    fn drop(&mut self) {
        handle::remove(self.0);
    }
}

/// The identifier of the request, a UUID.
///
/// It belongs to the stream. Threads: any, also while another is inside speech_stream_next(). Fails if the
/// stream is not live or `request_id` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_request_id(
    stream: *const speech_stream,
    request_id: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(stream, request_id, "request_id", error, |stream| stream.answer.request_id_text.as_ptr())
}

/// The metered quantity: the Unicode scalar values of the whole text as it was sent.
///
/// Threads: any. Fails if the stream is not live or `characters` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_characters(
    stream: *const speech_stream,
    characters: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(stream, characters, "characters", error, |stream| stream.characters())
}

/// The name of the kernels (the instruction set) that compute it, such as "avx2" or "portable": never "auto".
///
/// The string is the library's own and stays valid. Threads: any. Fails if the stream is not
/// live or `kernels` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_kernels(
    stream: *const speech_stream,
    kernels: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(stream, kernels, "kernels", error, |stream| backend::kernels(stream.answer.backend))
}

/// The precision of the products of the vocoder: "fp32", "int16" or "bf16", never "auto".
///
/// The string is the library's own and stays valid. Threads: any. Fails if the stream is not
/// live or `precision` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_precision(
    stream: *const speech_stream,
    precision: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(stream, precision, "precision", error, |stream| backend::precision(stream.answer.backend))
}

/// The number of diagnostics of the whole text: what is not said. Of a live text those so far, 10,000 at most.
///
/// Threads: any. Fails if the stream is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_diagnostic_count(
    stream: *const speech_stream,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(stream, count, "count", error, |stream| stream.diagnostics().len())
}

/// A diagnostic: its kind, and the bytes `begin` to `end` (exclusive) of the text that was sent. Each of the
/// three outputs may be NULL.
///
/// Threads: any. Fails if the stream is not live, or the index is not under
/// speech_stream_diagnostic_count().
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_diagnostic(
    stream: *const speech_stream,
    index: usize,
    kind: Output<'_, DiagnosticNumber>,
    begin: Output<'_, usize>,
    end: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get_diagnostic(stream, index, kind, SpanOutputs { begin, end }, error, |stream| {
        stream.diagnostics()
    })
}

/// Frees a stream. It stops what is computed ahead and waits for that, some milliseconds: when this returns,
/// nothing of the stream runs any more. (Inside a log callback it may not wait.) A call that is inside the stream
/// on another thread is stopped, and returns SPEECH_CANCELLED; then that call waits, and this does not. The audio
/// that the stream gave stays valid. NULL, and a stream that was freed before, do nothing.
///
/// Threads: any, also while other threads are inside calls with this stream, and inside its callback.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_free(stream: *mut speech_stream) {
    catch_panic_or((), || {
        if let Some(stream) = handle::remove(stream) {
            stream.token.cancel();
        }
    });
}
