//! Values that belong to one process, and must not be touched in a copy of it that `fork` made.
//!
//! The threads of an engine do not exist in the child, and a lock may have been held there by one of them for ever. So a
//! value is accessed only in the process that made it. In any other process it is not even dropped.

use std::mem::ManuallyDrop;
use std::process;

/// A value of the process that made it.
#[derive(Debug)]
pub(crate) struct ProcessLocal<T> {
    value: ManuallyDrop<T>,
    process: u32,
}

impl<T> ProcessLocal<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: ManuallyDrop::new(value), process: process::id() }
    }

    /// The value; None in any other process than the one that made it.
    pub(crate) fn get(&self) -> Option<&T> {
        self.is_owner().then(|| &*self.value)
    }

    fn is_owner(&self) -> bool {
        self.process == process::id()
    }
}

impl<T> Drop for ProcessLocal<T> {
    fn drop(&mut self) {
        if self.is_owner() {
            // SAFETY: this is the only place that drops the value, `drop` runs once, and nothing can access the value
            // afterwards.
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}
