//! Splits compounds into their members.
//!
//! `data/compounds.tsv` has a kind and its words on each line:
//!
//! - `prefix`: before a member that begins with a consonant and its inherent vowel: परि|जन;
//! - `second`: after a member of two or more letters: लोक|सभा, अमर|नाथ;
//! - `first`, `base`: one of the second kind after one of the first: उप|करण, बे|खबर;
//! - `whole`: words that look like compounds but are not.

use std::collections::HashSet;

use speech_base::fork::LazyLock;

use super::diacritics::without_diacritics;
use super::endings::{self, is_ending};
use super::exceptions::{rows, stems};
use super::graphemes::{BOUNDARY, NUKTA, VIRAMA, is_letter};

/// The ending of पकड़कर, which keeps the stem unchanged: पकड़|कर. Names in -कर may split there too.
const ABSOLUTIVE: &str = "कर";

static TEXT: &str = include_str!("../data/compounds.tsv");

static MEMBERS: LazyLock<Members> = LazyLock::new(Members::new);

#[derive(Default)]
struct Members {
    prefixes: HashSet<&'static str>,
    seconds: HashSet<&'static str>,
    firsts: HashSet<&'static str>,
    bases: HashSet<&'static str>,
    wholes: HashSet<&'static str>,
    /// Maximum bytes of a first member.
    longest: usize,
}

impl Members {
    fn new() -> Self {
        let mut members = Self::default();
        for (kind, words) in rows(TEXT).filter_map(|row| row.split_once('\t')) {
            let set = match kind {
                "prefix" => &mut members.prefixes,
                "second" => &mut members.seconds,
                "first" => &mut members.firsts,
                "base" => &mut members.bases,
                _ => &mut members.wholes,
            };
            set.extend(words.split(' '));
        }
        let firsts = members.firsts.iter().chain(&members.prefixes);
        members.longest = firsts.map(|first| first.len()).max().unwrap_or(0);
        members
    }

    /// The number of letters before each member except the first.
    fn cuts(&self, word: &str) -> Vec<usize> {
        if self.is_whole(word) {
            return Vec::new();
        }
        // The last position gives the shortest second member: उप|सभा|पति first splits at its end.
        let places = word.char_indices().rev().filter(|(at, letter)| *at > 0 && is_letter(*letter));
        let cut = places
            .map(|(at, _)| word.split_at(at))
            .find(|(before, after)| self.is_boundary(before, after));
        let Some((before, _)) = cut else { return Vec::new() };
        let mut cuts = self.cuts(before);
        cuts.push(letter_count(before));
        cuts
    }

    /// Whether a word is listed as no compound, without a second member: गोमती, not गोमतीनगर.
    fn is_whole(&self, word: &str) -> bool {
        self.wholes.contains(word)
            || is_listed(&self.wholes, word)
                && !self.seconds.iter().any(|second| word.ends_with(second))
    }

    fn is_boundary(&self, before: &str, after: &str) -> bool {
        if before.ends_with(VIRAMA) {
            return false;
        }
        // Only short prefixes are looked up, as long words have many positions.
        let is_short = before.len() <= self.longest;
        (after == ABSOLUTIVE || is_listed(&self.seconds, after)) && letter_count(before) >= 2
            || is_short && self.firsts.contains(before) && is_listed(&self.bases, after)
            || is_short
                && self.prefixes.contains(before)
                && begins_with_schwa(after)
                && letter_count(after) >= 2
    }
}

fn is_listed(words: &HashSet<&str>, word: &str) -> bool {
    stems(word)
        .take_while(|(_, ending)| ending.len() <= endings::MAX_LENGTH)
        .any(|(stem, ending)| (ending.is_empty() || is_ending(ending)) && words.contains(stem))
}

/// The word with a boundary between its members.
pub(super) fn split(word: &str) -> String {
    let cuts = MEMBERS.cuts(&without_diacritics(word));
    let mut split = String::with_capacity(word.len() + cuts.len());
    let mut letters = 0;
    for letter in word.chars() {
        if is_letter(letter) {
            if cuts.contains(&letters) {
                split.push(BOUNDARY);
            }
            letters += 1;
        }
        split.push(letter);
    }
    split
}

fn letter_count(word: &str) -> usize {
    word.chars().filter(|c| is_letter(*c)).count()
}

/// Whether a word begins with a consonant and its inherent vowel.
fn begins_with_schwa(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| *c != NUKTA);
    letters.next().is_some_and(|c| matches!(c, 'क'..='ह')) && letters.next().is_some_and(is_letter)
}
