//! Function words whose reading depends on what stands around them: a, an, the, to, in, by, am, used.

use super::known::{Next, Place};
use super::lexicon;
use crate::languages::en_us::phonemize::oov;

/// The reading of such a word; `None` for every other word.
pub(super) fn read(word: &str, place: Place<'_>) -> Option<String> {
    let tag = place.tag;
    let is_spelled =
        || word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase()) && tag().is_noun();
    let reading = match word.to_ascii_lowercase().as_str() {
        "a" => return Some(if is_article(word, place) { "ɐ" } else { "ˈA" }.into()),
        "am" | "an" if is_spelled() => return Some(oov::spell(word)),
        "am" if place.next == Next::Pause || word != "am" => return plain("am"),
        "am" => "ɐm",
        "an" => "ɐn",
        "i" if word == "I" => "ˌI",
        "by" if tag().parent() == "ADV" => "bˈI",
        "to" if word != "TO" || matches!(tag().name(), "TO" | "IN") => match place.next {
            Next::Pause => return plain("to"),
            Next::Consonant => "tə",
            Next::Vowel => "tʊ",
        },
        "in" if word != "IN" || !tag().is_proper_noun() => {
            if place.next == Next::Pause || tag().name() != "IN" { "ˈɪn" } else { "ɪn" }
        }
        "the" if word != "THE" || tag().name() == "DT" => {
            if place.next == Next::Vowel {
                "ði"
            } else {
                "ðə"
            }
        }
        "vs" => return plain("versus"),
        "used" => {
            let past = place.before_to && matches!(tag().name(), "VBD" | "JJ");
            return lexicon::gold("used")?.reading_as(if past { "VBD" } else { "DEFAULT" });
        }
        _ => return None,
    };
    Some(reading.into())
}

/// Whether "a" is the article: a small one is before a word; a capital one if the tagger says so.
fn is_article(word: &str, place: Place<'_>) -> bool {
    word == "a" && place.next != Next::Pause || (place.tag)().name() == "DT"
}

/// The reading of a word on its own.
fn plain(word: &str) -> Option<String> {
    lexicon::gold(word)?.reading(false, || super::tag::Tag::new("IN"))
}

#[cfg(test)]
mod tests {
    use super::super::stress::Emphasis;
    use super::super::tag::Tag;
    use super::*;

    #[test]
    fn words_by_their_place() {
        let rows = [
            ("a", "DT", Next::Vowel, Some("ɐ")),
            ("A", "NNP", Next::Consonant, Some("ˈA")),
            ("the", "DT", Next::Vowel, Some("ði")),
            ("The", "DT", Next::Consonant, Some("ðə")),
            ("to", "TO", Next::Vowel, Some("tʊ")),
            ("to", "TO", Next::Consonant, Some("tə")),
            ("to", "TO", Next::Pause, Some("tu")),
            ("in", "IN", Next::Vowel, Some("ɪn")),
            ("in", "RP", Next::Vowel, Some("ˈɪn")),
            ("am", "VBP", Next::Vowel, Some("ɐm")),
            ("am", "VBP", Next::Pause, Some("æm")),
            ("AM", "NNP", Next::Pause, Some("ˌAˈɛm")),
            ("used", "VBD", Next::Vowel, Some("jˈuzd")),
            ("vs", "IN", Next::Vowel, Some("vˈɜɹsəs")),
            ("word", "NN", Next::Vowel, None),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter_map(|(word, tag, next, expected)| {
                let tag = || Tag::new(tag);
                let emphasis = Emphasis::of(word);
                let got = read(word, Place { emphasis, next, before_to: false, tag: &tag });
                (got.as_deref() != expected).then(|| format!("{word}: {got:?}"))
            })
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
