//! Converts romanized Hindi, which people type in Latin letters, to Devanagari.
//!
//! `aapka order kal tak aa jayega` becomes `आपका order कल तक आ जाएगा`. Words are labeled Hindi or
//! English (`label.rs`). Hindi words become their likeliest candidates (`candidates.rs`, a noisy
//! channel over a word list, and `context.rs`). Unlisted words are transliterated (`oov.rs`).
//! `research/romanized` trains the models.

mod candidates;
mod channel;
mod context;
mod label;
mod oov;
mod skeleton;
mod tables;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::BTreeSet;
use std::ops::Range;

use self::candidates::Candidate;
use self::context::Place;
use self::label::Facts;
use self::tables::TABLES;
use self::tokens::Token;

/// Minimum words of a Hindi range in a sentence of another language, unless it is the sentence.
const STRETCH: usize = 3;
/// Minimum sum of the scores of its words.
const CLEARLY_HINDI: f32 = 4.0;
/// The class of common English words.
const COMMON: u8 = 2;

/// The romanized Hindi words of a sentence in order, with their Devanagari forms.
///
/// In a sentence of another language (`is_foreign`), only long and clearly Hindi ranges count.
pub(crate) fn find(sentence: &str, is_foreign: bool) -> Vec<(Range<usize>, String)> {
    let tokens = tokens::tokens(sentence);
    let has_anchor = tokens.iter().any(|token| token.is_anchor(&tokens));
    let is_ruled_out = || is_foreign || is_plainly_english(&tokens) || are_acronyms(&tokens);
    if tokens.is_empty() || !has_anchor && is_ruled_out() {
        return Vec::new();
    }
    let found: Vec<Vec<Candidate>> =
        tokens.iter().map(|token| candidates::candidates(&token.word)).collect();
    let facts: Vec<Facts> =
        tokens.iter().zip(&found).map(|(token, found)| Facts::new(&token.word, found)).collect();
    let scores = label::scores(&tokens, &facts);
    let mut is_hindi = label::is_hindi(&tokens, &scores);
    if is_foreign {
        keep_stretches(&tokens, &scores, &mut is_hindi);
    }
    keep_whole_compounds(&tokens, &mut is_hindi);
    leave_name(&tokens, has_anchor, &mut is_hindi);
    if !is_hindi.contains(&true) {
        return Vec::new();
    }
    let mut places = Vec::with_capacity(tokens.len());
    for ((token, found), is_hindi) in tokens.iter().zip(&found).zip(&is_hindi) {
        if token.follows_number {
            places.push(Place::Number);
        }
        places.push(if *is_hindi && !found.is_empty() {
            Place::Hindi(found)
        } else {
            Place::English
        });
    }
    let chosen = context::choose(&places);
    let mut chosen = places.iter().zip(chosen).filter(|(place, _)| !matches!(place, Place::Number));
    let mut words = Vec::new();
    for (token, is_hindi) in tokens.iter().zip(is_hindi) {
        let word = match chosen.next() {
            _ if !is_hindi => None,
            Some((Place::Hindi(candidates), number)) => Some(candidates[number].word.clone()),
            _ => oov::transliterate(&token.word),
        };
        words.extend(word.map(|word| (token.span.clone(), word)));
    }
    words
}

/// Whether a lower-case word exists only in Hindi.
pub(crate) fn is_anchor(word: &str) -> bool {
    TABLES.is_anchor(word)
}

impl Token<'_> {
    /// Whether the word exists only in Hindi. Capitals beside other words are letters: triangle
    /// `AB`.
    fn is_anchor(&self, sentence: &[Token<'_>]) -> bool {
        is_anchor(&self.word) && (!self.is_in_capitals() || are_acronyms(sentence))
    }

    fn is_in_capitals(&self) -> bool {
        self.text.bytes().all(|b| b.is_ascii_uppercase())
    }
}

/// Whether a sentence consists of acronyms: `-SBI`, `UPSC, DRDO, CISF`.
fn are_acronyms(tokens: &[Token<'_>]) -> bool {
    tokens.iter().all(Token::is_in_capitals)
}

/// Whether two thirds of the words are common English ones, so that labeling is unnecessary.
fn is_plainly_english(tokens: &[Token<'_>]) -> bool {
    let common = tokens.iter().filter(|token| TABLES.common(&token.word) >= COMMON).count();
    tokens.len() > STRETCH && 3 * common >= 2 * tokens.len()
}

/// Whether most words of a sentence are clearly Hindi.
fn is_mostly_hindi(tokens: &[Token<'_>], scores: &[f32], is_hindi: &[bool]) -> bool {
    let words = tokens.iter().zip(scores).zip(is_hindi);
    let words: Vec<_> = words.filter(|(_, is_hindi)| **is_hindi).map(|(word, _)| word).collect();
    let anchors = words.iter().filter(|(token, _)| token.is_anchor(tokens));
    let anchors: BTreeSet<_> = anchors.map(|(token, _)| &token.word).collect();
    let score: f32 = words.iter().map(|(_, score)| **score).sum();
    anchors.len() > 1 && 2 * words.len() > tokens.len() && score >= CLEARLY_HINDI
}

/// Keeps only ranges of Hindi that are long, clear, and contain a word that exists only in Hindi.
fn keep_stretches(tokens: &[Token<'_>], scores: &[f32], is_hindi: &mut [bool]) {
    if is_mostly_hindi(tokens, scores, is_hindi) {
        return;
    }
    let mut start = 0;
    for stretch in is_hindi.chunk_by_mut(|a, b| a == b) {
        let place = start..start + stretch.len();
        start = place.end;
        let words = &tokens[place.clone()];
        // `Sch. 40 PVC, 1½" dia.`: short abbreviations look like Hindi in chats.
        let is_short = words.len() <= STRETCH
            && words.iter().any(|token| !token.word.contains(['a', 'e', 'i', 'o', 'u']));
        let has_anchor = !is_short && words.iter().any(|token| token.is_anchor(tokens));
        let is_whole =
            words.len() == tokens.len() && words.iter().any(|token| token.word != words[0].word);
        let is_long = words.len() >= STRETCH || is_whole;
        let is_clear = scores[place].iter().sum::<f32>() >= CLEARLY_HINDI;
        if !(has_anchor && is_long && is_clear) {
            stretch.fill(false);
        }
    }
}

/// Removes the label Hindi from a word with a capital, if it is the only Hindi word after the first
/// word of a long sentence. Such a word begins a name: `3rd floor, Andheri (W)`.
fn leave_name(tokens: &[Token<'_>], has_anchor: bool, is_hindi: &mut [bool]) {
    let mut found = tokens.iter().zip(is_hindi.iter_mut()).skip(1).filter(|(_, label)| **label);
    let Some((token, label)) = found.next() else { return };
    let is_name = token.text.starts_with(|c: char| c.is_ascii_uppercase());
    if !has_anchor && is_name && tokens.len() > STRETCH && found.next().is_none() {
        *label = false;
    }
}

/// Removes the label Hindi from hyphenated words, unless all parts are Hindi.
fn keep_whole_compounds(tokens: &[Token<'_>], is_hindi: &mut [bool]) {
    let mut start = 0;
    for words in tokens.chunk_by(|_, after| after.is_joined) {
        let labels = &mut is_hindi[start..start + words.len()];
        start += words.len();
        if labels.contains(&false) {
            labels.fill(false);
        }
    }
}
