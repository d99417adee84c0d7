//! Properties that hold in every thread interleaving. `cargo xtask model` runs each function here
//! many times under Shuttle, which chooses the order of locks, waits and messages, and reports a
//! deadlock as a failure.

use shuttle::scheduler::{DfsScheduler, PctScheduler, RandomScheduler, Scheduler};
use shuttle::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use shuttle::sync::{Arc, Mutex, mpsc};
use shuttle::{Config, Runner, thread};

use crate::cancel::CancelToken;
use crate::error::ErrorKind;
use crate::fair_semaphore::{FairSemaphore, Tenant};
use crate::prefetch::{Handover, Prefetch};

/// The number of orders tried by each of the two random schedulers, unless `MODEL_ORDERS` is set.
const ORDERS: usize = 100_000;

/// Runs the check in every order that the scheduler offers; returns their number.
fn run(scheduler: impl Scheduler + 'static, check: fn()) -> usize {
    Runner::new(scheduler, Config::new()).run(check)
}

/// Tries every possible order.
fn in_every_order(check: fn()) {
    let tried = run(DfsScheduler::new(None, false), check);
    println!("all {tried} orders");
}

/// Tries random orders, including ones that delay a few threads for a long time.
fn in_many_orders(check: fn()) {
    let orders = std::env::var("MODEL_ORDERS").map_or(ORDERS, |orders| orders.parse().unwrap());
    let tried = run(RandomScheduler::new(orders), check) + run(PctScheduler::new(3, orders), check);
    println!("{tried} orders");
}

#[test]
fn no_more_hold_a_permit_than_there_are_and_everybody_gets_one() {
    in_many_orders(|| {
        let semaphore = FairSemaphore::new(2);
        let (holders, token) = (Arc::new(AtomicUsize::new(0)), CancelToken::new());
        let threads: Vec<_> = (0..4)
            .map(|number| {
                let (semaphore, holders) = (semaphore.clone(), Arc::clone(&holders));
                let token = token.clone();
                thread::spawn(move || {
                    let permit = semaphore.acquire(Tenant::new(number % 2), &token).unwrap();
                    assert!(holders.fetch_add(1, SeqCst) < 2);
                    holders.fetch_sub(1, SeqCst);
                    drop(permit);
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// A waiting thread is cancelled while another waits behind it.
fn a_wait_is_cancelled() {
    let (semaphore, token) = (FairSemaphore::new(1), CancelToken::new());
    let waiting = {
        let (semaphore, token) = (semaphore.clone(), token.clone());
        thread::spawn(move || match semaphore.acquire(Tenant::new("waiting"), &token) {
            Ok(permit) => drop(permit),
            Err(error) => assert!(error.kind() == ErrorKind::Cancelled && token.is_cancelled()),
        })
    };
    let canceller = thread::spawn(move || token.cancel());
    // No permit is lost, whether or not it was granted.
    drop(semaphore.acquire(Tenant::default(), &CancelToken::new()).unwrap());
    waiting.join().unwrap();
    canceller.join().unwrap();
    drop(semaphore.acquire(Tenant::default(), &CancelToken::new()).unwrap());
}

#[test]
fn a_cancelled_wait_takes_no_permit_with_it() {
    in_many_orders(a_wait_is_cancelled);
}

#[test]
fn a_wait_for_a_permit_that_never_comes_is_cancelled() {
    in_every_order(|| {
        let (semaphore, token) = (FairSemaphore::new(0), CancelToken::new());
        let canceller = {
            let token = token.clone();
            thread::spawn(move || token.cancel())
        };
        assert_eq!(
            semaphore.acquire(Tenant::new("waiting"), &token).unwrap_err().kind(),
            ErrorKind::Cancelled
        );
        canceller.join().unwrap();
    });
}

#[test]
fn no_cancellation_is_missed() {
    in_every_order(|| {
        let token = CancelToken::new();
        let canceller = {
            let token = token.clone();
            thread::spawn(move || token.cancel())
        };
        let called = Arc::new(AtomicUsize::new(0));
        let child = token.child();
        let guard = child.on_cancel({
            let called = Arc::clone(&called);
            move || {
                called.fetch_add(1, SeqCst);
            }
        });
        canceller.join().unwrap();
        assert!(child.is_cancelled() && called.load(SeqCst) > 0);
        drop(guard);
    });
}

#[test]
fn children_come_and_go_while_their_parent_is_cancelled() {
    in_many_orders(|| {
        let parent = CancelToken::new();
        let threads: Vec<_> = (0..3)
            .map(|i| {
                let parent = parent.clone();
                thread::spawn(move || {
                    let child = parent.child();
                    let guard = child.on_cancel(|| {});
                    if i == 0 {
                        parent.cancel();
                        assert!(child.is_cancelled());
                    }
                    drop((child, guard));
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert!(parent.child().is_cancelled());
    });
}

/// A thread that produces numbers until it is cancelled, and a count of those begun.
fn numbers(cancel: &CancelToken) -> (Prefetch<usize>, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let prefetch = Prefetch::start(cancel, move |cancel, give| {
        for number in 0..3 {
            cancel.check()?;
            count.fetch_add(1, SeqCst);
            give(number, Handover::Waits);
        }
        Ok(())
    });
    (prefetch.unwrap(), made)
}

#[test]
fn items_come_in_order_and_at_most_one_ahead() {
    in_many_orders(|| {
        let (mut numbers, made) = numbers(&CancelToken::new());
        for expected in 0..3 {
            assert!(made.load(SeqCst) <= expected + 1);
            assert_eq!(numbers.next().unwrap().unwrap(), expected);
        }
        assert!(numbers.next().is_none());
    });
}

#[test]
fn a_stream_that_is_dropped_ends_its_thread() {
    in_many_orders(|| {
        let token = CancelToken::new();
        let (mut numbers, made) = numbers(&token);
        assert_eq!(numbers.next().unwrap().unwrap(), 0);
        drop(numbers);
        // The thread has ended: nothing else holds the count.
        assert_eq!(Arc::strong_count(&made), 1);
        assert!(!token.is_cancelled());
    });
}

#[test]
fn a_stream_that_is_cancelled_gives_what_was_made_and_then_an_error() {
    in_many_orders(|| {
        let token = CancelToken::new();
        let (mut numbers, _) = numbers(&token);
        let canceller = thread::spawn(move || token.cancel());
        let mut expected = 0;
        while let Some(next) = numbers.next() {
            match next {
                Ok(number) => assert_eq!(number, expected),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Cancelled);
                    assert!(numbers.next().is_none());
                    break;
                }
            }
            expected += 1;
        }
        assert!(expected <= 3);
        canceller.join().unwrap();
    });
}

#[test]
fn a_stream_may_be_dropped_on_its_own_thread() {
    in_many_orders(|| {
        let (hand, handed) = mpsc::channel::<Prefetch<i32>>();
        let handed = Mutex::new(handed);
        let ended = Arc::new(AtomicUsize::new(0));
        let end = Arc::clone(&ended);
        let prefetch = Prefetch::start(&CancelToken::new(), move |cancel, _| {
            drop(handed.lock().unwrap().recv());
            assert!(cancel.is_cancelled());
            end.fetch_add(1, SeqCst);
            Ok(())
        });
        hand.send(prefetch.unwrap()).unwrap();
        while ended.load(SeqCst) == 0 {
            thread::yield_now();
        }
    });
}
