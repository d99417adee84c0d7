//! Everyday texts, each with the readings that a careful reader accepts.
//!
//! `data/everyday/dev` is the development set; `data/everyday/unseen` is a held-out fifth that
//! nobody looks at while changing the front end. A row has the language, the text (`\n` is a line
//! break), readings separated by ` || `, the family, and the number of sentences or nothing. In a
//! reading `{a|b|}` is a choice, which may nest, and `~` an optional "and". Case, punctuation,
//! accents and spaces do not count. In Hindi neither do the nukta and the spellings of nasals;
//! Latin capitals, and single small letters, stand for their letters in either script; and
//! romanized Hindi may be given in either script.

use std::sync::LazyLock;

use regex::Regex;
use speech_core::{Inspection, Inspector, Language, WordInspection};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::Report;

/// A table of everyday texts.
pub struct Everyday {
    /// The display name.
    pub name: &'static str,
    rows: &'static [&'static str],
    /// The expected phonemes of some words in these texts.
    sounds: &'static str,
}

/// The development set in English.
pub const DEV_EN: Everyday = Everyday {
    name: "everyday, en",
    rows: &[
        include_str!("../data/everyday/dev/en_shared.tsv"),
        include_str!("../data/everyday/dev/en_a.tsv"),
        include_str!("../data/everyday/dev/en_b.tsv"),
        include_str!("../data/everyday/dev/en_c.tsv"),
        include_str!("../data/everyday/dev/en_i.tsv"),
        include_str!("../data/everyday/dev/en_j.tsv"),
        include_str!("../data/everyday/dev/en_k.tsv"),
        include_str!("../data/everyday/dev/en_l.tsv"),
        include_str!("../data/everyday/dev/en_m.tsv"),
        include_str!("../data/everyday/dev/en_mm.tsv"),
        include_str!("../data/everyday/dev/en_p.tsv"),
        include_str!("../data/everyday/dev/en_q.tsv"),
        include_str!("../data/everyday/dev/en_u.tsv"),
        include_str!("../data/everyday/dev/en_v.tsv"),
        include_str!("../data/everyday/dev/en_x.tsv"),
        include_str!("../data/everyday/dev/en_y.tsv"),
        include_str!("../data/everyday/dev/en_aa.tsv"),
        include_str!("../data/everyday/dev/en_bb.tsv"),
        include_str!("../data/everyday/dev/en_gg.tsv"),
        include_str!("../data/everyday/dev/en_hh.tsv"),
        include_str!("../data/everyday/dev/en_ii.tsv"),
        include_str!("../data/everyday/dev/en_zones.tsv"),
        include_str!("../data/everyday/dev/en_forms.tsv"),
    ],
    sounds: SOUNDS_EN,
};

/// Harder development texts: several difficulties in each, as specialists write.
pub const DEV_EN_HARD: Everyday = Everyday {
    name: "everyday, en, harder",
    rows: &[
        include_str!("../data/everyday/dev/en_f.tsv"),
        include_str!("../data/everyday/dev/en_g.tsv"),
        include_str!("../data/everyday/dev/en_h.tsv"),
        include_str!("../data/everyday/dev/en_s.tsv"),
    ],
    sounds: "",
};

