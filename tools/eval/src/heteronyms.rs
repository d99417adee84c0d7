//! What the training of the choice between the readings of heteronyms asks of the front end.

use std::io::{BufRead, stdin};

use anyhow::{Context, Result};
use speech_text::languages::en_us::phonemize::heteronym_features;

/// The features of the word of each row of the standard input, a line for each: none where the text has no such word. A row is
/// the word, its reading, a text, and which of these words in the text is meant.
///
/// # Errors
///
/// If a row is none, or cannot be read.
pub fn features() -> Result<String> {
    let mut features = String::new();
    for row in stdin().lock().lines() {
        let row = row?;
        let columns: Vec<_> = row.split('\t').collect();
        let [word, _, text, occurrence] = columns[..] else {
            anyhow::bail!("a row has {} columns, not 4", columns.len());
        };
        let occurrence = occurrence.parse().context("the last column is a number")?;
        let found = heteronym_features(text, word, occurrence).unwrap_or_default();
        features += &found.join(" ");
        features.push('\n');
    }
    Ok(features)
}
