//! Repairs mistyped Devanagari: input is text, output is each word in standard spelling.
//!
//! Text from keyboards, converted fonts and web pages has duplicate or misplaced signs, several
//! encodings of one letter, and invisible characters. Readers do not notice these, so the repair
//! restores the word that they see.

mod characters;
mod repair;
mod visarga;

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;

pub(crate) use self::characters::is_danda_look_alike;
use self::characters::{Class, class};
use super::{PLAIN, Repair, Repaired, Script, is_ignorable};
use crate::words::WordClass;

pub(crate) static DEVANAGARI: Script = Script {
    name: "Deva",
    contains: is_devanagari,
    is_outside_words,
    zero: Some('०'),
    stops: &['।', '॥'],
    opening_stops: &['॥'],
    verse_marks: &["॥", "।।", "||"],
    stop_look_alikes: &['|', '\u{1c0}', '\u{2502}', '\u{ff5c}'],
    is_typed_stop: is_danda_look_alike,
    abbreviation_sign: Some('॰'),
    repair: Some(Repair { is_clean, find: repaired }),
    ..PLAIN
};

/// Whether a character is in the Devanagari block, including digits and dandas.
pub(crate) fn is_devanagari(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97f}')
}

/// Whether Unicode calls a character of the block alphabetic: no nukta, virama, accent or digit.
pub(crate) fn is_alphabetic(c: char) -> bool {
    !matches!(c, '\u{93c}' | '\u{94d}' | '\u{951}'..='\u{954}') && !is_outside_words(c)
}

/// Dandas, digits and the abbreviation sign.
fn is_outside_words(c: char) -> bool {
    matches!(c, '\u{964}'..='\u{970}')
}

/// The intended word or danda at the start of `rest`, and its length in bytes.
fn repaired<'a>(before: &str, rest: &'a str) -> Option<Repaired<'a>> {
    if let Some(word) = word(rest) {
        return Some((word.text, word.length));
    }
    let (danda, length) = danda(before, rest)?;
    Some((danda.to_string().into(), length))
}

/// Repairs Devanagari letters that all belong to one word.
pub(crate) fn as_meant(letters: &str) -> String {
    let mut meant = String::with_capacity(letters.len());
    let mut rest = letters;
    while let Some(first) = rest.chars().next() {
        let word = word(rest);
        let (text, length) = word
            .map_or((first.to_string().into(), first.len_utf8()), |word| (word.text, word.length));
        meant.push_str(&text);
        rest = &rest[length..];
    }
    meant
}

/// A Devanagari word at the start of a text.
struct Word<'a> {
    /// Its length in bytes as typed.
    length: usize,
    /// The repaired word, borrowed if unchanged. Empty if the word is silent.
    text: Cow<'a, str>,
}

/// The Devanagari word at the start of `rest`, if any.
fn word(rest: &str) -> Option<Word<'_>> {
    let first = rest.chars().next()?;
    if class(first) == Class::Visarga {
        return Some(Word { length: first.len_utf8(), text: Cow::Borrowed(":") });
    }
    if !is_part(first) {
        return None;
    }
    let length = length(rest);
    let typed = &rest[..length];
    if repair::is_well_formed(typed) {
        let text = mended(typed).map_or(Cow::Borrowed(typed), Cow::Owned);
        return Some(Word { length, text });
    }
    let mut text = repair::repair(typed);
    if let Some(before) = text.strip_suffix(VISARGA)
        && visarga::is_colon(before, &rest[length..])
    {
        text = format!("{before}:");
    }
    let text = mended(&text).unwrap_or(text);
    Some(Word { length, text: Cow::Owned(text) })
}

/// Whether `text` needs no repair: every Devanagari word is in standard spelling, and no other
/// character replaces a Devanagari one.
pub(crate) fn is_clean(text: &str) -> bool {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        at += match word(&text[at..]) {
            Some(word) if matches!(word.text, Cow::Borrowed(_)) && c != VISARGA => word.length,
            Some(_) => return false,
            None if danda(&text[..at], &text[at..]).is_some() => return false,
            None => c.len_utf8(),
        };
    }
    true
}

/// The single or double danda that the start of `rest` was typed for, and its length in bytes.
fn danda(before: &str, rest: &str) -> Option<(char, usize)> {
    let mut chars = rest.chars();
    let first = chars.next()?;
    if first == '।' {
        return rest.starts_with("।।").then_some(('॥', 2 * '।'.len_utf8()));
    }
    if !is_danda_look_alike(before, first, chars.clone().next()) {
        return None;
    }
    let doubled = first != 'l' && first != 'I' && chars.next() == Some(first);
    let length = first.len_utf8();
    Some(if doubled { ('॥', 2 * length) } else { ('।', length) })
}

const VISARGA: char = '\u{903}';

