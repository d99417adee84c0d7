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

// Every call is made by the worker that made the instance.
thread_local! {
    /// Taken while a call runs: one that ends in a trap leaves none to those that come later.
    static STATE: Cell<Option<State>> = Cell::new(Some(State::default()));
    /// What the next call may name.
    static ALLOCATED: RefCell<Allocated> = RefCell::default();
    /// The answer to the last call.
    static ANSWER: Cell<Option<Box<Answer>>> = const { Cell::new(None) };
}

/// Memory that the worker fills, by its address.
#[derive(Default)]
struct Allocated(BTreeMap<usize, Vec<u8>>);

impl Allocated {
    /// Gives bytes away.
    fn take(&mut self, place: usize, length: usize) -> Result<Vec<u8>> {
        let taken = self.0.remove(&place).filter(|bytes| bytes.len() == length);
        let missing =
            || Error::new(ErrorKind::Internal, "the worker names memory that is not its own");
        taken.ok_or_else(missing)
    }
}

/// Allocates bytes for a call, or for a voice bundle. They are freed with the next call, whether it succeeds or not.
#[unsafe(no_mangle)]
pub extern "C" fn speech_allocate(length: usize) -> *mut u8 {
    let mut bytes = vec![0; length];
    let place = bytes.as_mut_ptr();
    ALLOCATED.with_borrow_mut(|allocated| allocated.0.insert(place.addr(), bytes));
    place
}

/// Makes the call that is written in bytes of [`speech_allocate`]. The answer is there until the next call.
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
        // Without an identifier of a request: to make one may be what has failed.
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
