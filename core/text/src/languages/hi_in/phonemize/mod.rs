//! Converts Hindi words to phonemes.
//!
//! Devanagari is nearly phonemic. It does not show silent inherent vowels, compound boundaries, or
//! omitted diacritics. The steps in order: function words (`exceptions`), full spelling
//! (`exceptions`, `compounds`, `diacritics`), graphemes (`graphemes`), schwa deletion
//! (`schwa_deletion`), and phoneme symbols (`nasalization`, `stress`, `symbols`).

mod compounds;
mod diacritics;
mod endings;
mod english_to_hindi;
mod english_words;
mod exceptions;
mod graphemes;
mod nasalization;
mod schwa_deletion;
mod stress;
mod symbols;
mod transcription;
mod transliteration;

use speech_base::language::Language;

use super::normalize::lexicon::lexicon;
use crate::phonemize::{ForeignWord, LanguagePhonemizer, RunToken};
use crate::words::WordClass;
use graphemes::BOUNDARY;

/// Hindi, with the phonemes that Kokoro was trained on.
pub(crate) struct HindiPhonemizer;

impl LanguagePhonemizer for HindiPhonemizer {
    fn language(&self) -> Language {
        Language::HiIn
    }

    fn phonemize(&self, run: &[RunToken<'_>]) -> Vec<String> {
        let words = run.iter().filter_map(|token| match token {
            RunToken::Word(word) | RunToken::Spelled(word) => Some(read(word)),
            RunToken::Known { .. } | RunToken::Mark(_) => None,
        });
        words.collect()
    }

    fn adapt(&self, word: ForeignWord<'_>) -> String {
        match word.language {
            Language::EnUs => english_words::adapt(word),
            _ => word.phonemes.to_owned(),
        }
    }

    fn begins_clause(&self, word: &str) -> bool {
        lexicon().words.of(word).has(WordClass::ClauseStart)
    }
}

/// The phonemes of a Devanagari word; never empty.
pub fn read(word: &str) -> String {
    let word = clean(word);
    if let Some(symbols) = exceptions::weak_form(&word) {
        return symbols.to_owned();
    }
    let mut graphemes = graphemes::parse(&diacritics::restore_f(&full_spelling(&word)));
    nasalization::unify_anusvara(&mut graphemes);
    schwa_deletion::resolve(&mut graphemes);
    let symbols = symbols::symbols(&graphemes);
    // A standalone sign is read as the inherent vowel.
    if symbols.is_empty() { "ə".into() } else { symbols }
}

/// A word with decomposed nuktas and without joiners.
fn clean(word: &str) -> String {
    const WITH_NUKTA: [char; 8] = ['क', 'ख', 'ग', 'ज', 'ड', 'ढ', 'फ', 'य'];
    let word = without_colon(word);
    let mut clean = String::with_capacity(word.len());
    for letter in word.chars() {
        match letter {
            '\u{958}'..='\u{95f}' => {
                clean.push(WITH_NUKTA[letter as usize - 0x958]);
                clean.push(graphemes::NUKTA);
            }
            '\u{200b}'..='\u{200d}' | graphemes::KEEP_SCHWA => {}
            _ => clean.push(letter),
        }
    }
    clean
}

/// A word without the visarga that headlines use as a colon: दिल्लीः. Exceptions are listed.
fn without_colon(word: &str) -> &str {
    match word.strip_suffix('ः') {
        Some(rest) if !exceptions::is_listed(word) && exceptions::weak_form(word).is_none() => rest,
        _ => word,
    }
}

/// The word in a spelling that only leaves silent schwas open.
fn full_spelling(word: &str) -> String {
    if let Some((start, rest)) = word.split_once(BOUNDARY) {
        return format!("{}{BOUNDARY}{}", full_spelling(start), full_spelling(rest));
    }
    if let Some(spelling) = exceptions::spelling(word) {
        return spelling;
    }
    if let Some((start, rest)) = at_hiatus(word) {
        return format!("{}{BOUNDARY}{}", full_spelling(start), full_spelling(rest));
    }
    // गाँव, पाँव: the final consonant is pronounced as a vowel.
    if let Some(start) = word.strip_suffix("ांव").or_else(|| word.strip_suffix("ाँव")) {
        return full_spelling(start) + "ाओँ";
    }
    if diacritics::is_listed(word) {
        return diacritics::restore(word, false);
    }
    let members = compounds::split(word);
    let is_compound = members.contains(BOUNDARY);
    let mut spelling = String::with_capacity(members.len() + 8);
    for (i, member) in members.split(BOUNDARY).enumerate() {
        if i > 0 {
            spelling.push(BOUNDARY);
        }
        let full = || diacritics::restore(member, is_compound);
        spelling.push_str(&exceptions::spelling(member).unwrap_or_else(full));
    }
    spelling
}

/// Splits a compound at a vowel that never follows ə in native words: तेल|अवीव, जन|आंदोलन.
fn at_hiatus(word: &str) -> Option<(&str, &str)> {
    let mut letters = 0;
    let mut previous = ' ';
    for (at, letter) in word.char_indices() {
        let opens = matches!(letter, 'अ' | 'आ' | 'ऐ' | 'ओ' | 'औ' | 'ऑ');
        let is_bare = graphemes::is_letter(previous) || previous == graphemes::NUKTA;
        if opens && is_bare && letters >= 2 {
            return Some(word.split_at(at));
        }
        letters += usize::from(graphemes::is_letter(letter));
        previous = letter;
    }
    None
}

#[cfg(test)]
mod tests;
