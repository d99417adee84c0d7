//! Values that belong to one process and must not be touched in a forked copy of it.
//!
//! A child process has its parent's memory, but only the thread that called `fork`. A lock held by
//! another thread stays locked forever, and the data behind it may be half changed. So the child
//! neither locks nor drops the parent's values, and makes its own.

use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::system;

/// The identity of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    forks: usize,
}

impl Process {
    /// The current process.
    pub fn current() -> Self {
        Self { forks: system::forks() }
    }

    /// Whether this is the current process.
    pub fn is_current(self) -> bool {
        self == Self::current()
    }
}

/// A value of the process that made it. Other processes do not even drop it.
#[derive(Debug)]
pub struct ProcessLocal<T> {
    value: ManuallyDrop<T>,
    process: Process,
}

impl<T> ProcessLocal<T> {
    /// A value of the current process.
    pub fn new(value: T) -> Self {
        Self { value: ManuallyDrop::new(value), process: Process::current() }
    }

    /// The value; none in any process other than the one that made it.
    pub fn get(&self) -> Option<&T> {
        self.process.is_current().then(|| &*self.value)
    }

    /// The value in any process, for reads that take no lock and need no thread.
    pub fn in_any_process(&self) -> &T {
        &self.value
    }
}

impl<T: Default> Default for ProcessLocal<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// For handles such as `Arc`, whose clones take no lock: a clone belongs to the same process.
impl<T: Clone> Clone for ProcessLocal<T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), process: self.process }
    }
}

impl<T> Drop for ProcessLocal<T> {
    fn drop(&mut self) {
        if self.process.is_current() {
            // SAFETY: nothing else drops the value, `drop` runs once, and the value is not accessed
            // afterwards.
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}

/// A static with one value per process: a child starts with a new value, whatever its parent's
/// threads did with theirs.
pub struct PerProcess<T> {
    newest: AtomicPtr<Slot<T>>,
    make: fn() -> T,
}

struct Slot<T> {
    process: Process,
    value: T,
    /// The parent process's slot. It is kept so that leak checkers can reach it.
    _parent: *const Self,
}

impl<T> PerProcess<T> {
    /// A static that each process initializes with `make` on first use.
    pub const fn new(make: fn() -> T) -> Self {
        Self { newest: AtomicPtr::new(ptr::null_mut()), make }
    }
}

impl<T: Send + Sync> PerProcess<T> {
    /// The current process's value.
    pub fn get(&self) -> &T {
        let process = Process::current();
        let mut newest = self.newest.load(Ordering::Acquire);
        // SAFETY: the pointer is null, or points to a slot that was leaked here and is never freed
        // or changed.
        while unsafe { newest.as_ref() }.is_none_or(|slot| slot.process != process) {
            let slot = Box::new(Slot { process, value: (self.make)(), _parent: newest });
            let slot = Box::into_raw(slot);
            let exchange =
                self.newest.compare_exchange(newest, slot, Ordering::AcqRel, Ordering::Acquire);
            newest = match exchange {
                Ok(_) => slot,
                Err(other) => {
                    // SAFETY: it was made above, and nothing else has the pointer.
                    drop(unsafe { Box::from_raw(slot) });
                    other
                }
            };
        }
        // SAFETY: the loop ends with a pointer to a leaked slot, which is never freed or changed.
        unsafe { &(*newest).value }
    }

    /// The current process's value or, before its first use here, that of its nearest ancestor.
    fn newest(&self) -> Option<&T> {
        // SAFETY: the pointer is null, or points to a leaked slot that is never freed or changed.
        unsafe { self.newest.load(Ordering::Acquire).as_ref() }.map(|slot| &slot.value)
    }
}

impl<T> std::fmt::Debug for PerProcess<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PerProcess").finish_non_exhaustive()
    }
}

/// A constant computed on first use, like std's. A forked child does not wait for a thread of its
/// parent that was computing it: it computes it itself.
#[derive(Debug)]
pub struct LazyLock<T> {
    value: PerProcess<OnceLock<T>>,
    compute: fn() -> T,
}

impl<T> LazyLock<T> {
    /// A constant computed by `compute`.
    pub const fn new(compute: fn() -> T) -> Self {
        Self { value: PerProcess::new(OnceLock::new), compute }
    }
}

impl<T: Send + Sync> Deref for LazyLock<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let known = self.value.newest().and_then(OnceLock::get);
        known.unwrap_or_else(|| self.value.get().get_or_init(self.compute))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn a_value_is_dropped_by_the_process_that_made_it_and_by_no_other() {
        let value = std::rc::Rc::new(());
        let drops = |process: Process| {
            let mut local = ProcessLocal::new(std::rc::Rc::clone(&value));
            local.process = process;
            let before = std::rc::Rc::strong_count(&value);
            drop(local);
            before - std::rc::Rc::strong_count(&value)
        };
        assert_eq!(drops(Process::current()), 1);
        assert_eq!(drops(Process { forks: usize::MAX }), 0);
    }

    #[test]
    fn threads_that_race_have_one_value() {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        static NUMBER: PerProcess<AtomicUsize> = PerProcess::new(AtomicUsize::default);
        static LAZY: LazyLock<usize> = LazyLock::new(|| MADE.fetch_add(1, Ordering::SeqCst));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (NUMBER.get().fetch_add(1, Ordering::SeqCst), *LAZY));
            }
        });
        assert_eq!(NUMBER.get().load(Ordering::SeqCst), 8);
        assert_eq!((*LAZY, MADE.load(Ordering::SeqCst)), (0, 1));
    }
}
