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

/// Whether a message to a live session can be read.
pub fn can_read_live_message(json: &str) -> bool {
    live::can_read(json)
}
