//! The names of emoji in Hindi.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use crate::normalize::emoji::{self, Emoji, Emoticon, Value};
use crate::normalize::verbalized::Verbalization;

/// What an emoji is called that has no name in Hindi.
const UNNAMED: &str = "इमोजी";

static NAMES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| emoji::names(include_str!("../data/emoji.tsv")));

/// Verbalizes the short name of an emoji, for those who want it read.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    let name = match &value.emoji {
        Emoji::Sequence(sequence) => emoji::name(sequence, &NAMES).unwrap_or(UNNAMED),
        Emoji::Emoticon(emoticon) => emoticon_name(*emoticon),
        Emoji::Suit { suit, .. } => match suit {
            '♠' => "हुकुम",
            '♣' => "चिड़ी",
            '♥' => "पान",
            _ => "ईंट",
        },
    };
    out.words(name.split_ascii_whitespace(), 0..value.length);
}

fn emoticon_name(emoticon: Emoticon) -> &'static str {
    match emoticon {
        Emoticon::Shrug => "कंधे उचकाना",
        Emoticon::AngryFace => "नाराज़ चेहरा",
        Emoticon::CryingFace => "रोता चेहरा",
        Emoticon::HappyTears => "खुशी के आँसू",
        Emoticon::SmileyFace => "मुस्कुराता चेहरा",
        Emoticon::LaughingFace => "हँसता चेहरा",
        Emoticon::WinkingFace => "आँख मारता चेहरा",
        Emoticon::SadFace => "उदास चेहरा",
        Emoticon::TongueStickingOut => "जीभ निकालता चेहरा",
        Emoticon::SurprisedFace => "हैरान चेहरा",
        Emoticon::SkepticalFace => "शंकित चेहरा",
        Emoticon::StraightFace => "भावहीन चेहरा",
        Emoticon::Kiss => "चुंबन",
        Emoticon::CoolFace => "बेफ़िक्र चेहरा",
        Emoticon::BrokenHeart => "टूटा दिल",
        Emoticon::Heart => "दिल",
        Emoticon::HappyFace => "खुश चेहरा",
        Emoticon::AnnoyedFace => "नाराज़ चेहरा",
        Emoticon::ConfusedFace => "उलझन भरा चेहरा",
        Emoticon::Cheer => "जय जयकार",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::testing::assert_rows;
    use crate::normalize::emoji::find;
    use crate::scripts::DEVANAGARI;

    #[test]
    fn rows() {
        assert_rows(
            &[
                ("वाह 😀!", "वाह दाँत दिखाता चेहरा !"),
                ("I ❤️ भारत", "I लाल दिल भारत"),
                ("👍🏽", "थंब्स अप"),
                ("🇮🇳 जीता", "भारत का झंडा जीता"),
                ("1️⃣ पहला", "कीकैप एक पहला"),
                ("🕜", "डेढ़ बजे"),
                ("💯", "सौ अंक"),
                ("🤷‍♀️", "महिला का कंधा उचकाना"),
                ("नमन :-)", "नमन मुस्कुराता चेहरा"),
                ("🇮", "इमोजी"),
            ],
            find,
            verbalize,
        );
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
