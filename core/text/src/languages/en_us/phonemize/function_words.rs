//! Context-dependent phonemes of function words: a, an, the, to, in, by, am, used.

use super::lexicon;
use super::lexicon_lookup::{Context, NextSound};

/// The phonemes of a function word; `None` for other words.
pub(super) fn read(word: &str, context: Context<'_>) -> Option<String> {
    let tag = context.tag;
    let reading = match word.to_ascii_lowercase().as_str() {
        "a" => return Some(if is_article(word, context) { "ɐ" } else { "ˈA" }.into()),
        "am" if context.next == NextSound::Pause || word != "am" => return citation_form("am"),
        "am" => "ɐm",
        "an" => "ɐn",
        "i" if word == "I" => "ˌI",
        "by" if tag().parent() == "ADV" => "bˈI",
        "to" => match context.next {
            NextSound::Pause => return citation_form("to"),
            NextSound::Consonant => "tə",
            NextSound::Vowel => "tʊ",
        },
        "in" => {
            if context.next == NextSound::Pause || tag().name() != "IN" {
                "ˈɪn"
            } else {
                "ɪn"
            }
        }
        "the" => {
            if context.next == NextSound::Vowel {
                "ði"
            } else {
                "ðə"
            }
        }
        "vs" => return citation_form("versus"),
        "used" => {
            let past = context.before_to && matches!(tag().name(), "VBD" | "JJ");
            return lexicon::gold("used")?.reading_as(if past { "VBD" } else { "DEFAULT" });
        }
        _ => return None,
    };
    Some(reading.into())
}

/// Whether "a" is the article: if in lower case before a word; else by its tag.
fn is_article(word: &str, context: Context<'_>) -> bool {
    word == "a" && context.next != NextSound::Pause || (context.tag)().name() == "DT"
}

/// The phonemes of a function word in citation form.
pub(super) fn citation_form(word: &str) -> Option<String> {
    lexicon::gold(word)?.reading(false, || super::tagger::Tag::new("IN"))
}

#[cfg(test)]
mod tests {
    use super::super::stress::Emphasis;
    use super::super::tagger::Tag;
    use super::*;
    use crate::row_tests::or_dash;

    crate::row_tests::rows! {
        function_words_by_their_context: |[word, tag, next]| {
            let next = match next {
                "vowel" => NextSound::Vowel,
                "consonant" => NextSound::Consonant,
                _ => NextSound::Pause,
            };
            let emphasis = Emphasis::of(word);
            let tag = || Tag::new(tag.to_owned().leak());
            or_dash(read(word, Context { emphasis, next, before_to: false, tag: &tag }))
        };
    }
}
