//! Digits that stand for a word in chats: `lmk if 2:30 works 4 u`, `that's 2 funny`.

use crate::normalize::cursor::{first_word, last_word};
use crate::normalize::recognizer::{MatchContext, is_one_of};
use crate::normalize::semiotic::SemioticClass;
use crate::words::WordClass;

/// Words that "4" stands before as "for", whatever else the text says.
#[rustfmt::skip]
const FOR: &[&str] = &[
    "u", "ur", "me", "us", "him", "her", "them", "real", "sure", "ya", "y'all", "life", "it", "free",
    "parking", "gas", "dinner", "lunch", "breakfast", "brunch", "trip", "work", "school", "bday",
    "xmas", "now", "ever", "tmrw", "tmw", "tonight", "tonite", "2nite", "everyone", "everything", "sale", "rent",
];

/// The same, in a text with other signs of a chat.
const FOR_IN_CHAT: &[&str] =
    &["the", "my", "a", "an", "that", "this", "it", "now", "your", "his", "our"];

/// Words that "2" stands before as "to".
const TO: &[&str] = &["u", "ya", "me", "him", "her", "them", "us"];

/// The same, in a text with other signs of a chat.
const TO_IN_CHAT: &[&str] = &[
    "b", "be", "buy", "call", "come", "do", "eat", "get", "go", "have", "leave", "meet", "my",
    "say", "see", "sleep", "start", "talk", "tell", "the", "ur", "work", "your",
];

/// Tokens that only chats have.
const SIGNS: &[&str] = &[
    "abt", "b4", "bc", "c", "cuz", "gonna", "gotta", "gr8", "haha", "idk", "im", "k", "l8r",
    "lmao", "lmk", "lol", "n", "omg", "omw", "plz", "pls", "r", "rn", "sry", "tbh", "thx", "ty",
    "u", "ur", "wanna", "wat", "wrk", "y", "ya",
];

/// A digit by itself between two words.
pub(super) fn find_digit(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let after = context.rest.strip_prefix(['2', '4'])?;
    let [previous, next] = [last_word(context.before), first_word(after.strip_prefix(' ')?)];
    // `bring $5 4 parking`
    let is_price = || {
        let price = context.before.trim_end().rsplit(' ').next().unwrap_or_default();
        price.starts_with('$') || price.contains('/')
    };
    let is_word = (previous.starts_with(|c: char| c.is_ascii_alphabetic()) || is_price())
        && !is_numbered(context, previous)
        && context.before.ends_with(' ');
    let is_chat = || {
        context
            .text()
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| is_one_of(word, SIGNS))
    };
    let is_in = |sure: &[&str], in_chat: &[&str]| {
        is_one_of(next, sure) || is_one_of(next, in_chat) && is_chat()
    };
    let words = if context.rest.starts_with('4') {
        is_in(FOR, FOR_IN_CHAT).then_some("for")
    } else if is_in(TO, TO_IN_CHAT) {
        Some("to")
    } else {
        let is_verb = previous.ends_with("'s")
            || is_one_of(previous, &["s", "is", "are", "was", "r", "way", "its", "not"]);
        (context.is(next, WordClass::AfterTooInChat) && is_verb).then_some("too")
    };
    let phrase = SemioticClass::Phrase { words: words.filter(|_| is_word)?, ends_sentence: false };
    Some((1, phrase))
}

/// Whether a word is numbered: `chapter 4 the storm`.
fn is_numbered(context: &MatchContext<'_>, word: &str) -> bool {
    const NUMBERED: [&str; 4] = ["identifier", "place_label", "progress", "road"];
    let classes = (context.locale.context_classes)();
    classes
        .get(word.to_lowercase().as_str())
        .is_some_and(|classes| classes.iter().any(|class| NUMBERED.contains(class)))
}

#[cfg(test)]
mod tests {
    use speech_base::language::Language;

    use crate::languages::locales;
    use crate::normalize::{Options, normalize};
    use crate::segment::Sentence;

    fn normalized(text: &str) -> String {
        let sentence = Sentence::whole(text);
        normalize(text, &sentence, Options::plain(Language::EnUs), locales()).to_line()
    }

    #[test]
    fn digits_for_words() {
        for (text, said) in [
            ("lmk if it works 4 u", "let me know if it works for you"),
            ("sry 4 the late reply", "sorry for the late reply"),
            ("that's 2 funny", "that's too funny"),
            ("im abt 2 leave", "im about to leave"),
            ("Read chapter 4 the night before.", "Read chapter four the night before."),
            ("I have 2 good friends.", "I have two good friends."),
            ("We need 4 the most.", "We need four the most."),
        ] {
            assert_eq!(normalized(text), said, "{text}");
        }
    }
}
