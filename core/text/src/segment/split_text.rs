//! Cuts a text into parts of a maximum length.

use super::rules::Rules;
use super::sentences;
use crate::scripts::joins_next;

/// See [`split_text`](crate::split_text).
pub(crate) fn split_text<'a>(
    text: &'a str,
    max_characters: usize,
    rules: &'static Rules,
) -> Vec<&'a str> {
    let ends: Vec<usize> =
        sentences(text, rules).into_iter().map(|sentence| sentence.span.end).collect();
    let mut parts = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if at == text.len() {
            return parts;
        }
        let end = part_end(text, at, max_characters.max(1), &ends);
        parts.push(text[at..end].trim_end());
        at = end;
    }
}

/// The end of the part of `text` that begins at `at`: the last sentence end within `max`
/// characters, else the last clause end, else the last word end.
pub(super) fn part_end(text: &str, at: usize, max: usize, sentence_ends: &[usize]) -> usize {
    let Some((limit, _)) = text[at..].char_indices().nth(max) else { return text.len() };
    let limit = at + limit;
    if let Some(end) = sentence_ends.iter().rev().find(|end| (at + 1..=limit).contains(end)) {
        return *end;
    }
    // A cut exactly at the limit may be between words, so include one more character.
    let window_end = limit + text[limit..].chars().next().map_or(0, char::len_utf8);
    let window = &text[at..window_end];
    let gaps =
        || window.char_indices().filter(|(i, c)| *i > 0 && c.is_whitespace()).map(|(i, _)| i);
    let clause = |i: &usize| window[..*i].ends_with([',', ';', ':', '—', '–', '،']);
    if let Some(gap) = gaps().rfind(clause).or_else(|| gaps().next_back()) {
        return at + gap;
    }
    let inside = text[at..limit].char_indices().map(|(i, _)| at + i).skip(1).chain([limit]);
    inside.filter(|i| !joins_previous(text, *i)).last().unwrap_or(limit)
}

/// Whether the character at `at` belongs to the previous one: a combining mark, or a character
/// after a joiner or virama.
fn joins_previous(text: &str, at: usize) -> bool {
    let combines = |c: char| {
        unicode_normalization::char::is_combining_mark(c) || matches!(c, '\u{200c}' | '\u{200d}')
    };
    text[at..].chars().next().is_some_and(combines) || text[..at].ends_with(joins_next)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn split_text(text: &str, max_characters: usize) -> Vec<&str> {
        super::split_text(text, max_characters, crate::languages::sentence_rules())
    }

    crate::row_tests::rows! {
        parts_of_texts: |[text, most]| {
            split_text(text, most.parse().expect("a number")).join(" ¦ ")
        };
    }

    proptest! {
        #[test]
        fn parts_hold_everything_but_white_space(text in "\\PC{0,80}|[ab .,\n]{0,80}", max in 1..30_usize) {
            let parts = split_text(&text, max);
            let squeeze = |s: &str| s.split_whitespace().collect::<String>();
            prop_assert_eq!(squeeze(&parts.concat()), squeeze(&text));
            for part in parts {
                prop_assert!(part.trim() == part && (1..=max).contains(&part.chars().count()));
            }
        }
    }
}
