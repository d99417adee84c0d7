//! A stream of speech.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;
use speech_bindings::{Chunks, drop_in_background};
use speech_core::Utf16Offsets;

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
pub(crate) struct Shared {
    chunks: Chunks,
    /// Converts byte offsets to UTF-16 offsets, in all text so far.
    offsets: Mutex<Utf16Offsets>,
}

impl Stream {
    pub(crate) fn new(text: &str, stream: speech_core::Stream) -> Self {
        let offsets = Utf16Offsets::of(text);
        Self {
            request_id: stream.request_id().to_string(),
            sentences: stream.sentences_left().unwrap_or_default() as u32,
            diagnostics: audio::diagnostics(&offsets, &stream.diagnostics()),
            shared: Shared::new(offsets, stream),
        }
    }
}

#[napi]
impl Stream {
    /// The next chunk; null after the last.
    #[napi(ts_return_type = "Promise<RawChunk | null | NativeError>")]
    pub fn next<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        self.shared.next(env)
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
    pub(crate) fn new(offsets: Utf16Offsets, stream: speech_core::Stream) -> Arc<Self> {
        Arc::new(Self { chunks: Chunks::new(stream), offsets: Mutex::new(offsets) })
    }

    pub(crate) fn offsets(&self) -> MutexGuard<'_, Utf16Offsets> {
        self.offsets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The promise of the next chunk; of null after the last.
    pub(crate) fn next<'env>(self: &Arc<Self>, env: &'env Env) -> Result<Object<'env>> {
        let shared = Arc::clone(self);
        let next = move || {
            let chunk = shared.chunks.next()?;
            Ok(chunk.map(|chunk| RawChunk::new(&shared.offsets(), chunk)))
        };
        task::spawn(env, next, |_, chunk| Ok(chunk))
    }

    /// Does not wait for a thread that computes a chunk: that thread sees the cancellation, stops,
    /// and frees the stream.
    pub(crate) fn close(&self) {
        if let Some(stream) = self.chunks.close() {
            drop_in_background(stream);
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.close();
    }
}
