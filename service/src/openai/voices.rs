//! OpenAI's names of voices, and the language of a text.

use speech_core::{Language, Voice};

/// The library's voice for each of OpenAI's. A woman's voice stands for a woman's, and a man's for
/// a man's.
pub(crate) const VOICES: [(&str, Voice); 13] = [
    ("alloy", Voice::ARIA),
    ("ash", Voice::JASON),
    ("ballad", Voice::LEO),
    ("cedar", Voice::JOHN),
    ("coral", Voice::SOFIA),
    ("echo", Voice::JASON),
    ("fable", Voice::LEO),
    ("marin", Voice::ARIA),
    ("nova", Voice::ARIA),
    ("onyx", Voice::JOHN),
    ("sage", Voice::SOFIA),
    ("shimmer", Voice::SOFIA),
    ("verse", Voice::LEO),
];

/// The voice with one of OpenAI's names or one of the library's.
pub(crate) fn voice(name: &str) -> Option<Voice> {
    let theirs = VOICES.iter().find(|(theirs, _)| *theirs == name).map(|(_, voice)| *voice);
    theirs.or_else(|| name.parse().ok())
}

/// The language of a text: Hindi if it has more Devanagari than Latin letters. The library reads
/// words of the other language within the text.
pub(crate) fn language(text: &str) -> Language {
    let devanagari = text.chars().filter(|c| ('\u{900}'..='\u{97f}').contains(c)).count();
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    if devanagari > latin { Language::HiIn } else { Language::EnUs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_names_are_voices() {
        assert_eq!(voice("onyx"), Some(Voice::JOHN));
        for ours in Voice::ALL {
            assert_eq!(voice(ours.as_str()), Some(ours));
            assert!(VOICES.iter().any(|(_, voice)| *voice == ours), "{ours:?} stands for nobody");
        }
        assert_eq!((voice("Alloy"), voice("")), (None, None));
    }

    #[test]
    fn the_letters_say_the_language() {
        for (text, language) in [
            ("Hello.", Language::EnUs),
            ("नमस्ते।", Language::HiIn),
            ("मेरा laptop ठीक नहीं चल रहा है।", Language::HiIn),
            ("The word नमस्ते means hello.", Language::EnUs),
            ("42", Language::EnUs),
        ] {
            assert_eq!(super::language(text), language, "{text}");
        }
    }
}
