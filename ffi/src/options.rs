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

/// How to load an engine. Every option has a default. One object may load any number of engines.
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
    /// The options as they are now.
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

/// Called once, when the library does not need the memory any more. It may be called from any thread, must not
/// throw or longjmp, and must not call the library.
pub type speech_release_callback =
    Option<unsafe extern "C" fn(userdata: *mut c_void, data: *const u8, length: usize)>;

/// Memory that belongs to the caller until it is released.
struct BorrowedMemory {
    /// What was read as an array, and outlives the call: the header obliges the caller to keep it valid and unchanged
    /// until it is released.
    bytes: *const [u8],
    release: speech_release_callback,
    userdata: *mut c_void,
}

// SAFETY: the memory is only read, and the header obliges the caller to pass a callback that any thread may call with
// `userdata`.
unsafe impl Send for BorrowedMemory {}
// SAFETY: shared access only reads the memory.
unsafe impl Sync for BorrowedMemory {}

impl AsRef<[u8]> for BorrowedMemory {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the memory is valid and unchanged until `drop` releases it, as the field says.
        unsafe { &*self.bytes }
    }
}

impl Drop for BorrowedMemory {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the header obliges the caller to keep the callback valid until it is called, which is here
            // and once.
            unsafe { release(self.userdata, self.bytes.cast(), self.bytes.len()) }
        }
    }
}

/// Makes options that are all at their defaults. Free them with speech_engine_options_free().
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_new() -> *mut speech_engine_options {
    new(|| OptionsObject(Mutex::default()))
}

/// Sets where the voice bundle is: its directory, or one uncompressed tar file of what is in it. Without
/// this, it is what the environment variable SPEECH_BUNDLE names, or `../share/libspeech/voices` relative to the
/// folder of the library. The path is copied, and read when an engine is loaded. The bundle must not be changed
/// meanwhile; if it is mapped, until the engines that were loaded from it, and their streams, are freed: see
/// speech_engine_options_set_map_bundle().
///
/// Of the three options for the bundle the last one that was set counts.
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

/// Sets a voice bundle in memory: an uncompressed tar file of `length` bytes. It is not copied: it must stay
/// valid and unchanged until `release` is called with `userdata`, `data` and `length`, which is when the
/// options that name it and the engines that were loaded from it, with their streams, are freed, or earlier.
/// `release` may be NULL: then the memory must stay valid until those are freed and no call is inside them.
///
/// Of the three options for the bundle the last one that was set counts. If this fails `release` is not called.
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
        // SAFETY: `length` is the length of `data`, as the header says.
        if unsafe { data.read(length, "data") }?.is_empty() {
            return Err(invalid("data is empty".into()));
        }
        let memory = BorrowedMemory { bytes: data.slice(length), release, userdata };
        options.build(|builder| builder.bundle_memory(memory));
        Ok(())
    })
}

/// Sets a voice bundle in an open file: an uncompressed tar file that takes `length` bytes from `offset`,
/// or all to the end if `length` is 0. An asset that an Android application keeps uncompressed is one.
/// The file descriptor is duplicated, and the caller still owns it. The file must be a regular one.
///
/// Of the three options for the bundle the last one that was set counts. Fails with SPEECH_INVALID_REQUEST if the
/// descriptor is not open, and on Windows.
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

/// Sets whether the large files of the voice bundle, 86 MB, are mapped into memory (true), or read into it (false). Mapped,
/// processes share them, and the system may drop what is not in use; but if one is truncated, or the disk or the network that
/// it is on fails, while an engine or a stream of it lives, the process ends (SIGBUS). Read, they are memory of the
/// process, which its engines share, and what happens to the files later does not matter. By default they are mapped
/// on Windows, which refuses to truncate a mapped file, and on Android and iOS, where they are in the package of an
/// application; elsewhere they are read. It does not matter for a bundle in memory.
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

/// Sets how many threads compute one sentence: 1 to 256. Without this, it is the value of the environment
/// variable SPEECH_THREADS, else the number of processor cores, but 4 at most. The samples do not depend on it.
///
/// speech_engine_load() refuses a number out of range.
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

/// Sets how many sentences may be computed at once, for different calls: 1 to 256, by default 1. Others
/// wait in a queue. Each costs memory. All share the threads of the engine if it has more than one; with one
/// thread each is computed on a thread of its own.
///
/// speech_engine_load() refuses a number out of range.
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

/// Sets the kernels (the instruction set) that compute speech, by their name: `auto` (the default: the fastest that
/// the processor has), `portable`, which every processor has, or another. The message for an unknown name lists
/// them. Nobody can hear a difference, but the last bits of the samples differ between sets.
///
/// Fails with SPEECH_INVALID_REQUEST for an unknown name; speech_engine_load() refuses a set that the processor does
/// not have.
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

/// Sets the precision of the products of the vocoder, by its name: `auto` (the default), `fp32`,
/// `int16` or `bf16`. `auto` is the fastest that the processor has: bf16 with AMX or Armv8.6, int16 with
/// AVX512-VNNI or AVX2, else fp32. Nobody can hear a difference.
///
/// Fails with SPEECH_INVALID_REQUEST for an unknown name; speech_engine_load() refuses a precision that the processor
/// does not have.
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

/// Adds words to the lexicon of the engine, or replaces what was added for the same words: how it reads them
/// wherever they stand as whole words, possessives included. The longest that fit count, and those in the
/// same case before those in another. `reading` is IPA between slashes, as dictionaries write it or in
/// Kokoro's symbols (`/ˈfoʊni/`), or other words to read in place of these. Both are copied.
///
/// Fails with SPEECH_INVALID_REQUEST if a string is empty or longer than 200 bytes, or the IPA has an unknown symbol,
/// whose place the message says.
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

/// Sets how many bytes of the sound of sentences the engine keeps, for requests that have the same sentences again: 0, the
/// default, keeps none, and 256 MiB keep 46 minutes. A sentence that is kept is the same, byte for byte, as if it were computed, and waits
/// for nobody. What was not used for longest makes room; speech_engine_trim() forgets all.
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

/// Sets the callback that receives the log: messages of `level` and more serious ones. By default, and with NULL,
/// nothing is logged. The library writes its log nowhere else. Each engine's callback receives the messages of
/// all engines.
///
/// The callback and its userdata must be valid while speech_engine_load() runs with these options, and until
/// speech_engine_free() of each engine it loaded has returned; it is not called after that. (Only an engine
/// that is freed inside a log callback, its own or that of another engine, does not wait for other threads in its callback.)
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

/// Frees options. Engines that were loaded with them are not touched.
#[unsafe(no_mangle)]
pub extern "C" fn speech_engine_options_free(options: *mut speech_engine_options) {
    handle::free(options);
}
