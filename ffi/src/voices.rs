//! The voices listing.

use std::ffi::{CString, c_char};

use speech_core::VoiceListing;

use crate::boundary::{boundary, or_else};
use crate::error::speech_error;
use crate::getters::{at, c_string, get};
use crate::handle::{self, opaque};
use crate::pointer::write;
use crate::status::Status;

/// Who can speak, in which languages, and the limits that hold for all. It does not change, so any number
/// of threads may read it; what its functions point at belongs to it.
pub struct speech_voices(());
opaque!(speech_voices, VoicesObject, "voices listing");

/// The listing, with its strings as C reads them.
pub(crate) struct VoicesObject {
    listing: VoiceListing,
    languages: Vec<CString>,
    voices: Vec<(CString, CString)>,
    default_voice: CString,
    json: CString,
}

impl VoicesObject {
    fn new(listing: VoiceListing) -> Self {
        let voices =
            listing.voices.iter().map(|voice| (c_string(voice.id.as_str()), c_string(voice.name)));
        Self {
            languages: listing
                .languages
                .iter()
                .map(|language| c_string(language.as_str()))
                .collect(),
            voices: voices.collect(),
            default_voice: c_string(listing.default_voice.as_str()),
            json: c_string(&listing.to_json()),
            listing,
        }
    }
}

/// Makes the voices listing: it is the same for every engine. Free it with speech_voices_free().
///
/// Threads: any. Fails only if `voices` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_voices_new(
    voices: *mut *mut speech_voices,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        boundary(error, |caller| {
            let place = caller.out(voices, "voices")?;
            place.write(handle::give(VoicesObject::new(speech_core::voices())));
            Ok(())
        })
    }
}

/// How many languages there are.
///
/// Threads: any. Fails if the listing is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_voices_language_count(
    voices: *const speech_voices,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(voices, count, "count", error, |voices| Ok(voices.languages.len())) }
}

/// A language, as a BCP 47 tag such as `en-US`.
///
/// Threads: any. Fails if the listing is not live, the index is not under speech_voices_language_count(), or
/// `language` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_voices_language(
    voices: *const speech_voices,
    index: usize,
    language: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        boundary(error, |caller| {
            let voices = handle::live(voices)?;
            let place = caller.out(language, "language")?;
            place.write(at(&voices.languages, index, "language")?.as_ptr());
            Ok(())
        })
    }
}

/// How many voices there are.
///
/// Threads: any. Fails if the listing is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_voices_count(
    voices: *const speech_voices,
    count: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(voices, count, "count", error, |voices| Ok(voices.voices.len())) }
}

/// A voice: the identifier that requests name, such as `aria`, and the name to show to people, such as `Aria`.
/// Each of the two places may be NULL.
///
/// Threads: any. Fails if the listing is not live, or the index is not under speech_voices_count().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_voices_get(
    voices: *const speech_voices,
    index: usize,
    id: *mut *const c_char,
    name: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        boundary(error, |caller| {
            let voices = handle::live(voices)?;
            let voice = at(&voices.voices, index, "voice")?;
            write(caller.out_or_null(id), voice.0.as_ptr());
            write(caller.out_or_null(name), voice.1.as_ptr());
            Ok(())
        })
    }
}

/// The identifier of the voice of a request that names none.
///
/// Threads: any. Fails if the listing is not live or `id` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_voices_default(
    voices: *const speech_voices,
    id: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(voices, id, "id", error, |voices| Ok(voices.default_voice.as_ptr())) }
}

/// Samples a second of all audio, in hertz: 22,050.
///
/// Threads: any. Fails if the listing is not live or `sample_rate` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_voices_sample_rate(
    voices: *const speech_voices,
    sample_rate: *mut u32,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get(voices, sample_rate, "sample_rate", error, |voices| Ok(voices.listing.sample_rate))
    }
}

/// The longest text of one request, in characters: 1,000.
///
/// Threads: any. Fails if the listing is not live or `max_characters` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_voices_max_characters(
    voices: *const speech_voices,
    max_characters: *mut usize,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe {
        get(voices, max_characters, "max_characters", error, |voices| {
            Ok(voices.listing.max_characters)
        })
    }
}

/// The listing as the contract's JSON.
///
/// Threads: any. Fails if the listing is not live or `json` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_voices_json(
    voices: *const speech_voices,
    json: *mut *const c_char,
    error: *mut *mut speech_error,
) -> Status {
    // SAFETY: the header obliges the caller to pass pointers that are NULL or valid for the access.
    unsafe { get(voices, json, "json", error, |voices| Ok(voices.json.as_ptr())) }
}

/// Frees a listing and its strings. NULL, and a listing that was freed before, do nothing.
///
/// Threads: any; but nobody may still read what its functions point at.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_free(voices: *mut speech_voices) {
    or_else((), || drop(handle::take(voices)));
}
