//! Hindi: what may follow a full stop, and what a sentence ends and goes on with.
//!
//! Devanagari has no capitals, so the words themselves must tell. The verb comes last, postpositions
//! never come first, and what is shortened is cut after its first syllable.

use std::collections::HashSet;

use speech_base::fork::LazyLock;

use crate::scripts::{DEVANAGARI, is_devanagari};
use crate::segment::next::Next;
use crate::segment::rules::{AbbreviationClass, SentenceRules};
use crate::segment::runs::Run;
use crate::segment::view::View;

/// Where sentences end in Hindi.
pub(super) static SENTENCES: SentenceRules = SentenceRules {
    abbreviation,
    is_abbreviation_here,
    ends_unspaced,
    is_final_word,
    is_word: super::romanized::is_anchor,
    item_letters: &["कखगघङचछजझञटठडढण", "अबसद"],
    never_first: POSTPOSITIONS,
    never_last: LEADS_ON,
    speech_verbs: SPEECH_VERBS,
    after_quotation: AFTER_A_QUOTATION,
    ..SentenceRules::of(&DEVANAGARI)
};

/// Short for a title or a word of a name or date: more follows.
#[rustfmt::skip]
const BEFORE_MORE: &[&str] = &[
    "अ", "इंजी", "इंस्पे", "उ", "उदा", "एड", "एडवो", "कं", "कां", "कु", "कृ", "कै", "चौ", "जि", "ठा", "डा",
    "डॉ", "डॉक्ट", "तह", "नं", "न्या", "ब्रिगे", "विटा", "अति", "रेफ", "रेफ़", "पं", "पो", "प्र", "प्रा", "प्रो", "ब्रि", "मा", "मि", "मिस", "मु", "मो", "मौ",
    "रजि", "रिटा", "रु", "रू", "लि", "लेफ्टि", "वि", "श्री", "श्रीमती", "सं", "सुश्री", "सु", "स्व", "ज़ि",
    "ऑ", "कोत", "क्षे", "पू", "सै", "भ", "मे", "शु", "अधि", "इंजे", "कैप", "क्वा", "छो", "टैब", "टेब", "पंजी", "प्रशा", "फा", "माननी", "रा", "सेम", "स्टे", "हस्ता", "न्यून", "वरि", "इकॉ", "इको",
];

/// Before a number: "पृ. 25".
const BEFORE_A_NUMBER: &[&str] =
    &["अनु", "क्र", "क्रं", "खं", "चि", "उप", "ता", "दि", "दूर", "धा", "न", "पृ", "फो", "मू", "श्लो", "से"];

/// Latin ones before a name or a medicine in Devanagari: "Tab. पैरासिटामोल".
const LATIN: &[&str] = &[
    "Adv", "Cap", "Col", "Ans", "Distt", "Dist", "Dr", "Er", "Ex", "Inj", "Rd", "Sci", "conc",
    "Ref", "ft", "pt", "Lt", "Maj", "Max", "Min", "Mob", "No", "Prof", "Pt", "Shri", "Smt", "Sr",
    "Syp", "Syr", "Tab", "Teh", "Vill", "Wt",
];

/// Months and weekdays beside a number: "15 अग. 1947", "सोम. 5 मई".
#[rustfmt::skip]
const DATES: &[&str] = &[
    "अक्टू", "अक्तू", "अग", "अप्रै", "अप्र", "गुरु", "गुरू", "जन", "जुल", "जुला", "दिस", "दिसं", "नव", "नवं", "फर", "फ़र", "बुध", "मंगल",
    "मार", "रवि", "शनि", "शुक्र", "सित", "सितं", "सोम",
];

/// What a short weekday or month is followed by, besides a postposition, where no sentence begins.
#[rustfmt::skip]
const AFTER_A_DAY: &[&str] = &[
    "अवकाश", "एवं", "और", "छुट्टी", "तथा", "बंद", "बन्द", "व", "प्रातः", "सुबह", "दोपहर", "शाम", "सायं", "रात",
];

