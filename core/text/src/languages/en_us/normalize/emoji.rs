//! The names of emoji in English.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use crate::normalize::emoji::{self, Emoji, Emoticon, Value};
use crate::normalize::verbalized::Verbalization;

/// What an emoji newer than the table of names is called.
const UNNAMED: &str = "emoji";

static NAMES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| emoji::names(include_str!("../data/emoji.tsv")));

/// Verbalizes the short name of an emoji, for those who want it read.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    let name = match &value.emoji {
        Emoji::Sequence(sequence) => {
            let name = emoji::name(sequence, &NAMES).unwrap_or(UNNAMED);
            // `walk the 🐶`
            let is_animal = sequence.starts_with(|c| matches!(c, '\u{1f42d}'..='\u{1f43c}'));
            if is_animal { name.trim_end_matches(" face") } else { name }
        }
        Emoji::Emoticon(emoticon) => emoticon_name(*emoticon),
        Emoji::Suit { suit, is_bid } => {
            let of = (!is_bid).then_some("of");
            let name = match suit {
                '♠' => "spades",
                '♣' => "clubs",
                '♥' => "hearts",
                _ => "diamonds",
            };
            return out.words(of.into_iter().chain([name]), 0..value.length);
        }
    };
    out.words(name.split_ascii_whitespace(), 0..value.length);
}

fn emoticon_name(emoticon: Emoticon) -> &'static str {
    match emoticon {
        Emoticon::Shrug => "shrug",
        Emoticon::AngryFace => "angry face",
        Emoticon::CryingFace => "crying face",
        Emoticon::HappyTears => "happy tears",
        Emoticon::SmileyFace => "smiley face",
        Emoticon::LaughingFace => "laughing face",
        Emoticon::WinkingFace => "winking face",
        Emoticon::SadFace => "sad face",
        Emoticon::TongueStickingOut => "tongue sticking out",
        Emoticon::SurprisedFace => "surprised face",
        Emoticon::SkepticalFace => "skeptical face",
        Emoticon::StraightFace => "straight face",
        Emoticon::Kiss => "kiss",
        Emoticon::CoolFace => "cool face",
        Emoticon::BrokenHeart => "broken heart",
        Emoticon::Heart => "heart",
        Emoticon::HappyFace => "happy face",
        Emoticon::AnnoyedFace => "annoyed face",
        Emoticon::ConfusedFace => "confused face",
        Emoticon::Cheer => "cheer",
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
