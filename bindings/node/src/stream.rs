//! One request in progress.

use std::sync::{Arc, Mutex, PoisonError};

use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;
use speech_core::CancelToken;

use crate::results::{self, NotSaid, RawChunk};
use crate::text::CodeUnits;
use crate::work;

/// Speech by sentences.
#[napi]
pub struct Stream {
    speaking: Arc<Speaking>,
    request_id: String,
    characters: u32,
    sentences: u32,
    diagnostics: Vec<NotSaid>,
}

struct Speaking {
    /// None once it has ended or was closed.
    stream: Mutex<Option<speech_core::Stream>>,
    units: CodeUnits,
    cancel: CancelToken,
}

impl Stream {
    pub(crate) fn new(
        text: &str,
        stream: speech_core::Stream,
        cancel: CancelToken,
    ) -> speech_core::Result<Self> {
        let units = CodeUnits::of(text);
        Ok(Self {
            request_id: stream.request_id().to_string(),
            characters: stream.characters() as u32,
            sentences: stream.sentences_left() as u32,
            diagnostics: results::diagnostics(&units, stream.diagnostics())?,
            speaking: Arc::new(Speaking { stream: Mutex::new(Some(stream)), units, cancel }),
        })
    }
}

#[napi]
impl Stream {
    /// The next chunk; null after the last.
    #[napi(ts_return_type = "Promise<RawChunk | null | Failure>")]
    pub fn next<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let speaking = Arc::clone(&self.speaking);
        work::begin(env, move || speaking.next().transpose(), |chunk| chunk)
    }

    /// Stops it soon, and forgets it.
    #[napi]
    pub fn close(&self) {
        self.speaking.stop();
    }

    /// A UUID.
    #[napi(getter)]
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// The metered quantity.
    #[napi(getter)]
    pub fn characters(&self) -> u32 {
        self.characters
    }

    /// The sentences of the text.
    #[napi(getter)]
    pub fn sentences(&self) -> u32 {
        self.sentences
    }

    /// What is not said, of the whole text.
    #[napi(getter)]
    pub fn diagnostics(&self) -> Vec<NotSaid> {
        self.diagnostics.clone()
    }
}

impl Speaking {
    fn next(&self) -> Option<speech_core::Result<RawChunk>> {
        let mut open = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let next = open.as_mut()?.next();
        if !matches!(next, Some(Ok(_))) {
            *open = None;
        }
        next.map(|chunk| chunk.map(|chunk| RawChunk::new(&self.units, chunk)))
    }

    /// Does not wait for a thread that is inside: that one ends soon.
    fn stop(&self) {
        self.cancel.cancel();
        let open = self.stream.try_lock().ok().and_then(|mut open| open.take());
        if let Some(stream) = open {
            work::discard(stream);
        }
    }
}

impl Drop for Speaking {
    fn drop(&mut self) {
        self.stop();
    }
}
