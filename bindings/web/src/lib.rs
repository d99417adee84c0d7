//! The WebAssembly module of the web package, which only that package uses.
//!
//! It runs in a worker of the page. The worker writes a call as JSON into memory that it allocates here, and reads
//! an answer: JSON and samples. Speech is computed a sentence at a time, so that the worker sees its messages in between; each
//! chunk is handed to the worker as soon as it is computed. Offsets in a text are in UTF-16 code units, as JavaScript counts them.
//!
//! The target is WASI, for its clock and its source of random numbers, and for the threads of its variant with threads. The package
//! implements what the module imports of it.
#![cfg(target_family = "wasm")]

mod answer;
mod audio;
mod call;
mod engine;
mod host;
mod request;

use std::cell::RefCell;

use crate::answer::Answer;
use crate::engine::State;

thread_local! {
    /// Every call is made by the worker that made the instance.
    static STATE: RefCell<State> = RefCell::default();
}

/// Allocates bytes for a call, or for a voice bundle.
#[unsafe(no_mangle)]
pub extern "C" fn speech_allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Makes a call, whose bytes it frees. The answer is to be freed with [`speech_free_answer`].
///
/// # Safety
///
/// The bytes are those of [`speech_allocate`], and so are those that the call names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_call(call: *mut u8, length: usize) -> *mut Answer {
    // SAFETY: the caller vouches for them.
    let call = unsafe { allocated(call, length) };
    let answer = STATE.with_borrow_mut(|state| call::run(state, &call));
    Box::into_raw(Box::new(answer))
}

/// Frees an answer.
///
/// # Safety
///
/// It is one of [`speech_call`], and freed once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_free_answer(answer: *mut Answer) {
    // SAFETY: the caller vouches for it.
    drop(unsafe { Box::from_raw(answer) });
}

/// Takes back what [`speech_allocate`] gave.
///
/// # Safety
///
/// It gave these bytes, and nothing else uses them.
unsafe fn allocated(bytes: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: they are a boxed slice of that length.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, length)) }.into_vec()
}
