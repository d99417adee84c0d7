//! The limits of a request.

use crate::error::{Error, ErrorKind, Result};

/// The longest text of one request, in characters (Unicode scalar values).
pub const MAX_CHARACTERS: usize = 1000;

/// The longest audio of one request, in seconds, pauses included.
///
/// Everyday texts stay far below it. A text that would exceed it, such as a thousand emoji read by
/// name, is `invalid_request` as soon as that is known, before the part over the limit is computed.
pub const MAX_SECONDS: u32 = 1200;

/// The longest total of the pauses in one request, in seconds. More is `invalid_request` before
/// anything is computed.
pub const MAX_PAUSE_SECONDS: u32 = 300;

/// The most pronunciations of one request, not counting its lexicons.
pub const MAX_PRONUNCIATIONS: usize = 200;

/// The most bytes of one request's pronunciations, words and readings together.
pub const MAX_PRONUNCIATION_BYTES: usize = 16 * 1024;

/// The most entries in a lexicon file.
pub const MAX_LEXICON_ENTRIES: usize = 5_000;

/// The speaking rate on everyday text, in characters per second.
const CHARACTERS_PER_SECOND: f64 = 14.0;

/// The approximate duration of a number of characters of everyday text, in seconds.
#[doc(hidden)]
pub fn expected_seconds(characters: usize, rate: f64) -> f64 {
    characters as f64 / CHARACTERS_PER_SECOND / rate
}

/// The number of characters in a text: Unicode scalar values of the text as sent.
///
/// The length limit and the metered quantity both use this count.
///
/// ```
/// # extern crate speech_base as speech_core;
/// use speech_core::count_characters;
///
/// assert_eq!(count_characters("naïve"), 5);
/// assert_eq!(count_characters("हिन्दी"), 6);
/// ```
pub fn count_characters(text: &str) -> usize {
    text.chars().count()
}

/// Rejects a text that contains a NUL character as `invalid_request`. C strings cannot contain one,
/// so no binding accepts it.
///
/// For bindings whose text functions can fail where the core's cannot.
#[doc(hidden)]
pub fn check_nul(name: &str, text: &str) -> Result<()> {
    match text.find('\0') {
        Some(at) => Err(Error::invalid_request(format!("{name} has a NUL character at byte {at}"))),
        None => Ok(()),
    }
}

/// The number of characters of a speakable text, or `invalid_request`, `empty_text` or
/// `text_too_long`.
///
/// NUL is checked first, as in C, where it is detected during string conversion.
pub fn check_text(text: &str) -> Result<usize> {
    check_nul("text", text)?;
    check_not_empty(text)?;
    check_length(text)
}

/// The number of characters of a text, or `text_too_long`.
#[doc(hidden)]
pub fn check_length(text: &str) -> Result<usize> {
    let characters = count_characters(text);
    if characters > MAX_CHARACTERS {
        let message = format!("text has {characters} characters; the limit is {MAX_CHARACTERS}");
        return Err(Error::new(ErrorKind::TextTooLong, message));
    }
    Ok(characters)
}

/// The error for audio over [`MAX_SECONDS`].
pub fn too_much_sound() -> Error {
    let message =
        format!("the speech would be longer than {MAX_SECONDS} s: cut the text into parts");
    Error::invalid_request(message)
}

/// `empty_text` for a text that is empty or only whitespace.
pub fn check_not_empty(text: &str) -> Result<()> {
    if !text.trim().is_empty() {
        return Ok(());
    }
    let message = if text.is_empty() { "text is empty" } else { "text is only white space" };
    Err(Error::new(ErrorKind::EmptyText, message))
}
