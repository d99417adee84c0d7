//! Token boundaries: the positions where a token may begin and end, and the words before it.

use super::cursor;

/// Whether a token may begin after `before`: not inside a word or number.
pub(crate) fn opens(before: &str) -> bool {
    !before.chars().next_back().is_some_and(is_inner)
}

/// Whether a token may end before `after`.
pub(crate) fn closes(after: &str) -> bool {
    !after.chars().next().is_some_and(is_inner)
}

/// Whether a number may end before `after`: neither a letter, a digit, an underscore nor a percent
/// sign follows, nor a digit after a mark such as a point or a hyphen.
pub(crate) fn closes_number(after: &str) -> bool {
    let mut chars = after.chars();
    let joins = chars.next().is_some_and(|c| matches!(c, '.' | ',' | '-' | '/' | ':'));
    closes(after)
        && !after.starts_with('%')
        && !(joins && chars.next().is_some_and(|c| c.is_ascii_digit()))
}

fn is_inner(c: char) -> bool {
    cursor::is_inner(c) || c == '_'
}

/// The length in bytes of the longest prefix whose characters `accept` accepts.
pub(crate) fn run(rest: &str, accept: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !accept(c)).unwrap_or(rest.len())
}

/// The words of `before` without punctuation, from last to first.
pub(crate) fn words_back(before: &str) -> impl Iterator<Item = &str> {
    before
        .rsplit(char::is_whitespace)
        .map(|word| word.trim_matches(|c: char| !cursor::is_inner(c)))
        .filter(|word| !word.is_empty())
}

/// The last word of `before`, without final full stops, if white space follows it and nothing else.
pub(crate) fn word_before(before: &str) -> Option<&str> {
    let trimmed = before.trim_end();
    let word = trimmed.rsplit(|c: char| !cursor::is_inner(c) && c != '.').next()?;
    (trimmed.len() < before.len() && !word.is_empty()).then(|| word.trim_end_matches('.'))
}

/// Whether a space-separated list of words contains `word`.
pub(crate) fn lists(words: &str, word: &str) -> bool {
    !word.is_empty() && words.split_ascii_whitespace().any(|listed| listed == word)
}

/// Whether the letter of a block or house and a hyphen precede: `C-14/2`.
pub(crate) fn follows_block(before: &str) -> bool {
    let letters = before.strip_suffix('-').map(cursor::last_word).unwrap_or_default();
    letters.len() == 1 && letters.starts_with(|c: char| c.is_ascii_uppercase())
}

#[cfg(test)]
crate::row_tests::rows! {
    ends_of_numbers: |[after]| closes_number(after);
    last_words: |[before]| words_back(before).collect::<Vec<_>>().join(" ");
    complete_last_word: |[before]| crate::row_tests::or_dash(word_before(before));
}
