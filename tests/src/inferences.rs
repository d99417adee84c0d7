//! Counts completed inferences, which the core logs. Interrupted ones do not count.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, ThreadId};

/// The number of completed inferences per thread.
static FINISHED: LazyLock<Mutex<HashMap<ThreadId, usize>>> = LazyLock::new(Mutex::default);

struct Counter;

impl log::Log for Counter {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target().starts_with("speech_acoustic")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) && record.args().to_string().contains(" tokens: ") {
            *counts().entry(thread::current().id()).or_default() += 1;
        }
    }

    fn flush(&self) {}
}

fn counts() -> MutexGuard<'static, HashMap<ThreadId, usize>> {
    FINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts counting. Further calls do nothing.
///
/// # Panics
///
/// If there is another logger in this process.
pub fn count() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Counter).expect("no other logger");
        log::set_max_level(log::LevelFilter::Debug);
    });
}

/// The number of inferences completed since then in this process.
pub fn finished() -> usize {
    counts().values().sum()
}

/// The same for one thread: an engine with one thread computes a request on the calling thread, and
/// a stream on its own thread.
pub fn finished_on(thread: ThreadId) -> usize {
    counts().get(&thread).copied().unwrap_or(0)
}
