//! Words written together: with hyphens, in CamelCase, or with nothing between them.

use super::lexicon_lookup::{self, NextSound};
use super::stress;

/// The parts of a written compound, hyphens left out: at hyphens, where a capital follows a small letter, and
/// at an apostrophe that is no ending's.
pub(super) fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for mut piece in word.split('-') {
        while let Some(at) = apostrophe(piece) {
            camel_parts(&piece[..at], &mut parts);
            piece = &piece[at + 1..];
        }
        camel_parts(piece, &mut parts);
    }
    parts
}

/// The first apostrophe with a word after it: in "O'Brien" and "rock'n'roll", not in "doesn't"; "d'Artagnan" is
/// one word.
fn apostrophe(piece: &str) -> Option<usize> {
    piece.match_indices('\'').map(|(at, _)| at).find(|at| {
        let after = piece[at + 1..].split('\'').next().unwrap_or_default();
        let elides = *at == 1 && !piece.starts_with(['O', 'n']);
        *at > 0 && !elides && (after.len() > 2 || after == "n")
    })
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

fn camel_parts<'a>(piece: &'a str, parts: &mut Vec<&'a str>) {
    let bytes = piece.as_bytes();
    let mut start = 0;
    for at in 1..bytes.len() {
        let follows_small = bytes[at - 1].is_ascii_lowercase();
        let next_is_small = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let follows_letter = bytes[at - 1].is_ascii_alphabetic();
        if bytes[at].is_ascii_uppercase() && follows_letter && (follows_small || next_is_small) {
            // One small letter is a part ("iPhone"), one capital is not ("AStar").
            if at - start > 1 || bytes[start].is_ascii_lowercase() {
                parts.push(&piece[start..at]);
                start = at;
            }
        }
    }
    if piece[start..].contains(|c: char| c.is_alphabetic()) {
        parts.push(&piece[start..]);
    }
}

/// The reading of a compound: from right to left the longest runs of parts that `whole` reads, else each part
/// as `part` reads it, before the sound that follows; the stresses balanced.
pub(super) fn read<'a>(
    word: &'a str,
    parts: &[&'a str],
    mut next: NextSound,
    whole: impl Fn(&'a str, NextSound) -> Option<String>,
    part: impl Fn(&'a str, NextSound) -> String,
) -> String {
    let mut readings = Vec::new();
    let mut right = parts.len();
    while right > 0 {
        let end = offset(word, parts[right - 1]) + parts[right - 1].len();
        let run = |left: usize| &word[offset(word, parts[left])..end];
        // The whole word was tried before.
        let first = usize::from(right == parts.len());
        let found = (first..right).find_map(|left| Some((left, whole(run(left), next)?)));
        let (left, reading) = found.unwrap_or_else(|| (right - 1, part(parts[right - 1], next)));
        next = lexicon_lookup::first_sound(&reading).unwrap_or(next);
        readings.push((run(left), reading));
        right = left;
    }
    readings.reverse();
    stress::balance(&mut readings);
    readings.into_iter().map(|(_, reading)| reading).collect()
}

/// The shortest part of a word of two with nothing between them.
const SHORTEST: usize = 4;
const LINKS: [&str; 5] = ["of", "and", "the", "to", "in"];

/// The parts of words written with nothing between them, each one that `is_word` knows; the split whose
/// shorter part is longest.
pub(super) fn joined(word: &str, is_word: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
    if !word.bytes().all(|b| b.is_ascii_lowercase()) || word.len() < 2 * SHORTEST {
        return None;
    }
    let two = (SHORTEST..=word.len() - SHORTEST)
        .map(|at| word.split_at(at))
        .filter(|(first, second)| is_word(first) && is_word(second))
        .max_by_key(|(first, second)| first.len().min(second.len()));
    if let Some((first, second)) = two {
        return Some(vec![first, second]);
    }
    (3..=word.len() - SHORTEST).find_map(|at| {
        let (first, rest) = word.split_at(at);
        let link = LINKS.into_iter().find(|link| rest.starts_with(link))?;
        let (link, last) = rest.split_at(link.len());
        let fits = last.len() >= SHORTEST && is_word(first) && is_word(last);
        fits.then(|| vec![first, link, last])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compounds_come_apart() {
        let rows = [
            ("PostgreSQL", &["Postgre", "SQL"][..]),
            ("XMLHttpRequest", &["XML", "Http", "Request"]),
            ("Modi-led", &["Modi", "led"]),
            ("O'Brien", &["O", "Brien"]),
            ("O'Brien's", &["O", "Brien's"]),
            ("d'Artagnan", &["d'Artagnan"]),
            ("rock'n'roll", &["rock", "n", "roll"]),
            ("iPhone", &["i", "Phone"]),
            ("doesn't", &["doesn't"]),
            ("word", &["word"]),
            ("-", &[]),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter(|(word, expected)| parts(word) != *expected)
            .map(|(word, _)| format!("{word}: {:?}", parts(word)))
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }

    #[test]
    fn joined_words_come_apart() {
        let known = ["out", "dictionary", "data", "lake", "base", "keyboard", "board"];
        for (word, expected) in [
            ("outofdictionary", Some(&["out", "of", "dictionary"][..])),
            ("datalake", Some(&["data", "lake"])),
            ("databasely", None),
            ("Datalake", None),
            ("keyboardlake", Some(&["keyboard", "lake"])),
        ] {
            assert_eq!(joined(word, |word| known.contains(&word)).as_deref(), expected, "{word}");
        }
    }
}
