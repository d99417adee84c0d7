//! Objects that Java refers to by number.
//!
//! Java may use a number at any time: after the object was closed, while another thread closes
//! it, or twice. Numbers are looked up in a table and are never pointers, so a stale number is
//! simply not found. A caller that has found an object holds it until the end of the call.

use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use speech_bindings::drop_in_background;
use speech_core::CancelToken;

use crate::task::nothing;
use crate::wire::encode;

/// An object owned by a Java object.
pub(crate) trait Object: Any + Send + Sync {
    /// Requests the end of its computation, and returns at once.
    fn cancel(&self) {}
}

/// A running call.
impl Object for CancelToken {
    fn cancel(&self) {
        self.cancel();
    }
}

static OBJECTS: LazyLock<Mutex<HashMap<i64, Arc<dyn Object>>>> = LazyLock::new(Mutex::default);

/// The number of the newest object. Numbers are never reused.
static LAST: AtomicI64 = AtomicI64::new(0);

fn objects() -> MutexGuard<'static, HashMap<i64, Arc<dyn Object>>> {
    OBJECTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds an object, and returns its number.
pub(crate) fn insert(object: impl Object) -> i64 {
    let handle = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    objects().insert(handle, Arc::new(object));
    handle
}

/// The number of objects, for tests. A running call counts as one.
pub(crate) fn count() -> Vec<u8> {
    encode(&json!({ "count": objects().len() }))
}

/// The object with a number; none after its removal.
fn get(handle: i64) -> Option<Arc<dyn Object>> {
    objects().get(&handle).cloned()
}

/// The object of a type with a number; none after its removal.
pub(crate) fn find<T: Object>(handle: i64) -> Option<Arc<T>> {
    let object: Arc<dyn Any + Send + Sync> = get(handle)?;
    object.downcast().ok()
}

/// Cancels an object, if it exists.
pub(crate) fn cancel(handle: i64) -> Vec<u8> {
    if let Some(object) = get(handle) {
        object.cancel();
    }
    nothing()
}

/// Removes an object. It is freed once nothing uses it.
pub(crate) fn free(handle: i64) -> Vec<u8> {
    if let Some(object) = remove(handle) {
        drop_in_background(object);
    }
    nothing()
}

/// Removes an object from the table. The caller and current users still hold it.
pub(crate) fn remove(handle: i64) -> Option<Arc<dyn Object>> {
    objects().remove(&handle)
}
