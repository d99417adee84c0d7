//! Chunks: one sentence of a stream, spoken.

use std::sync::OnceLock;

use speech_core::Chunk;

use crate::boundary::{boundary, or_else};
use crate::error::speech_error;
use crate::getters::{WordPlaces, floats, get, get_slice, get_word};
use crate::handle::{self, opaque};
use crate::pointer::write;
use crate::status::Status;

/// One sentence of a stream with the pause after it, or with low latency a part of the first: mono, 22,050
/// samples a second. It does not change, so any number of threads may read it; what its functions point at
/// belongs to it.
pub struct speech_chunk(());
opaque!(speech_chunk, ChunkObject, "chunk");

/// A chunk, with the forms that C asks for.
pub(crate) struct ChunkObject {
    chunk: Chunk,
    floats: OnceLock<Vec<f32>>,
}

impl ChunkObject {
    pub(crate) fn new(chunk: Chunk) -> Self {
        Self { chunk, floats: OnceLock::new() }
    }
}

/// The samples as 16-bit integers in the byte order of the machine. The chunks of a stream one after another
/// are, sample for sample, the audio of the whole text, unless the request asks for low latency.
///
/// They belong to the chunk. Threads: any. Fails if the chunk is not live or another argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_chunk_samples(
    chunk: *const speech_chunk,
    samples: *mut *const i16,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get_slice(chunk, (samples, "samples"), (count, "count"), error, |chunk| {
            &chunk.chunk.samples
        })
    }
}

/// The samples as 32-bit floats from -1 to 1: each is the integer divided by 32,768. They are made by the
/// first call.
///
/// They belong to the chunk. Threads: any. Fails if the chunk is not live or another argument is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_chunk_samples_f32(
    chunk: *const speech_chunk,
    samples: *mut *const f32,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get_slice(chunk, (samples, "samples"), (count, "count"), error, |chunk| {
            chunk.floats.get_or_init(|| floats(&chunk.chunk.samples))
        })
    }
}

/// The bytes `begin` to `end` (exclusive) of the text that was sent which the chunk speaks; all of them if
/// there was nothing to say. Each of the two places may be NULL.
///
/// Threads: any. Fails if the chunk is not live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_chunk_span(
    chunk: *const speech_chunk,
    begin: *mut usize,
    end: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        boundary(error, |caller| {
            let chunk = handle::live(chunk)?;
            write(caller.out_or_null(begin), chunk.chunk.span.start);
            write(caller.out_or_null(end), chunk.chunk.span.end);
            Ok(())
        })
    }
}

/// How many words have a timing.
///
/// Threads: any. Fails if the chunk is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_chunk_word_count(
    chunk: *const speech_chunk,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(chunk, count, "count", error, |chunk| Ok(chunk.chunk.words.len())) }
}

/// When a word is heard: bytes `begin` to `end` (exclusive) of the text that was sent, and seconds from the
/// start of the stream, not of the chunk. Each of the four places may be NULL.
///
/// Threads: any. Fails if the chunk is not live, or the index is not under speech_chunk_word_count().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_chunk_word(
    chunk: *const speech_chunk,
    index: usize,
    begin: *mut usize,
    end: *mut usize,
    start_seconds: *mut f64,
    end_seconds: *mut f64,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get_word(
            chunk,
            index,
            WordPlaces { begin, end, start_seconds, end_seconds },
            error,
            |chunk| &chunk.chunk.words,
        )
    }
}

/// Frees a chunk with its samples. NULL, and a chunk that was freed before, do nothing.
///
/// Threads: any; but nobody may still read what its functions point at.
#[unsafe(no_mangle)]
pub extern "C" fn speech_chunk_free(chunk: *mut speech_chunk) {
    or_else((), || drop(handle::take(chunk)));
}
