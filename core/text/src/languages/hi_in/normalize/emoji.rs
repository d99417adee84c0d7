//! Tests the Hindi names of emoji.

use super::LOCALE;
use crate::languages::testing::read;
use crate::normalize::emoji::{self, Emoji, find};
use crate::normalize::say;
use crate::row_tests::check;
use crate::scripts::DEVANAGARI;

#[test]
fn rows() {
    check("emoji in Hindi", |[text]| {
        read(text, find, |value, out| say::emoji(&LOCALE, value, out))
    });
}

#[test]
fn names_are_plain_words() {
    for row in include_str!("../data/emoji.tsv").lines() {
        let (written, name) = row.split_once('\t').expect(row);
        let (length, value) = find("", written).expect(row);
        let Emoji::Sequence(sequence) = &value.emoji else { panic!("{row}") };
        assert_eq!(
            (length, emoji::name(sequence, &LOCALE.tables.emoji)),
            (written.len(), Some(name))
        );
        assert!((DEVANAGARI.repair.as_ref().expect("it has one").is_clean)(name), "{row}");
    }
}