/// The length in bytes of the word at the start of `rest`. It includes marks of other scripts and
/// invisible characters, but no visarga that was typed instead of a colon.
fn length(rest: &str) -> usize {
    let mut length = 0;
    for (at, c) in rest.char_indices() {
        let end = at + c.len_utf8();
        let belongs = match c {
            ':' => visarga::is_meant(&repair::repair(&rest[..at]), &rest[end..]),
            VISARGA => {
                let before = rest[..at].trim_end_matches(is_ignorable);
                !visarga::is_colon(before, &rest[end..])
            }
            ' ' => at > 0 && rest[end..].starts_with(cannot_begin),
            c => is_part(c) || is_ignorable(c) || is_combining_mark(c),
        };
        if !belongs {
            break;
        }
        length = end;
    }
    length
}

/// Whether no word begins with `c`: a space before such a mark is a typing error.
fn cannot_begin(c: char) -> bool {
    matches!(class(c), Class::Nukta | Class::Virama | Class::Bindu)
}

/// Whether `c` is a letter or sign of Devanagari words, even a silent one; no digit or stop.
fn is_part(c: char) -> bool {
    class(c) != Class::Other
}

/// The word with the long nasal a that some keyboards write as the vowel of "office" with a dot.
fn mended(word: &str) -> Option<String> {
    let typed = typed_nasal(word)?;
    let meant = typed.replace("ॉं", "ाँ").replace("ऑं", "आँ");
    Some(meant + &word[typed.len()..])
}

fn typed_nasal(word: &str) -> Option<&'static str> {
    if !word.contains("ॉं") && !word.contains("ऑं") {
        return None;
    }
    let begins = |typed: &&str| {
        let after = word.strip_prefix(*typed);
        // मॉं and हॉं are complete words; मॉंट्रियल is different.
        after.is_some_and(|after| after.is_empty() || !typed.ends_with('ं'))
    };
    WordClass::LongNasal.names().find(begins)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use speech_tests::properties::cases;

    use super::*;

    /// The repaired words and stops of a text.
    fn clean(text: &str) -> String {
        let mut out = String::new();
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let (part, length) = match (word(&text[at..]), danda(&text[..at], &text[at..])) {
                (Some(word), _) => (word.text.into_owned(), word.length),
                (None, Some((danda, length))) => (danda.to_string(), length),
                (None, None) => (c.to_string(), c.len_utf8()),
            };
            out.push_str(&part);
            at += length;
        }
        out
    }

    crate::row_tests::rows! { mistyped_words: |[typed]| clean(typed); }

    /// Words that the script allows.
    const WELL_FORMED: &str = "(([अआइईउऊऋएऐओऔऑॲ]|[क-नप-रलव-ह](\u{94d}[क-नप-रलव-ह]|\u{94d}ज\u{93c}){0,2}[ािीुूृेैोौॉ]?)[ंँ]?ः?){1,4}";

    /// Characters of the block, and others typed among them.
    const ANY: &str =
        "([\u{900}-\u{97f}]|[कखतनरा-्ंँः़िइअआए]|[\u{200b}-\u{200d}\u{ad}\u{feff}\u{301}\u{951}]){0,12}";

    fn is_by_the_grammar(word: &str) -> bool {
        let mut rest = word.chars().peekable();
        let consonant = |c: &char| matches!(c, 'क'..='ह' | '\u{978}'..='\u{97f}');
        while let Some(c) = rest.next() {
            let mut is_dead = false;
            if consonant(&c) {
                rest.next_if_eq(&'\u{93c}');
                while rest.next_if_eq(&'\u{94d}').is_some() {
                    is_dead = rest.next_if(consonant).is_none();
                    rest.next_if_eq(&'\u{93c}');
                }
                let is_sign = |c: &char| matches!(class(*c), Class::Sign);
                if !is_dead {
                    rest.next_if(is_sign);
                }
            } else if class(c) != Class::Vowel {
                return false;
            }
            if is_dead {
                return rest.next().is_none();
            }
            rest.next_if(|c| matches!(c, 'ँ' | 'ं'));
            rest.next_if_eq(&VISARGA);
        }
        true
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(4096)))]
        #[test]
        fn any_characters_are_repaired_once_for_all(text in ANY) {
            let once = repair::repair(&text);
            prop_assert!(is_by_the_grammar(&once), "{text:?}: {once:?}");
            prop_assert!(once.is_empty() || repair::is_well_formed(&once), "{text:?}: {once:?}");
            prop_assert_eq!(repair::repair(&once), once);
            let once = clean(&text);
            prop_assert!(is_clean(&once), "{text:?}: {once:?}");
            prop_assert_eq!(clean(&once), once);
        }

        #[test]
        fn well_formed_words_stay_as_they_are(text in WELL_FORMED) {
            prop_assert!(is_by_the_grammar(&text));
            prop_assert!(repair::is_well_formed(&text), "{text:?}");
            prop_assert_eq!(repair::repair(&text), text);
        }
    }
}
