//! English names of emoji.

use speech_base::fork::LazyLock;

use super::LOCALE;
use crate::normalize::emoji::{self, Emoji, Names, Value};
use crate::normalize::say;
use crate::normalize::verbalized::{TokenKind, Verbalization};

static NAMES: LazyLock<Names> = LazyLock::new(|| emoji::names(include_str!("../data/emoji.tsv")));

/// Verbalizes the short name of an emoji.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    say::emoji(&LOCALE, value, &NAMES, out);
    // `walk the 🐶`
    let is_animal =
        |sequence: &String| sequence.starts_with(|c| matches!(c, '\u{1f42d}'..='\u{1f43c}'));
    if matches!(&value.emoji, Emoji::Sequence(sequence) if is_animal(sequence)) {
        out.0.retain(|token| token.kind != TokenKind::Word("face".into()));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::languages::testing::{read, try_everywhere};
    use crate::normalize::emoji::find;
    use crate::row_tests::check;

    #[test]
    fn rows() {
        check("emoji", |[text]| read(text, find, verbalize));
    }

    #[test]
    fn every_name_of_the_table_is_found() {
        for row in include_str!("../data/emoji.tsv").lines() {
            let (written, name) = row.split_once('\t').expect(row);
            let (length, value) = find("", written).expect(row);
            let Emoji::Sequence(sequence) = &value.emoji else { panic!("{row}") };
            assert_eq!((length, emoji::name(sequence, &NAMES)), (written.len(), Some(name)));
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "(\\PC|[0-9#*:;<3()=D‍\u{fe0f}\u{20e3}🇮🏴👩🏽❤♀]){0,12}") {
            try_everywhere(&text, find, verbalize);
        }
    }
}
