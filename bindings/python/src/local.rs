//! What belongs to one process, and must not be touched in a copy of it that `fork` made.
//!
//! The threads of an engine are not in the copy, and a lock may have been held there by one of them for ever. So a
//! value is looked at only in the process that made it, and elsewhere not even dropped.

use std::mem::ManuallyDrop;
use std::process;

/// A value of this process.
#[derive(Debug)]
pub(crate) struct Local<T> {
    value: ManuallyDrop<T>,
    process: u32,
}

impl<T> Local<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: ManuallyDrop::new(value), process: process::id() }
    }

    /// The value, in the process that made it.
    pub(crate) fn get(&self) -> Option<&T> {
        self.is_here().then(|| &*self.value)
    }

    fn is_here(&self) -> bool {
        self.process == process::id()
    }
}

impl<T> Drop for Local<T> {
    fn drop(&mut self) {
        if self.is_here() {
            // SAFETY: the value is dropped here alone, and nobody can look at it any more.
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}
