//! The long nasal a, for which some keyboards and converters give the vowel of "office" with a dot.

/// How words begin that have ाँ, as they are typed with ॉं: मॉं for माँ. Loans such as कॉंग्रेस are right as they are.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "ऑंख", "ऑंगन", "ऑंच", "ऑंचल", "ऑंत", "ऑंधी", "ऑंसू", "कहॉं", "कॉंच", "कॉंटा", "कॉंटे", "कॉंप", "कुऑं",
    "खॉंसी", "गॉंधी", "गॉंव", "चॉंद", "छॉंव", "जहॉं", "जॉंच", "झॉंक", "ढॉंचा", "तहॉं", "दॉंत", "दॉंया", "धुऑं",
    "पॉंच", "पॉंव", "फॉंसी", "बॉंध", "बॉंट", "बॉंया", "बॉंस", "भॉंति", "मॉं", "यहॉं", "लॉंघ", "वहॉं",
    "सॉंप", "सॉंवल", "सॉंस", "हॉं",
];

/// The word with the long nasal a that was meant.
pub(crate) fn mended(word: &str) -> Option<String> {
    let typed = typed(word)?;
    let meant = typed.replace("ॉं", "ाँ").replace("ऑं", "आँ");
    Some(meant + &word[typed.len()..])
}

fn typed(word: &str) -> Option<&'static str> {
    if !word.contains("ॉं") && !word.contains("ऑं") {
        return None;
    }
    let begins = |typed: &&&str| {
        let after = word.strip_prefix(**typed);
        // मॉं and हॉं are whole words: मॉंट्रियल is another.
        after.is_some_and(|after| after.is_empty() || !typed.ends_with('ं'))
    };
    WORDS.iter().find(begins).copied()
}
