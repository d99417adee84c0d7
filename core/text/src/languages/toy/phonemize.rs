//! Phonemizes the invented language that tests use: a table has the phonemes of its letters, and
//! English phonemes are replaced by the nearest ones that it has.

use speech_base::language::Language;

use crate::phonemize::{ForeignWord, LanguagePhonemizer, RunToken};
use crate::pronunciation::IpaNotation;
use crate::words::WordClass;

/// IPA needs no conversion.
pub(super) static NOTATION: IpaNotation =
    IpaNotation { language: Language::Toy, replacements: "", dotted_symbol: None };

/// Letters and their phonemes.
const LETTERS: [(char, &str); 12] = [
    ('ላ', "lˈa"),
    ('ም', "m"),
    ('ሰ', "se"),
    ('ቸ', "ʧe"),
    ('ነ', "ne"),
    ('ና', "nˈa"),
    ('አ', "a"),
    ('ን', "n"),
    ('እ', "ɨ"),
    ('ው', "w"),
    ('ዶ', "ɖo"),
    ('ድ', "d"),
];

/// English phonemes that the invented language lacks, with the nearest ones that it has.
const ENGLISH: [(char, &str); 4] = [('O', "o"), ('ə', "e"), ('ɜ', "e"), ('ɹ', "r")];

pub(super) struct ToyPhonemizer;

impl LanguagePhonemizer for ToyPhonemizer {
    fn language(&self) -> Language {
        Language::Toy
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
            Language::EnUs => replace(word.phonemes, &ENGLISH),
            _ => word.phonemes.to_owned(),
        }
    }

    fn begins_clause(&self, word: &str) -> bool {
        super::TABLES.lexicon.words.of(word).has(WordClass::ClauseStart)
    }
}

/// The phonemes of a word. A letter outside the table is a schwa.
fn read(word: &str) -> String {
    let letter =
        |c| LETTERS.iter().find(|(from, _)| *from == c).map_or("ə", |(_, phonemes)| phonemes);
    word.chars().map(letter).collect()
}

fn replace(phonemes: &str, table: &[(char, &str)]) -> String {
    let mut out = String::new();
    for c in phonemes.chars() {
        match table.iter().find(|(from, _)| *from == c) {
            Some((_, to)) => out.push_str(to),
            None => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::Options;
    use crate::pronunciation::{Lexicon, Lexicons};
    use crate::row_tests::phonemes;

    crate::row_tests::rows! {
        toy_phonemes: |[language, text]| {
            phonemes(text, Options::plain(crate::row_tests::language(language)))
        };
    }

    #[test]
    fn a_caller_can_pronounce_a_word_for_it() {
        let lexicon = Lexicon::parse("ሰላም\t/ʃaˈlom/").unwrap();
        let options = Options { lexicons: Lexicons::of(&lexicon), ..Options::plain(Language::Toy) };
        assert_eq!(phonemes("ሰላም ነው [hello](/ˈhalo/)።", options), "ʃalˈom new hˈalo.");
    }
}
