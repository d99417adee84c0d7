//! The total number of calls of the C interface, in a file, so that a long run can continue after
//! an interruption.

use std::fs;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The variable with the path of the file; without it nothing is counted.
const FILE: &str = "SPEECH_FUZZ_CALLS";

/// The maximum number of calls that an interrupted run loses.
const UNSAVED: u64 = 1000;

struct Count {
    file: PathBuf,
    made: u64,
    saved: u64,
}

static COUNT: LazyLock<Option<Mutex<Count>>> = LazyLock::new(|| {
    let file = PathBuf::from(std::env::var_os(FILE)?);
    let made = fs::read_to_string(&file).ok().and_then(|text| text.trim().parse().ok());
    let made = made.unwrap_or(0);
    Some(Mutex::new(Count { file, made, saved: made }))
});

/// Adds a number of calls.
///
/// # Panics
///
/// If the file cannot be written.
pub fn made(calls: u64) {
    let Some(count) = &*COUNT else { return };
    let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
    count.made += calls;
    if count.made - count.saved >= UNSAVED {
        // In one step, so that a concurrent reader finds a number.
        let written = count.file.with_extension("new");
        fs::write(&written, count.made.to_string()).expect("a file that can be written");
        fs::rename(&written, &count.file).expect("a directory that can be written");
        count.saved = count.made;
    }
}
