//! Measures work by the memory that it allocates, which unlike time is the same on every machine.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

/// The allocator of the targets that count. It calls the sanitizer's.
pub struct Counting;

// SAFETY: it forwards to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.set(BYTES.get() + layout.size() as u64);
        // SAFETY: this function has the same safety contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, allocated: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(allocated, layout) }
    }
}

/// The bytes that a function allocates on this thread, including those that it frees again.
pub fn bytes<T>(work: impl FnOnce() -> T) -> u64 {
    let before = BYTES.get();
    drop(work());
    BYTES.get() - before
}