/// Units after a number: "5 मी. लंबा".
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "अं", "इं", "ई", "एमएल", "किग्रा", "किमी", "कि", "ग्रा", "घं", "ता", "दि", "पृ", "पै", "फु", "मिग्रा", "मिमी", "मिली", "मा", "मि",
    "क्विं", "मी", "लि", "ली", "से", "सें", "सेमी",
];

/// Names of Latin letters that are nothing else.
#[rustfmt::skip]
const LETTERS: &[&str] = &[
    "ए", "बी", "डी", "ई", "एफ", "एच", "जे", "के", "एल", "एम", "एन", "ओ", "क्यू", "आर", "एस", "टी", "यू",
    "वी", "डब्ल्यू", "डब्लू", "एक्स", "वाई", "वाय", "जेड", "ज़ेड", "जैड",
];

/// Names of Latin letters and short titles that are also words, which may end a sentence.
const LETTERS_OR_WORDS: &[&str] = &["सी", "जी", "आई", "पी", "इं", "जन", "ले", "वै"];

/// After a first part with a full stop: "बी.टेक".
const PARTS: &[&str] = &["एड", "कॉम", "टेक", "डिप", "फार्म", "फ़िल", "फिल", "लिट", "सी", "आर्क"];

/// Ends of the names of sites, written in Devanagari.
const NAME_ENDINGS: &[&str] = &["इन", "ऑर्ग", "कॉम", "को", "गव", "नेट", "भारत"];

/// What a letter completes: "विटामिन सी".
#[rustfmt::skip]
const BEFORE_A_LETTER: &[&str] = &[
    "कक्षा", "ग्रुप", "टाइप", "टीम", "प्लान", "ब्लॉक", "वर्ग", "विटामिन", "समूह", "सेक्शन", "हेपेटाइटिस",
];

/// What a name follows, so that a letter after it is an initial.
#[rustfmt::skip]
const BEFORE_A_NAME: &[&str] = &[
    "अध्यक्ष", "अभिनेता", "आचार्य", "और", "कप्तान", "कवि", "कुमारी", "जज", "जनरल", "जस्टिस", "डॉक्टर",
    "निदेशक", "निर्देशक", "नेता", "न्यायमूर्ति", "प्रधानमंत्री", "प्रोफेसर", "प्रोफ़ेसर", "मंत्री", "मुख्यमंत्री",
    "राज्यपाल", "राष्ट्रपति", "लेखक", "विधायक", "वैज्ञानिक", "व", "शिक्षक", "श्री", "श्रीमती", "सचिव",
    "सांसद", "सुश्री", "स्वर्गीय",
];

/// Words of one syllable that a sentence may end with.
#[rustfmt::skip]
const SHORT_WORDS: &[&str] = &[
    "आ", "की", "क्या", "क्यों", "गा", "गी", "गे", "जा", "जी", "तो", "था", "थी", "थीं", "थे", "दी", "दे",
    "दो", "ना", "पी", "भी", "मैं", "ये", "रो", "ली", "ले", "लो", "वो", "सो", "ही", "हां", "हाँ", "हूं",
    "हूँ", "है", "हैं", "हो",
];

/// Verbs that a sentence ends with, besides the future in गा, गी, गे.
#[rustfmt::skip]
const FINAL_VERBS: &[&str] = &[
    "आई", "आए", "आया", "करें", "कहा", "की", "किए", "किया", "गई", "गए", "गया", "गयी", "गये", "चाहिए",
    "था", "थी", "थीं", "थे", "दिए", "दिया", "दी", "दीजिए", "नहीं", "बोला", "रहा", "रही", "रहे", "लिए",
    "लिया", "लीजिए", "हुआ", "हुई", "हुए", "हूं", "हूँ", "है", "हैं", "हो", "होता", "होती", "होते",
];

/// Vowels and nasals before the ending of the future.
const BEFORE_THE_FUTURE: [char; 6] = ['े', 'ए', 'ं', 'ँ', 'ो', 'ओ'];

/// Postpositions and short conjunctions, which never begin a sentence.
const POSTPOSITIONS: &[&str] = &[
    "ने",
    "का",
    "के",
    "की",
    "को",
    "में",
    "से",
    "तक",
    "नामक",
    "व",
    "एवं",
    "एवम्",
    "द्वारा",
    "सहित",
    "समेत",
    "वाला",
    "वाली",
    "वाले",
    "भी",
    "ही",
];

