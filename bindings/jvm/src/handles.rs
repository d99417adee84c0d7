//! Objects that Java refers to by numbers.
//!
//! Java may use a number at any time: after the object was closed, while another thread closes it, twice. A number is looked up,
//! and never a pointer, so all that can happen is that it is not found. Whoever has found an object holds it to the end of the
//! call.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use speech_bindings::drop_in_background;
use speech_core::CancelToken;

use crate::task::nothing;
use crate::wire::encode;

/// An object that Java has.
pub(crate) trait Object: Any + Send + Sync {
    /// Stops what it computes soon, without waiting.
    fn cancel(&self) {}
}

/// A call that runs.
impl Object for CancelToken {
    fn cancel(&self) {
        self.cancel();
    }
}

static OBJECTS: LazyLock<Mutex<HashMap<i64, Arc<dyn Object>>>> = LazyLock::new(Mutex::default);

/// The number of the last object. A number is never used again.
static LAST: AtomicI64 = AtomicI64::new(0);

fn objects() -> MutexGuard<'static, HashMap<i64, Arc<dyn Object>>> {
    OBJECTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes an object in, and gives its number.
pub(crate) fn insert(object: impl Object) -> i64 {
    let handle = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    objects().insert(handle, Arc::new(object));
    handle
}

/// How many objects there are, for tests: a call that runs is one.
pub(crate) fn count() -> Vec<u8> {
    encode(&json!({ "count": objects().len() }))
}

/// The object with a number; none once it was removed.
fn get(handle: i64) -> Option<Arc<dyn Object>> {
    objects().get(&handle).cloned()
}

/// The object of a type with a number; none once it was removed.
pub(crate) fn find<T: Object>(handle: i64) -> Option<Arc<T>> {
    let object: Arc<dyn Any + Send + Sync> = get(handle)?;
    object.downcast().ok()
}

/// Cancels an object, if it is there.
pub(crate) fn cancel(handle: i64) -> Vec<u8> {
    if let Some(object) = get(handle) {
        object.cancel();
    }
    nothing()
}

/// Removes an object, and frees it once nothing uses it.
pub(crate) fn free(handle: i64) -> Vec<u8> {
    if let Some(object) = remove(handle) {
        drop_in_background(object);
    }
    nothing()
}

/// Forgets an object. The caller, and whoever uses it at the moment, have it still.
pub(crate) fn remove(handle: i64) -> Option<Arc<dyn Object>> {
    objects().remove(&handle)
}
