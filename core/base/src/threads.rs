//! The library's own threads.

use std::convert::Infallible;
use std::thread::{self, JoinHandle};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::error::{Error, Result};

/// The name of every thread of the library, as shown by debuggers and panic hooks.
#[doc(hidden)]
pub const THREAD_NAME: &str = "libspeech";

/// Whether threads can be started: WebAssembly has none without atomic instructions.
pub const EXIST: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

/// The worker threads of one engine. They sleep when idle, and end when this is dropped.
pub struct Threads {
    /// None for a single thread: the calling thread then computes.
    pool: Option<ThreadPool>,
    running: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts `count` threads; `count` is at least 1.
    ///
    /// # Errors
    ///
    /// `internal` if the system cannot start more threads.
    pub fn new(count: usize) -> Result<Self> {
        let mut running = Vec::new();
        let pool = if count > 1 { Some(pool(count, &mut running)?) } else { None };
        Ok(Self { pool, running })
    }

    /// Runs `work` on one of the threads, so that its parallel parts start without a thread switch.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            None => work(),
            Some(pool) => pool.install(work),
        }
    }

    /// Calls a function with each chunk of a slice and its index; the last chunk may be shorter.
    pub fn for_each_chunk<T: Send>(
        &self,
        values: &mut [T],
        len: usize,
        each: impl Fn(usize, &mut [T]) + Sync + Send,
    ) {
        let Ok(()) = self.try_for_each_chunk(values, len, |i, chunk| {
            each(i, chunk);
            Ok::<_, Infallible>(())
        });
    }

    /// As [`Self::for_each_chunk`], with a function that may fail.
    ///
    /// # Errors
    ///
    /// The function's error. Chunks not begun by then are left unchanged.
    pub fn try_for_each_chunk<T: Send, E: Send>(
        &self,
        values: &mut [T],
        len: usize,
        each: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync + Send,
    ) -> Result<(), E> {
        let mut no_state = vec![(); values.len().div_ceil(len)];
        self.try_for_each_chunk_with(values, len, &mut no_state, |i, chunk, ()| each(i, chunk))
    }

    /// As [`Self::try_for_each_chunk`], with a separate state per chunk: `states` has one element
    /// per chunk.
    ///
    /// # Errors
    ///
    /// As for [`Self::try_for_each_chunk`].
    pub fn try_for_each_chunk_with<T: Send, S: Send, E: Send>(
        &self,
        values: &mut [T],
        len: usize,
        states: &mut [S],
        each: impl Fn(usize, &mut [T], &mut S) -> Result<(), E> + Sync + Send,
    ) -> Result<(), E> {
        let each = |(i, (chunk, state)): (usize, (&mut [T], &mut S))| each(i, chunk, state);
        match &self.pool {
            None => values.chunks_mut(len).zip(states).enumerate().try_for_each(each),
            Some(pool) => pool
                .install(|| values.par_chunks_mut(len).zip(states).enumerate().try_for_each(each)),
        }
    }
}

fn pool(count: usize, running: &mut Vec<JoinHandle<()>>) -> Result<ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .spawn_handler(|thread| {
            let started = thread::Builder::new().name(THREAD_NAME.into()).spawn(|| thread.run())?;
            running.push(started);
            Ok(())
        })
        .build()
        .map_err(|e| Error::internal("no thread could be started").with_source(e))
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Dropping the pool asks its threads to end. Wait for them: the library may be unloaded
        // next.
        drop(self.pool.take());
        for thread in self.running.drain(..) {
            // The last handle may be dropped on one of these threads, which cannot join itself.
            if thread.thread().id() != thread::current().id() {
                // The caller of `run` has already received a panic.
                let _ = thread.join();
            }
        }
    }
}

/// Runs two functions in parallel, the first on a new thread; without threads, one after the other.
///
/// # Errors
///
/// `internal` if no thread can be started, or if the first panics.
pub fn join<A: Send, B>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> Result<(A, B)> {
    if !EXIST {
        return Ok((first(), second()));
    }
    thread::scope(|scope| {
        let first = thread::Builder::new()
            .name(THREAD_NAME.into())
            .spawn_scoped(scope, first)
            .map_err(|e| Error::internal("no thread could be started").with_source(e))?;
        let second = second();
        let first =
            first.join().map_err(|_| Error::internal("a thread of the library panicked"))?;
        Ok((first, second))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_all_done_by_as_many_threads_as_asked_for() {
        for count in [1, 3] {
            let threads = Threads::new(count).unwrap();
            let mut values = vec![0; 1000];
            let mut names = vec![None; 100];
            let done =
                threads.try_for_each_chunk_with(&mut values, 10, &mut names, |i, chunk, name| {
                    chunk.fill(i + 1);
                    *name = thread::current().name().map(str::to_owned);
                    Ok::<_, Infallible>(())
                });
            assert_eq!(done, Ok(()));
            assert!(values.iter().enumerate().all(|(i, value)| *value == i / 10 + 1));
            let ours = names.iter().filter(|name| name.as_deref() == Some(THREAD_NAME)).count();
            assert_eq!(ours, if count == 1 { 0 } else { 100 });
        }
    }

    #[test]
    fn an_error_of_one_chunk_is_that_of_all() {
        for count in [1, 3] {
            let threads = Threads::new(count).unwrap();
            let each = |i, _: &mut [u8]| if i == 7 { Err("seven") } else { Ok(()) };
            assert_eq!(threads.try_for_each_chunk(&mut [0; 20], 2, each), Err("seven"));
        }
    }

    #[test]
    fn both_are_done_and_a_panic_is_an_error() {
        let name = || thread::current().name().map(str::to_owned);
        let (first, second) = join(name, name).unwrap();
        assert_eq!(first.as_deref(), Some(THREAD_NAME));
        assert_ne!(first, second);
        let error = join(|| panic!("on purpose"), || ()).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Internal);
    }
}
