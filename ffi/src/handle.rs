//! Handles: numbers that C sees as pointers to types it does not know.
//!
//! Objects live in a registry, one a type, by a number that is never given twice. A call looks its object
//! up and shares it until the call ends; freeing takes it out. So a handle that was freed, belongs to
//! another type or is no handle is an error, and an object goes away only when no call is inside it.

use std::collections::BTreeMap;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use speech_core::{Error, ErrorKind, Result};

/// A type that C knows by name only.
pub(crate) trait Opaque: Sized + 'static {
    /// What its handles stand for.
    type Object: Send + Sync + 'static;

    /// What messages call it.
    const NAME: &'static str;

    /// The live objects of the type.
    fn registry() -> &'static Registry<Self::Object>;
}

/// The live objects of a type.
pub(crate) struct Registry<T>(RwLock<BTreeMap<usize, Arc<T>>>);

impl<T> Registry<T> {
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(BTreeMap::new()))
    }

    fn insert(&self, object: Arc<T>) -> usize {
        let number = next_number();
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(number, object);
        LIVE.fetch_add(1, Ordering::Relaxed);
        number
    }

    fn get(&self, number: usize) -> Option<Arc<T>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&number).cloned()
    }

    fn remove(&self, number: usize) -> Option<Arc<T>> {
        let object = self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&number)?;
        LIVE.fetch_sub(1, Ordering::Relaxed);
        Some(object)
    }
}

/// Objects of every type that are not freed.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// A number that was not given before: odd, so that it is never a pointer to anything aligned.
///
/// Where a pointer has 32 bits they last for two thousand million objects, and then come again.
fn next_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    NEXT.fetch_add(2, Ordering::Relaxed)
}

/// Makes `object` known to C.
pub(crate) fn give<O: Opaque>(object: O::Object) -> *mut O {
    ptr::without_provenance_mut(O::registry().insert(Arc::new(object)))
}

/// The object behind a handle; it lives at least as long as what this returns.
///
/// # Errors
///
/// `invalid_request` if the handle is NULL, was freed, or is none of this type.
pub(crate) fn live<O: Opaque>(handle: *const O) -> Result<Arc<O::Object>> {
    if handle.is_null() {
        return Err(Error::new(ErrorKind::InvalidRequest, format!("the {} is NULL", O::NAME)));
    }
    O::registry().get(handle.addr()).ok_or_else(|| {
        let message = format!("the {0} is no live {0}: it was freed, or never was one", O::NAME);
        Error::new(ErrorKind::InvalidRequest, message)
    })
}

/// As [`live`], but NULL is allowed and means none.
pub(crate) fn live_or_null<O: Opaque>(handle: *const O) -> Result<Option<Arc<O::Object>>> {
    if handle.is_null() { Ok(None) } else { live(handle).map(Some) }
}

/// Takes an object back; `None` if the handle is not live, which is no error.
pub(crate) fn take<O: Opaque>(handle: *mut O) -> Option<Arc<O::Object>> {
    O::registry().remove(handle.addr())
}

/// Declares a type that C knows by name, and what its handles stand for.
macro_rules! opaque {
    ($type:ident, $object:ty, $name:literal) => {
        impl $crate::handle::Opaque for $type {
            type Object = $object;

            const NAME: &'static str = $name;

            fn registry() -> &'static $crate::handle::Registry<$object> {
                static REGISTRY: $crate::handle::Registry<$object> =
                    $crate::handle::Registry::new();
                &REGISTRY
            }
        }
    };
}
pub(crate) use opaque;

/// How many objects of this library, of every type, are not freed yet: 0 when a program that frees
/// everything is done. For the leak checks of your own tests: objects that are forgotten do not show as
/// leaks in a memory checker, because the library still knows them.
///
/// Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn speech_object_count() -> usize {
    LIVE.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Colour(());
    opaque!(Colour, String, "colour");

    struct Shape(());
    opaque!(Shape, u8, "shape");

    #[test]
    fn a_handle_is_live_until_it_is_freed() {
        let _ = (Colour(()), Shape(()));
        let red: *mut Colour = give("red".to_owned());
        let shared = live(red).unwrap();
        assert_eq!(*take(red).unwrap(), "red");
        assert_eq!(*shared, "red");
        for gone in [live(red).unwrap_err(), live(ptr::null::<Colour>()).unwrap_err()] {
            assert_eq!(gone.kind(), ErrorKind::InvalidRequest);
        }
        assert!(take(red).is_none() && take(ptr::null_mut::<Colour>()).is_none());
    }

    #[test]
    fn a_handle_of_another_type_is_none() {
        let round: *mut Shape = give(1_u8);
        let error = live(round.cast::<Colour>()).unwrap_err();
        assert_eq!(error.message(), "the colour is no live colour: it was freed, or never was one");
        assert!(take(round.cast::<Colour>()).is_none());
        assert!(live_or_null(ptr::null::<Shape>()).unwrap().is_none());
        assert_eq!(*take(round).unwrap(), 1);
    }

    #[test]
    fn numbers_are_given_once_and_never_aligned() {
        let numbers: std::collections::HashSet<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| (0..500).map(|_| next_number()).collect::<Vec<_>>()))
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(numbers.len(), 2000);
        assert!(numbers.iter().all(|number| number % 2 == 1));
    }
}
