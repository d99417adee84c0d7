//! Counts inferences, which the core logs when it has carried one to its end: what is interrupted is not among them.

use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

static FINISHED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static FINISHED_HERE: Cell<usize> = const { Cell::new(0) };
}

struct Counter;

impl log::Log for Counter {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target().starts_with("speech_acoustic")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) && record.args().to_string().contains(" tokens: ") {
            FINISHED.fetch_add(1, Ordering::SeqCst);
            FINISHED_HERE.set(FINISHED_HERE.get() + 1);
        }
    }

    fn flush(&self) {}
}

/// Begins to count. Calling it again does nothing.
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

/// How many were carried to their end since then, in this process.
pub fn finished() -> usize {
    FINISHED.load(Ordering::SeqCst)
}

/// The same on this thread, where an engine of one thread runs what is asked of it.
pub fn finished_here() -> usize {
    FINISHED_HERE.get()
}