/// What else goes on with a sentence after a shortened word: "पर" may also be the conjunction that begins one.
const JOINTS: &[&str] = &["पर", "और", "तथा", "या", "होकर", "होते", "हेतु"];

/// What a sentence in Latin letters ends with: "kya hai? mera".
#[rustfmt::skip]
const FINAL_ROMANIZED: &[&str] = &[
    "aaya", "aayi", "bheja", "chahiye", "chalein", "chale", "diya", "diye", "gaya", "gaye", "gayi", "hai",
    "hain", "ho", "hoga", "hogi", "hoon", "hua", "hue", "hui", "hun", "kaha", "kahan", "kab", "karna",
    "karoge", "karun", "kiya", "kya", "liya", "milega", "milegi", "na", "raha", "rahe", "rahi", "rha", "rhe",
    "rhi", "tha", "thi",
];

/// What a sentence goes on with after a quotation of whole sentences.
#[rustfmt::skip]
const AFTER_A_QUOTATION: &[&str] = &[
    "और", "कहकर", "कहते", "कहना", "चिल्लाकर", "जैसा", "जैसी", "जैसे", "पर", "पूछकर", "बोलकर", "लिखकर",
    "वाला", "वाली", "वाले", "सुनकर",
];

/// Verbs that name the speaker of a quotation before them.
#[rustfmt::skip]
const SPEECH_VERBS: &[&str] = &[
    "कहा", "कही", "गरजा", "चिल्लाई", "चिल्लाए", "चिल्लाया", "चीखा", "चीखी", "पुकारा", "पूछा", "फुसफुसाई",
    "फुसफुसाया", "बताया", "बोल", "बोला", "बोली", "बोले", "लिखा", "सोचा",
];

/// Words that a phrase does not end with, nor a line of a list.
#[rustfmt::skip]
const LEADS_ON: &[&str] = &[
    "अथवा", "इस", "उन", "उस", "एक", "एवं", "और", "का", "कि", "किसी", "की", "के", "को", "जब", "जहाँ",
    "जिस", "जो", "तक", "तथा", "ताकि", "तो", "द्वारा", "ने", "पर", "बल्कि", "मगर", "में", "या", "यदि", "लिए",
    "लेकिन", "वाला", "वाली", "वाले", "से", "व", "क्योंकि", "अगर", "हर", "सभी", "यह", "वह",
];

/// The class of a word in Devanagari before a full stop, by itself.
fn abbreviation(word: &str) -> Option<AbbreviationClass> {
    if word.contains('.') {
        let is_short = |part: &str| is_part(part) || BEFORE_MORE.contains(&part);
        // "उ.प्र.लो.से.आ": short words are syllables among others.
        let are_syllables = || {
            word.split('.').count() > 2
                && word.split('.').all(|part| is_syllable_at_most(part) || is_part(part))
        };
        let is_abbreviation = is_listed(word) || word.split('.').all(is_short) || are_syllables();
        return is_abbreviation.then_some(AbbreviationClass::Anywhere);
    }
    if BEFORE_MORE.contains(&word) || is_title(word) {
        Some(AbbreviationClass::BeforeMore)
    } else if BEFORE_A_NUMBER.contains(&word) || DATES.contains(&word) || is_label(word) {
        Some(AbbreviationClass::BeforeNumber)
    } else {
        None
    }
}

/// Whether the table of abbreviations holds a word of several parts: "अनु.जा".
fn is_listed(word: &str) -> bool {
    static TABLE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        written(include_str!("data/abbreviations.tsv")).filter(|one| one.contains('.')).collect()
    });
    TABLE.contains(word)
}

/// Whether the table of abbreviations has a word before names, and it is no word of its own: "कॉ.", "अधी.".
fn is_title(word: &str) -> bool {
    static TABLE: LazyLock<HashSet<&str>> =
        LazyLock::new(|| written_in(&["title", "bare-title", "before-name"]));
    is_in(&TABLE, word)
}

/// Whether the table has it before numbers: "एक्सटें. 14".
fn is_label(word: &str) -> bool {
    static TABLE: LazyLock<HashSet<&str>> = LazyLock::new(|| written_in(&["number"]));
    is_in(&TABLE, word)
}

