//! The names of emoji in Hindi.

use crate::normalize::emoji::Value;
use crate::normalize::verbalized::Verbalization;

/// What an emoji is called that has no name in Hindi.
const UNNAMED: &str = "इमोजी";

/// Says the short name of an emoji, for those who want it read.
pub(super) fn verbalize(value: &Value, out: &mut Verbalization) {
    let name = value.names.map(|names| names.hindi).filter(|name| !name.is_empty());
    out.words(name.unwrap_or(UNNAMED).split_ascii_whitespace(), 0..value.length);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::emoji::find;
    use crate::normalize::trial::assert_rows;
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
            let (emoji, name) = row.split_once('\t').expect(row);
            let (length, value) = find("", emoji).expect(row);
            let hindi = value.names.map(|names| names.hindi);
            assert_eq!((length, hindi), (emoji.len(), Some(name)));
            assert!((DEVANAGARI.repair.as_ref().expect("it has one").is_clean)(name), "{row}");
        }
    }
}
