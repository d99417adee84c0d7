//! The chunks of a stream, readable by any number of threads.

use std::sync::{Mutex, PoisonError};

use speech_bindings::catch_panic;
use speech_core::{CancelToken, Chunk, Error, RequestId, Result};

/// A stream of the core. One thread at a time reads it, and any thread may close it.
pub(crate) struct Chunks {
    request_id: RequestId,
    state: Mutex<State>,
    cancel: CancelToken,
}

struct State {
    /// None once it has ended or was closed.
    stream: Option<speech_core::Stream>,
    /// Whether it was closed, or failed, before its last chunk.
    interrupted: bool,
}

impl Chunks {
    pub(crate) fn new(stream: speech_core::Stream) -> Self {
        let (request_id, cancel) = (stream.request_id(), stream.cancel_token());
        let state = Mutex::new(State { stream: Some(stream), interrupted: false });
        Self { request_id, state, cancel }
    }

    /// The next chunk; None after the last one. After an interruption every call is `cancelled`: a
    /// waiting thread must not take it for the end of the speech.
    pub(crate) fn next(&self) -> Result<Option<Chunk>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(stream) = &mut state.stream else {
            let cancelled = || Error::cancelled().with_request_id(self.request_id);
            return if state.interrupted { Err(cancelled()) } else { Ok(None) };
        };
        let next = catch_panic(|| stream.next().transpose()).flatten();
        if !matches!(next, Ok(Some(_))) {
            state.stream = None;
        }
        state.interrupted |= next.is_err();
        next
    }

    /// Cancels the stream, and releases its resources. It does not wait for a thread that computes
    /// a chunk, which the token ends shortly.
    pub(crate) fn close(&self) {
        self.cancel.cancel();
        if let Ok(mut state) = self.state.try_lock() {
            state.interrupted |= state.stream.take().is_some();
        }
    }
}