/// The development set in Hindi, and in Hindi mixed with English.
pub const DEV_HI: Everyday = Everyday {
    name: "everyday, hi",
    rows: &[
        include_str!("../data/everyday/dev/hi_shared.tsv"),
        include_str!("../data/everyday/dev/hi_d.tsv"),
        include_str!("../data/everyday/dev/hi_e.tsv"),
        include_str!("../data/everyday/dev/hi_l.tsv"),
        include_str!("../data/everyday/dev/hi_n.tsv"),
        include_str!("../data/everyday/dev/hi_p.tsv"),
        include_str!("../data/everyday/dev/hi_q.tsv"),
        include_str!("../data/everyday/dev/hi_s.tsv"),
        include_str!("../data/everyday/dev/hi_t.tsv"),
        include_str!("../data/everyday/dev/hi_u.tsv"),
        include_str!("../data/everyday/dev/hi_v.tsv"),
        include_str!("../data/everyday/dev/hi_w.tsv"),
        include_str!("../data/everyday/dev/hi_x.tsv"),
        include_str!("../data/everyday/dev/hi_y.tsv"),
        include_str!("../data/everyday/dev/hi_aa.tsv"),
        include_str!("../data/everyday/dev/hi_bb.tsv"),
        include_str!("../data/everyday/dev/hi_cc.tsv"),
        include_str!("../data/everyday/dev/hi_dd.tsv"),
        include_str!("../data/everyday/dev/hi_ee.tsv"),
        include_str!("../data/everyday/dev/hi_ff.tsv"),
        include_str!("../data/everyday/dev/hi_gg.tsv"),
        include_str!("../data/everyday/dev/hi_hh.tsv"),
        include_str!("../data/everyday/dev/hi_ii.tsv"),
        include_str!("../data/everyday/dev/hi_jj.tsv"),
        include_str!("../data/everyday/dev/hi_kk.tsv"),
        include_str!("../data/everyday/dev/hi_ll.tsv"),
        include_str!("../data/everyday/dev/hi_zones.tsv"),
        include_str!("../data/everyday/dev/hi_forms.tsv"),
    ],
    sounds: SOUNDS_HI,
};

/// The held-out set in English.
pub const UNSEEN_EN: Everyday = Everyday {
    name: "everyday, unseen, en",
    rows: &[
        include_str!("../data/everyday/unseen/en_a.tsv"),
        include_str!("../data/everyday/unseen/en_b.tsv"),
        include_str!("../data/everyday/unseen/en_c.tsv"),
        include_str!("../data/everyday/unseen/en_q.tsv"),
        include_str!("../data/everyday/unseen/en_hh.tsv"),
    ],
    sounds: "",
};

/// Held-out texts written later, of the kind and the difficulty of `dev/en_shared.tsv`.
pub const UNSEEN_EN_LATER: Everyday = Everyday {
    name: "everyday, unseen, en, written later",
    rows: &[
        include_str!("../data/everyday/unseen/en_later.tsv"),
        include_str!("../data/everyday/unseen/en_i.tsv"),
        include_str!("../data/everyday/unseen/en_j.tsv"),
        include_str!("../data/everyday/unseen/en_k.tsv"),
        include_str!("../data/everyday/unseen/en_l.tsv"),
        include_str!("../data/everyday/unseen/en_p.tsv"),
        include_str!("../data/everyday/unseen/en_u.tsv"),
        include_str!("../data/everyday/unseen/en_v.tsv"),
        include_str!("../data/everyday/unseen/en_x.tsv"),
        include_str!("../data/everyday/unseen/en_y.tsv"),
        include_str!("../data/everyday/unseen/en_aa.tsv"),
        include_str!("../data/everyday/unseen/en_bb.tsv"),
        include_str!("../data/everyday/unseen/en_gg.tsv"),
        include_str!("../data/everyday/unseen/en_ii.tsv"),
        include_str!("../data/everyday/unseen/en_zones.tsv"),
    ],
    sounds: "",
};

/// A held-out fifth of the harder texts.
pub const UNSEEN_EN_HARD: Everyday = Everyday {
    name: "everyday, unseen, en, harder",
    rows: &[
        include_str!("../data/everyday/unseen/en_g.tsv"),
        include_str!("../data/everyday/unseen/en_h.tsv"),
        include_str!("../data/everyday/unseen/en_s.tsv"),
    ],
    sounds: "",
};

/// Held-out Hindi texts, denser, by several authors.
pub const UNSEEN_HI: Everyday = Everyday {
    name: "everyday, unseen, hi",
    rows: &[
        include_str!("../data/everyday/unseen/hi_d.tsv"),
        include_str!("../data/everyday/unseen/hi_e.tsv"),
        include_str!("../data/everyday/unseen/hi_s.tsv"),
        include_str!("../data/everyday/unseen/hi_t.tsv"),
    ],
    sounds: "",
};

