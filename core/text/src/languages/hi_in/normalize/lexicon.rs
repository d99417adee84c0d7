//! The names of Hindi that the recognizers look for.

use std::collections::{HashMap, HashSet};

use speech_base::fork::LazyLock;

use crate::normalize::choice::{ContextClasses, Weights};
use crate::normalize::locale::{
    self, Cues, Currencies, Lexicon, Topics, Unit, UnitUsage, currencies, numbered, topics, units,
};
use crate::normalize::semiotic::Magnitude;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon {
    months: numbered(LATIN_MONTHS),
    weekdays: numbered(WEEKDAYS),
    units: all_units(),
    currencies: indian_currencies(),
    magnitudes: MAGNITUDES.iter().copied().collect(),
    magnitude_letters: LETTERS.iter().map(|(letters, m, money)| (*letters, (*m, *money))).collect(),
    zones: ZONES,
    eras: &["AD", "BC", "BCE", "CE"],
    day_first: true,
    cues: CUES,
    topics: topics(&[(RATING, Topics::RATING), (GAME, Topics::GAME), (CRICKET, Topics::CRICKET)]),
    ..Lexicon::default()
});

/// Classes of words beside a number, read once.
pub(super) fn context_classes() -> &'static ContextClasses {
    static CLASSES: LazyLock<ContextClasses> =
        LazyLock::new(|| locale::context_classes(include_str!("../data/context_classes.tsv")));
    &CLASSES
}

/// The weights of the choice between readings, read once.
pub(super) fn choice_weights() -> &'static Weights {
    static WEIGHTS: LazyLock<Weights> =
        LazyLock::new(|| Weights::parse(include_str!("../data/choice.tsv")));
    &WEIGHTS
}

/// The tables of Hindi, read once.
pub(super) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

/// Whether a word is the name of a month.
pub(super) fn is_month(word: &str) -> bool {
    MONTHS.contains(&word)
}

/// Whether a word is short for the name of a month, with its stop or in a date.
pub(super) fn is_short_month(word: &str) -> bool {
    let word = word.replace('\u{93c}', "");
    SHORT_MONTHS.contains(&word.as_str())
}

/// Whether a word is the name of a weekday.
pub(super) fn is_weekday(word: &str) -> bool {
    WEEKDAYS.iter().any(|names| names.contains(&word)) && !word.is_ascii()
}

/// Whether halves and quarters of what this word counts have names of their own: `साढ़े तीन लाख`.
pub(super) fn is_halved(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| HALVED.iter().copied().collect());
    WORDS.contains(word)
}

/// Whether this word counts, so that one and a half and two and a half of it have names of their own.
pub(super) fn is_counted(word: &str) -> bool {
    is_halved(word) || COUNTED.contains(&word)
}

/// The postpositions, after which nouns are oblique.
pub(super) const POSTPOSITIONS: &[&str] =
    &["का", "की", "के", "में", "से", "तक", "को", "पर", "ने", "वाला", "वाली", "वाले"];

/// The months as Hindi writes them.
const MONTHS: &[&str] = &[
    "जनवरी",
    "फ़रवरी",
    "फरवरी",
    "मार्च",
    "अप्रैल",
    "मई",
    "जून",
    "जुलाई",
    "अगस्त",
    "सितंबर",
    "सितम्बर",
    "अक्टूबर",
    "अक्तूबर",
    "नवंबर",
    "नवम्बर",
    "दिसंबर",
    "दिसम्बर",
];

/// What is written for the months in short, without nuktas.
#[rustfmt::skip]
const SHORT_MONTHS: &[&str] = &[
    "जन", "फर", "फरव", "मार", "अप्रै", "अप्र", "जुल", "जुला", "अग", "सित", "सितं", "अक्टू", "अक्तू", "नव", "नवं",
    "दिस", "दिसं",
];

/// Months in Latin letters, which are said in Hindi where they belong to a date; each row one month.
const LATIN_MONTHS: &[&[&str]] = &[
    &["january", "jan"],
    &["february", "feb"],
    &["march", "mar"],
    &["april", "apr"],
    &["may"],
    &["june", "jun"],
    &["july", "jul"],
    &["august", "aug"],
    &["september", "sept", "sep"],
    &["october", "oct"],
    &["november", "nov"],
    &["december", "dec"],
];

