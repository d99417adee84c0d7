//! What the worker does for the module.

use crate::answer::Answer;

// The worker reads the addresses and lengths of an answer, and nothing else of it.
#[allow(improper_ctypes, reason = "what it is made of is for this side alone")]
#[link(wasm_import_module = "libspeech")]
unsafe extern "C" {
    /// Takes a chunk of a stream.
    fn take_chunk(stream: u32, chunk: *const Answer);
    /// Whether the page cancelled the request of a stream: not 0 if it did.
    fn is_cancelled(stream: u32) -> u32;
}

/// Hands a chunk over, which the worker copies.
pub(crate) fn give_chunk(stream: u32, json: Vec<u8>, samples: Vec<i16>) {
    let chunk = Answer::new(json, samples);
    // SAFETY: the worker reads the answer and what its addresses are those of, which live until it returns, and keeps none.
    unsafe { take_chunk(stream, &raw const chunk) }
}

/// Whether the page cancelled the request of a stream.
pub(crate) fn cancelled(stream: u32) -> bool {
    // SAFETY: the worker gets and gives a number alone.
    unsafe { is_cancelled(stream) != 0 }
}
