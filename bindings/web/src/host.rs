//! The functions that the worker provides to the module.

use crate::answer::Answer;

// The worker reads only the addresses and lengths of an answer.
#[allow(improper_ctypes, reason = "what it is made of is for this side alone")]
#[link(wasm_import_module = "libspeech")]
unsafe extern "C" {
    /// Receives a chunk of a stream.
    fn take_chunk(stream: u32, chunk: *const Answer);
    /// Returns a nonzero value if the page cancelled the request of a stream.
    fn is_cancelled(stream: u32) -> u32;
}

/// Passes a chunk to the worker, which copies it.
pub(crate) fn give_chunk(stream: u32, json: Vec<u8>, samples: Vec<i16>) {
    let chunk = Answer::new(json, samples);
    // SAFETY: the worker reads the answer and the memory behind its addresses before it returns;
    // both live until then. It keeps no address.
    unsafe { take_chunk(stream, &raw const chunk) }
}

/// Whether the page cancelled the request of a stream.
pub(crate) fn cancelled(stream: u32) -> bool {
    // SAFETY: only numbers are passed.
    unsafe { is_cancelled(stream) != 0 }
}
