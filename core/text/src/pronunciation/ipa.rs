//! Converts IPA that people and dictionaries write to the phoneme symbols of the vocabulary.

use std::fmt;

use speech_base::language::Language;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};

use crate::vocabulary;

/// Why a pronunciation is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IpaError {
    /// A symbol is not a phoneme of the vocabulary. The number counts characters from 1.
    Unknown(usize),
    /// The pronunciation has no sound.
    Silent,
}

impl fmt::Display for IpaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(place) => write!(f, "character {place} of it is not a phoneme symbol"),
            Self::Silent => f.write_str("it has no sound in it"),
        }
    }
}

/// Replacements for every language, longer ones first.
const COMMON: &[(&str, &str)] = &[("c\u{327}", "ç"), ("g", "ɡ"), ("ʱ", "ʰ"), ("'", "ˈ")];

/// Whether `c` is a tie or boundary, which has no sound.
fn is_silent(c: char) -> bool {
    matches!(c, '\u{361}' | '\u{35c}' | '^' | '‿' | '|' | '‖')
}

/// The mapping from IPA to the phoneme symbols of one language.
pub struct IpaNotation {
    pub(crate) language: Language,
    /// A table of IPA and of the symbols in its place. A sequence stands before those that it begins with.
    pub(crate) replacements: &'static str,
    /// A symbol that ends in a full stop. In other positions a full stop is a syllable break.
    pub(crate) dotted_symbol: Option<&'static str>,
}

impl IpaNotation {
    /// The phonemes of a pronunciation.
    ///
    /// Accepts IPA with the stress mark before the syllable, and Kokoro's symbols with the mark
    /// before the vowel. In the result the mark precedes the vowel, as in the training data of the
    /// model.
    pub(crate) fn phonemes(&self, ipa: &str) -> Result<String, IpaError> {
        let plain = self.without_syllable_breaks(replace(&decomposed(ipa), COMMON));
        let rows = self.replacements.lines().filter_map(|row| row.split_once('\t'));
        let symbols = replace(&plain, &rows.collect::<Vec<_>>());
        if let Some((_, place)) = symbols.iter().find(|(c, _)| !self.has_phoneme(*c)) {
            return Err(IpaError::Unknown(place + 1));
        }
        let symbols: String = symbols.into_iter().map(|(c, _)| c).collect();
        if !symbols.chars().any(|c| c.is_alphabetic() && !is_modifier(c)) {
            return Err(IpaError::Silent);
        }
        Ok(stress_before_vowels(&symbols))
    }

    /// Removes full stops, unless all of them belong to the dotted symbol.
    fn without_syllable_breaks(&self, mut symbols: Vec<Symbol>) -> Vec<Symbol> {
        let text: String = symbols.iter().map(|(c, _)| c).collect();
        let dotted = self.dotted_symbol.map_or(0, |symbol| text.matches(symbol).count());
        if dotted != text.matches('.').count() {
            symbols.retain(|(c, _)| *c != '.');
        }
        symbols
    }

    /// Whether a symbol of the vocabulary is a sound, a length or stress mark, a space, or the full
    /// stop of the dotted symbol. Other punctuation is not a phoneme.
    fn has_phoneme(&self, c: char) -> bool {
        let is_sound = c.is_alphabetic() || is_modifier(c) || c == ' ';
        vocabulary::id(c).is_some() && (is_sound || c == '.' && self.dotted_symbol.is_some())
    }
}

/// A character and its position in the pronunciation.
type Symbol = (char, usize);

/// The audible characters of a pronunciation in NFD, without surrounding white space.
fn decomposed(ipa: &str) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for (place, c) in ipa.chars().enumerate() {
        decompose_canonical(c, |part| symbols.push((part, place)));
    }
    // Put the diacritics of one letter in canonical order.
    for letter in symbols.chunk_by_mut(|_, (c, _)| canonical_combining_class(*c) != 0) {
        letter.sort_by_key(|(c, _)| canonical_combining_class(*c));
    }
    symbols.retain(|(c, _)| !is_silent(*c));
    let is_space = |(c, _): &Symbol| c.is_whitespace();
    let end = symbols.iter().rposition(|symbol| !is_space(symbol)).map_or(0, |last| last + 1);
    symbols.truncate(end);
    symbols.drain(..symbols.iter().take_while(|symbol| is_space(symbol)).count());
    symbols
}

/// Replaces the sequences in `table`. At each position the first match applies.
fn replace(symbols: &[Symbol], table: &[(&str, &str)]) -> Vec<Symbol> {
    let mut out = Vec::with_capacity(symbols.len());
    let mut rest = symbols;
    while let [first, after @ ..] = rest {
        // Most entries differ in the first character, so compare it first.
        let begins = |from: &str| {
            let mut symbols = rest.iter();
            let begins = from.chars().all(|c| symbols.next().is_some_and(|symbol| symbol.0 == c));
            begins.then(|| rest.len() - symbols.len())
        };
        match table.iter().find_map(|(from, to)| Some((begins(from)?, to))) {
            Some((length, to)) => {
                out.extend(to.chars().map(|c| (c, first.1)));
                rest = &rest[length..];
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    out
}

/// Whether `c` is a stress or length mark, or a diacritic of the previous sound.
fn is_modifier(c: char) -> bool {
    matches!(c, 'ˈ' | 'ˌ' | 'ː' | 'ʰ' | 'ʲ' | '\u{303}')
}

fn is_vowel(c: char) -> bool {
    "AIOQWYaeiouyæøœɐɑɒɔəɚɛɜɤɨɪɯʊʌᵊᵻ".contains(c)
}

/// Moves each stress mark to just before the next vowel of its word.
fn stress_before_vowels(symbols: &str) -> String {
    let mut out = String::new();
    let mut held = None;
    for c in symbols.chars() {
        match c {
            'ˈ' | 'ˌ' => held = Some(c),
            ' ' => {
                held = None;
                out.push(c);
            }
            c => {
                if is_vowel(c) {
                    out.extend(held.take());
                }
                out.push(c);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::languages::locales;

    crate::row_tests::rows! {
        ipa: |[language, ipa]| {
            let notation = locales().of(crate::row_tests::language(language)).ipa;
            notation.phonemes(ipa).unwrap_or_else(|error| format!("! {error:?}"))
        };
    }

    proptest! {
        #[test]
        fn whatever_is_taken_can_be_said(ipa in "\\PC{0,20}|[a-zæəɛɪˈˌː.ʃʒθðŋ]{0,20}", hindi: bool) {
            let language = if hindi { Language::HiIn } else { Language::EnUs };
            let notation = locales().of(language).ipa;
            if let Ok(symbols) = notation.phonemes(&ipa) {
                prop_assert!(symbols.chars().all(|c| vocabulary::id(c).is_some()), "{}", symbols);
            }
        }
    }
}
