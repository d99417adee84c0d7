//! Repairs the long nasal a, which some keyboards write as the vowel of "office" with a dot.

use crate::words::WordClass;

/// The word with the intended long nasal a.
pub(crate) fn mended(word: &str) -> Option<String> {
    let typed = typed(word)?;
    let meant = typed.replace("ॉं", "ाँ").replace("ऑं", "आँ");
    Some(meant + &word[typed.len()..])
}

fn typed(word: &str) -> Option<&'static str> {
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
