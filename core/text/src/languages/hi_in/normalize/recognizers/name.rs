//! Names made of a number and a letter, which are said in English: `5G`, `4K`, `24x7`.

use crate::normalize::alphanumeric;
use crate::normalize::boundaries::lists;
use crate::normalize::code_parts::CodeParts;
use crate::normalize::cursor::{first_word, is_inner};
use crate::normalize::recognizer::MatchContext;
use crate::normalize::semiotic::SemioticClass;
use crate::words::WordClass;

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
        let after = context.rest.get(written.len()..).unwrap_or_default();
        let words = after.split(|c: char| !is_inner(c)).filter(|word| !word.is_empty());
        let names_screen = |word| context.is(word, WordClass::AfterCapital);
        // "4K Smart TV"
        first_word(after).is_empty()
            || names_screen(first_word(after))
            || words.take(3).take_while(|word| word.is_ascii()).any(names_screen)
    };
    if let Some(class) = travel_class(context) {
        return Some(class);
    }
    let screens = SCREENS.iter().filter(|(written, _)| fits(written) && is_screen(written));
    let (written, words) = NAMES.iter().chain(screens).find(|(written, _)| fits(written))?;
    Some((written.len(), SemioticClass::Phrase { words, ends_sentence: false }))
}

/// Classes of trains, which elsewhere are currents: `3A`, `2A`, `3E`.
fn travel_class(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    const JOURNEYS: &str = "\
        टियर ट्रेन कोच स्लीपर बर्थ पीएनआर PNR रेल रेलवे IRCTC गाड़ी टिकट एक्सप्रेस राजधानी शताब्दी train Train";
    let mut cursor = context.cursor();
    let number = cursor.digits(1..=1).filter(|number| ("1"..="3").contains(number))?;
    let letter = cursor.eat_char(|c| matches!(c, 'A' | 'E'))?;
    let is_journey = |text: &str| text.split(|c| !is_inner(c)).any(|word| lists(JOURNEYS, word));
    if !cursor.at_word_end() || !(is_journey(context.before) || is_journey(cursor.rest())) {
        return None;
    }
    let mut code_parts = CodeParts::default();
    code_parts.number(number, 0);
    code_parts.letters(letter.encode_utf8(&mut [0; 4]), 1);
    Some((2, SemioticClass::Alphanumeric(alphanumeric::Value(code_parts))))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::assert_lines;

    #[test]
    fn names_and_thousands() {
        assert_lines(&[
            ("5G, 3D, 24x7", "फ़ाइव जी, थ्री डी, ट्वेंटी फ़ोर सेवन"),
            ("4K वीडियो, 4K फॉलोअर्स", "फ़ोर के वीडियो, चार हज़ार फॉलोअर्स"),
            ("43 इंच 4K Smart TV, 4K फॉलोअर्स", "तैंतालीस इंच फ़ोर के Smart टी वी, चार हज़ार फॉलोअर्स"),
            ("AC 3 टियर (3A), 3A का फ़्यूज़", "ए सी तीन टियर (थ्री ए), थ्री ए का फ़्यूज़"),
            ("3A का फ़्यूज़, Form 16A, फ़ॉर्म 26AS", "तीन एम्पियर का फ़्यूज़, Form सोलह ए, फ़ॉर्म छब्बीस ए एस"),
            ("9/11, 19/11", "नाइन इलेवन, उन्नीस नवंबर"),
        ]);
    }
}
