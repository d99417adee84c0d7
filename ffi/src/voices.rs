//! The voices listing, which is static because it is the same for every engine.

use std::ffi::{CString, c_char};

use speech_core::LazyLock;

use crate::boundary::catch_panic_or;
use crate::getters::{c_string, parts};
use crate::pointers::{Output, StringPointer};

/// A voice.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_voice {
    /// The identifier used in requests, such as "aria".
    pub id: StringPointer,
    /// The display name, such as "Aria".
    pub name: StringPointer,
}

/// The listing, and the strings that its arrays point to.
struct Listing {
    voices: Vec<speech_voice>,
    languages: Vec<StringPointer>,
    default_voice: CString,
    json: CString,
    _strings: Vec<CString>,
}

static LISTING: LazyLock<Listing> = LazyLock::new(|| {
    let listing = speech_core::voices();
    let mut strings = Vec::new();
    let mut kept = |text: &str| StringPointer::kept(c_string(text), &mut strings);
    Listing {
        voices: listing
            .voices
            .iter()
            .map(|voice| speech_voice { id: kept(voice.id.as_str()), name: kept(voice.name) })
            .collect(),
        languages: listing.languages.iter().map(|language| kept(language.as_str())).collect(),
        default_voice: c_string(listing.default_voice.as_str()),
        json: c_string(&listing.to_json()),
        _strings: strings,
    }
});

fn array<T>(count: Output<'_, usize>, read: fn(&'static Listing) -> &'static [T]) -> *const T {
    let (data, length) = catch_panic_or((std::ptr::null(), 0), || parts(read(&LISTING)));
    count.write(length);
    data
}

fn string(read: fn(&'static Listing) -> &'static CString) -> *const c_char {
    catch_panic_or(c"".as_ptr(), || read(&LISTING).as_ptr())
}

/// The voices, the same for every engine. The array and its strings are static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_list(count: Output<'_, usize>) -> *const speech_voice {
    array(count, |listing| &listing.voices)
}

/// The languages, as BCP 47 tags such as "en-US". The array and its strings are static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_languages(count: Output<'_, usize>) -> *const StringPointer {
    array(count, |listing| &listing.languages)
}

/// The identifier of the voice of a request that names none. The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_default() -> *const c_char {
    string(|listing| &listing.default_voice)
}

/// The voices, the languages and the limits of a request, as JSON for a service's response. The
/// string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_voices_json() -> *const c_char {
    string(|listing| &listing.json)
}
