//! English words: Misaki's lexicon and tagger in context, then rules for what they do not know.

use std::ops::Range;

use misaki_rs::{G2P, Language, MToken};

use super::{WordReader, oov};
use crate::normalize::{Reading, Token, line};

/// What Misaki writes for a piece that it does not know.
const UNKNOWN: char = '❓';

/// Misaki's American English lexicon and part-of-speech tagger.
pub(super) struct MisakiReader(G2P);

impl MisakiReader {
    pub(super) fn new() -> Self {
        // No fallback of its own: what is unknown is read by `oov`.
        Self(G2P::with_fallback(Language::EnglishUS, None))
    }

    /// Misaki's tokens, each with its place in `line`.
    fn tokens(&self, line: &str) -> Vec<(Range<usize>, MToken)> {
        let Ok((_, tokens)) = self.0.g2p(line) else { return Vec::new() };
        let mut at = 0;
        tokens
            .into_iter()
            .map(|token| {
                let start = at;
                at += token.text.len() + token.whitespace.len();
                (start..start + token.text.len(), token)
            })
            .collect()
    }

    /// The reading of a word on its own, or `None` if Misaki does not know all of it.
    fn look_up(&self, word: &str) -> Option<String> {
        let phonemes: Option<String> =
            self.tokens(word).into_iter().map(|(_, token)| token.phonemes).collect();
        phonemes.filter(|phonemes| is_reading(phonemes))
    }

    /// A word that Misaki does not know: its possessive and its parts apart.
    fn read_unknown(&self, word: &str) -> String {
        if let Some(stem) = word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")) {
            return with_s(self.look_up(stem).unwrap_or_else(|| self.read_unknown(stem)));
        }
        let parts = parts(word);
        if parts.len() > 1 {
            let readings = parts
                .into_iter()
                .map(|part| self.look_up(part).unwrap_or_else(|| read_by_rule(part)));
            return readings.collect();
        }
        read_by_rule(word)
    }
}

impl WordReader for MisakiReader {
    fn read(&self, tokens: &[&Token]) -> Vec<String> {
        let (line, spans) = line(tokens.iter().copied());
        let spoken = self.tokens(&line);
        let words = tokens.iter().filter_map(|token| match token {
            Token::Word(word) => Some(word),
            Token::Mark(_) => None,
        });
        words
            .zip(spans)
            .map(|(word, span)| match word.reading {
                Reading::Spelled => oov::spell(&word.text),
                _ => in_context(&spoken, &span).unwrap_or_else(|| {
                    self.look_up(&word.text).unwrap_or_else(|| self.read_unknown(&word.text))
                }),
            })
            .collect()
    }
}

/// The reading of the word at `span`, if the tokens cover it exactly and all are known.
fn in_context(tokens: &[(Range<usize>, MToken)], span: &Range<usize>) -> Option<String> {
    let mut reading = String::new();
    let mut covered = 0;
    for (place, token) in
        tokens.iter().filter(|(place, _)| place.start < span.end && span.start < place.end)
    {
        if place.start < span.start || place.end > span.end {
            return None;
        }
        covered += place.len();
        reading.push_str(token.phonemes.as_deref()?);
    }
    (covered == span.len() && is_reading(&reading)).then_some(reading)
}

fn is_reading(phonemes: &str) -> bool {
    !phonemes.contains(UNKNOWN)
        && phonemes.chars().any(|c| super::vocab::id(c).is_some() && c.is_alphabetic())
}

/// The parts of a compound: at hyphens and apostrophes, and where a capital follows a small letter.
fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for piece in word.split(['-', '\'']).filter(|piece| !piece.is_empty()) {
        let bytes = piece.as_bytes();
        let mut start = 0;
        for at in 1..bytes.len() {
            let next_is_small = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            let begins = bytes[at].is_ascii_uppercase()
                && (bytes[at - 1].is_ascii_lowercase() || next_is_small);
            if begins && at - start > 1 {
                parts.push(&piece[start..at]);
                start = at;
            }
        }
        parts.push(&piece[start..]);
    }
    parts
}

fn read_by_rule(word: &str) -> String {
    let is_acronym =
        word.len() <= 5 && word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase());
    if !is_acronym && oov::is_pronounceable(word) { oov::read(word) } else { oov::spell(word) }
}

/// Adds the English possessive or plural ending.
fn with_s(stem: String) -> String {
    let ending = match stem.chars().next_back() {
        Some('s' | 'z' | 'ʃ' | 'ʒ' | 'ʧ' | 'ʤ') => "ᵻz",
        Some('p' | 't' | 'k' | 'f' | 'θ') => "s",
        _ => "z",
    };
    stem + ending
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compounds_come_apart() {
        for (word, expected) in [
            ("PostgreSQL", &["Postgre", "SQL"][..]),
            ("XMLHttpRequest", &["XML", "Http", "Request"]),
            ("Modi-led", &["Modi", "led"]),
            ("O'Brien", &["O", "Brien"]),
            ("word", &["word"]),
        ] {
            assert_eq!(parts(word), expected);
        }
    }
}