/// Held-out Hindi texts written later, of the kind and the difficulty of `dev/hi_shared.tsv`.
pub const UNSEEN_HI_LATER: Everyday = Everyday {
    name: "everyday, unseen, hi, written later",
    rows: &[
        include_str!("../data/everyday/unseen/hi_l.tsv"),
        include_str!("../data/everyday/unseen/hi_p.tsv"),
        include_str!("../data/everyday/unseen/hi_q.tsv"),
        include_str!("../data/everyday/unseen/hi_u.tsv"),
        include_str!("../data/everyday/unseen/hi_v.tsv"),
        include_str!("../data/everyday/unseen/hi_w.tsv"),
        include_str!("../data/everyday/unseen/hi_x.tsv"),
        include_str!("../data/everyday/unseen/hi_y.tsv"),
        include_str!("../data/everyday/unseen/hi_aa.tsv"),
        include_str!("../data/everyday/unseen/hi_bb.tsv"),
        include_str!("../data/everyday/unseen/hi_cc.tsv"),
        include_str!("../data/everyday/unseen/hi_dd.tsv"),
        include_str!("../data/everyday/unseen/hi_ee.tsv"),
        include_str!("../data/everyday/unseen/hi_ff.tsv"),
        include_str!("../data/everyday/unseen/hi_gg.tsv"),
        include_str!("../data/everyday/unseen/hi_hh.tsv"),
        include_str!("../data/everyday/unseen/hi_ii.tsv"),
        include_str!("../data/everyday/unseen/hi_jj.tsv"),
        include_str!("../data/everyday/unseen/hi_kk.tsv"),
        include_str!("../data/everyday/unseen/hi_ll.tsv"),
        include_str!("../data/everyday/unseen/hi_zones.tsv"),
    ],
    sounds: "",
};

/// Heteronyms, acronyms and names by their phonemes: family, text, word, its occurrence in the
/// text, fragments of phonemes (regular expressions, separated by ` || `). Rows of the family
/// `written` belong to texts of the other tables.
const SOUNDS_EN: &str = include_str!("../data/everyday/sounds_en.tsv");
const SOUNDS_EN_UNSEEN: &str = include_str!("../data/everyday/unseen/sounds_en.tsv");
const SOUNDS_HI: &str = include_str!("../data/everyday/sounds_hi.tsv");

impl Everyday {
    /// Reads every text, and compares the result with its readings.
    pub fn score(&self, inspector: &Inspector) -> Report {
        let mut report = Report::default();
        for table in self.rows {
            score_rows(table, self.sounds, inspector, &mut report);
        }
        report
    }
}

/// Reads every text of a table, and compares the result with its readings.
///
/// # Panics
///
/// If the table does not have the form described in this module.
pub fn score_table(table: &str, inspector: &Inspector) -> Report {
    let mut report = Report::default();
    score_rows(table, "", inspector, &mut report);
    report
}

fn score_rows(table: &str, sounds: &str, inspector: &Inspector, report: &mut Report) {
    for row in columns(table) {
        let language: Language = row[0].parse().expect("a language");
        let text = row[1].replace("\\n", "\n");
        let inspection = inspector.inspect(&text, language);
        let sentences = row.get(4).and_then(|count| count.parse().ok());
        let outcome = check(&inspection, row[2], language, sentences)
            .and_then(|()| check_sounds(sounds, row[1], &inspection))
            .map_err(|wrong| format!("“{text}”: {wrong}"));
        report.add(row[3], outcome);
    }
}

fn check_sounds(sounds: &str, text: &str, inspection: &Inspection) -> Result<(), String> {
    for row in columns(sounds).filter(|row| row[0] == "written" && row[1] == text) {
        // An expanded abbreviation has no sound of its own.
        if let Some(said) = sound(inspection, row[2], row[3]) {
            check_sound(row[2], &said, row[4])?;
        }
    }
    Ok(())
}

/// Scores the sounds of heteronyms, acronyms and names.
pub fn score_sounds(inspector: &Inspector) -> Report {
    score_sounds_of(SOUNDS_EN, inspector)
}

/// Scores the held-out heteronyms, acronyms and names.
pub fn score_unseen_sounds(inspector: &Inspector) -> Report {
    score_sounds_of(SOUNDS_EN_UNSEEN, inspector)
}

