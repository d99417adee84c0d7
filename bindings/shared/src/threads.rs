//! A thread pool for tasks that bindings run apart from their callers' threads.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use speech_core::{Error, ErrorKind, PerProcess, Result, THREAD_NAME};

/// The maximum number of idle threads. Running tasks do not count: a task that waits for text or
/// for another request does not keep others from starting.
const MAX_IDLE: usize = 4;

type Task = Box<dyn FnOnce() + Send>;

struct Pool {
    state: Mutex<State>,
    has_task: Condvar,
    /// How long a thread waits for a task before it ends.
    patience: Duration,
}

#[derive(Default)]
struct State {
    /// The number of waiting threads.
    idle: usize,
    /// Tasks for them: never more than there are waiting threads.
    tasks: VecDeque<Task>,
}

/// A forked child process begins with an empty pool.
static POOL: PerProcess<Pool> = PerProcess::new(|| Pool::new(Duration::from_secs(5)));

/// Runs a task on a thread of the library: an idle one, or a new one.
///
/// # Errors
///
/// `internal` if no thread can be started; the task is then dropped.
pub fn spawn(task: impl FnOnce() + Send + 'static) -> Result<()> {
    POOL.get().spawn(Box::new(task))
}

/// Drops a value on another thread: freeing an engine or a stream takes time, and the caller may be
/// a thread that must not block.
pub fn drop_in_background<T: Send + 'static>(value: T) {
    // If no thread can be started, the closure is dropped here, and the value with it.
    let _ = spawn(move || drop(value));
}

impl Pool {
    fn new(patience: Duration) -> Self {
        Self { state: Mutex::default(), has_task: Condvar::new(), patience }
    }

    fn spawn(&'static self, task: Task) -> Result<()> {
        let mut state = self.lock();
        if state.idle > state.tasks.len() {
            state.tasks.push_back(task);
            self.has_task.notify_one();
            return Ok(());
        }
        drop(state);
        let thread = thread::Builder::new().name(THREAD_NAME.into()).spawn(move || self.run(task));
        thread.map(drop).map_err(|error| {
            Error::new(ErrorKind::Internal, format!("no thread could be started: {error}"))
        })
    }

    fn run(&self, first: Task) {
        let mut next = Some(first);
        while let Some(task) = next {
            task();
            next = self.next();
        }
    }

    /// The next task of this thread; none if enough other threads wait, or this one has waited long
    /// enough.
    fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        if state.idle == MAX_IDLE {
            return None;
        }
        state.idle += 1;
        let is_empty = |state: &mut State| state.tasks.is_empty();
        let waited = self.has_task.wait_timeout_while(state, self.patience, is_empty);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        state.tasks.pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread::ThreadId;

    use super::*;

    /// The number of threads that have ended.
    static ENDED: AtomicUsize = AtomicUsize::new(0);

    struct CountedEnd;

    impl Drop for CountedEnd {
        fn drop(&mut self) {
            ENDED.fetch_add(1, Ordering::SeqCst);
        }
    }

    thread_local! {
        static COUNTED: CountedEnd = const { CountedEnd };
    }

    /// Runs `count` tasks at once, none of which ends before all have begun; returns their threads.
    fn at_once(pool: &'static Pool, count: usize) -> HashSet<ThreadId> {
        let (sender, begun) = mpsc::channel();
        let ends: Vec<_> = (0..count)
            .map(|_| {
                let (end, ended) = mpsc::channel::<()>();
                let sender = sender.clone();
                let task = move || {
                    COUNTED.with(|_| ());
                    sender.send(thread::current().id()).unwrap();
                    let _ = ended.recv();
                };
                pool.spawn(Box::new(task)).unwrap();
                end
            })
            .collect();
        let threads = begun.iter().take(count).collect();
        drop(ends);
        threads
    }

    /// Waits until `count` threads have ended, and the others wait for a task.
    fn wait_for_ends(pool: &Pool, count: usize) {
        while ENDED.load(Ordering::SeqCst) != count || pool.lock().idle != MAX_IDLE {
            thread::yield_now();
        }
    }

    #[test]
    fn threads_are_used_again_and_few_of_them_wait() {
        let pool: &'static Pool = Box::leak(Box::new(Pool::new(Duration::from_secs(3600))));
        let many = at_once(pool, 3 * MAX_IDLE);
        assert_eq!(many.len(), 3 * MAX_IDLE, "no task waits for another");
        wait_for_ends(pool, 2 * MAX_IDLE);
        let more = at_once(pool, MAX_IDLE + 1);
        assert_eq!(more.intersection(&many).count(), MAX_IDLE, "those that wait are used again");
        wait_for_ends(pool, 2 * MAX_IDLE + 1);
    }
}
