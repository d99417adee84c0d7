//! Words of one language in the voice of the other.

use super::{custom_lexicon, english_to_hindi, hindi_to_english, latin};
use crate::languages::hi_in::phonemize as hi;
use crate::normalize::{Reading, Word};

/// What Hindi adds to a name without a space, in Latin letters and in its own.
const HINDI_ENDINGS: [(&str, &str); 5] =
    [("ji", "जी"), ("saheb", "साहेब"), ("wala", "वाला"), ("wale", "वाले"), ("wali", "वाली")];

/// A word that is not written in Devanagari, in a Hindi voice; `english` is its English reading.
pub(crate) fn in_hindi(word: &Word, english: &str) -> String {
    match word.reading {
        Reading::UserPronunciation { .. } => english.to_owned(),
        Reading::Spelled(_) => english_to_hindi::spell(&word.text),
        Reading::Word(_) => {
            name(&word.text).unwrap_or_else(|| english_to_hindi::read(english, &word.text))
        }
    }
}

/// A Hindi word in a Hindi voice.
pub(crate) fn hindi(word: &str) -> String {
    match word.split_once('\'') {
        Some((stem, "s" | "S")) => with_s(&hi::read(stem)),
        _ => hi::read(word),
    }
}

/// A Hindi word in an English voice: a name as English says it, else its own sounds.
pub(crate) fn in_english(word: &str) -> String {
    let stem = word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")).unwrap_or(word);
    let said = custom_lexicon::english(stem)
        .map_or_else(|| hindi_to_english::read(&hi::read(stem)), str::to_owned);
    if stem.len() < word.len() { with_s(&said) } else { said }
}

/// A word in Latin letters by its spelling in Devanagari, if that is known: names of India first of all.
fn name(word: &str) -> Option<String> {
    if let Some(spelling) = latin::in_devanagari(word) {
        return Some(hi::read(spelling));
    }
    if let Some((first, rest)) = word.split_once('-') {
        return Some(name(first)? + &name(rest).or_else(|| ending(rest))?);
    }
    plural(word).or_else(|| verb(word)).or_else(|| {
        HINDI_ENDINGS.iter().find_map(|(latin, devanagari)| {
            let spelling = latin::in_devanagari(word.strip_suffix(latin)?)?;
            Some(hi::read(spelling) + &hi::read(devanagari))
        })
    })
}

fn ending(word: &str) -> Option<String> {
    let (_, devanagari) = HINDI_ENDINGS.iter().find(|(latin, _)| *latin == word)?;
    Some(hi::read(devanagari))
}

/// A plural or a possessive.
fn plural(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2)?.trim_end_matches('\'');
    let spelling = latin::in_devanagari(stem)
        .or_else(|| latin::in_devanagari(stem.strip_suffix('e').filter(takes_es)?))?;
    Some(with_s(&hi::read(spelling)))
}

fn takes_es(stem: &&str) -> bool {
    stem.ends_with(['s', 'x', 'z']) || stem.ends_with("sh") || stem.ends_with("ch")
}

/// A verb in -ing or -ed; of names there are none.
fn verb(word: &str) -> Option<String> {
    let stem = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"))?;
    let spelling = latin::listed(&format!("{stem}e")).or_else(|| latin::listed(stem))?;
    let said = hi::read(spelling);
    let ending = match said.trim_end_matches('ʰ').chars().next_back() {
        _ if word.ends_with('g') => "ɪŋɡ",
        Some('ʈ' | 'ɖ') => "ɪɖ",
        last if last.is_some_and(is_voiceless) => "ʈ",
        _ => "ɖ",
    };
    Some(said + ending)
}

fn is_voiceless(sound: char) -> bool {
    "ptʈkqfθsʃʂcʧ".contains(sound)
}

/// The ending of an English plural or possessive.
fn with_s(stem: &str) -> String {
    let ending = match stem.trim_end_matches('ʰ').chars().next_back() {
        Some('s' | 'z' | 'ʃ' | 'ʂ' | 'c' | 'ɟ' | 'ʧ' | 'ʤ') => "ɪz",
        last if last.is_some_and(is_voiceless) => "s",
        _ => "z",
    };
    format!("{stem}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_latin_letters_are_read_as_in_their_own() {
        for (latin, devanagari) in [
            ("Narendra", "नरेंद्र"),
            ("Delhi", "दिल्ली"),
            ("Modi", "मोदी"),
            ("PANEER", "पनीर"),
            ("Modiji", "मोदीजी"),
            ("Gandhi-ji", "गांधीजी"),
        ] {
            let parts = devanagari.strip_suffix("जी").filter(|_| latin.ends_with("ji"));
            let expected = match parts {
                Some(stem) => hi::read(stem) + &hi::read("जी"),
                None => hi::read(devanagari),
            };
            assert_eq!(name(latin), Some(expected), "{latin}");
        }
        assert_eq!(name("Modi's"), Some(hi::read("मोदी") + "z"));
        assert_eq!(name("Patels"), Some(hi::read("पटेल") + "z"));
        assert_eq!(name("classes"), Some(hi::read("क्लास") + "ɪz"));
        assert_eq!(name("dancing"), Some(hi::read("डांस") + "ɪŋɡ"));
        assert_eq!(name("passed"), Some(hi::read("पास") + "ʈ"));
        assert_eq!(name("pasting"), Some(hi::read("पेस्ट") + "ɪŋɡ"));
        assert_eq!(name("rabies"), None);
        assert_eq!(name("Modi-based"), None);
        assert_eq!(name("server"), None);
        assert_eq!(name("s"), None);
    }

    #[test]
    fn names_in_devanagari_are_read_as_in_latin_letters() {
        for (devanagari, latin) in [("नरेन्द्र", "Narendra"), ("फ्लिपकार्ट", "Flipkart")]
        {
            assert_eq!(
                in_english(devanagari),
                custom_lexicon::look_up(latin).unwrap(),
                "{devanagari}"
            );
        }
        assert_eq!(in_english("मोदी's"), "mˈOdiz");
        assert_eq!(hindi("भारत's"), hi::read("भारत") + "s");
    }
}
