//! Phonemizes the invented language that tests use: a table has the phonemes of its letters, and
//! English phonemes are replaced by the nearest ones that it has.

use speech_base::language::Language;

use crate::phonemize::{ForeignWord, LanguagePhonemizer, RunToken};
use crate::pronunciation::IpaNotation;

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

    fn conjunctions(&self) -> &'static [&'static str] {
        &["እና"]
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
    use speech_base::fork::LazyLock;

    use super::*;
    use crate::front_end::FrontEnd;
    use crate::normalize::Options;
    use crate::pronunciation::{Lexicon, Lexicons};

    static FRONT_END: LazyLock<FrontEnd> = LazyLock::new(FrontEnd::load);

    fn phonemes(text: &str, options: Options<'_>) -> String {
        let sentences = FRONT_END.normalize(text, options);
        sentences.map(|(_, sentence)| FRONT_END.phonemize(&sentence).to_line()).collect()
    }

    #[test]
    fn its_words_in_its_voices() {
        for (text, expected) in [
            ("ሰላም ናቸው።", "selˈam nˈaʧew."),
            // Its own number word, and a mark.
            ("ዶ. ሰላም, 1 ነው።", "ɖoəəə selˈam, and new."),
        ] {
            assert_eq!(phonemes(text, Options::plain(Language::Toy)), expected, "{text}");
        }
    }

    #[test]
    fn words_of_other_languages_in_its_voices() {
        for (text, expected) in [
            // English has a mapping, and its own context: "the" before a vowel.
            ("ሰላም hello the apple ነው።", "selˈam helˈo ði ˈæpᵊl new."),
            // Hindi has no mapping: its phonemes stay unchanged.
            ("ሰላም दिल्ली ነው።", "selˈam dˈɪlli new."),
            ("ሰላም U.S. ነው።", "selˈam jˌuˈɛs new."),
        ] {
            assert_eq!(phonemes(text, Options::plain(Language::Toy)), expected, "{text}");
        }
    }

    #[test]
    fn its_words_in_voices_of_other_languages() {
        // No language maps words of the invented one, but they are context: "the" before a vowel.
        assert_eq!(phonemes("the አን, the ሰላም", Options::plain(Language::EnUs)), "ði an, ðə selˈam");
        assert_eq!(phonemes("दिल्ली ሰላም's", Options::plain(Language::HiIn)), "dˈɪlli selˈamz");
    }

    #[test]
    fn a_caller_can_pronounce_a_word_for_it() {
        let lexicon = Lexicon::parse("ሰላም\t/ʃaˈlom/").unwrap();
        let options = Options { lexicons: Lexicons::of(&lexicon), ..Options::plain(Language::Toy) };
        assert_eq!(phonemes("ሰላም ነው [hello](/ˈhalo/)።", options), "ʃalˈom new hˈalo.");
    }
}
