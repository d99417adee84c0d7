//! Which panics the host's hook sees, and which go to the log. A single test, because a process has
//! one hook.

use std::panic;
use std::sync::Mutex;
use std::thread;

use log::{LevelFilter, Log, Metadata, Record};
use speech_bindings::catch_panic;
use speech_core::THREAD_NAME;

/// The messages of the panics seen by the host's hook.
static HOST: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The lines of the library's log.
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Logger;

impl Log for Logger {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        LOG.lock().unwrap().push(record.args().to_string());
    }

    fn flush(&self) {}
}

fn set_hook_of_host() {
    panic::set_hook(Box::new(|panic| {
        HOST.lock().unwrap().push(panic.payload_as_str().unwrap().to_owned());
    }));
}

/// Runs a thread with this name, which panics.
fn thread_panics(name: &str, message: &'static str) {
    let thread = thread::Builder::new().name(name.into()).spawn(move || panic!("{message}"));
    assert!(thread.unwrap().join().is_err());
}

#[test]
fn the_hook_of_a_host_sees_the_panics_of_the_host_alone() {
    log::set_logger(&Logger).unwrap();
    log::set_max_level(LevelFilter::Error);
    set_hook_of_host();
    thread_panics("host", "before the first call");
    assert!(catch_panic(|| panic!("a secret")).map(|()| 0).is_err());
    let nested = catch_panic(|| {
        assert!(catch_panic(|| panic!("a secret of a nested call")).map(|()| 0).is_err());
        thread_panics("host", "beside a call");
        thread_panics(THREAD_NAME, "a secret of a helper thread");
        panic!("a secret after a nested call")
    });
    assert!(nested.map(|()| 0).is_err());
    thread_panics(THREAD_NAME, "a secret of a helper thread after all calls");
    assert!(panic::catch_unwind(|| panic!("on the thread of the calls")).map(|()| 0).is_err());
    assert_eq!(
        *HOST.lock().unwrap(),
        ["before the first call", "beside a call", "on the thread of the calls"]
    );
    let log = LOG.lock().unwrap().clone();
    assert_eq!(log.len(), 5, "{log:?}");
    let place_alone = |line: &String| line.contains("hooks.rs") && !line.contains("secret");
    assert!(log.iter().all(place_alone), "{log:?}");

    // A hook that the host sets later replaces the library's. The call fails as before, without the
    // location.
    set_hook_of_host();
    let error = catch_panic(|| panic!("under a later hook")).map(|()| 0).unwrap_err();
    assert_eq!(error.message(), "the library failed: a panic at an unknown place");
    assert_eq!(HOST.lock().unwrap().last().unwrap(), "under a later hook");
}
