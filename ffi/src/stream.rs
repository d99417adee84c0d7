//! Streams: a text a sentence at a time, pulled or called back.

use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use speech_core::{
    Backend, CancelToken, Chunk, Diagnostic, Error, ErrorKind, RequestId, Result, Stream,
};

use crate::boundary::{boundary, or_else};
use crate::chunk::{ChunkObject, speech_chunk};
use crate::error::speech_error;
use crate::getters::{DiagnosticNumber, DiagnosticPlaces, c_string, get, get_diagnostic};
use crate::handle::{self, opaque};
use crate::names;
use crate::pointer::invalid;
use crate::status::Status;

/// A text that is being spoken a sentence at a time.
pub struct speech_stream(());
opaque!(speech_stream, StreamObject, "stream");

/// What a callback wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_flow {
    /// Go on.
    SPEECH_CONTINUE = 0,
    /// Speak no more.
    SPEECH_STOP = 1,
}

/// A [`speech_flow`] as it crosses the boundary: any number may.
pub type Flow = i32;

/// Receives a chunk, which is valid only during the call and is not the callback's to free. Any answer but
/// SPEECH_CONTINUE stops.
///
/// It runs on the thread that called speech_stream_for_each(), may call the library, and must not throw or
/// longjmp.
pub type speech_chunk_callback =
    Option<unsafe extern "C" fn(userdata: *mut c_void, chunk: *const speech_chunk) -> Flow>;

/// A stream that one thread at a time pulls.
pub(crate) struct StreamObject {
    pulled: Mutex<Pulled>,
    /// Stops this stream alone.
    token: CancelToken,
    request_id: RequestId,
    request_id_text: CString,
    characters: usize,
    diagnostics: Vec<Diagnostic>,
    backend: Backend,
}

struct Pulled {
    stream: Stream,
    /// Why it ended, if it failed: it does not seem complete when it is asked again.
    failure: Option<Error>,
}

impl StreamObject {
    pub(crate) fn new(stream: Stream, token: CancelToken) -> Self {
        Self {
            token,
            request_id: stream.request_id(),
            request_id_text: c_string(&stream.request_id().to_string()),
            characters: stream.characters(),
            diagnostics: stream.diagnostics().to_vec(),
            backend: stream.backend(),
            pulled: Mutex::new(Pulled { stream, failure: None }),
        }
    }

    /// The next chunk; `None` when all is spoken.
    fn next(&self) -> Result<Option<Chunk>> {
        let mut pulled = self.pulled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = &pulled.failure {
            return Err(failure.clone());
        }
        pulled.stream.next().transpose().inspect_err(|error| pulled.failure = Some(error.clone()))
    }
}

/// Gives the next sentence as soon as it is computed. When all is spoken it succeeds, and `*chunk` is NULL.
///
/// From the first call on, the sentences are computed on a thread of the stream's own, one ahead of the one
/// that was given last; nothing is computed before that. With low latency (see
/// speech_request_set_latency()) the first sentence may come as three chunks with the same span.
///
/// `chunk` receives a new object: free it with speech_chunk_free().
///
/// Threads: any, one at a time: others wait. Fails with SPEECH_CANCELLED if the stream's token was cancelled
/// or the stream was freed meanwhile, or with SPEECH_INTERNAL; then every later call fails in the same way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_next(
    stream: *mut speech_stream,
    chunk: *mut *mut speech_chunk,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        boundary(error, |caller| {
            let place = caller.out(chunk, "chunk")?;
            let chunk = handle::live(stream)?.next()?;
            let chunk = chunk.map(|chunk| handle::give(ChunkObject::new(chunk)));
            place.write(chunk.unwrap_or(ptr::null_mut()));
            Ok(())
        })
    }
}

