//! An invented language for tests: all that a third language adds is in this folder.
//!
//! It is written in Ethiopic letters, ends its sentences with `።`, writes the day of a date first, and has words of its
//! own for numbers and months.

mod phonemize;

use speech_base::fork::LazyLock;
use speech_base::language::Language;

use super::LanguagePack;
use crate::normalize::choice::{ContextClasses, Weights};
use crate::normalize::emoji;
use crate::normalize::locale::{Abbreviation, Lexicon, Locale, Unit, UnitUsage, numbered};
use crate::normalize::magnitudes::{NamedPower, by_named_powers};
use crate::normalize::number::Number;
use crate::normalize::recognizer::{Begins, Recognizer};
use crate::normalize::semiotic::{Date, SemioticClass};
use crate::normalize::sentence_language::FunctionWords;
use crate::normalize::verbalized::Verbalization;
use crate::normalize::{abbreviation, context_words::ContextWords, date, measure, number};
use crate::scripts::Script;
use crate::segment::rules::SentenceRules;

/// All that belongs to the invented language.
pub(crate) static PACK: LanguagePack =
    LanguagePack { locale: &LOCALE, sentences: &SENTENCES, phonemizer: &phonemize::ToyPhonemizer };

static ETHIOPIC: Script = Script {
    is_outside_words: |c| matches!(c, '\u{1360}'..='\u{137c}'),
    stops: &['።'],
    ..Script::plain("Ethi", |c| matches!(c, '\u{1200}'..='\u{137f}'))
};

static SENTENCES: SentenceRules = SentenceRules {
    table: "short\tMore\tዶ ፕሮ\nexact\tNeverFirst\tናቸው\nsilent\t-1:More\tፕሮ.| ሰላም።\n",
    ..SentenceRules::of(&ETHIOPIC)
};

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
    lexicon: || &LEXICON,
    context_classes: || {
        static NONE: LazyLock<ContextClasses> = LazyLock::new(ContextClasses::new);
        &NONE
    },
    choice_weights: || {
        static NONE: LazyLock<Weights> = LazyLock::new(|| Weights::parse(""));
        &NONE
    },
    context_words: ContextWords::NONE,
    verbalize,
    verbalize_emoji: |emoji: &emoji::Value, out| out.words(["ምስል"], 0..emoji.length),
};

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon {
    months: numbered(&[&["ጥር"], &["የካቲት"], &["መጋቢት"]]),
    units: [("ኪ", Unit { one: "ኪሎ", many: "ኪሎዎች", usage: UnitUsage::Any, others: "" })].into(),
    abbreviations: [("ዶ", vec![Abbreviation { when: "0:stop", words: "ዶክተር" }])].into(),
    symbols: [('%', "በመቶ")].into(),
    day_first: true,
    ..Lexicon::default()
});

fn verbalize(value: &SemioticClass, source: &str, out: &mut Verbalization) {
    let whole = 0..source.len();
    match value {
        SemioticClass::Number(number) => out.words(cardinal(number), whole),
        SemioticClass::Date(date) => out.words(date_words(date), whole),
        SemioticClass::Measure(measure) => {
            out.words(
                measure.amount.iter().filter_map(|a| a.as_number()).flat_map(cardinal),
                whole.clone(),
            );
            out.words(measure.unit.map(|unit| unit.many), whole);
        }
        SemioticClass::Phrase { words, .. } => out.words([*words], whole),
        SemioticClass::Range(range) => {
            verbalize(&range.low, &source[..range.low_length], out);
            out.words(["እስከ"], range.low_length..range.high_start);
            let mut high = Verbalization::default();
            verbalize(&range.high, &source[range.high_start..], &mut high);
            out.extend_from(range.high_start, high);
        }
        SemioticClass::DateTime(date, time_of_day) => {
            let numbers = [Some(time_of_day.hour), time_of_day.minute].into_iter().flatten();
            out.words(date_words(date), whole.clone());
            out.words(numbers.flat_map(|n| words(n.into())), whole);
        }
        SemioticClass::Markup(_)
        | SemioticClass::Coordinate(_)
        | SemioticClass::Electronic(_)
        | SemioticClass::Telephone(_)
        | SemioticClass::Postal(_)
        | SemioticClass::Alphanumeric(_)
        | SemioticClass::Roman(_)
        | SemioticClass::DigitPairs(_)
        | SemioticClass::Ordinal { .. }
        | SemioticClass::Plural(_)
        | SemioticClass::NumberedGroup(_)
        | SemioticClass::Year(_)
        | SemioticClass::YearPeriod(_)
        | SemioticClass::TimeOfDay(_)
        | SemioticClass::Duration(_)
        | SemioticClass::Fraction(_)
        | SemioticClass::Score { .. }
        | SemioticClass::Stars { .. }
        | SemioticClass::Ratio(_)
        | SemioticClass::BloodPressure { .. }
        | SemioticClass::Sequence(_)
        | SemioticClass::Money(_)
        | SemioticClass::Length(_)
        | SemioticClass::Scientific { .. }
        | SemioticClass::Power(_)
        | SemioticClass::Operator(_)
        | SemioticClass::Pause
        | SemioticClass::State { .. } => unreachable!("no recognizer of this language gives it"),
    }
}

