//! Handles: integers that C holds as pointers to opaque types.
//!
//! Objects live in a registry under a number that no other live object has. A call looks its object
//! up, and shares its ownership until the call ends; freeing removes it. So a freed handle, a
//! handle of another type, or one that never existed is an error, and an object is dropped only
//! when no call uses it.
//!
//! A forked child process starts with an empty registry: the parent's objects may be in use by
//! threads that the child does not have.

use std::any::Any;
use std::collections::BTreeMap;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

#[cfg(shuttle)]
use shuttle::sync::{RwLock, RwLockReadGuard};
#[cfg(not(shuttle))]
use std::sync::{RwLock, RwLockReadGuard};

use speech_core::{Error, ErrorKind, PerProcess, Result};

use crate::boundary::catch_panic_or;

/// An opaque type of the header, whose pointers are handles.
pub(crate) trait Handle: Sized + 'static {
    /// The object behind a handle; a different type for each handle type.
    type Object: Send + Sync + 'static;

    /// The name in error messages.
    const NAME: &'static str;
}

/// The live objects of every type.
struct Registry(RwLock<Objects>);

struct Objects {
    live: BTreeMap<usize, Arc<dyn Any + Send + Sync>>,
    /// The number of the next object. It is odd, so it is never the address of an aligned object.
    next: usize,
    /// The first number of this process; lower numbers belong to its parent.
    first: usize,
}

static REGISTRY: PerProcess<Registry> =
    PerProcess::new(|| Registry::starting_at(NEXT.load(Ordering::Relaxed)));

/// The number of the next object; the first number of a child process forked now.
static NEXT: AtomicUsize = AtomicUsize::new(1);

impl Registry {
    fn starting_at(first: usize) -> Self {
        Self(RwLock::new(Objects { live: BTreeMap::new(), next: first, first }))
    }

    fn objects(&self) -> RwLockReadGuard<'_, Objects> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers an object, and returns its number. With 32-bit pointers the numbers wrap around
    /// after two billion objects, skipping live ones.
    fn insert(&self, object: Arc<dyn Any + Send + Sync>) -> usize {
        let mut objects = self.0.write().unwrap_or_else(PoisonError::into_inner);
        while objects.live.contains_key(&objects.next) {
            objects.next = objects.next.wrapping_add(2);
        }
        let number = objects.next;
        objects.next = number.wrapping_add(2);
        NEXT.store(objects.next, Ordering::Relaxed);
        objects.live.insert(number, object);
        number
    }

    fn get<T: Send + Sync + 'static>(&self, number: usize) -> Option<Arc<T>> {
        Arc::clone(self.objects().live.get(&number)?).downcast().ok()
    }

    fn remove<T: Send + Sync + 'static>(&self, number: usize) -> Option<Arc<T>> {
        let mut objects = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let object = objects.live.remove(&number)?;
        match object.downcast() {
            Ok(object) => Some(object),
            Err(other) => {
                objects.live.insert(number, other);
                None
            }
        }
    }
}

/// Registers an object, and returns its handle.
pub(crate) fn insert<H: Handle>(object: H::Object) -> *mut H {
    ptr::without_provenance_mut(REGISTRY.get().insert(Arc::new(object)))
}

/// The object behind a handle; it lives at least as long as the returned reference.
///
/// # Errors
///
/// `invalid_request` if the handle is NULL, was freed, has another type, or belongs to the parent
/// of this forked process.
pub(crate) fn lookup<H: Handle>(handle: *const H) -> Result<Arc<H::Object>> {
    if handle.is_null() {
        return Err(Error::new(ErrorKind::InvalidRequest, format!("the {} is NULL", H::NAME)));
    }
    let number = handle.addr();
    REGISTRY.get().get(number).ok_or_else(|| {
        if number % 2 == 1 && number < REGISTRY.get().objects().first {
            return Error::made_before_fork(H::NAME);
        }
        let message = format!("not a live {}: it was freed or never existed", H::NAME);
        Error::new(ErrorKind::InvalidRequest, message)
    })
}

/// As [`lookup`], but NULL is allowed and means none.
pub(crate) fn lookup_optional<H: Handle>(handle: *const H) -> Result<Option<Arc<H::Object>>> {
    if handle.is_null() { Ok(None) } else { lookup(handle).map(Some) }
}

/// Removes an object from the registry; `None` if the handle is not live, which is not an error.
pub(crate) fn remove<H: Handle>(handle: *mut H) -> Option<Arc<H::Object>> {
    REGISTRY.get().remove(handle.addr())
}

/// Removes an object, and drops it when no call uses it any more.
pub(crate) fn free<H: Handle>(handle: *mut H) {
    catch_panic_or((), || drop(remove(handle)));
}

