//! The library's log, which it passes to a callback.

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use log::{Level, LevelFilter, Log, Metadata, Record};
use speech_core::{LazyLock, PerProcess, Result};

use crate::getters::c_string;
use crate::pointers::invalid;

/// The level of a log message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_log_level {
    /// A failure, which a call also returns.
    SPEECH_LOG_ERROR = 1,
    /// A problem despite which the library continues.
    SPEECH_LOG_WARNING = 2,
    /// The loaded components.
    SPEECH_LOG_INFO = 3,
    /// The duration of each step.
    SPEECH_LOG_DEBUG = 4,
}

/// A [`speech_log_level`] as passed by C: any number is possible.
pub type LogLevel = i32;

/// Receives a log message of the library: one line of UTF-8, without a line feed, never with any of
/// the spoken text. The message is valid only during the call.
///
/// Called from any thread, possibly concurrently. It must not throw or longjmp. It may call the
/// library; messages logged during those calls are dropped.
pub type speech_log_callback =
    Option<unsafe extern "C" fn(userdata: *mut c_void, level: LogLevel, message: *const c_char)>;

/// The destination of log messages.
#[derive(Clone, Copy)]
pub(crate) struct LogTarget {
    pub(crate) callback: unsafe extern "C" fn(*mut c_void, LogLevel, *const c_char),
    pub(crate) userdata: *mut c_void,
    pub(crate) level: LevelFilter,
}

// SAFETY: the pointer is only passed to the callback, which must be callable from any thread (the
// header's contract).
unsafe impl Send for LogTarget {}
// SAFETY: shared access only copies the pointer for the callback.
unsafe impl Sync for LogTarget {}

impl LogTarget {
    /// The filter for a level of the header.
    pub(crate) fn level(number: LogLevel) -> Result<LevelFilter> {
        const LEVELS: [(speech_log_level, LevelFilter); 4] = [
            (speech_log_level::SPEECH_LOG_ERROR, LevelFilter::Error),
            (speech_log_level::SPEECH_LOG_WARNING, LevelFilter::Warn),
            (speech_log_level::SPEECH_LOG_INFO, LevelFilter::Info),
            (speech_log_level::SPEECH_LOG_DEBUG, LevelFilter::Debug),
        ];
        let found = LEVELS.iter().find(|(level, _)| *level as LogLevel == number);
        found.map(|(_, filter)| *filter).ok_or_else(|| invalid(format!("no log level {number}")))
    }
}

/// A target that receives messages.
struct Sink {
    target: LogTarget,
    open: AtomicBool,
    /// Held for reading while the callback runs.
    running: RwLock<()>,
}

/// Empty in a forked child process until it loads an engine with a log: the parent's sinks may be
/// locked by other threads.
static SINKS: PerProcess<RwLock<Vec<Arc<Sink>>>> = PerProcess::new(RwLock::default);

thread_local! {
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Passes messages to the target until this is dropped.
pub(crate) struct Subscription(Arc<Sink>);

impl Subscription {
    /// # Errors
    ///
    /// `invalid_request` if the library is linked into a Rust program with its own logger.
    pub(crate) fn open(target: LogTarget) -> Result<Self> {
        static INSTALLED: LazyLock<bool> = LazyLock::new(|| log::set_logger(&Logger).is_ok());
        if !*INSTALLED {
            return Err(invalid("this program has a Rust logger, which gets the messages".into()));
        }
        let sink = Arc::new(Sink { target, open: AtomicBool::new(true), running: RwLock::new(()) });
        change_sinks(|sinks| sinks.push(Arc::clone(&sink)));
        Ok(Self(sink))
    }

    /// Ends the subscription. When this returns, the callback is not running and will not be
    /// called, except in callers on this thread.
    pub(crate) fn close(&self) {
        if !self.0.open.swap(false, Ordering::SeqCst) {
            return;
        }
        change_sinks(|sinks| sinks.retain(|sink| !Arc::ptr_eq(sink, &self.0)));
        if !IN_CALLBACK.get() {
            drop(self.0.running.write().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.close();
    }
}

/// Whether a crate belongs to the library.
fn is_ours(name: &str) -> bool {
    name == "speech" || name.starts_with("speech_")
}

fn change_sinks(change: impl FnOnce(&mut Vec<Arc<Sink>>)) {
    let mut sinks = SINKS.get().write().unwrap_or_else(PoisonError::into_inner);
    change(&mut sinks);
    let level = sinks.iter().map(|sink| sink.target.level).max();
    log::set_max_level(level.unwrap_or(LevelFilter::Off));
}

/// Passes records of the library's own crates to the sinks; records of dependencies may contain
/// text.
struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let crate_name = metadata.target().split("::").next();
        crate_name.is_some_and(is_ours) && !IN_CALLBACK.get()
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let sinks = SINKS.get().read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut wanted = sinks.iter().filter(|sink| record.level() <= sink.target.level).peekable();
        if wanted.peek().is_none() {
            return;
        }
        let message = c_string(&record.args().to_string().replace(['\n', '\r', '\0'], " "));
        wanted.for_each(|sink| sink.deliver(level_number(record.level()), &message));
    }

    fn flush(&self) {}
}

impl Sink {
    fn deliver(&self, level: LogLevel, message: &std::ffi::CStr) {
        let _running = self.running.read().unwrap_or_else(PoisonError::into_inner);
        if !self.open.load(Ordering::SeqCst) {
            return;
        }
        IN_CALLBACK.set(true);
        // SAFETY: the callback and its userdata are valid until speech_engine_free() has returned
        // (the header's contract). That function closes the sink, and waits until `running` is not
        // held.
        unsafe { (self.target.callback)(self.target.userdata, level, message.as_ptr()) };
        IN_CALLBACK.set(false);
    }
}

fn level_number(level: Level) -> LogLevel {
    let level = match level {
        Level::Error => speech_log_level::SPEECH_LOG_ERROR,
        Level::Warn => speech_log_level::SPEECH_LOG_WARNING,
        Level::Info => speech_log_level::SPEECH_LOG_INFO,
        Level::Debug | Level::Trace => speech_log_level::SPEECH_LOG_DEBUG,
    };
    level as LogLevel
}
