//! A stream of speech.

use std::sync::{Arc, Mutex, PoisonError};

use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;
use speech_core::{CancelToken, Utf16Offsets};

use crate::audio::{self, RawChunk, RawDiagnostic};
use crate::task;

/// Speech, one sentence at a time.
#[napi]
pub struct Stream {
    shared: Arc<Shared>,
    request_id: String,
    sentences: u32,
    diagnostics: Vec<RawDiagnostic>,
}

/// The state shared with the threads that compute chunks.
struct Shared {
    /// None once the stream has ended or was closed.
    stream: Mutex<Option<speech_core::Stream>>,
    offsets: Utf16Offsets,
    cancel: CancelToken,
}

impl Stream {
    pub(crate) fn new(text: &str, stream: speech_core::Stream) -> Self {
        let offsets = Utf16Offsets::of(text);
        Self {
            request_id: stream.request_id().to_string(),
            sentences: stream.sentences_left().unwrap_or_default() as u32,
            diagnostics: audio::diagnostics(&offsets, &stream.diagnostics()),
            shared: Arc::new(Shared {
                offsets,
                cancel: stream.cancel_token(),
                stream: Mutex::new(Some(stream)),
            }),
        }
    }
}

#[napi]
impl Stream {
    /// The next chunk; null after the last.
    #[napi(ts_return_type = "Promise<RawChunk | null | NativeError>")]
    pub fn next<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let shared = Arc::clone(&self.shared);
        task::spawn(env, move || shared.next().transpose(), |_, chunk| Ok(chunk))
    }

    /// Stops the computation soon, and frees the stream.
    #[napi]
    pub fn close(&self) {
        self.shared.close();
    }

    /// A UUID.
    #[napi(getter)]
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// The number of sentences of the text.
    #[napi(getter)]
    pub fn sentences(&self) -> u32 {
        self.sentences
    }

    /// Notes on how the whole text is read.
    #[napi(getter)]
    pub fn diagnostics(&self) -> Vec<RawDiagnostic> {
        self.diagnostics.clone()
    }
}

impl Shared {
    fn next(&self) -> Option<speech_core::Result<RawChunk>> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let next = stream.as_mut()?.next();
        if !matches!(next, Some(Ok(_))) {
            *stream = None;
        }
        next.map(|chunk| chunk.map(|chunk| RawChunk::new(&self.offsets, chunk)))
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

impl Drop for Shared {
    fn drop(&mut self) {
        self.close();
    }
}
