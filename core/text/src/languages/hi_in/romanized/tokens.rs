//! Finds the words of a sentence that may be romanized Hindi.
//!
//! These are plain words in Latin letters. Excluded are addresses, codes and quantities, words with
//! an apostrophe, names with inner capitals, single capitals, titles before names, English words of
//! chats, and capitals after a number, which are units or time zones.

use std::ops::Range;

use crate::languages::en_us::phonemize::with_max_run;

/// Units and months. After a number they are not words.
const UNITS: &[&str] = &[
    "k", "kg", "kgs", "g", "gm", "gms", "mg", "km", "kms", "m", "cm", "mm", "ft", "l", "ml", "ltr",
    "litre", "litres", "min", "mins", "hr", "hrs", "sec", "secs", "am", "pm", "gb", "mb", "kb",
    "tb", "rs", "st", "nd", "rd", "th", "ha", "mi", "gal", "q", "yr", "yrs", "oz", "lb", "lbs",
    "jan", "feb", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "in", "hp", "kw",
    "kwh", "v", "w", "hz", "mah", "mw", "mbps", "kbps", "db", "tsp", "tbsp",
];
/// Prefixes of numbers. Before a number they are not words.
const PREFIXES: &[&str] = &["rs", "inr", "no", "nos", "usd"];
/// English words of chats that would be taken for Hindi: `hey` for `hai`.
const CHAT: &[&str] = &["btw", "bye", "hey", "idk", "lmao", "lol", "omg", "rofl", "ty", "wtf"];
/// Marks that end a clause, attached to a word or separate.
const STRONG: &str = ".?!:;\"“”—|।…()[]'‘’";
const DASHES: &str = "-–—|";

/// The text before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    Space,
    /// A comma, a number or a symbol.
    Weak,
    /// A mark that ends a clause, or the start of the sentence.
    Strong,
}

#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
    /// In lower case, with at most two equal letters in a row: `kyaa` for `KYAAAA`.
    pub(super) word: String,
    pub(super) gap: Gap,
    /// Whether a hyphen joins it to the previous word.
    pub(super) is_joined: bool,
    pub(super) follows_number: bool,
}

/// The words of `text` in order.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut gap = Gap::Strong;
    let mut follows_number = false;
    let mut chunks = text.split_whitespace().peekable();
    while let Some(chunk) = chunks.next() {
        let core = chunk.trim_matches(|c: char| !c.is_alphanumeric() && !"_@#/\\`".contains(c));
        let before = chunk.len()
            - chunk
                .trim_start_matches(|c: char| !c.is_alphanumeric() && !"_@#/\\`".contains(c))
                .len();
        let is_strong = |part: &str| part.contains(|c| STRONG.contains(c));
        let after = if core.is_empty() { "" } else { &chunk[before + core.len()..] };
        if core.is_empty() {
            let parts = is_strong(chunk) || chunk.contains(|c| DASHES.contains(c));
            gap = gap.max(if parts { Gap::Strong } else { Gap::Weak });
        } else if is_strong(&chunk[..before]) {
            gap = Gap::Strong;
        }
        let lower = core.to_ascii_lowercase();
        let is_unit = follows_number
            && (UNITS.contains(&lower.as_str()) || core.bytes().all(|b| b.is_ascii_uppercase()));
        let next = chunks.peek().copied().unwrap_or_default();
        let is_prefix = leads_to_code(core, &lower, after, next);
        // Hindi `hi` (ही) never begins a sentence, so a first `hi` is a greeting.
        let is_greeting = lower == "hi" && tokens.is_empty() && gap == Gap::Strong;
        if is_word(core) && !is_unit && !is_prefix && !is_greeting && !is_english(core, next) {
            let mut start = offset(text, chunk) + before;
            for (number, part) in core.split('-').enumerate() {
                tokens.push(Token {
                    text: part,
                    span: start..start + part.len(),
                    word: with_max_run(2, &part.to_ascii_lowercase()),
                    gap,
                    is_joined: number > 0,
                    follows_number: follows_number && number == 0,
                });
                start += part.len() + 1;
                gap = Gap::Space;
            }
            follows_number = false;
        } else {
            gap = gap.max(Gap::Weak);
            let ends_in_digit = |part: &str| part.ends_with(|c: char| c.is_ascii_digit());
            follows_number = ends_in_digit(chunk)
                || ends_in_digit(core)
                || is_unit
                || follows_number && core.is_empty();
        }
        if is_strong(after) {
            gap = Gap::Strong;
        } else if after.contains(',') {
            gap = gap.max(Gap::Weak);
        }
    }
    tokens
}

/// Whether a word belongs to the next number or code: `DL 01`, "no. UP32 AB 1234".
fn leads_to_code(core: &str, lower: &str, after: &str, next: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_listed = PREFIXES.contains(&lower);
    let is_code = next.starts_with(|c: char| c.is_ascii_uppercase()) && next.contains(is_digit);
    next.starts_with(is_digit) && (is_listed || is_code_before_number(core))
        || after.starts_with('.') && is_code && is_listed
}

/// Whether a text is a word, or several joined by hyphens, in Latin letters.
fn is_word(text: &str) -> bool {
    text.split('-').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Whether a word is code letters before a number: `DL 01 AB 1234`.
fn is_code_before_number(word: &str) -> bool {
    let is_vowel = |b: u8| matches!(b, b'A' | b'E' | b'I' | b'O' | b'U');
    word.bytes().all(|b| b.is_ascii_uppercase()) && (word.len() < 3 || !word.bytes().any(is_vowel))
}

/// Whether a word is a letter, a name with inner capitals, a short title (`Mrs Gupta`), or of chats.
fn is_english(word: &str, next: &str) -> bool {
    let is_capital = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
    let lower = word.to_ascii_lowercase();
    let is_title = is_capital(next) && !lower.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    is_capital(word) && (word.len() == 1 || is_title)
        || has_inner_capitals(word)
        || CHAT.contains(&&*lower)
}

/// Whether a word with small letters has several capitals after its first letter, as in `eKYC` and `CrPC`.
fn has_inner_capitals(word: &str) -> bool {
    let inner = word.bytes().skip(1).filter(u8::is_ascii_uppercase).count();
    inner > 1 && word.contains(|c: char| c.is_ascii_lowercase())
}

fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

#[cfg(test)]
crate::row_tests::rows! {
    tokens_of_a_sentence: |[text]| {
        tokens(text).into_iter().map(|token| token.word).collect::<Vec<_>>().join(" ")
    };
    gaps_of_a_sentence: |[text]| {
        let shown = |token: Token<'_>| format!("{} {:?}", &text[token.span], token.gap);
        tokens(text).into_iter().map(shown).collect::<Vec<_>>().join(", ")
    };
}
