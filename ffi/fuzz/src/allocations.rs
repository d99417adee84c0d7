//! How much work something is, measured by what it allocates: it is the same on every machine, and a time is not.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

/// The allocator of the targets that count. The sanitizer stands behind it.
pub struct Counting;

// SAFETY: it does what the system's does.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.set(BYTES.get() + layout.size() as u64);
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, allocated: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(allocated, layout) }
    }
}

/// The bytes that a function allocates on this thread, those that it frees again among them.
pub fn bytes<T>(work: impl FnOnce() -> T) -> u64 {
    let before = BYTES.get();
    drop(work());
    BYTES.get() - before
}
