//! The front end's part in training the heteronym model: computes features.

use std::io::{BufRead, stdin};

use anyhow::{Context, Result};
use speech_text::languages::en_us::phonemize::heteronym_features;

/// The features of the word in each row of standard input, one line per row; an empty line if the
/// text lacks the word. A row is the word, its reading, a text, and the occurrence of the word in
/// the text.
///
/// # Errors
///
/// If a row is invalid or cannot be read.
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
