//! Converts other Indian scripts, whose Unicode blocks share the ISCII order, to Devanagari.
//! Detects scripts whose letters are not enough to read them.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::{devanagari, is_joiner};

/// The first character of the blocks from Bengali to Malayalam.
pub(crate) const FIRST: char = '\u{980}';
/// The last character of these blocks.
pub(crate) const LAST: char = '\u{d7f}';

/// The word at the start of `rest` in standard Devanagari spelling, and its length in bytes. The
/// word is empty if it is silent.
pub(crate) fn word(rest: &str) -> Option<(String, usize)> {
    rest.chars().next().and_then(to_devanagari)?;
    let goes_on = |c| is_joiner(c) || to_devanagari(c).is_some();
    let length = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
    let letters: String = rest[..length].chars().filter_map(to_devanagari).collect();
    let mut word = devanagari::as_meant(&letters);
    // A visarga of these scripts was not typed instead of a colon.
    word.retain(|c| c != ':');
    Some((word, length))
}

/// The Devanagari equivalent of a letter or sign; empty if it is silent.
fn to_devanagari(c: char) -> Option<&'static str> {
    if !(FIRST..=LAST).contains(&c) {
        return None;
    }
    if let Some(plain) = OWN.get(&c) {
        return Some(plain);
    }
    let offset = usize::try_from(u32::from(c) % 0x80).ok()?;
    BY_OFFSET.get(offset).copied().filter(|plain| !plain.is_empty())
}

/// Whether a script omits vowels, or writes them in an order other than that of the sounds. Its
/// words would transliterate to strings of consonants.
pub(crate) fn is_unreadable(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{77f}' // Hebrew, Arabic, Syriac
        | '\u{8a0}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{e00}'..='\u{109f}' // Thai, Lao, Tibetan, Burmese
        | '\u{1780}'..='\u{17ff}' // Khmer
    ) && !c.is_numeric()
}

/// Equivalents by the offset in a block. Signs for other languages become the nearest Hindi letter.
#[rustfmt::skip]
const BY_OFFSET: [&str; 0x64] = [
    "", "ँ", "ं", "ः", "", "अ", "आ", "इ", "ई", "उ", "ऊ", "ऋ", "ऌ", "ऍ", "ए", "ए",
    "ऐ", "ऑ", "ओ", "ओ", "औ", "क", "ख", "ग", "घ", "ङ", "च", "छ", "ज", "झ", "ञ", "ट",
    "ठ", "ड", "ढ", "ण", "त", "थ", "द", "ध", "न", "न", "प", "फ", "ब", "भ", "म", "य",
    "र", "र", "ल", "ळ", "ळ", "व", "श", "ष", "स", "ह", "", "", "़", "ऽ", "ा", "ि",
    "ी", "ु", "ू", "ृ", "ॄ", "ॅ", "े", "े", "ै", "ॉ", "ो", "ो", "ौ", "्", "", "",
    "ॐ", "", "", "", "", "", "", "", "क़", "ख़", "ग़", "ज़", "ड़", "ढ़", "फ़", "य़",
    "ॠ", "ॡ", "ॢ", "ॣ",
];

/// Letters that a script has for itself, and signs of length, with what stands for them.
static OWN: LazyLock<HashMap<char, &str>> = LazyLock::new(|| {
    let rows = include_str!("indic.tsv").lines().filter_map(|row| row.split_once('\t'));
    rows.filter_map(|(letter, plain)| Some((letter.parse().ok()?, plain))).collect()
});
#[cfg(test)]
crate::row_tests::rows! {
    indic_scripts_in_devanagari: |[written]| {
        let found = word(&format!("{written}, "));
        crate::row_tests::or_dash(found.map(|(word, length)| {
            assert_eq!(length, written.len());
            word
        }))
    };
    unreadable_scripts: |[letters]| letters.chars().all(is_unreadable);
    readable_scripts: |[letters]| !letters.chars().any(is_unreadable);
}