fn is_in(table: &HashSet<&str>, word: &str) -> bool {
    let without_nukta: String = word.chars().filter(|c| *c != '\u{93c}').collect();
    table.contains(without_nukta.as_str())
        && word.ends_with(is_devanagari)
        && !SHORT_WORDS.contains(&word)
        && !LETTERS_OR_WORDS.contains(&word)
}

/// Whether the table has a word with its stop in any place: "जं.".
fn is_shortened_word(word: &str) -> bool {
    static TABLE: LazyLock<HashSet<&str>> = LazyLock::new(|| written_in(&["stop", "before-end"]));
    is_in(&TABLE, word)
}

/// What the table of abbreviations has in one of these places.
fn written_in(places: &[&str]) -> HashSet<&'static str> {
    let rows = include_str!("data/abbreviations.tsv").lines().filter_map(|row| {
        let mut columns = row.split('\t');
        Some((columns.next()?, columns.next()?))
    });
    let rows =
        rows.filter(|(_, place)| places.contains(&place.split(' ').next().unwrap_or_default()));
    rows.flat_map(|(written, _)| written.split('|')).collect()
}

/// The first columns of a table, cut at their bars.
fn written(table: &'static str) -> impl Iterator<Item = &'static str> {
    let rows = table.lines().filter(|row| !row.starts_with('#'));
    rows.filter_map(|row| row.split('\t').next()).flat_map(|written| written.split('|'))
}

/// Whether the table of units holds a word with a full stop: "मिलि.".
fn is_unit(word: &str) -> bool {
    static TABLE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let units = written(include_str!("data/units.tsv"));
        units.filter_map(|unit| unit.strip_suffix('.')).collect()
    });
    TABLE.contains(word)
}

/// Whether an abbreviation of the table begins with these two parts: "लो.स", "लो.से.आ".
fn begin_abbreviation(word: &str, next: &str) -> bool {
    static TABLE: LazyLock<HashSet<(&str, &str)>> = LazyLock::new(|| {
        let written = written(include_str!("data/abbreviations.tsv"));
        written
            .filter_map(|written| {
                let (first, rest) = written.split_once('.')?;
                Some((first, rest.split('.').next()?))
            })
            .collect()
    });
    TABLE.contains(&(word, next))
}

/// Whether the word before a full stop is short for something that the text around it shows: an initial,
/// a unit after its number, a syllable beside another with a full stop.
fn is_abbreviation_here(view: &View, run: &Run, next: &Next) -> bool {
    let (word, before) = (run.word(view), run.word_before(view));
    if !word.ends_with(is_devanagari) {
        // "conc. HCl"
        if matches!(word, "conc" | "dil") {
            return true;
        }
        let is_numbering = word == "Ref" && matches!(next.word(), "No" | "no" | "ID");
        return is_numbering
            // "₹199 p.m. है"
            || matches!(word, "p.m" | "p.a" | "p.p") && next.word().starts_with(is_devanagari)
            || LATIN.contains(&word) && next.word().starts_with(is_devanagari)
            || matches!(word, "Dy" | "Addl") && next.word().len() > 1;
    }
    if before == "प्रति" && matches!(word, "हे" | "क्विं" | "लीट" | "ली" | "कि")
    {
        return true;
    }
    // "5 मिली/ली. पानी"
    let unit = word.rsplit('/').next().unwrap_or(word);
    if before.ends_with(|c: char| c.is_numeric()) && is_unit(word) {
        return true;
    }
    let is_rate = word.contains('/') || before.ends_with('/');
    if UNITS.contains(&unit) && is_rate {
        return true;
    }
    if (UNITS.contains(&word) || DATES.contains(&word))
        && before.ends_with(|c: char| c.is_numeric())
    {
        return true;
    }
    // `11 जन. (गुरु.) – अमावस्या`
    if DATES.contains(&word) && run.closing.starts_with(')') {
        return true;
    }
    // `अलीगढ़ जं. पर रुकेगी`
    let goes_on = JOINTS.contains(&next.word()) || is_final_word(next.word());
    if goes_on && is_shortened_word(word) {
        return true;
    }
    // `रवि. बंद`, `शनि. और रवि. अवकाश`
    if DATES.contains(&word) && AFTER_A_DAY.contains(&next.word()) {
        return true;
    }
    let is_letter = LETTERS.contains(&word);
    if is_letter || LETTERS_OR_WORDS.contains(&word) {
        let is_initial = is_letter && !BEFORE_A_LETTER.contains(&before)
            || before.is_empty()
            || BEFORE_A_NAME.contains(&before);
        // "ब्रि. उस्मान, ले. खेत्रपाल"
        let is_rank = word == "ले" && before.ends_with(',');
        return is_initial || is_rank || before.ends_with('.') || is_shortened(view, next);
    }
    // "आधा कि. बेसन"
    if UNITS.contains(&word) && matches!(before, "आधा" | "आधे" | "पाव" | "डेढ़" | "ढाई")
    {
        return true;
    }
    // "पि. कोड", "पि. का नाम"
    if word == "पि" && matches!(next.word(), "कोड" | "का" | "की" | "के") {
        return true;
    }
    // "रा. ना. मिश्र"
    let follows_initial = before.strip_suffix('.').is_some_and(is_syllable);
    if follows_initial && is_syllable_at_most(word) && !FINAL_VERBS.contains(&word) {
        return true;
    }
    is_syllable(word) && (before.ends_with('.') || is_shortened(view, next))
}