/// Makes an opaque type of the header a [`Handle`].
macro_rules! handle_type {
    ($type:ident, $object:ty, $name:literal) => {
        impl $crate::handle::Handle for $type {
            type Object = $object;

            const NAME: &'static str = $name;
        }
    };
}
pub(crate) use handle_type;

/// The number of objects of all types that have not been freed: 0 at the end of a program that
/// frees everything. For leak checks in your tests: memory checkers do not report objects that were
/// not freed, because the library's registry still refers to them. In a child of fork(), only the
/// child's own objects count.
#[unsafe(no_mangle)]
pub extern "C" fn speech_object_count() -> usize {
    REGISTRY.get().objects().live.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Color(());
    handle_type!(Color, String, "color");

    struct Shape(());
    handle_type!(Shape, u8, "shape");

    #[test]
    fn a_handle_is_live_until_it_is_freed() {
        let _ = (Color(()), Shape(()));
        let red: *mut Color = insert("red".to_owned());
        let shared = lookup(red).unwrap();
        assert_eq!(*remove(red).unwrap(), "red");
        assert_eq!(*shared, "red");
        for gone in [lookup(red).unwrap_err(), lookup(ptr::null::<Color>()).unwrap_err()] {
            assert_eq!(gone.kind(), ErrorKind::InvalidRequest);
        }
        assert!(remove(red).is_none() && remove(ptr::null_mut::<Color>()).is_none());
    }

    #[test]
    fn a_handle_of_another_type_is_none() {
        let round: *mut Shape = insert(1_u8);
        let error = lookup(round.cast::<Color>()).unwrap_err();
        assert_eq!(error.message(), "not a live color: it was freed or never existed");
        assert!(remove(round.cast::<Color>()).is_none());
        assert!(lookup_optional(ptr::null::<Shape>()).unwrap().is_none());
        assert_eq!(*remove(round).unwrap(), 1);
    }

    #[test]
    fn numbers_of_threads_differ_and_are_never_aligned() {
        let registry = Registry::starting_at(1);
        let numbers: std::collections::HashSet<_> = std::thread::scope(|scope| {
            let insert = || (0..500).map(|_| registry.insert(Arc::new(()))).collect::<Vec<_>>();
            let threads = [(); 4].map(|()| scope.spawn(insert));
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(numbers.len(), 2000);
        assert!(numbers.iter().all(|number| number % 2 == 1));
    }

    #[test]
    fn numbers_that_begin_anew_are_never_those_of_live_objects() {
        // The last 128 numbers come first, so that they wrap around soon.
        let registry = Registry::starting_at(usize::MAX - 254);
        let live: Vec<_> = (0..200_u8).map(|object| registry.insert(Arc::new(object))).collect();
        assert!(live.contains(&usize::MAX) && live.contains(&1), "they begin anew");
        assert!(
            registry.remove::<u8>(live[3]).is_some() && registry.remove::<u8>(live[7]).is_some()
        );
        // As if the numbers wrapped around once more.
        registry.0.write().unwrap().next = live[0];
        let again = [(); 3].map(|()| registry.insert(Arc::new(255_u8)));
        assert_eq!(again, [live[3], live[7], live[199] + 2]);
        for (number, object) in live.iter().zip(0..).filter(|(number, _)| !again.contains(number)) {
            assert_eq!(*registry.get::<u8>(*number).unwrap(), object);
        }
    }
}

/// Properties that hold in every thread interleaving: see the model checks of the core.
#[cfg(all(test, shuttle))]
mod model_checks {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use shuttle::scheduler::DfsScheduler;
    use shuttle::{Config, Runner, thread};

    use super::*;

    /// Counts how often it is dropped.
    struct Counted(Arc<AtomicUsize>);

    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }

    #[test]
    fn an_object_is_freed_once_and_never_under_a_call() {
        let tried = Runner::new(DfsScheduler::new(None, false), Config::new()).run(|| {
            let drops = Arc::new(AtomicUsize::new(0));
            let registry = Arc::new(Registry::starting_at(1));
            let number = registry.insert(Arc::new(Counted(Arc::clone(&drops))));
            let freeing: Vec<_> = (0..2)
                .map(|_| {
                    let registry = Arc::clone(&registry);
                    thread::spawn(move || usize::from(registry.remove::<Counted>(number).is_some()))
                })
                .collect();
            let calling = {
                let registry = Arc::clone(&registry);
                thread::spawn(move || {
                    let Some(object) = registry.get::<Counted>(number) else { return };
                    thread::yield_now();
                    assert_eq!(object.0.load(SeqCst), 0);
                })
            };
            let freed: usize = freeing.into_iter().map(|thread| thread.join().unwrap()).sum();
            calling.join().unwrap();
            assert_eq!((freed, drops.load(SeqCst)), (1, 1));
            assert!(registry.get::<Counted>(number).is_none());
        });
        println!("all {tried} orders");
    }
}
