//! Items that a thread produces ahead of their consumer.

use crate::cancel::CancelToken;
use crate::concurrency::sync::mpsc::{Receiver, Sender, channel};
use crate::concurrency::thread::{self, JoinHandle};
use crate::error::{Error, Result};
use crate::fork::Process;
use crate::threads::THREAD_NAME;

/// How an item is handed to the consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handover {
    /// The thread sends the item and goes on. For parts of an item, while the thread holds a
    /// resource that others need.
    AtOnce,
    /// The thread waits until this item and all earlier ones are consumed.
    Waits,
}

/// A thread that produces items, one ahead of the last consumed item.
///
/// Dropping this cancels the thread and waits for its end.
pub struct Prefetch<T> {
    /// None once this is dropped, which ends the thread's wait for the consumer.
    ends: Option<Ends<T>>,
    thread: Option<JoinHandle<()>>,
    cancel: CancelToken,
    /// The process in which the thread runs.
    process: Process,
}

/// The consumer's channel ends: produced items, and one acknowledgement per consumed item.
struct Ends<T> {
    items: Receiver<Result<T>>,
    consumed: Sender<()>,
}

impl<T: Send + 'static> Prefetch<T> {
    /// Starts a thread that calls `produce` with a child of the given cancel token and with the
    /// function that sends an item.
    ///
    /// # Errors
    ///
    /// `internal` if no thread can be started.
    pub fn start(
        cancel: &CancelToken,
        produce: impl FnOnce(&CancelToken, &mut dyn FnMut(T, Handover)) -> Result<()> + Send + 'static,
    ) -> Result<Self> {
        let cancel = cancel.child();
        let ((sender, items), (consumed, notes)) = (channel(), channel());
        let token = cancel.clone();
        let thread = thread::Builder::new()
            .name(THREAD_NAME.into())
            .spawn(move || {
                let mut left = 0;
                let done = produce(&token, &mut |item, handover| {
                    // A send or a wait fails once the consumer is gone; nobody needs the item then.
                    drop(sender.send(Ok(item)));
                    left += 1;
                    while handover == Handover::Waits && left > 0 && notes.recv().is_ok() {
                        left -= 1;
                    }
                });
                if let Err(error) = done {
                    drop(sender.send(Err(error)));
                }
            })
            .map_err(|e| Error::internal("no thread could be started").with_source(e))?;
        let process = Process::current();
        Ok(Self { ends: Some(Ends { items, consumed }), thread: Some(thread), cancel, process })
    }
}

impl<T> Iterator for Prefetch<T> {
    type Item = Result<T>;

    /// Waits for the next item. None after an error, and after the last item.
    fn next(&mut self) -> Option<Result<T>> {
        if let Some(Ends { items, consumed }) = &self.ends
            && let Ok(next) = items.recv()
        {
            // This fails when the thread has ended.
            let _ = consumed.send(());
            return Some(next);
        }
        let ended = self.thread.take()?.join();
        ended.err().map(|_| Err(Error::internal("a thread of the library panicked")))
    }
}

impl<T> Drop for Prefetch<T> {
    fn drop(&mut self) {
        if !self.process.is_current() {
            // A forked child does not have this thread, and the channel may be in the middle of a
            // send.
            std::mem::forget((self.ends.take(), self.thread.take()));
            return;
        }
        self.cancel.cancel();
        drop(self.ends.take());
        // A log callback may drop this on the thread itself, which cannot wait for itself.
        let other = |thread: &JoinHandle<()>| thread.thread().id() != thread::current().id();
        if let Some(thread) = self.thread.take().filter(other) {
            // `next` has already reported a panic.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn one_is_made_ahead_and_no_more() {
        // An item is made only after the item before the last was requested.
        let asked = Arc::new(AtomicUsize::new(0));
        let made_after = Arc::clone(&asked);
        let mut prefetch = Prefetch::start(&CancelToken::new(), move |_, give| {
            for i in 0..4 {
                give((i, made_after.load(Ordering::SeqCst)), Handover::Waits);
            }
            Ok(())
        })
        .unwrap();
        for expected in 0..4 {
            // Give the thread time to run further ahead; `model_checks` tests the interleavings.
            (0..1000).for_each(|_| thread::yield_now());
            asked.fetch_add(1, Ordering::SeqCst);
            let (item, made_after) = prefetch.next().unwrap().unwrap();
            assert_eq!(item, expected);
            assert!(made_after >= expected, "{item} was made after {made_after} requests");
        }
        assert!(prefetch.next().is_none());
    }

    #[test]
    fn what_is_left_at_once_is_not_waited_for() {
        let (end, ended) = std::sync::mpsc::channel();
        let mut prefetch = Prefetch::start(&CancelToken::new(), move |_, give| {
            give(1, Handover::AtOnce);
            give(2, Handover::AtOnce);
            end.send("both are left").unwrap();
            give(3, Handover::Waits);
            end.send("all are consumed").unwrap();
            Ok(())
        })
        .unwrap();
        assert_eq!(ended.recv().unwrap(), "both are left");
        for item in 1..=3 {
            assert!(ended.try_recv().is_err());
            assert_eq!(prefetch.next().unwrap().unwrap(), item);
        }
        assert_eq!(ended.recv().unwrap(), "all are consumed");
        assert!(prefetch.next().is_none());
    }

    #[test]
    fn dropped_it_is_cancelled_and_waited_for() {
        let outer = CancelToken::new();
        let done = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&done);
        let mut prefetch = Prefetch::start(&outer, move |cancel, give| {
            give(1, Handover::Waits);
            while !cancel.is_cancelled() {
                thread::yield_now();
            }
            // The consumer is gone.
            give(2, Handover::Waits);
            count.fetch_add(1, Ordering::SeqCst);
            cancel.check()
        })
        .unwrap();
        assert_eq!(prefetch.next().unwrap().unwrap(), 1);
        drop(prefetch);
        assert_eq!(done.load(Ordering::SeqCst), 1);
        assert!(!outer.is_cancelled());
    }

    #[test]
    fn it_may_be_dropped_on_its_own_thread() {
        let (hand, handed) = std::sync::mpsc::channel::<Prefetch<i32>>();
        let (end, ended) = std::sync::mpsc::channel();
        let mut prefetch = Prefetch::start(&CancelToken::new(), move |cancel, give| {
            give(1, Handover::Waits);
            drop(handed.recv());
            end.send(cancel.is_cancelled()).unwrap();
            Ok(())
        })
        .unwrap();
        assert_eq!(prefetch.next().unwrap().unwrap(), 1);
        hand.send(prefetch).unwrap();
        assert!(ended.recv().unwrap());
    }

    #[test]
    fn a_failure_and_a_panic_are_its_last() {
        let mut prefetch =
            Prefetch::<()>::start(&CancelToken::new(), |_, _| Err(Error::internal("on purpose")))
                .unwrap();
        assert_eq!(prefetch.next().unwrap().unwrap_err().message(), "on purpose");
        assert!(prefetch.next().is_none());
        let mut prefetch =
            Prefetch::<()>::start(&CancelToken::new(), |_, _| panic!("on purpose")).unwrap();
        assert_eq!(prefetch.next().unwrap().unwrap_err().kind(), crate::ErrorKind::Internal);
        assert!(prefetch.next().is_none());
    }
}