/// Whether the next word is one syllable or the name of a letter, and has a full stop.
fn is_shortened(view: &View, next: &Next) -> bool {
    let word = next.word();
    view.char(next.at + word.len()) == Some('.') && is_part(word)
}

/// Whether a word may be part of a shortened one: "वि" and "सं" of "वि.सं.", "पीएच" of "पीएच.डी.".
fn is_part(word: &str) -> bool {
    is_syllable(word) || PARTS.contains(&word) || is_letters(word)
}

/// Whether a word is made of names of letters.
fn is_letters(word: &str) -> bool {
    let names = LETTERS.iter().chain(LETTERS_OR_WORDS);
    names.filter_map(|name| word.strip_prefix(name)).any(|rest| rest.is_empty() || is_letters(rest))
}

/// One syllable that is no word which often ends a sentence.
fn is_syllable(word: &str) -> bool {
    is_syllable_at_most(word) && !SHORT_WORDS.contains(&word)
}

/// One syllable, whatever it means.
fn is_syllable_at_most(word: &str) -> bool {
    let consonant = |c: &char| matches!(c, 'क'..='ह' | '\u{958}'..='\u{95f}');
    let mut letters = word.chars().peekable();
    if letters.next_if(consonant).is_some() {
        letters.next_if_eq(&'\u{93c}');
        while letters.next_if_eq(&'\u{94d}').is_some() {
            letters.next_if(consonant);
            letters.next_if_eq(&'\u{93c}');
        }
    } else if letters.next_if(|c| matches!(c, 'अ'..='औ')).is_none() {
        return false;
    }
    letters.next_if(|c| matches!(c, '\u{93e}'..='\u{94c}'));
    letters.next_if(|c| matches!(c, 'ं' | 'ँ'));
    letters.next().is_none()
}

/// Whether a full stop ends the sentence between `word` and `next`, which no space separates.
fn ends_unspaced(word: &str, next: &str) -> bool {
    let is_word = |c: char| c.is_alphabetic() || matches!(c, '\u{93c}' | '\u{94d}');
    word.chars().count() > 1
        && word.chars().all(is_word)
        && !is_part(word)
        && !begin_abbreviation(word, next)
        && abbreviation(word).is_none()
        && !NAME_ENDINGS.contains(&next)
}

/// Whether a sentence may end with `word`: it is a verb that comes last.
fn is_final_word(word: &str) -> bool {
    let stem = ["गा", "गी", "गे"].iter().find_map(|ending| word.strip_suffix(ending));
    let is_future = stem.is_some_and(|stem| stem.ends_with(BEFORE_THE_FUTURE));
    is_future || FINAL_VERBS.contains(&word) || FINAL_ROMANIZED.contains(&word)
}
