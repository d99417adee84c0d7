//! Functions for the fuzz targets. They are no part of the program, and may change.

use crate::keys::{Keys, NewKey};
use crate::live;

/// Reads a file of keys, and returns its lines as they would be written.
///
/// # Errors
///
/// The rule that the file breaks.
pub fn read_keys(text: &str) -> anyhow::Result<Vec<String>> {
    Ok(Keys::read(None, text)?.lines())
}

/// A new key, and its line in a file.
///
/// # Panics
///
/// If the account has characters that are not allowed.
pub fn new_key(account: &str) -> (String, String) {
    let key = NewKey::generate(account).expect("an account that is allowed");
    (key.secret, key.line)
}

/// Reads a message to a live session. Returns the bytes of a frame of its sound and of the longest
/// message of sound, or none if the message is rejected.
pub fn read_live_message(json: &str) -> Option<(usize, usize)> {
    live::read_message(json)
}
