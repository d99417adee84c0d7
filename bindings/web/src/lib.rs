//! The WebAssembly module of the web package, used by that package only.
//!
//! It runs in a worker of the page. The worker writes a call as JSON into memory that it
//! allocates here, and reads an answer: JSON and samples. Speech is computed one sentence at a
//! time, so that the worker can process messages in between; the worker receives each chunk as soon
//! as it is computed. Offsets in a text are in UTF-16 code units, as in JavaScript.
//!
//! The target is WASI, for its clock, its random numbers, and the threads of the variant with
//! threads. The package implements the imports of the module.
#![cfg(target_family = "wasm")]

mod answer;
mod call;
mod engine;
mod host;
mod request;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use serde_json::json;
use speech_core::{Error, ErrorKind, Result};

use crate::answer::{Answer, to_json};
use crate::engine::State;

// All calls come from the worker that made the instance.
thread_local! {
    /// Taken while a call runs: after a trap, later calls find none.
    static STATE: Cell<Option<State>> = Cell::new(Some(State::default()));
    /// The memory that the next call may refer to.
    static ALLOCATED: RefCell<Allocated> = RefCell::default();
    /// The answer to the last call.
    static ANSWER: Cell<Option<Box<Answer>>> = const { Cell::new(None) };
}

/// Memory that the worker fills, by address.
#[derive(Default)]
struct Allocated(BTreeMap<usize, Vec<u8>>);

impl Allocated {
    /// Removes and returns the bytes at an address.
    fn take(&mut self, place: usize, length: usize) -> Result<Vec<u8>> {
        let taken = self.0.remove(&place).filter(|bytes| bytes.len() == length);
        let missing =
            || Error::new(ErrorKind::Internal, "the worker names memory that is not its own");
        taken.ok_or_else(missing)
    }
}

/// Allocates bytes for a call or a voice bundle. The next call frees them, even if it fails.
#[unsafe(no_mangle)]
pub extern "C" fn speech_allocate(length: usize) -> *mut u8 {
    let mut bytes = vec![0; length];
    let place = bytes.as_mut_ptr();
    ALLOCATED.with_borrow_mut(|allocated| allocated.0.insert(place.addr(), bytes));
    place
}

/// Makes the call written in the bytes of [`speech_allocate`]. The answer is valid until the next
/// call.
#[unsafe(no_mangle)]
pub extern "C" fn speech_call(place: usize, length: usize) -> *const Answer {
    let mut allocated = ALLOCATED.take();
    let call = allocated.take(place, length);
    let answer = Box::new(match STATE.take() {
        Some(mut state) => {
            let value = call.and_then(|call| call::run(&mut state, &call, &mut allocated));
            STATE.set(Some(state));
            Answer::of(value)
        }
        // No request identifier: making one may be what has failed.
        None => {
            let message = "another call runs, or has failed";
            let error = json!({ "error": { "code": "internal", "message": message } });
            Answer::new(to_json(&error), Vec::new())
        }
    });
    let place = &raw const *answer;
    ANSWER.set(Some(answer));
    place
}