/// Names and abbreviations, each row one weekday.
const WEEKDAYS: &[&[&str]] = &[
    &["mon", "सोमवार", "सोम"],
    &["tue", "tues", "मंगलवार", "मंगल"],
    &["wed", "बुधवार", "बुध"],
    &["thu", "thur", "thurs", "गुरुवार", "गुरूवार", "बृहस्पतिवार", "वीरवार", "गुरु"],
    &["fri", "शुक्रवार", "शुक्र"],
    &["sat", "शनिवार", "शनि"],
    &["sun", "रविवार", "इतवार", "रवि"],
];

const MAGNITUDES: &[(&str, Magnitude)] = &[
    ("सौ", Magnitude::Hundred),
    ("हज़ार", Magnitude::Thousand),
    ("हजार", Magnitude::Thousand),
    ("लाख", Magnitude::Lakh),
    ("मिलियन", Magnitude::Million),
    ("करोड़", Magnitude::Crore),
    ("करोड", Magnitude::Crore),
    ("अरब", Magnitude::Arab),
    ("बिलियन", Magnitude::Billion),
    ("खरब", Magnitude::Kharab),
    ("ट्रिलियन", Magnitude::Trillion),
    ("hundred", Magnitude::Hundred),
    ("thousand", Magnitude::Thousand),
    ("lakh", Magnitude::Lakh),
    ("lakhs", Magnitude::Lakh),
    ("lac", Magnitude::Lakh),
    ("lacs", Magnitude::Lakh),
    ("million", Magnitude::Million),
    ("mn", Magnitude::Million),
    ("crore", Magnitude::Crore),
    ("crores", Magnitude::Crore),
    ("cr", Magnitude::Crore),
    ("billion", Magnitude::Billion),
    ("bn", Magnitude::Billion),
    ("trillion", Magnitude::Trillion),
];

/// Letters, what they stand for, and whether only money is counted so.
const LETTERS: &[(&str, Magnitude, bool)] = &[
    ("k", Magnitude::Thousand, false),
    ("K", Magnitude::Thousand, false),
    ("M", Magnitude::Million, false),
    ("m", Magnitude::Million, true),
    ("mn", Magnitude::Million, false),
    ("Mn", Magnitude::Million, false),
    ("B", Magnitude::Billion, true),
    ("b", Magnitude::Billion, true),
    ("bn", Magnitude::Billion, false),
    ("Bn", Magnitude::Billion, false),
    ("T", Magnitude::Trillion, true),
    ("tn", Magnitude::Trillion, false),
    ("L", Magnitude::Lakh, true),
    ("l", Magnitude::Lakh, true),
    ("Lac", Magnitude::Lakh, false),
    ("cr", Magnitude::Crore, false),
    ("Cr", Magnitude::Crore, false),
    ("CR", Magnitude::Crore, false),
];

const ZONES: &[&str] = &["BST", "CET", "EDT", "EST", "ET", "GMT", "IST", "PDT", "PST", "UTC"];

