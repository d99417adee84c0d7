//! Versions, and the check that a header matches the library.

use std::ffi::{CStr, c_char};

use speech_core::BUNDLE_FORMAT_VERSION;

use crate::boundary::boundary;
use crate::error::speech_error;
use crate::pointers::{Output, invalid};
use crate::status::Status;

/// The major number of the binary interface: programs compiled with another one are incompatible.
pub const SPEECH_ABI_MAJOR: u32 = 1;

/// The minor number of the binary interface: it increases with additions.
pub const SPEECH_ABI_MINOR: u32 = 0;

/// The default sample rate, in hertz.
pub const SPEECH_SAMPLE_RATE: u32 = 22050;

/// The longest text of one request, in characters: Unicode scalar values.
pub const SPEECH_MAX_CHARACTERS: usize = 1000;

/// The longest audio of one request, in seconds, pauses included.
pub const SPEECH_MAX_SECONDS: u32 = 1200;

/// The longest total of the pauses in one request, in seconds.
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

/// The version of the running library, such as "0.1.0". Compare it with SPEECH_VERSION, the version
/// of this header. The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_version() -> *const c_char {
    VERSION.as_ptr()
}

/// The binary interface of the running library: the major number times 65,536 plus the minor
/// number.
#[unsafe(no_mangle)]
pub extern "C" fn speech_abi_version() -> u32 {
    SPEECH_ABI_MAJOR << 16 | SPEECH_ABI_MINOR
}

/// The version of the voice bundle format that the library reads.
#[unsafe(no_mangle)]
pub extern "C" fn speech_bundle_format_version() -> u32 {
    BUNDLE_FORMAT_VERSION
}

/// Checks whether a program compiled with this header can use the running library: the major
/// numbers must be equal, and the minor number must not be newer than the library's. Call it once
/// at the start, as `SPEECH_ABI_CHECK(&error)`, which passes the header's numbers.
///
/// Fails with SPEECH_INVALID_REQUEST; the message tells whether the header or the library is too
/// old.
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
