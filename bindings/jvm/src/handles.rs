//! Objects that Java refers to by numbers.
//!
//! Java may use a number at any time: after the object was closed, while another thread closes it, twice. A number is looked up,
//! and never a pointer, so all that can happen is that it is not found. Whoever has found an object holds it to the end of the
//! call.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// The objects of a kind. A number is never used again.
pub(crate) struct Table<T> {
    objects: LazyLock<Mutex<HashMap<i64, Arc<T>>>>,
    last: AtomicI64,
}

impl<T> Table<T> {
    /// An empty one.
    pub(crate) const fn new() -> Self {
        Self { objects: LazyLock::new(Mutex::default), last: AtomicI64::new(0) }
    }

    /// Takes an object in, and gives its number.
    pub(crate) fn insert(&self, object: T) -> i64 {
        let handle = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        self.objects().insert(handle, Arc::new(object));
        handle
    }

    /// The object with a number; none once it was removed.
    pub(crate) fn get(&self, handle: i64) -> Option<Arc<T>> {
        self.objects().get(&handle).cloned()
    }

    /// Forgets an object. The caller, and whoever uses it at the moment, have it still.
    pub(crate) fn remove(&self, handle: i64) -> Option<Arc<T>> {
        self.objects().remove(&handle)
    }

    fn objects(&self) -> MutexGuard<'_, HashMap<i64, Arc<T>>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