const CUES: Cues = Cues {
    ordinal_endings: &["st", "nd", "rd", "th"],
    denominator_endings: &["th", "ths", "rd", "rds", "nd", "nds", "st"],
    hour_words: &["hours"],
    hour_abbreviations: &["hrs", "hr"],
    counted_after_month: &["percent", "times", "people", "miles"],
    month_words: &["may", "march"],
    before_date: &["दिनांक", "तारीख", "तिथि", "तारीख़", "दि"],
    after_date: &["को", "तक"],
    before_unit: &["प्रति", "per"],
    after_capital: &[
        "वीडियो",
        "टीवी",
        "रिज़ॉल्यूशन",
        "रेज़ोल्यूशन",
        "डिस्प्ले",
        "स्क्रीन",
        "रिकॉर्डिंग",
        "कैमरा",
        "मॉनिटर",
        "क्वालिटी",
        "फुटेज",
        "अल्ट्रा",
        "में",
        "tv",
        "video",
        "ultra",
        "uhd",
    ],
    about: &["लगभग", "करीब", "क़रीब", "तकरीबन", "तक़रीबन", "क़रीबन"],
    scripture: &[
        "गीता",
        "gita",
        "अध्याय",
        "आयत",
        "quran",
        "कुरान",
        "क़ुरान",
        "बाइबल",
        "भजन",
        "मत्ती",
        "यूहन्ना",
        "लूका",
        "मरकुस",
        "श्लोक",
        "सूरह",
        "सूरा",
        "बाइबिल",
        "कुरआन",
        "क़ुरआन",
        "भगवद्गीता",
        "श्रीमद्भगवद्गीता",
        "संहिता",
        "रामायण",
        "रामचरितमानस",
        "मानस",
        "ऋग्वेद",
        "यजुर्वेद",
        "सामवेद",
        "अथर्ववेद",
        "उपनिषद",
        "उपनिषद्",
        "पुराण",
        "मनुस्मृति",
        "उत्पत्ति",
        "निर्गमन",
        "रोमियों",
        "कुरिन्थियों",
        "नीतिवचन",
        "यशायाह",
        "प्रेरितों",
        "इब्रानियों",
        "प्रकाशितवाक्य",
        "गलातियों",
        "इफिसियों",
        "फिलिप्पियों",
        "कुलुस्सियों",
        "तीमुथियुस",
        "यिर्मयाह",
        "दानिय्येल",
        "बालकांड",
        "बालकाण्ड",
        "अयोध्याकांड",
        "अयोध्याकाण्ड",
        "अरण्यकांड",
        "किष्किंधाकांड",
        "सुंदरकांड",
        "सुंदरकाण्ड",
        "लंकाकांड",
        "उत्तरकांड",
        "bible",
        "ramayan",
    ],
    joiners: &["और", "व", "एवं", "तथा", "या"],
    o_clock: "बजे",
    before_label: &[
        "gate",
        "seat",
        "room",
        "flat",
        "exit",
        "block",
        "platform",
        "कक्षा",
        "सीट",
        "कमरा",
        "रूम",
        "हॉल",
        "फ्लैट",
        "फ़्लैट",
        "प्लेटफॉर्म",
        "प्लेटफ़ॉर्म",
        "ब्लॉक",
        "सेक्शन",
        "गेट",
        "नं",
        "नंबर",
        "बस",
        "रूट",
        "वार्ड",
        "यूनिट",
        "सेक्टर",
        "टावर",
        "विटामिन",
        "धारा",
        "अनुच्छेद",
        "फॉर्म",
        "फ़ॉर्म",
        "कोच",
        "form",
        "section",
        "coach",
    ],
    rates: &[
        "s", "sec", "min", "hr", "h", "day", "week", "month", "year", "km", "kg", "person", "night",
    ],
    auxiliaries: &[
        "है",
        "हैं",
        "थी",
        "थीं",
        "था",
        "थे",
        "होगी",
        "होंगी",
        "हो",
        "और",
        "तो",
        "लेकिन",
        "मगर",
        "या",
        "नहीं",
        "जबकि",
    ],
    oblique: POSTPOSITIONS,
    ..Cues::NONE
};

/// What is counted in halves and quarters: lengths of time, magnitudes, and the measures of the market.
const HALVED: &[&str] = &[
    "साल",
    "सालों",
    "वर्ष",
    "वर्षों",
    "बरस",
    "महीने",
    "महीना",
    "महीनों",
    "माह",
    "हफ़्ते",
    "हफ्ते",
    "हफ़्ता",
    "हफ्ता",
    "हफ़्तों",
    "हफ्तों",
    "सप्ताह",
    "दिन",
    "दिनों",
    "घंटे",
    "घंटा",
    "घंटों",
    "घण्टे",
    "घण्टा",
    "मिनट",
    "मिनटों",
    "सेकंड",
    "सेकेंड",
    "सदी",
    "सदियां",
    "सदियों",
    "सदियाँ",
    "बजे",
    "सौ",
    "हज़ार",
    "हजार",
    "लाख",
    "करोड़",
    "करोड",
    "अरब",
    "खरब",
    "दर्जन",
    "किलो",
    "गुना",
    "गुने",
    "गुनी",
    "बीघा",
    "बीघे",
    "एकड़",
    "क्विंटल",
    "तोला",
    "तोले",
    "फुट",
    "हॉर्सपॉवर",
];

