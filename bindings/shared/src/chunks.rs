//! The chunks of a stream, readable by any number of threads.

use std::sync::{Mutex, PoisonError};

use speech_core::{CancelToken, Chunk, Error, RequestId, Result, Stream};

use crate::catch_panic;

/// A stream of the core. One thread at a time reads it, and any thread may close it.
pub struct Chunks {
    request_id: RequestId,
    state: Mutex<State>,
    cancel: CancelToken,
}

struct State {
    /// None once the stream has ended or was closed.
    stream: Option<Stream>,
    /// Whether it was closed, or failed, before its last chunk.
    interrupted: bool,
}

impl Chunks {
    /// The chunks of a stream.
    pub fn new(stream: Stream) -> Self {
        let (request_id, cancel) = (stream.request_id(), stream.cancel_token());
        let state = Mutex::new(State { stream: Some(stream), interrupted: false });
        Self { request_id, state, cancel }
    }

    /// The next chunk; None after the last one. After an interruption every call is `cancelled`: a
    /// waiting thread must not take it for the end of the speech.
    ///
    /// # Errors
    ///
    /// The error of the stream, or `internal` for a panic in it.
    pub fn next(&self) -> Result<Option<Chunk>> {
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

    /// Cancels the stream, and returns it for the caller to drop: dropping waits until its thread
    /// has ended. Returns None while a thread computes a chunk: the cancelled token ends the
    /// computation soon, and that thread then drops the stream.
    pub fn close(&self) -> Option<Stream> {
        self.cancel.cancel();
        let mut state = self.state.try_lock().ok()?;
        state.interrupted |= state.stream.is_some();
        state.stream.take()
    }
}