fn score_sounds_of(table: &str, inspector: &Inspector) -> Report {
    let mut report = Report::default();
    for row in columns(table).filter(|row| row[0] != "written") {
        let inspection = inspector.inspect(row[1], Language::EnUs);
        let said = sound(&inspection, row[2], row[3]).unwrap_or_default();
        let outcome =
            check_sound(row[2], &said, row[4]).map_err(|wrong| format!("“{}”: {wrong}", row[1]));
        report.add(row[0], outcome);
    }
    report
}

fn columns(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.is_empty()).map(|line| line.split('\t').collect())
}

fn check(
    inspection: &Inspection,
    readings: &str,
    language: Language,
    sentences: Option<usize>,
) -> Result<(), String> {
    let said: Vec<&str> =
        inspection.sentences.iter().map(|sentence| sentence.normalized.as_str()).collect();
    let said: Vec<&str> = said.into_iter().filter(|line| !line.trim().is_empty()).collect();
    let lines = [fold(&said.join(" ")), fold(&in_own_script(inspection))];
    let is_right = readings.split(" || ").any(|reading| {
        let pattern = pattern(reading, language);
        lines.iter().any(|line| pattern.is_match(line))
    });
    let shown = said.join(" / ");
    match sentences {
        _ if !is_right => Err(format!("read “{shown}”, not “{readings}”")),
        Some(count) if count != said.len() => {
            Err(format!("read “{shown}”, not in {count} sentences"))
        }
        _ => Ok(()),
    }
}

/// The normalized text, with romanized Hindi in Devanagari.
fn in_own_script(inspection: &Inspection) -> String {
    let words = inspection.sentences.iter().flat_map(|sentence| &sentence.words);
    let spelled: Vec<&str> = words
        .map(|word| word.in_own_script.as_ref().unwrap_or(&word.normalized).as_str())
        .collect();
    spelled.join(" ")
}

/// The phonemes of an occurrence of a word; of all occurrences of its source, if they are equal.
fn sound(inspection: &Inspection, word: &str, occurrence: &str) -> Option<String> {
    let key = fold(word);
    let nth: usize = occurrence.parse().expect("a number");
    let words = inspection.sentences.iter().flat_map(|sentence| &sentence.words);
    let seen: Vec<&WordInspection> = words.filter(|word| fold(&word.normalized) == key).collect();
    let found = seen.get(nth - 1)?;
    let same = seen.iter().filter(|word| word.start == found.start);
    Some(same.map(|word| word.phonemes.as_str()).collect())
}

fn check_sound(word: &str, said: &str, wanted: &str) -> Result<(), String> {
    let without = |marks: &[char]| said.chars().filter(|c| !marks.contains(c)).collect::<String>();
    let forms = [said.to_owned(), without(&['ˌ']), without(&['ˈ', 'ˌ', ' '])];
    let is_right = wanted.split(" || ").any(|fragment| {
        let fragment = Regex::new(fragment).expect("a pattern");
        forms.iter().any(|form| fragment.is_match(form))
    });
    if is_right { Ok(()) } else { Err(format!("{word} sounds {said:?}, not {wanted}")) }
}

/// The names of the Latin letters in Hindi, from A.
const LETTERS: [&str; 26] = [
    "ए",
    "बी",
    "सी",
    "डी",
    "ई",
    "एफ",
    "जी",
    "एच",
    "आई",
    "जे",
    "के",
    "एल",
    "एम",
    "एन",
    "ओ",
    "पी",
    "क्यू",
    "आर",
    "एस",
    "टी",
    "यू",
    "वी",
    "डब्ल्यू",
    "एक्स",
    "वाई",
    "जेड",
];

