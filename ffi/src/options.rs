//! Options for loading an engine.

use std::ffi::{c_int, c_void};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use speech_bindings::duplicate;
use speech_core::EngineBuilder;

use crate::error::speech_error;
use crate::getters::{new, with};
use crate::handle::{self, handle_type};
use crate::log::{LogLevel, LogTarget, speech_log_callback};
use crate::pointers::{Array, Output, Text, invalid};
use crate::status::Status;

/// Options for loading an engine, each with a default. One object may load any number of engines.
pub struct speech_engine_options(());
handle_type!(speech_engine_options, OptionsObject, "options object");

/// Options behind a lock, so that any thread may set them.
pub(crate) struct OptionsObject(Mutex<Options>);

#[derive(Clone, Default)]
pub(crate) struct Options {
    pub(crate) builder: EngineBuilder,
    pub(crate) log: Option<LogTarget>,
}

impl OptionsObject {
    /// A copy of the current options.
    pub(crate) fn options(&self) -> Options {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Options> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn build(&self, option: impl FnOnce(EngineBuilder) -> EngineBuilder) {
        let mut options = self.lock();
        options.builder = option(mem::take(&mut options.builder));
    }
}

/// Called once, when the library no longer needs the memory. May be called from any thread. It must
/// not throw or longjmp, and must not call the library.
pub type speech_release_callback =
    Option<unsafe extern "C" fn(userdata: *mut c_void, data: *const u8, length: usize)>;

/// Memory that the caller owns and lends until it is released.
struct BorrowedMemory {
    /// Read as an array, and used after the call: the caller must keep it valid and unchanged until
    /// it is released (the header's contract).
    bytes: *const [u8],
    release: speech_release_callback,
    userdata: *mut c_void,
}

// SAFETY: the memory is only read, and any thread may call the callback with `userdata` (the
// header's contract).
unsafe impl Send for BorrowedMemory {}
// SAFETY: shared access only reads the memory.
unsafe impl Sync for BorrowedMemory {}

impl AsRef<[u8]> for BorrowedMemory {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the memory is valid and unchanged until `drop` releases it (see the field).
        unsafe { &*self.bytes }
    }
}

impl Drop for BorrowedMemory {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the callback is valid until it is called (the header's contract), which
            // happens only here, once.
            unsafe { release(self.userdata, self.bytes.cast(), self.bytes.len()) }
        }
    }
}

/// Makes options with default values. Free them with speech_engine_options_free().
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_new() -> *mut speech_engine_options {
    new(|| OptionsObject(Mutex::default()))
}

/// Sets the voice bundle's path: its directory, or an uncompressed tar file of the same content.
/// The default is the value of the environment variable SPEECH_BUNDLE, or
/// `../share/libspeech/voices` relative to the library's folder. The path is copied, and read when
/// an engine is loaded. The bundle must not change during that; if it is mapped, not until the
/// engines loaded from it, and their streams, are freed: see
/// speech_engine_options_set_map_bundle().
///
/// Of the three options for the bundle the last one set counts.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_set_bundle_path(
    options: *mut speech_engine_options,
    path: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        let path = path.read("path")?;
        options.build(|builder| builder.bundle(path));
        Ok(())
    })
}

/// Sets a voice bundle in memory: an uncompressed tar file of `length` bytes. It is not copied: it
/// must stay valid and unchanged until `release` is called with `userdata`, `data` and `length`.
/// That happens at the latest when the options, the engines loaded from them and their streams are
/// freed. `release` may be NULL: then the memory must stay valid until those are freed and no call
/// is inside them.
///
/// Of the three options for the bundle the last one set counts. If this fails, `release` is not
/// called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_engine_options_set_bundle_memory(
    options: *mut speech_engine_options,
    data: Array<'_, u8>,
    length: usize,
    release: speech_release_callback,
    userdata: *mut c_void,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        // SAFETY: `length` is the length of `data` (the header's contract).
        if unsafe { data.read(length, "data") }?.is_empty() {
            return Err(invalid("data is empty".into()));
        }
        let memory = BorrowedMemory { bytes: data.slice(length), release, userdata };
        options.build(|builder| builder.bundle_memory(memory));
        Ok(())
    })
}

/// Sets a voice bundle in an open file: an uncompressed tar file of `length` bytes from `offset`,
/// or up to the end if `length` is 0. An uncompressed asset of an Android application is such a
/// range. The file descriptor is duplicated, and the caller still owns it. The file must be a
/// regular file.
///
/// Of the three options for the bundle the last one set counts. Fails with SPEECH_INVALID_REQUEST
/// if the descriptor is not open, and on Windows.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_set_bundle_fd(
    options: *mut speech_engine_options,
    fd: c_int,
    offset: u64,
    length: u64,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        let file = duplicate(fd)?;
        let length = (length > 0).then_some(length);
        options.build(|builder| builder.bundle_file(file, offset, length));
        Ok(())
    })
}

