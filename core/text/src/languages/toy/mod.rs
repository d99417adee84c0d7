//! An invented language for tests: this folder is everything that a third language adds.
//!
//! It uses Ethiopic letters, ends sentences with `።`, writes the day first in dates, and has its
//! own words for numbers and months.

mod phonemize;

use speech_base::language::Language;

use super::LanguagePack;
use crate::normalize::locale::{Locale, Tables, tables};
use crate::normalize::recognizer::{Begins, Recognizer};
use crate::normalize::say::OwnWords;
use crate::normalize::sentence_language::FunctionWords;
use crate::normalize::{abbreviation, date, measure, number};
use crate::scripts::Script;
use crate::segment::rules::SentenceRules;

pub(crate) static PACK: LanguagePack =
    LanguagePack { locale: &LOCALE, sentences: &SENTENCES, phonemizer: &phonemize::ToyPhonemizer };

static ETHIOPIC: Script = Script {
    is_outside_words: |c| matches!(c, '\u{1360}'..='\u{137c}'),
    stops: &['።'],
    ..Script::plain("Ethi", |c| matches!(c, '\u{1200}'..='\u{137f}'))
};

static SENTENCES: SentenceRules =
    SentenceRules { table: include_str!("data/stops.tsv"), ..SentenceRules::of(&ETHIOPIC) };

static LOCALE: Locale = Locale {
    language: Language::Toy,
    ipa: &phonemize::NOTATION,
    script: &ETHIOPIC,
    function_words: FunctionWords {
        native: "ነው ናቸው እና", romanized: "new nachew ina"
    },
    is_word: |_| false,
    romanized: None,
    recognizers: &[
        Recognizer::certain(Begins::LETTER, abbreviation::find),
        Recognizer::contested(Begins::DIGIT, date::find_in_digits),
        Recognizer::contested(Begins::DIGIT, measure::find),
        Recognizer::contested(Begins::DIGIT, number::find),
    ],
    tables: &TABLES,
    own_words: OwnWords::NONE,
};

static TABLES: Tables = tables!("data/", &[], |lexicon| lexicon);

#[cfg(test)]
mod tests {
    use speech_base::fork::LazyLock;

    use super::*;
    use crate::front_end::{FrontEnd, sentences};
    use crate::normalize::{Options, Reading, Token};

    static FRONT_END: LazyLock<FrontEnd> = LazyLock::new(FrontEnd::load);

    #[test]
    fn its_sentences_end_as_its_rules_say() {
        let text = "ዶ. ሰላም 12 ናቸው። ሰላም ነው? \"ሰላም!\" ናቸው። It rained.";
        let sentences: Vec<_> = sentences(text).into_iter().map(|s| &text[s.span]).collect();
        assert_eq!(sentences, ["ዶ. ሰላም 12 ናቸው።", "ሰላም ነው?", "\"ሰላም!\" ናቸው።", "It rained."]);
    }

    #[test]
    fn its_words_are_said_in_requests_of_every_language() {
        crate::row_tests::check("toy language", |[language, text]| {
            let language = if language == "x-toy" {
                Language::Toy
            } else {
                language.parse().expect("a language")
            };
            let sentences = FRONT_END.normalize(text, Options::plain(language));
            sentences.map(|(_, normalized)| normalized.to_line()).collect::<Vec<_>>().join(" | ")
        });
    }

    #[test]
    fn its_words_stand_in_requests_of_other_languages() {
        let mut sentences = FRONT_END.normalize("We met ሰላም नमस्ते", Options::plain(Language::EnUs));
        let (_, normalized) = sentences.next().expect("there is a sentence");
        let readings: Vec<_> = normalized
            .tokens
            .iter()
            .map(|token| match token {
                Token::Word(word) => &word.reading,
                Token::Mark(mark) => panic!("{mark:?}"),
            })
            .collect();
        let [en, toy, hi] = [Language::EnUs, Language::Toy, Language::HiIn].map(Reading::Word);
        assert_eq!(readings, [&en, &en, &toy, &hi]);
    }
}
