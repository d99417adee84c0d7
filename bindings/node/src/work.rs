//! Work on threads of the module's own.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use napi::bindgen_prelude::{Object, ToNapiValue};
use napi::{Env, JsDeferred, Result};
use napi_derive::napi;
use speech_core::{CancelToken, Error, ErrorKind, THREAD_NAME, catch_panic};

use crate::failure::{Outcome, outcome};

/// Makes the value of a promise, in the event loop.
type Resolver<V> = Box<dyn FnOnce(Env) -> Result<Outcome<V>> + Send>;

/// A promise that is to be settled once.
type Open<V> = Arc<Mutex<Option<JsDeferred<Outcome<V>, Resolver<V>>>>>;

/// Begins some work, and gives the promise of what comes of it.
///
/// A promise that is open when its environment ends, as that of a worker thread may, is forgotten.
pub(crate) fn begin<T, V>(
    env: &Env,
    work: impl FnOnce() -> speech_core::Result<T> + Send + 'static,
    into_value: impl FnOnce(T) -> V + Send + 'static,
) -> Result<Object<'_>>
where
    T: Send + 'static,
    V: ToNapiValue + 'static,
{
    let (deferred, promise) = env.create_deferred()?;
    let open: Open<V> = Arc::new(Mutex::new(Some(deferred)));
    let later = Arc::clone(&open);
    let body = move || {
        let result = catch_panic(work).flatten();
        settle(&later, move |_| Ok(outcome(result.map(into_value))));
    };
    if let Err(failure) = thread::Builder::new().name(THREAD_NAME.into()).spawn(body) {
        let message = format!("no thread could be started: {failure}");
        settle(&open, |_| Ok(outcome(Err(Error::new(ErrorKind::Internal, message)))));
    }
    Ok(promise)
}

fn settle<V: ToNapiValue + 'static>(
    open: &Open<V>,
    resolver: impl FnOnce(Env) -> Result<Outcome<V>> + Send + 'static,
) {
    let deferred = open.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(deferred) = deferred {
        deferred.resolve(Box::new(resolver));
    }
}

/// Drops what takes a while to drop, without holding the event loop up.
pub(crate) fn discard<T: Send + 'static>(value: T) {
    // Without a thread it is dropped here.
    let _ = thread::Builder::new().name(THREAD_NAME.into()).spawn(move || drop(value));
}

/// Stops what was begun with it.
#[napi]
pub struct Cancel(CancelToken);

#[napi]
impl Cancel {
    /// Stops it soon, without waiting.
    #[napi]
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

impl Cancel {
    pub(crate) fn new(token: CancelToken) -> Self {
        Self(token)
    }

    /// What the core stops by.
    pub(crate) fn token(&self) -> CancelToken {
        self.0.clone()
    }
}
