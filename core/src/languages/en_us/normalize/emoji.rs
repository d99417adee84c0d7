//! The names of emoji in English.

use crate::normalize::emoji::Value;
use crate::normalize::verbalized::Verbalization;

/// What an emoji newer than the table of names is called.
const UNNAMED: &str = "emoji";

/// Says the short name of an emoji, for those who want it read.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    let name = value.names.map_or(UNNAMED, |names| names.english);
    out.words(name.split_ascii_whitespace(), 0..value.length);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::normalize::emoji::find;
    use crate::normalize::trial::{assert_rows, try_everywhere};

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
            let (emoji, name) = row.split_once('\t').expect(row);
            let (length, value) = find("", emoji).expect(row);
            let english = value.names.map(|names| names.english);
            assert_eq!((length, english), (emoji.len(), Some(name)));
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "(\\PC|[0-9#*:;<3()=D‍\u{fe0f}\u{20e3}🇮🏴👩🏽❤♀]){0,12}") {
            try_everywhere(&text, find, verbalize);
        }
    }
}
