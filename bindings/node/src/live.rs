//! Speech of a text that arrives in pieces.

use std::sync::Arc;

use napi::bindgen_prelude::Object;
use napi::{Env, Result};
use napi_derive::napi;
use speech_core::{LiveText, Utf16Offsets};

use crate::audio::{self, RawDiagnostic};
use crate::error::{JsResult, into_js};
use crate::stream::Shared;

/// Speech of a text that arrives in pieces.
#[napi]
pub struct LiveStream {
    shared: Arc<Shared>,
    text: LiveText,
    request_id: String,
}

impl LiveStream {
    /// The stream of a text of which the first piece was pushed.
    pub(crate) fn new(pushed: &str, text: LiveText, stream: speech_core::Stream) -> Self {
        Self {
            request_id: stream.request_id().to_string(),
            text,
            shared: Shared::new(Utf16Offsets::of(pushed), stream),
        }
    }
}

#[napi]
impl LiveStream {
    /// Adds a piece of text.
    #[napi]
    pub fn push(&self, piece: String) -> JsResult<()> {
        // Held across the push: a chunk of this text waits until the text is in the map.
        let mut offsets = self.shared.offsets();
        into_js(self.text.push(&piece).map(|()| offsets.push(&piece)))
    }

    /// Speaks everything pushed so far, as if a sentence ended there.
    #[napi]
    pub fn flush(&self) {
        self.text.flush();
    }

    /// Ends the text.
    #[napi]
    pub fn finish(&self) {
        self.text.finish();
    }

    /// Whether so much text waits to be spoken that the source should pause.
    #[napi(getter)]
    pub fn is_full(&self) -> bool {
        self.text.is_full()
    }

    /// The next chunk; null after the last.
    #[napi(ts_return_type = "Promise<RawChunk | null | NativeError>")]
    pub fn next<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        self.shared.next(env)
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
        let byte = self.text.heard_at(seconds);
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
        let diagnostics = self.text.diagnostics();
        audio::diagnostics(&self.shared.offsets(), &diagnostics)
    }
}

impl Drop for LiveStream {
    /// Ends the text, as a thread may wait for more and nobody can push any.
    fn drop(&mut self) {
        self.shared.close();
    }
}
