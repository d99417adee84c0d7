//! What the fuzz targets need: no part of the program, and free to change.

use crate::keys::{Keys, NewKey};
use crate::live;

/// Reads a file of keys, and gives its lines as they would be written.
///
/// # Errors
///
/// What is wrong with it.
pub fn read_keys(text: &str) -> anyhow::Result<Vec<String>> {
    Ok(Keys::read(None, text)?.lines())
}

/// A new key, and the line of it in a file.
///
/// # Panics
///
/// If the account has characters that are not allowed.
pub fn new_key(account: &str) -> (String, String) {
    let key = NewKey::generate(account).expect("an account that is allowed");
    (key.secret, key.line)
}

/// Reads a message to a live session: the bytes of a frame of its sound, and of the longest message of it; none if it is refused.
pub fn read_live_message(json: &str) -> Option<(usize, usize)> {
    live::read_message(json)
}
