//! English names of emoji.

/// The name of an emoji. That of an animal is said without "face": `walk the 🐶`.
pub(super) fn without_face(sequence: &str, name: &'static str) -> &'static str {
    let is_animal = sequence.starts_with(|c| matches!(c, '\u{1f42d}'..='\u{1f43c}'));
    name.strip_suffix(" face").filter(|_| is_animal).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::LOCALE;
    use crate::languages::testing::{emoji_names, read, try_everywhere};
    use crate::normalize::emoji::{Value, find};
    use crate::normalize::say;
    use crate::normalize::verbalized::Verbalization;

    fn verbalize(value: &Value, out: &mut Verbalization) {
        say::emoji(&LOCALE, value, out);
    }

    crate::row_tests::rows! { emoji: |[text]| read(text, find, verbalize); }

    #[test]
    fn every_name_of_the_table_is_found() {
        let names = emoji_names(include_str!("../data/emoji.tsv"), &LOCALE);
        assert!(!names.is_empty());
    }

    proptest! {
        #[test]
        fn any_text(text in "(\\PC|[0-9#*:;<3()=D‍\u{fe0f}\u{20e3}🇮🏴👩🏽❤♀]){0,12}") {
            try_everywhere(&text, find, verbalize);
        }
    }
}
