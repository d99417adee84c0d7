//! Names made of a number and a letter, which are said in English: `5G`, `4K`, `24x7`.

use crate::normalize::cursor::first_word;
use crate::normalize::recognizer::{MatchContext, is_one_of};
use crate::normalize::semiotic::SemioticClass;

const NAMES: &[(&str, &str)] = &[
    ("1G", "वन जी"),
    ("2G", "टू जी"),
    ("3G", "थ्री जी"),
    ("4G", "फ़ोर जी"),
    ("5G", "फ़ाइव जी"),
    ("6G", "सिक्स जी"),
    ("2D", "टू डी"),
    ("3D", "थ्री डी"),
    ("4D", "फ़ोर डी"),
    ("5D", "फ़ाइव डी"),
    ("24x7", "ट्वेंटी फ़ोर सेवन"),
    ("24X7", "ट्वेंटी फ़ोर सेवन"),
    ("24×7", "ट्वेंटी फ़ोर सेवन"),
    ("24/7", "ट्वेंटी फ़ोर सेवन"),
    ("20-20", "ट्वेंटी ट्वेंटी"),
    ("50-50", "फ़िफ़्टी फ़िफ़्टी"),
    ("50/50", "फ़िफ़्टी फ़िफ़्टी"),
    ("9/11", "नाइन इलेवन"),
    ("26/11", "छब्बीस ग्यारह"),
];

/// Names of screens, which elsewhere are thousands.
const SCREENS: &[(&str, &str)] = &[("2K", "टू के"), ("4K", "फ़ोर के"), ("8K", "एट के")];

/// A number that is a name.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let fits = |written: &str| {
        let mut cursor = context.cursor();
        cursor.eat(written).is_some() && cursor.at_word_end() && cursor.at_number_end()
    };
    let is_screen = |written: &str| {
        let word = first_word(context.rest.get(written.len()..).unwrap_or_default());
        word.is_empty() || is_one_of(word, context.cues().after_capital)
    };
    let screens = SCREENS.iter().filter(|(written, _)| is_screen(written));
    let (written, words) = NAMES.iter().chain(screens).find(|(written, _)| fits(written))?;
    Some((written.len(), SemioticClass::Phrase { words, ends_sentence: false }))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::assert_lines;

    #[test]
    fn names_and_thousands() {
        assert_lines(&[
            ("5G, 3D, 24x7", "फ़ाइव जी, थ्री डी, ट्वेंटी फ़ोर सेवन"),
            ("4K वीडियो, 4K फॉलोअर्स", "फ़ोर के वीडियो, चार हज़ार फॉलोअर्स"),
            ("9/11, 19/11", "नाइन इलेवन, उन्नीस बटा ग्यारह"),
        ]);
    }
}