fn date_words(date: &Date) -> Vec<&'static str> {
    const MONTHS: [&str; 12] =
        ["ጥር", "የካቲት", "መጋቢት", "ሚያዝያ", "ግንቦት", "ሰኔ", "ሐምሌ", "ነሐሴ", "መስከረም", "ጥቅምት", "ኅዳር", "ታኅሣሥ"];
    let day = date.day.map(|day| words(day.into())).unwrap_or_default();
    let month = date.month.map(|month| MONTHS[usize::from(month) - 1]);
    let year = date.year.as_ref().and_then(|year| year.digits.parse().ok());
    [day, month.into_iter().collect(), year.map(words).unwrap_or_default()].concat()
}

fn cardinal(number: &Number) -> Vec<&'static str> {
    words(number.value().unwrap_or_default())
}

fn words(n: u128) -> Vec<&'static str> {
    const DIGITS: [&str; 10] =
        ["ባዶ", "አንድ", "ሁለት", "ሦስት", "አራት", "አምስት", "ስድስት", "ሰባት", "ስምንት", "ዘጠኝ"];
    const POWERS: &[NamedPower] = &[
        NamedPower { value: 1000, name: "ሺህ" },
        NamedPower { value: 100, name: "መቶ" },
        NamedPower { value: 10, name: "አስር" },
    ];
    by_named_powers(n, POWERS, |n| vec![DIGITS[n as usize]])
}

#[cfg(test)]
mod tests {
    use speech_base::fork::LazyLock;

    use super::*;
    use crate::front_end::{FrontEnd, sentences};
    use crate::normalize::{Options, Reading, Token};

    static FRONT_END: LazyLock<FrontEnd> = LazyLock::new(FrontEnd::load);

    fn lines(text: &str, language: Language) -> Vec<String> {
        let sentences = FRONT_END.normalize(text, Options::plain(language));
        sentences.map(|(_, normalized)| normalized.to_line()).collect()
    }

    #[test]
    fn its_sentences_end_as_its_rules_say() {
        let text = "ዶ. ሰላም 12 ናቸው። ሰላም ነው? \"ሰላም!\" ናቸው። It rained.";
        let sentences: Vec<_> = sentences(text).into_iter().map(|s| &text[s.span]).collect();
        assert_eq!(sentences, ["ዶ. ሰላም 12 ናቸው።", "ሰላም ነው?", "\"ሰላም!\" ናቸው።", "It rained."]);
    }

    #[test]
    fn its_request_is_read_in_its_words() {
        for (text, expected) in [
            ("ዶ. ሰላም 12 ናቸው።", "ዶክተር ሰላም አንድ አስር ሁለት ናቸው."),
            ("በ 5/3/2024 ነው።", "በ አምስት መጋቢት ሁለት ሺህ ሁለት አስር አራት ነው."),
            ("5 ጥር እና 1 ጥር - 2 ጥር", "አምስት ጥር እና አንድ ጥር እስከ ሁለት ጥር"),
            ("3 ኪ እና 5%", "ሦስት ኪሎዎች እና አምስት በመቶ"),
            ("ሰላም 😀 OK", "ሰላም OK"),
            // A sentence that is clearly in another language is read in that.
            ("Please pay 12 rupees by Monday.", "Please pay twelve rupees by Monday."),
            ("यह 12 रुपये का है।", "यह बारह रुपये का है."),
        ] {
            assert_eq!(lines(text, Language::Toy), [expected], "{text}");
        }
    }

    #[test]
    fn its_words_stand_in_requests_of_other_languages() {
        assert_eq!(lines("We met ሰላም at 5.", Language::EnUs), ["We met ሰላም at five."]);
        assert_eq!(lines("ሰላም 12 ነው።", Language::EnUs), ["ሰላም አንድ አስር ሁለት ነው."]);
        assert_eq!(lines("मुझे 5 ሰላም चाहिए।", Language::HiIn), ["मुझे पाँच ሰላም चाहिए."]);
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
