//! Scripts of India beside Devanagari, whose blocks of Unicode have its order (that of ISCII), and scripts that cannot be read
//! by their letters.

use super::{devanagari, is_joiner};

/// The first character of the blocks of Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada and Malayalam.
pub(crate) const FIRST: char = '\u{980}';
/// And their last.
pub(crate) const LAST: char = '\u{d7f}';

/// The word at the start of `rest`, in Devanagari as it should be typed, and the bytes it takes; empty if it says nothing.
pub(crate) fn word(rest: &str) -> Option<(String, usize)> {
    rest.chars().next().and_then(to_devanagari)?;
    let goes_on = |c| is_joiner(c) || to_devanagari(c).is_some();
    let length = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
    let letters: String = rest[..length].chars().filter_map(to_devanagari).collect();
    let mut word = devanagari::as_meant(&letters);
    // A visarga here is not typed for a colon.
    word.retain(|c| c != ':');
    Some((word, length))
}

/// The letter or sign of Devanagari that stands for one of these scripts; empty for one that says nothing.
fn to_devanagari(c: char) -> Option<&'static str> {
    if !(FIRST..=LAST).contains(&c) {
        return None;
    }
    if let Some((_, plain)) = OWN.iter().find(|(letter, _)| *letter == c) {
        return Some(plain);
    }
    let offset = usize::try_from(u32::from(c) % 0x80).ok()?;
    BY_OFFSET.get(offset).copied().filter(|plain| !plain.is_empty())
}

/// Whether words of this script are written without their vowels, or in an order that is not that of the sounds: spelled out
/// in Latin letters they would be a string of consonants.
pub(crate) fn is_unreadable(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{77f}' // Hebrew, Arabic, Syriac
        | '\u{8a0}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{e00}'..='\u{109f}' // Thai, Lao, Tibetan, Burmese
        | '\u{1780}'..='\u{17ff}' // Khmer
    ) && !c.is_numeric()
}

/// By the offset in a block. What Devanagari has for other languages alone is replaced by its nearest letter.
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

/// Letters that a script has for itself, and signs of length, which the letters before them have already.
const OWN: [(char, &str); 24] = [
    ('\u{9ce}', "त्"),
    ('\u{9d7}', ""),
    ('\u{9f0}', "र"),
    ('\u{9f1}', "व"),
    ('\u{a70}', "ं"),
    ('\u{a71}', ""),
    ('\u{a72}', "इ"),
    ('\u{a73}', "उ"),
    ('\u{a75}', "्य"),
    ('\u{b56}', ""),
    ('\u{b57}', ""),
    ('\u{b71}', "व"),
    ('\u{b83}', ""),
    ('\u{bd7}', ""),
    ('\u{c55}', ""),
    ('\u{c56}', ""),
    ('\u{cd5}', ""),
    ('\u{cd6}', ""),
    ('\u{d7a}', "ण्"),
    ('\u{d7b}', "न्"),
    ('\u{d7c}', "र्"),
    ('\u{d7d}', "ल्"),
    ('\u{d7e}', "ळ्"),
    ('\u{d57}', ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_devanagari() {
        for (written, expected) in [
            ("ગુજરાત", "गुजरात"),
            ("বাংলা", "बांला"),
            ("ਪੰਜਾਬ", "पंजाब"),
            ("தமிழ்", "तमिळ्"),
            ("తెలుగు", "तेलुगु"),
            ("ಕನ್ನಡ", "कन्नड"),
            ("മലയാളം", "मलयाळं"),
            ("ଓଡ଼ିଶା", "ओड़िशा"),
            ("അവൻ", "अवन्"),
            ("അവന്\u{200d}", "अवन्"),
        ] {
            assert_eq!(word(&format!("{written}, ")), Some((expected.into(), written.len())));
        }
        assert_eq!(word("क").or(word("a")), None);
        assert_eq!(word("\u{9d7}"), Some((String::new(), 3)));
    }

    #[test]
    fn scripts_without_vowels() {
        assert!("مرحبا שלום สวัสดี".chars().filter(|c| *c != ' ').all(is_unreadable));
        assert!(!"Привет Γειά こんにちは नमस्ते தமிழ்".chars().any(is_unreadable));
    }
}