/// What is counted in ones, with names for one and a half and two and a half only.
const COUNTED: &[&str] = &[
    "प्रतिशत",
    "फीसदी",
    "फ़ीसदी",
    "डिग्री",
    "मीटर",
    "किलोमीटर",
    "लीटर",
    "ग्राम",
    "किलोग्राम",
    "टन",
    "मील",
    "इंच",
    "फीट",
    "फ़ीट",
    "फ़ुट",
    "गज",
    "हेक्टेयर",
    "मिलियन",
    "बिलियन",
    "ट्रिलियन",
    "कप",
    "चम्मच",
    "टीस्पून",
    "टेबलस्पून",
    "गिलास",
    "कटोरी",
    "कोस",
    "गीगाबाइट",
    "रुपए",
    "रुपये",
];

/// Words of a sentence about marks and ratings.
const RATING: &[&str] = &["रेटिंग", "अंक", "अंकों", "रिव्यू", "समीक्षा", "रेट", "imdb"];

/// Words of a sentence about games and votes.
const GAME: &[&str] = &[
    "जीत",
    "जीता",
    "जीती",
    "जीतीं",
    "जीते",
    "हराया",
    "हराकर",
    "हरा",
    "हार",
    "हारा",
    "हारी",
    "हारे",
    "मैच",
    "मुकाबला",
    "मुक़ाबला",
    "मुकाबले",
    "मुक़ाबले",
    "स्कोर",
    "गोल",
    "सेट",
    "बढ़त",
    "फ़ैसला",
    "फैसला",
    "बहुमत",
    "ड्रॉ",
    "मात",
    "शिकस्त",
    "सीरीज",
    "सीरीज़",
    "फाइनल",
    "फ़ाइनल",
    "वोट",
    "वोटों",
    "मतों",
    "पारित",
    "कबड्डी",
    "हॉकी",
    "फ़ुटबॉल",
    "फुटबॉल",
    "वॉलीबॉल",
    "बास्केटबॉल",
    "हाफ़टाइम",
    "हाफटाइम",
];

/// Words of a sentence about cricket.
const CRICKET: &[&str] = &[
    "क्रिकेट",
    "ipl",
    "odi",
    "t20",
    "csk",
    "rcb",
    "kkr",
    "srh",
    "विकेट",
    "विकेटों",
    "ओवर",
    "ओवरों",
    "पारी",
    "रन",
    "रनों",
    "बल्लेबाज़",
    "बल्लेबाज",
    "गेंदबाज़",
    "गेंदबाज",
    "टेस्ट",
    "वनडे",
    "क्रिकेट",
    "स्कोर",
    "टीम",
];

/// The table's units, and what is counted and written in full, which is said as it is written.
fn all_units() -> HashMap<&'static str, Unit> {
    let mut units = units(include_str!("../data/units.tsv"));
    for word in HALVED.iter().chain(COUNTED).filter(|word| !is_magnitude(word)) {
        units.insert(word, Unit { one: word, many: word, usage: UnitUsage::Any });
    }
    units
}

fn is_magnitude(word: &str) -> bool {
    MAGNITUDES.iter().any(|(name, _)| *name == word)
}

/// Hindi counts every currency in lakh and crore.
fn indian_currencies() -> Currencies {
    let mut currencies = currencies(include_str!("../data/currencies.tsv"));
    for (_, currency) in currencies.values_mut().flatten() {
        currency.is_indian = true;
    }
    currencies
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[test]
    fn the_tables_are_whole() {
        let lexicon = lexicon();
        assert_eq!(lexicon.months["aug"], 8);
        assert_eq!(lexicon.units["किमी"].many, "किलोमीटर");
        let is_said = |c: char| crate::normalize::cursor::is_letter(c) || c == ' ';
        let units = lexicon.units.values().flat_map(|unit| [unit.one, unit.many]);
        let currencies = lexicon.currencies.values().flatten();
        let currencies = currencies.flat_map(|(_, c)| [c.one, c.many, c.minor_one, c.minor_many]);
        for words in units.chain(currencies) {
            assert!(words.chars().all(is_said) && words.nfc().eq(words.chars()), "{words}");
        }
        for word in HALVED.iter().chain(COUNTED).chain(MONTHS).chain(GAME).chain(CRICKET) {
            assert!(word.nfc().eq(word.chars()), "{word}");
        }
    }
}
