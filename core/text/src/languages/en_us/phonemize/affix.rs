//! Derivation: words whose stem is in the lexicon, without their prefix or suffix.

use super::inflection;
use super::stress::demote;

/// Prefixes and their phonemes.
const PREFIXES: [(&str, &str); 38] = [
    ("anti", "ˌænti"),
    ("auto", "ˌɔɾO"),
    ("bio", "bˌIO"),
    ("co", "kˌO"),
    ("counter", "kˌWntəɹ"),
    ("cyber", "sˌIbəɹ"),
    ("de", "dˌi"),
    ("dis", "dˌɪs"),
    ("geo", "ʤˌiO"),
    ("hyper", "hˌIpəɹ"),
    ("inter", "ˌɪntəɹ"),
    ("mega", "mˌɛɡə"),
    ("meta", "mˌɛɾə"),
    ("micro", "mˌIkɹO"),
    ("mini", "mˌɪni"),
    ("mis", "mˌɪs"),
    ("multi", "mˌʌlti"),
    ("nano", "nˌænO"),
    ("neo", "nˌiO"),
    ("neuro", "nˌʊɹO"),
    ("non", "nˌɑn"),
    ("out", "ˌWt"),
    ("over", "ˌOvəɹ"),
    ("photo", "fˌOɾO"),
    ("post", "pˌOst"),
    ("pre", "pɹˌi"),
    ("proto", "pɹˌOɾO"),
    ("pseudo", "sˌudO"),
    ("re", "ɹˌi"),
    ("semi", "sˌɛmi"),
    ("sub", "sˌʌb"),
    ("super", "sˌupəɹ"),
    ("tele", "tˌɛlə"),
    ("trans", "tɹˌænz"),
    ("ultra", "ˌʌltɹə"),
    ("un", "ˌʌn"),
    ("under", "ˌʌndəɹ"),
    ("up", "ˌʌp"),
];

/// Suffixes that leave the stem unchanged, and their phonemes.
const SUFFIXES: [(&str, &str); 18] = [
    ("ishly", "ɪʃli"),
    ("ishness", "ɪʃnəs"),
    ("lessness", "ləsnəs"),
    ("fulness", "fəlnəs"),
    ("ness", "nəs"),
    ("less", "ləs"),
    ("ful", "fəl"),
    ("ly", "li"),
    ("ship", "ʃˌɪp"),
    ("hood", "hˌʊd"),
    ("like", "lˌIk"),
    ("wise", "wˌIz"),
    ("ward", "wəɹd"),
    ("some", "səm"),
    ("free", "fɹˌi"),
    ("proof", "pɹˌuf"),
    ("ment", "mᵊnt"),
    ("fold", "fˌOld"),
];

/// Suffixes that begin with a vowel: a final e of the stem is dropped before them, a final consonant may be doubled.
const VOWEL_SUFFIXES: [(&str, &str); 8] = [
    ("able", "əbᵊl"),
    ("ability", "əbˈɪləɾi"),
    ("ers", "əɹz"),
    ("er", "əɹ"),
    ("est", "əst"),
    ("ish", "ɪʃ"),
    ("ism", "ˌɪzəm"),
    ("ist", "ɪst"),
];

/// The minimum length of a stem.
const MIN_STEM: usize = 4;

/// The phonemes of a word in lower case from those of its stem, which `stem` looks up.
pub(super) fn read(word: &str, stem: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let long = |text: &str| if text.len() >= MIN_STEM { stem(text) } else { None };
    nominal(word, &long)
        .or_else(|| suffixed(word, &long))
        .or_else(|| prefixed(word, &|text| long(text).or_else(|| suffixed(text, &long))))
}

/// "tokenization", from "tokenize".
fn nominal(word: &str, stem: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let (base, plural) = match word.strip_suffix("izations") {
        Some(base) => (base, "z"),
        None => (word.strip_suffix("ization")?, ""),
    };
    let verb = stem(&format!("{base}ize"))?;
    Some(format!("{}əzˈAʃən{plural}", demote(verb.strip_suffix("Iz")?)))
}

fn suffixed(word: &str, stem: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let plain = SUFFIXES.into_iter().find_map(|(suffix, sounds)| {
        let base = word.strip_suffix(suffix)?;
        let reading = stem(base).or_else(|| stem(&format!("{}y", base.strip_suffix('i')?)))?;
        Some(reading + sounds)
    });
    plain.or_else(|| {
        VOWEL_SUFFIXES.into_iter().find_map(|(suffix, sounds)| {
            let base = word.strip_suffix(suffix)?;
            let reading = stem(base)
                .or_else(|| stem(&format!("{base}e")))
                .or_else(|| stem(inflection::without_doubling(base)?))?;
            let reading = if sounds.contains('ˈ') { demote(&reading) } else { reading };
            Some(inflection::with_vowel_ending(reading, sounds))
        })
    })
}

fn prefixed(word: &str, stem: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    PREFIXES
        .into_iter()
        .filter_map(|(prefix, sounds)| Some((word.strip_prefix(prefix)?, sounds)))
        .find_map(|(base, sounds)| Some(format!("{sounds}{}", stem(base)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_from_their_stems() {
        let stem = |word: &str| {
            let reading = match word {
                "token" => "tˈOkᵊn",
                "tokenize" => "tˈOkənˌIz",
                "friend" => "fɹˈɛnd",
                "vlog" => "vlˈɑɡ",
                "happy" => "hˈæpi",
                "write" => "ɹˈIt",
                _ => return None,
            };
            Some(reading.to_owned())
        };
        let rows = [
            ("tokenization", Some("tˌOkənəzˈAʃən")),
            ("unfriend", Some("ˌʌnfɹˈɛnd")),
            ("friendless", Some("fɹˈɛndləs")),
            ("unfriendly", Some("ˌʌnfɹˈɛndli")),
            ("vlogger", Some("vlˈɑɡəɹ")),
            ("happiness", Some("hˈæpinəs")),
            ("rewriter", Some("ɹˌiɹˈIɾəɹ")),
            ("retokenize", Some("ɹˌitˈOkənˌIz")),
            ("blorbness", None),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter(|(word, expected)| read(word, &stem).as_deref() != *expected)
            .map(|(word, _)| format!("{word}: {:?}", read(word, &stem)))
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
