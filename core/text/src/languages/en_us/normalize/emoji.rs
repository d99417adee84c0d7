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
    use crate::languages::testing::{assert_rows, try_everywhere};
    use crate::normalize::emoji::find;

    #[test]
    fn rows() {
        assert_rows(
            &[
                ("Nice 😀!", "Nice grinning face !"),
                ("a😀b", "a grinning face b"),
                ("I ❤ it", "I red heart it"),
                ("I ❤️ it", "I red heart it"),
                ("❤️‍🔥", "heart on fire"),
                ("👍🏽", "thumbs up"),
                ("👋🏿👋", "waving hand waving hand"),
                ("👩‍💻", "woman technologist"),
                ("👩🏾‍💻 codes", "woman technologist codes"),
                ("👨‍👩‍👧‍👦", "family man woman girl boy"),
                ("🏳️‍🌈", "rainbow flag"),
                ("🇮🇳 wins", "flag India wins"),
                ("🇮🇳🇺🇸", "flag India flag United States"),
                ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", "flag Scotland"),
                ("1️⃣ first", "keycap one first"),
                ("#⃣", "keycap number sign"),
                ("🔟", "keycap ten"),
                ("💯", "hundred points"),
                ("🥇", "first place medal"),
                ("🤷‍♀️", "woman shrugging"),
                ("🙏🙏🙏", "folded hands folded hands folded hands"),
                ("☀️ and ☔", "sun and umbrella with rain drops"),
                ("✅ done", "check mark button done"),
                ("👩🏻‍🤝‍👨🏿", "woman"),
                ("🇮", "emoji"),
                ("😀‍", "grinning face"),
                ("Thanks :-)", "Thanks smiley face"),
                ("Thanks. :)", "Thanks . smiley face"),
                ("ok ;) bye", "ok winking face bye"),
                ("I <3 you", "I heart you"),
                ("so sad :'(", "so sad crying face"),
                ("lol XD", "lol laughing face"),
                (":D :P", "laughing face tongue sticking out"),
                ("¯\\_(ツ)_/¯", "shrug"),
                ("10:3", "10 : 3"),
                ("(8)", "( 8 )"),
                ("note:(a)", "note : ( a )"),
                ("x <3", "x heart"),
                ("2 <3", "2 < 3"),
                ("a <30 b", "a < 30 b"),
                ("http://x", "http : / / x"),
                ("see: http", "see : http"),
                ("© 2024 ™", "© 2024 ™"),
                ("5 * 3 # 1", "5 * 3 # 1"),
                ("→ and ✖", "→ and ✖"),
            ],
            find,
            verbalize,
        );
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
