//! Versions, and the check that a header fits the library.

use std::ffi::{CStr, c_char};

use speech_core::BUNDLE_FORMAT_VERSION;

use crate::boundary::boundary;
use crate::error::speech_error;
use crate::pointers::{Output, invalid};
use crate::status::Status;

/// The major number of the binary interface: programs that were compiled with another do not fit.
pub const SPEECH_ABI_MAJOR: u32 = 1;

/// The minor number of the binary interface: it grows when something is added.
pub const SPEECH_ABI_MINOR: u32 = 0;

/// Samples a second of speech whose request names no other rate, in hertz.
pub const SPEECH_SAMPLE_RATE: u32 = 22050;

/// The longest text of one request, in characters: Unicode scalar values.
pub const SPEECH_MAX_CHARACTERS: usize = 1000;

/// The longest sound of one request, in seconds, with its pauses.
pub const SPEECH_MAX_SECONDS: u32 = 1200;

/// The longest that the pauses of one request may be together, in seconds.
pub const SPEECH_MAX_PAUSE_SECONDS: u32 = 300;

const _: () = assert!(SPEECH_SAMPLE_RATE == speech_core::SAMPLE_RATE);
const _: () = assert!(SPEECH_MAX_CHARACTERS == speech_core::MAX_CHARACTERS);
const _: () = assert!(SPEECH_MAX_SECONDS == speech_core::MAX_SECONDS);
const _: () = assert!(SPEECH_MAX_PAUSE_SECONDS == speech_core::MAX_PAUSE_SECONDS);

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("a version has no NUL byte"),
    };

/// The version of the library that is running, such as "0.1.0". Compare it with SPEECH_VERSION, the
/// version of this header. The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_version() -> *const c_char {
    VERSION.as_ptr()
}

/// The binary interface of the library that is running: the major number times 65,536 plus the minor one.
#[unsafe(no_mangle)]
pub extern "C" fn speech_abi_version() -> u32 {
    SPEECH_ABI_MAJOR << 16 | SPEECH_ABI_MINOR
}

/// The version of the voice bundle format that the library reads.
#[unsafe(no_mangle)]
pub extern "C" fn speech_bundle_format_version() -> u32 {
    BUNDLE_FORMAT_VERSION
}

/// Whether a program that was compiled with the header of this interface can use the library that is
/// running: the same major number, and no newer minor number than the library's. Call it once at the start,
/// as `SPEECH_ABI_CHECK(&error)`, which passes the numbers of the header.
///
/// Fails with SPEECH_INVALID_REQUEST; the message says whether the header or the library is
/// too old.
#[unsafe(no_mangle)]
pub extern "C" fn speech_abi_check(
    header_major: u32,
    header_minor: u32,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let header = (header_major, header_minor);
        let library = (SPEECH_ABI_MAJOR, SPEECH_ABI_MINOR);
        let old = if header > library {
            "library: install a newer libspeech"
        } else if header_major < library.0 {
            "header: compile the program with the header of this library"
        } else {
            return Ok(());
        };
        Err(invalid(format!(
            "speech.h has ABI {}.{} and libspeech {} has ABI {}.{}: update the {old}",
            header.0,
            header.1,
            env!("CARGO_PKG_VERSION"),
            library.0,
            library.1,
        )))
    })
}
