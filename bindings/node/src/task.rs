//! Tasks on the library's own threads, outside the event loop.

use std::sync::{Arc, Mutex, PoisonError};

use napi::bindgen_prelude::{Object, ToNapiValue};
use napi::{Either, Env, JsDeferred, Result};
use speech_bindings::catch_panic;

use crate::error::{JsResult, into_js};

/// Makes the value of a promise, in the event loop.
type Resolver<V> = Box<dyn FnOnce(Env) -> Result<JsResult<V>> + Send>;

/// An unsettled promise, shared by the two places that may settle it; the first takes it.
type Pending<V> = Arc<Mutex<Option<JsDeferred<JsResult<V>, Resolver<V>>>>>;

/// Runs a task outside the event loop, and returns the promise of its result. `into_value` converts
/// the result in the event loop.
///
/// The promise is never rejected: an error of the core is one of its values. A promise still
/// pending when its environment ends, such as that of a worker thread, is never settled.
pub(crate) fn spawn<T, V>(
    env: &Env,
    task: impl FnOnce() -> speech_core::Result<T> + Send + 'static,
    into_value: impl FnOnce(Env, T) -> Result<V> + Send + 'static,
) -> Result<Object<'_>>
where
    T: Send + 'static,
    V: ToNapiValue + 'static,
{
    let (deferred, promise) = env.create_deferred()?;
    let pending: Pending<V> = Arc::new(Mutex::new(Some(deferred)));
    let for_thread = Arc::clone(&pending);
    let body = move || {
        let result = catch_panic(task).flatten();
        settle(&for_thread, move |env| match result {
            Ok(value) => Ok(Either::A(into_value(env, value)?)),
            Err(error) => Ok(into_js(Err(error))),
        });
    };
    if let Err(error) = speech_bindings::spawn(body) {
        settle(&pending, |_| Ok(into_js(Err(error))));
    }
    Ok(promise)
}

fn settle<V: ToNapiValue + 'static>(
    pending: &Pending<V>,
    resolver: impl FnOnce(Env) -> Result<JsResult<V>> + Send + 'static,
) {
    let deferred = pending.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(deferred) = deferred {
        deferred.resolve(Box::new(resolver));
    }
}
