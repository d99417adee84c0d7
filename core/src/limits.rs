//! The limits of a text.

use crate::error::{Error, ErrorKind, Result};

/// The longest text of one request, in characters (Unicode scalar values).
pub const MAX_CHARACTERS: usize = 1000;

/// The number of characters of a text: Unicode scalar values, as the text was sent.
///
/// The length limit and the metered quantity are this same count.
///
/// ```
/// use speech_core::count_characters;
///
/// assert_eq!(count_characters("naïve"), 5);
/// assert_eq!(count_characters("हिन्दी"), 6);
/// ```
pub fn count_characters(text: &str) -> usize {
    text.chars().count()
}

/// The characters of a text that may be spoken, or `empty_text` or `text_too_long`.
pub(crate) fn check_text(text: &str) -> Result<usize> {
    if text.trim().is_empty() {
        let message = if text.is_empty() { "text is empty" } else { "text is only white space" };
        return Err(Error::new(ErrorKind::EmptyText, message));
    }
    let characters = count_characters(text);
    if characters > MAX_CHARACTERS {
        let message = format!("text has {characters} characters; the limit is {MAX_CHARACTERS}");
        return Err(Error::new(ErrorKind::TextTooLong, message));
    }
    Ok(characters)
}
