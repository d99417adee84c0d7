//! An invented language for tests: this folder is everything that a third language adds.
//!
//! It uses Ethiopic letters, ends sentences with `።`, writes the day first in dates, and has its
//! own words for numbers and months.

mod phonemize;

use speech_base::language::Language;

use super::LanguagePack;
use crate::normalize::locale::{Locale, Tables, tables};
use crate::normalize::recognizer::{DIGIT, LETTER, recognizers};
use crate::normalize::say::OwnWords;
use crate::normalize::{Options, Token, abbreviation, date, measure, number};
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
    is_word: |_| false,
    romanized: None,
    recognizers: recognizers! {
        Certain LETTER => abbreviation::find;
        Contested DIGIT => date::find_in_digits, measure::find, number::find;
    },
    tables: &TABLES,
    own_words: OwnWords::NONE,
};

static TABLES: Tables = tables!("data/", &[], |lexicon| lexicon);

#[cfg(test)]
crate::row_tests::rows! {
    toy_language: |[language, text]| {
        let options = Options::plain(crate::row_tests::language(language));
        crate::row_tests::lines(text, options).join(" | ")
    };
    languages_of_words: |[text]| {
        let normalized = crate::row_tests::sentence(text, Options::plain(Language::EnUs));
        let readings = normalized.tokens.iter().map(|token| match token {
            Token::Word(word) => format!("{:?}", word.reading),
            Token::Mark(mark) => mark.symbol.into(),
        });
        readings.collect::<Vec<_>>().join(" ")
    };
}
