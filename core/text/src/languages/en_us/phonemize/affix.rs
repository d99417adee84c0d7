//! Derivation: reads words whose stem, without a prefix or suffix, is in the lexicon.

use speech_base::fork::LazyLock;

use super::inflection;
use super::stress::demote;
use crate::normalize::locale::rows;

/// Rows of kind, letters and phonemes of an affix.
static TABLE: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| {
    rows(include_str!("../data/affixes.tsv")).map(|row| [row[0], row[1], row[2]]).collect()
});

fn affixes(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = TABLE.iter().filter(move |row| row[0] == kind);
    rows.map(|[_, letters, sounds]| (*letters, *sounds))
}

/// The minimum length of a stem.
const MIN_STEM: usize = 4;

/// The phonemes of a lower-case word from those of its stem. `stem` looks the stem up.
pub(super) fn read(word: &str, stem: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let long = |text: &str| if text.len() >= MIN_STEM { stem(text) } else { None };
    nominal(word, &long)
        .or_else(|| suffixed(word, &long))
        .or_else(|| prefixed(word, &|text| long(text).or_else(|| suffixed(text, &long))))
}

/// The phonemes of a noun from its verb: "tokenization", from "tokenize".
fn nominal(word: &str, stem: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let (base, plural) = match word.strip_suffix("izations") {
        Some(base) => (base, "z"),
        None => (word.strip_suffix("ization")?, ""),
    };
    let verb = stem(&format!("{base}ize"))?;
    Some(format!("{}əzˈAʃən{plural}", demote(verb.strip_suffix("Iz")?)))
}

fn suffixed(word: &str, stem: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let plain = affixes("suffix").find_map(|(suffix, sounds)| {
        let base = word.strip_suffix(suffix)?;
        let reading = stem(base).or_else(|| stem(&format!("{}y", base.strip_suffix('i')?)))?;
        Some(reading + sounds)
    });
    plain.or_else(|| {
        affixes("vowel-suffix").find_map(|(suffix, sounds)| {
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
    affixes("prefix")
        .filter_map(|(prefix, sounds)| Some((word.strip_prefix(prefix)?, sounds)))
        .find_map(|(base, sounds)| Some(format!("{sounds}{}", stem(base)?)))
}

#[cfg(test)]
crate::row_tests::rows! {
    words_from_their_stems: |[word]| {
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
        crate::row_tests::or_dash(read(word, &stem))
    };
}