/// Speaks the rest, and calls `callback` with `userdata` and each chunk in order, on this thread.
///
/// Threads: any, as speech_stream_next(). Fails as that does, and with SPEECH_CANCELLED if the callback
/// stops: then the stream itself is not cancelled, and can be pulled on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_for_each(
    stream: *mut speech_stream,
    callback: speech_chunk_callback,
    userdata: *mut c_void,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        boundary(error, |_| {
            let stream = handle::live(stream)?;
            let callback = callback.ok_or_else(|| invalid("callback is NULL".into()))?;
            while let Some(chunk) = stream.next()? {
                let lent = Lent(handle::give(ChunkObject::new(chunk)));
                // SAFETY: the header wants the callback to be valid while this function runs.
                let flow = callback(userdata, lent.0);
                if flow != speech_flow::SPEECH_CONTINUE as Flow {
                    let stopped = "the callback stopped the stream";
                    return Err(Error::new(ErrorKind::Cancelled, stopped)
                        .with_request_id(stream.request_id));
                }
            }
            Ok(())
        })
    }
}

/// A chunk that is the callback's for the time of a call.
struct Lent(*mut speech_chunk);

impl Drop for Lent {
    fn drop(&mut self) {
        handle::take(self.0);
    }
}

/// The identifier of the request, a UUID.
///
/// It belongs to the stream. Threads: any, also while another is inside speech_stream_next(). Fails if the
/// stream is not live or `request_id` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_request_id(
    stream: *const speech_stream,
    request_id: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get(stream, request_id, "request_id", error, |stream| Ok(stream.request_id_text.as_ptr()))
    }
}

/// The metered quantity: the Unicode scalar values of the whole text as it was sent.
///
/// Threads: any. Fails if the stream is not live or `characters` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_characters(
    stream: *const speech_stream,
    characters: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(stream, characters, "characters", error, |stream| Ok(stream.characters)) }
}

/// The name of the instructions that it is computed with, such as "avx2" or "portable": never "auto".
///
/// The string is the library's own and stays valid. Threads: any. Fails if the stream is not
/// live or `kernels` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_kernels(
    stream: *const speech_stream,
    kernels: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(stream, kernels, "kernels", error, |stream| names::kernels(stream.backend)) }
}

/// What the products of the vocoder are computed in: "fp32" or "bf16", never "auto".
///
/// The string is the library's own and stays valid. Threads: any. Fails if the stream is not
/// live or `precision` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_precision(
    stream: *const speech_stream,
    precision: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(stream, precision, "precision", error, |stream| names::precision(stream.backend)) }
}

/// How many diagnostics there are, of the whole text: what is not said.
///
/// Threads: any. Fails if the stream is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_diagnostic_count(
    stream: *const speech_stream,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(stream, count, "count", error, |stream| Ok(stream.diagnostics.len())) }
}

/// A diagnostic: its kind, and the bytes `begin` to `end` (exclusive) of the text that was sent. Each of the
/// three places may be NULL.
///
/// Threads: any. Fails if the stream is not live, or the index is not under
/// speech_stream_diagnostic_count().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_stream_diagnostic(
    stream: *const speech_stream,
    index: usize,
    kind: *mut DiagnosticNumber,
    begin: *mut usize,
    end: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get_diagnostic(stream, index, DiagnosticPlaces { kind, begin, end }, error, |stream| {
            &stream.diagnostics
        })
    }
}

/// Frees a stream. What is computed ahead is stopped, and waited for: when this returns, nothing of the
/// stream runs any more, which takes some milliseconds. (Inside a log callback it may not wait.) A call that
/// is inside the stream on another thread is stopped, and returns SPEECH_CANCELLED; then this does not wait,
/// but that call does. Its chunks are objects of their own and stay. NULL, and a stream that was freed
/// before, do nothing.
///
/// Threads: any, also while other threads are inside calls with this stream, and inside its callback.
#[unsafe(no_mangle)]
pub extern "C" fn speech_stream_free(stream: *mut speech_stream) {
    or_else((), || {
        if let Some(stream) = handle::take(stream) {
            stream.token.cancel();
        }
    });
}
