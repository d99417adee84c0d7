//! Converts phonemes of the CMU Pronouncing Dictionary to Misaki's symbols for American English.

use speech_base::error::{Error, Result};

/// The 39 phonemes and their symbols.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("arpabet.tsv").lines().filter_map(|row| row.split_once('\t'))
}

/// Maximum phonemes of one entry.
const MAX_PHONEMES: usize = 100;

/// The symbols of phonemes that are separated by spaces. A vowel may end in its stress: 1, 2
/// (secondary) or 0 (none).
pub(super) fn phonemes(arpabet: &str) -> Result<String> {
    let mut symbols = String::new();
    for (number, phoneme) in (1..).zip(arpabet.split_whitespace()) {
        if number > MAX_PHONEMES {
            let message = format!("an entry has more than {MAX_PHONEMES} phonemes");
            return Err(Error::invalid_request(message));
        }
        let name = phoneme.trim_end_matches(['0', '1', '2']);
        let found = rows().find(|(known, _)| *known == name);
        let symbol = match (found, &phoneme[name.len()..]) {
            (Some((_, symbol)), "") => Some((symbol, "")),
            (Some((name @ ("AH" | "ER"), _)), "0") => {
                Some((if name == "AH" { "ə" } else { "əɹ" }, ""))
            }
            (Some((name, symbol)), stress) if name.starts_with(is_vowel) => match stress {
                "0" => Some((symbol, "")),
                "1" => Some((symbol, "ˈ")),
                "2" => Some((symbol, "ˌ")),
                _ => None,
            },
            _ => None,
        };
        let Some((symbol, stress)) = symbol else {
            let message =
                format!("the pronunciation: phoneme {number} of it is not of cmu-arpabet");
            return Err(Error::invalid_request(message));
        };
        symbols += stress;
        symbols += symbol;
    }
    if symbols.is_empty() {
        return Err(Error::invalid_request("the pronunciation: it has no sound in it"));
    }
    Ok(symbols)
}

/// Whether a phoneme whose name begins with `c` is a vowel.
fn is_vowel(c: char) -> bool {
    matches!(c, 'A' | 'E' | 'I' | 'O' | 'U')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary;

    crate::row_tests::rows! {
        arpabet: |[arpabet]| phonemes(arpabet).unwrap_or_else(|error| error.message().to_owned());
    }

    #[test]
    fn every_symbol_is_one_of_the_model() {
        let symbols = rows().map(|(_, symbols)| symbols);
        let unknown: Vec<_> = symbols
            .filter(|symbols| symbols.chars().any(|c| vocabulary::id(c).is_none()))
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn an_entry_has_a_limit() {
        assert!(phonemes(&"K ".repeat(101)).unwrap_err().message().contains("100 phonemes"));
    }
}