/// Reduces a text to what is audible: letters, digits and signs that shape them.
pub(crate) fn fold(text: &str) -> String {
    let is_left_out = |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{93c}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe0f}');
    let mut folded: String =
        text.nfd().flat_map(char::to_lowercase).filter(|c| !is_left_out(*c)).collect();
    for (spelling, usual) in nasals() {
        folded = spelling.replace_all(&folded, *usual).into_owned();
    }
    for (variant, usual) in [
        ("नवे", "नबे"),
        ("तिरेसठ", "तिरसठ"),
        ("पंचानबे", "पचानबे"),
        ("ये", "ए"),
        ("यी", "ई"),
        ("डब्लू", "डब्ल्यू"),
    ] {
        folded = folded.replace(variant, usual);
    }
    folded.chars().filter(|c| c.is_alphanumeric() || is_combining_mark(*c)).collect()
}

/// Variant spellings of nasals, of the rupee and of six, and their usual forms.
fn nasals() -> &'static [(Regex, &'static str)] {
    static SPELLINGS: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
        let spelling = |pattern, usual| (Regex::new(pattern).expect("a pattern"), usual);
        vec![
            spelling("(?:ङ्|ञ्|ण्)([क-म])", "ं$1"),
            spelling("न्([तथदध])", "ं$1"),
            spelling("म्([पफबभ])", "ं$1"),
            spelling("ँ", "ं"),
            spelling("रु?ू?प(?:ये|ए|यों|या|ओं)($|[^ऀ-ॿ])", "रुपए$1"),
            spelling("छः|छे( )", "छह$1"),
        ]
    });
    &SPELLINGS
}

/// The pattern of a reading, for lines reduced by [`fold`].
fn pattern(reading: &str, language: Language) -> Regex {
    let mut pattern = String::from("^(?:");
    let mut plain = String::new();
    let mut rest = reading;
    while let Some(c) = rest.chars().next() {
        let anything = rest.strip_prefix("..").filter(|rest| rest.starts_with(['|', '}']));
        let special = match c {
            '{' => Some("(?:"),
            '}' => Some(")"),
            '|' => Some("|"),
            '~' => Some("(?:and)?"),
            _ => anything.map(|_| ".*?"),
        };
        if let Some(special) = special {
            pattern.push_str(&heard(&plain, language));
            pattern.push_str(special);
            plain.clear();
        } else {
            plain.push(c);
        }
        rest = anything.unwrap_or(&rest[c.len_utf8()..]);
    }
    pattern.push_str(&heard(&plain, language));
    pattern.push_str(")$");
    Regex::new(&pattern).unwrap_or_else(|_| panic!("no pattern: {reading}"))
}

/// The literal text of a reading, folded; in Hindi, capitals and single small letters match either
/// name.
fn heard(plain: &str, language: Language) -> String {
    if language == Language::EnUs {
        return fold(plain);
    }
    static CAPITALS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("[A-Za-z]+").expect("a pattern"));
    let mut heard = String::new();
    let mut at = 0;
    for letters in CAPITALS
        .find_iter(plain)
        .filter(|found| found.len() == 1 || found.as_str().bytes().all(|b| b.is_ascii_uppercase()))
    {
        heard.push_str(&fold(&plain[at..letters.start()]));
        let names: String = letters
            .as_str()
            .bytes()
            .map(|b| LETTERS[usize::from(b.to_ascii_uppercase() - b'A')])
            .collect();
        heard.push_str(&format!("(?:{}|{})", letters.as_str().to_lowercase(), fold(&names)));
        at = letters.end();
    }
    heard + &fold(&plain[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_patterns() {
        let en = Language::EnUs;
        for (reading, said, expected) in [
            ("{one|a} {quarter|fourth} {of a|} mile", "A quarter mile.", true),
            ("{one|a} {quarter|fourth} {of a|} mile", "one fourth of a mile", true),
            ("{one|a} {quarter|fourth} {of a|} mile", "January fourth mile", false),
            ("three hundred ~ five", "three hundred and five", true),
            ("{see ..|} the end", "see page nine the end", true),
        ] {
            assert_eq!(pattern(reading, en).is_match(&fold(said)), expected, "{reading}: {said}");
        }
        assert!(pattern("GST {है|हैं}", Language::HiIn).is_match(&fold("जी एस टी है.")));
        assert!(pattern("GST {है|हैं}", Language::HiIn).is_match(&fold("GST हैं")));
    }
}
