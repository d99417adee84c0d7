//! The voices listing.

use std::ffi::{CString, c_char};

use speech_core::VoiceListing;

use crate::error::speech_error;
use crate::getters::{at, c_string, create, get, try_get, with};
use crate::handle::{self, handle_type};
use crate::pointers::Output;
use crate::status::Status;

/// The voices, the languages, and the limits of every request. It does not change, so any number
/// of threads may read it; what its functions point at belongs to it.
pub struct speech_voices(());
handle_type!(speech_voices, VoicesObject, "voices listing");

/// The listing, with its strings as C strings.
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
pub extern "C" fn speech_voices_new(
    voices: Output<'_, *mut speech_voices>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(voices, "voices", error, || Ok(VoicesObject::new(speech_core::voices())))
}

/// The number of languages.
///
/// Threads: any. Fails if the listing is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_language_count(
    voices: *const speech_voices,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(voices, count, "count", error, |voices| voices.languages.len())
}

/// A language, as a BCP 47 tag such as `en-US`.
///
/// Threads: any. Fails if the listing is not live, the index is not under speech_voices_language_count(), or
/// `language` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_language(
    voices: *const speech_voices,
    index: usize,
    language: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    try_get(voices, language, "language", error, |voices| {
        Ok(at(&voices.languages, index, "language")?.as_ptr())
    })
}

/// The number of voices.
///
/// Threads: any. Fails if the listing is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_count(
    voices: *const speech_voices,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(voices, count, "count", error, |voices| voices.voices.len())
}

/// A voice: the identifier that requests name, such as `aria`, and the name to show to people, such as `Aria`.
/// Each of the two outputs may be NULL.
///
/// Threads: any. Fails if the listing is not live, or the index is not under speech_voices_count().
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_get(
    voices: *const speech_voices,
    index: usize,
    id: Output<'_, *const c_char>,
    name: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(voices, error, |voices| {
        let voice = at(&voices.voices, index, "voice")?;
        id.write(voice.0.as_ptr());
        name.write(voice.1.as_ptr());
        Ok(())
    })
}

/// The identifier of the voice of a request that names none.
///
/// Threads: any. Fails if the listing is not live or `id` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_default(
    voices: *const speech_voices,
    id: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(voices, id, "id", error, |voices| voices.default_voice.as_ptr())
}

/// The sample rate of all audio in hertz: 22,050.
///
/// Threads: any. Fails if the listing is not live or `sample_rate` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_sample_rate(
    voices: *const speech_voices,
    sample_rate: Output<'_, u32>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(voices, sample_rate, "sample_rate", error, |voices| voices.listing.sample_rate)
}

/// The longest text of one request, in characters: 1,000.
///
/// Threads: any. Fails if the listing is not live or `max_characters` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_max_characters(
    voices: *const speech_voices,
    max_characters: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(voices, max_characters, "max_characters", error, |voices| voices.listing.max_characters)
}

/// The listing as the contract's JSON.
///
/// Threads: any. Fails if the listing is not live or `json` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_json(
    voices: *const speech_voices,
    json: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(voices, json, "json", error, |voices| voices.json.as_ptr())
}

/// Frees a listing and its strings. NULL, and a listing that was freed before, do nothing.
///
/// Threads: any; but nobody may still read what its functions point at.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_free(voices: *mut speech_voices) {
    handle::free(voices);
}
