//! The chunks of a stream, for any number of threads.

use std::sync::{Mutex, PoisonError};

use speech_core::{CancelToken, Chunk, Error, RequestId, Result, Stream};

use crate::catch_panic;

/// A stream of the core. It is read by one thread at a time, and closed by any.
pub struct Chunks {
    request_id: RequestId,
    state: Mutex<State>,
    cancel: CancelToken,
}

struct State {
    /// None once it has ended or was closed.
    stream: Option<Stream>,
    /// Whether it was closed, or has failed, before its last chunk.
    interrupted: bool,
}

impl Chunks {
    /// Those of a stream.
    pub fn new(stream: Stream) -> Self {
        let (request_id, cancel) = (stream.request_id(), stream.cancel_token());
        let state = Mutex::new(State { stream: Some(stream), interrupted: false });
        Self { request_id, state, cancel }
    }

    /// The next chunk; None after the last one. After an interruption every call is `cancelled`: a thread that waited for its
    /// turn must not take that for the end of the speech.
    ///
    /// # Errors
    ///
    /// That of the stream, or `internal` for a panic in it.
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

    /// Cancels it, and gives the stream to whoever has the time to drop it: that waits until its thread has ended. It gives none
    /// while a thread computes a chunk, which the token makes end soon, and which drops the stream then.
    pub fn close(&self) -> Option<Stream> {
        self.cancel.cancel();
        let mut state = self.state.try_lock().ok()?;
        state.interrupted |= state.stream.is_some();
        state.stream.take()
    }
}
