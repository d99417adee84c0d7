//! Hindi names of emoji.

use speech_base::fork::LazyLock;

use super::LOCALE;
use crate::normalize::emoji::{self, Names, Value};
use crate::normalize::say;
use crate::normalize::verbalized::Verbalization;

static NAMES: LazyLock<Names> = LazyLock::new(|| emoji::names(include_str!("../data/emoji.tsv")));

/// Verbalizes the short name of an emoji.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    say::emoji(&LOCALE, value, &NAMES, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::testing::read;
    use crate::normalize::emoji::{Emoji, find};
    use crate::row_tests::check;
    use crate::scripts::DEVANAGARI;

    #[test]
    fn rows() {
        check("emoji in Hindi", |[text]| read(text, find, verbalize));
    }

    #[test]
    fn names_are_plain_words() {
        for row in include_str!("../data/emoji.tsv").lines() {
            let (written, name) = row.split_once('\t').expect(row);
            let (length, value) = find("", written).expect(row);
            let Emoji::Sequence(sequence) = &value.emoji else { panic!("{row}") };
            assert_eq!((length, emoji::name(sequence, &NAMES)), (written.len(), Some(name)));
            assert!((DEVANAGARI.repair.as_ref().expect("it has one").is_clean)(name), "{row}");
        }
    }
}
