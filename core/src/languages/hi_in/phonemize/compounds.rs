//! Where a compound divides.
//!
//! `data/hi/members.tsv` has a kind and its words on each line:
//!
//! - `prefix`: before anything that a consonant with its inherent vowel begins: परि|जन;
//! - `second`: after anything of two letters or more: लोक|सभा, अमर|नाथ;
//! - `first`, `base`: these after those: उप|करण, बे|खबर;
//! - `whole`: words that look like compounds and are none.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::endings::is_ending;
use super::exceptions::{rows, stems};
use super::letters::{BOUNDARY, NUKTA, VIRAMA, is_letter};
use super::restore::bare;

/// The ending of पकड़कर, which leaves the stem as it is: पकड़|कर. Names on -कर may divide there as well.
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
        members
    }

    /// How many letters stand before each member but the first.
    fn cuts(&self, word: &str) -> Vec<usize> {
        if self.is_whole(word) {
            return Vec::new();
        }
        // The last place gives the shortest second member: उप|सभा|पति divides at its end first.
        let places = word.char_indices().rev().filter(|(at, letter)| *at > 0 && is_letter(*letter));
        let cut = places
            .map(|(at, _)| word.split_at(at))
            .find(|(before, after)| self.divides(before, after));
        let Some((before, _)) = cut else { return Vec::new() };
        let mut cuts = self.cuts(before);
        cuts.push(letter_count(before));
        cuts
    }

    /// It is no compound, unless what follows is a member of its own: गोमती, not गोमतीनगर.
    fn is_whole(&self, word: &str) -> bool {
        self.wholes.contains(word)
            || is_listed(&self.wholes, word)
                && !self.seconds.iter().any(|second| word.ends_with(second))
    }

    fn divides(&self, before: &str, after: &str) -> bool {
        if before.ends_with(VIRAMA) {
            return false;
        }
        (after == ABSOLUTIVE || is_listed(&self.seconds, after)) && letter_count(before) >= 2
            || self.firsts.contains(before) && is_listed(&self.bases, after)
            || self.prefixes.contains(before)
                && begins_with_schwa(after)
                && letter_count(after) >= 2
    }
}

/// The word or the stem of it is in the list.
fn is_listed(words: &HashSet<&str>, word: &str) -> bool {
    stems(word)
        .any(|(stem, ending)| words.contains(stem) && (ending.is_empty() || is_ending(ending)))
}

/// The word with its members apart.
pub(super) fn divided(word: &str) -> String {
    let cuts = MEMBERS.cuts(&bare(word));
    let mut divided = String::with_capacity(word.len() + cuts.len());
    let mut letters = 0;
    for letter in word.chars() {
        if is_letter(letter) {
            if cuts.contains(&letters) {
                divided.push(BOUNDARY);
            }
            letters += 1;
        }
        divided.push(letter);
    }
    divided
}

fn letter_count(word: &str) -> usize {
    word.chars().filter(|c| is_letter(*c)).count()
}

/// Its first letter is a consonant with the inherent vowel, and the second is no cluster.
fn begins_with_schwa(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| *c != NUKTA);
    letters.next().is_some_and(|c| matches!(c, 'क'..='ह')) && letters.next().is_some_and(is_letter)
}
