//! Tests the Hindi names of emoji.

use super::LOCALE;
use crate::languages::testing::{emoji_names, read};
use crate::normalize::emoji::find;
use crate::normalize::say;
use crate::scripts::DEVANAGARI;

crate::row_tests::rows! {
    emoji_in_hindi: |[text]| read(text, find, |value, out| say::emoji(&LOCALE, value, out));
}

#[test]
fn names_are_plain_words() {
    let repair = DEVANAGARI.repair.as_ref().expect("it has one");
    for name in emoji_names(include_str!("../data/emoji.tsv"), &LOCALE) {
        assert!((repair.is_clean)(name), "{name}");
    }
}