/// Sets whether the bundle's large files (86 MB) are mapped into memory (true) or read (false).
/// Mapped files are shared by processes, and the system may evict unused pages; but if a file is
/// truncated, or its disk or network fails, while an engine or one of its streams lives, the
/// process dies (SIGBUS). Files that are read are memory of the process, shared by its engines;
/// later changes to the files do not matter. By default files are mapped on Windows, which refuses
/// to truncate a mapped file, and on Android and iOS, where they are in the application's package;
/// elsewhere they are read. This option has no effect on a bundle in memory.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_set_map_bundle(
    options: *mut speech_engine_options,
    map: bool,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        options.build(|builder| builder.map_bundle(map));
        Ok(())
    })
}

/// Sets the number of threads that compute one sentence: 1 to 256. The default is the value of the
/// environment variable SPEECH_THREADS, or the number of processor cores, but at most 4. The
/// samples do not depend on it.
///
/// speech_engine_load() rejects a number out of range.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_set_threads(
    options: *mut speech_engine_options,
    threads: usize,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        options.build(|builder| builder.threads(threads));
        Ok(())
    })
}

/// Sets the number of sentences that may be computed at once, for different calls: 1 to 256, by
/// default 1. Others wait in a queue. Each needs memory. All share the engine's threads if it has
/// more than one; with one thread, each is computed on its own thread.
///
/// speech_engine_load() rejects a number out of range.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_set_max_concurrency(
    options: *mut speech_engine_options,
    max_concurrency: usize,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        options.build(|builder| builder.max_concurrency(max_concurrency));
        Ok(())
    })
}

/// Sets the kernels (the instruction set) by name: `auto` (the default: the fastest that the
/// processor supports), `portable`, which every processor supports, or another. The message for an
/// unknown name lists them. The difference is inaudible, but the last bits of the samples differ
/// between sets.
///
/// Fails with SPEECH_INVALID_REQUEST for an unknown name; speech_engine_load() rejects a set that
/// the processor does not support.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_set_kernels(
    options: *mut speech_engine_options,
    kernels: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        let kernels = kernels.read("kernels")?.parse()?;
        options.build(|builder| builder.kernels(kernels));
        Ok(())
    })
}

/// Sets the precision of the vocoder's products by name: `auto` (the default), `fp32`, `int16` or
/// `bf16`. `auto` is the fastest that the processor supports: bf16 with AMX or Armv8.6, int16 with
/// AVX512-VNNI or AVX2, otherwise fp32. The difference is inaudible.
///
/// Fails with SPEECH_INVALID_REQUEST for an unknown name; speech_engine_load() rejects a precision
/// that the processor does not support.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_set_precision(
    options: *mut speech_engine_options,
    precision: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        let precision = precision.read("precision")?.parse()?;
        options.build(|builder| builder.precision(precision));
        Ok(())
    })
}

/// Adds a pronunciation to the engine's lexicon, or replaces an earlier one for the same words. It
/// applies wherever the words occur as whole words, including possessives. The longest match wins,
/// and a match in the same case wins over one in another case. `reading` is IPA between slashes, as
/// in dictionaries or in Kokoro's symbols (`/ˈfoʊni/`), or other words to read instead. Both
/// strings are copied.
///
/// Fails with SPEECH_INVALID_REQUEST if a string is empty or longer than 200 bytes, or the IPA has
/// an unknown symbol, whose position the message gives.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_add_pronunciation(
    options: *mut speech_engine_options,
    words: Text<'_>,
    reading: Text<'_>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        let words = words.read("words")?;
        let reading = reading.read("reading")?;
        let mut options = options.lock();
        options.builder = options.builder.clone().pronunciation(words, reading)?;
        Ok(())
    })
}

/// Sets the size in bytes of the engine's cache of sentence audio, for requests that repeat
/// sentences: 0, the default, disables it, and 256 MiB hold 46 minutes. A cached sentence has the
/// same bytes as a computed one, and waits for no other request. The least recently used sentence
/// is evicted first; speech_engine_trim() empties the cache.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_set_cache(
    options: *mut speech_engine_options,
    bytes: usize,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        options.build(|builder| builder.cache(bytes));
        Ok(())
    })
}

/// Sets the callback for log messages of `level` and more serious ones. By default, and with NULL,
/// nothing is logged; the library writes its log nowhere else. Each engine's callback receives the
/// messages of all engines.
///
/// The callback and its userdata must be valid while speech_engine_load() runs with these options,
/// and until speech_engine_free() of each engine loaded with them has returned; it is not called
/// after that. (Only an engine freed inside a log callback, its own or another engine's, does not
/// wait for other threads in its callback.)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_engine_options_set_log_callback(
    options: *mut speech_engine_options,
    callback: speech_log_callback,
    userdata: *mut c_void,
    level: LogLevel,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(options, error, |options| {
        let level = LogTarget::level(level)?;
        options.lock().log = callback.map(|callback| LogTarget { callback, userdata, level });
        Ok(())
    })
}

/// Frees options. Engines loaded with them are not affected.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_free(options: *mut speech_engine_options) {
    handle::free(options);
}
