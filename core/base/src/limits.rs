//! The limits of a text.

use crate::error::{Error, ErrorKind, Result};

/// The longest text of one request, in characters (Unicode scalar values).
pub const MAX_CHARACTERS: usize = 1000;

/// The longest sound of one request, in seconds, with its pauses.
///
/// No text of everyday use comes near it. One that would sound longer, such as a thousand emoji that are read by their names,
/// is `invalid_request` as soon as that is known: before the part that goes over it is computed.
pub const MAX_SECONDS: u32 = 1200;

/// The longest that the pauses of one request may be together, in seconds. Longer ones are `invalid_request` before anything is
/// computed.
pub const MAX_PAUSE_SECONDS: u32 = 300;

/// The most pronunciations of one request, beside the lexicons that it has.
pub const MAX_PRONUNCIATIONS: usize = 200;

/// The most bytes of the pronunciations of one request: their words and readings together.
pub const MAX_PRONUNCIATION_BYTES: usize = 16 * 1024;

/// The most entries of a lexicon that is read from a file.
pub const MAX_LEXICON_ENTRIES: usize = 5_000;

/// The characters of everyday text that are said in a second.
const CHARACTERS_PER_SECOND: f64 = 14.0;

/// About how long it takes to say so many characters of everyday text, in seconds.
#[doc(hidden)]
pub fn expected_seconds(characters: usize, rate: f64) -> f64 {
    characters as f64 / CHARACTERS_PER_SECOND / rate
}

/// The number of characters of a text: Unicode scalar values, as the text was sent.
///
/// The length limit and the metered quantity are this same count.
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

/// Refuses a text with a NUL character as `invalid_request`: C cannot pass one, so that no language takes it.
///
/// For the bindings, whose functions for texts can fail where those of this crate cannot.
#[doc(hidden)]
pub fn check_nul(name: &str, text: &str) -> Result<()> {
    match text.find('\0') {
        Some(at) => Err(Error::invalid_request(format!("{name} has a NUL character at byte {at}"))),
        None => Ok(()),
    }
}

/// The characters of a text that may be spoken, or `invalid_request`, `empty_text` or `text_too_long`.
///
/// NUL comes first: a C string is refused for it before anything else is known of it.
pub fn check_text(text: &str) -> Result<usize> {
    check_nul("text", text)?;
    check_not_empty(text)?;
    check_length(text)
}

/// The characters of a text, or `text_too_long`.
#[doc(hidden)]
pub fn check_length(text: &str) -> Result<usize> {
    let characters = count_characters(text);
    if characters > MAX_CHARACTERS {
        let message = format!("text has {characters} characters; the limit is {MAX_CHARACTERS}");
        return Err(Error::new(ErrorKind::TextTooLong, message));
    }
    Ok(characters)
}

/// Refuses sound over [`MAX_SECONDS`].
pub fn too_much_sound() -> Error {
    let message =
        format!("the speech would be longer than {MAX_SECONDS} s: cut the text into parts");
    Error::invalid_request(message)
}

/// `empty_text` for a text that is empty or only white space.
pub fn check_not_empty(text: &str) -> Result<()> {
    if !text.trim().is_empty() {
        return Ok(());
    }
    let message = if text.is_empty() { "text is empty" } else { "text is only white space" };
    Err(Error::new(ErrorKind::EmptyText, message))
}
