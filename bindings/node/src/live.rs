//! Speech of a text that arrives in pieces.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;
use speech_core::{CancelToken, LiveText, Utf16Offsets};

use crate::audio::{self, RawChunk, RawDiagnostic};
use crate::error::{JsResult, into_js};
use crate::task;

/// Speech of a text that arrives in pieces.
#[napi]
pub struct LiveStream {
    shared: Arc<Shared>,
    request_id: String,
}

/// The state shared with the threads that compute chunks.
struct Shared {
    /// None once the stream has ended or was closed.
    stream: Mutex<Option<speech_core::Stream>>,
    text: LiveText,
    /// The offsets of all text pushed so far.
    offsets: Mutex<Utf16Offsets>,
    cancel: CancelToken,
}

impl LiveStream {
    /// The stream of a text of which the first piece was pushed.
    pub(crate) fn new(pushed: &str, text: LiveText, stream: speech_core::Stream) -> Self {
        Self {
            request_id: stream.request_id().to_string(),
            shared: Arc::new(Shared {
                text,
                offsets: Mutex::new(Utf16Offsets::of(pushed)),
                cancel: stream.cancel_token(),
                stream: Mutex::new(Some(stream)),
            }),
        }
    }
}

#[napi]
impl LiveStream {
    /// Adds a piece of text.
    #[napi]
    pub fn push(&self, piece: String) -> JsResult<()> {
        into_js(self.shared.push(&piece))
    }

    /// Speaks everything pushed so far, as if a sentence ended there.
    #[napi]
    pub fn flush(&self) {
        self.shared.text.flush();
    }

    /// Ends the text.
    #[napi]
    pub fn finish(&self) {
        self.shared.text.finish();
    }

    /// Whether so much text waits to be spoken that the source should pause.
    #[napi(getter)]
    pub fn is_full(&self) -> bool {
        self.shared.text.is_full()
    }

    /// The next chunk; null after the last.
    #[napi(ts_return_type = "Promise<RawChunk | null | NativeError>")]
    pub fn next<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let shared = Arc::clone(&self.shared);
        task::spawn(env, move || shared.next().transpose(), |_, chunk| Ok(chunk))
    }

    /// Stops the computation soon, and frees everything but the text.
    #[napi]
    pub fn close(&self) {
        self.shared.close();
    }

    /// The UTF-16 offset up to which words have been heard at `seconds` from the start of the
    /// stream.
    #[napi]
    pub fn heard_at(&self, seconds: f64) -> u32 {
        let byte = self.shared.text.heard_at(seconds);
        self.shared.offsets().offset(byte)
    }

    /// A UUID.
    #[napi(getter)]
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Notes on how the text was read so far.
    #[napi(getter)]
    pub fn diagnostics(&self) -> Vec<RawDiagnostic> {
        let diagnostics = self.shared.text.diagnostics();
        audio::diagnostics(&self.shared.offsets(), &diagnostics)
    }
}

impl Shared {
    fn offsets(&self) -> MutexGuard<'_, Utf16Offsets> {
        self.offsets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, piece: &str) -> speech_core::Result<()> {
        // Held across the push: a chunk of this text waits until the text is in the map.
        let mut offsets = self.offsets();
        self.text.push(piece)?;
        offsets.push(piece);
        Ok(())
    }

    fn next(&self) -> Option<speech_core::Result<RawChunk>> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let next = stream.as_mut()?.next();
        if !matches!(next, Some(Ok(_))) {
            *stream = None;
        }
        next.map(|chunk| chunk.map(|chunk| RawChunk::new(&self.offsets(), chunk)))
    }

    /// Does not wait for a thread that computes a chunk: the cancellation makes it stop, and then
    /// frees the stream.
    fn close(&self) {
        self.cancel.cancel();
        let stream = self.stream.try_lock().ok().and_then(|mut stream| stream.take());
        if let Some(stream) = stream {
            task::drop_in_background(stream);
        }
    }
}

impl Drop for LiveStream {
    /// Ends the text, as a thread may wait for more and nobody can push any.
    fn drop(&mut self) {
        self.shared.close();
    }
}
