//! The candidate Hindi words of a Latin spelling.

use super::channel::{LONGEST, UNIT};
use super::skeleton;
use super::tables::TABLES;
use crate::languages::custom_lexicon;

/// Maximum number of candidates.
const MOST: usize = 5;
/// Maximum cost above the best candidate.
const WIDEST: u16 = 8 * UNIT;
/// The cost of a name in its listed spelling.
const NAME: u16 = UNIT * 7 / 10;
/// The cost of an unlisted word.
const UNKNOWN: u16 = 12 * UNIT;

/// A Devanagari word with its cost, from its rarity and its unusual spelling.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) word: String,
    pub(super) cost: u16,
}

/// The candidates of a lower-case spelling, the likeliest first.
pub(super) fn candidates(latin: &str) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    if latin.len() > LONGEST {
        return found;
    }
    TABLES.known.each(latin, |word, cost| found.push(Candidate { word: word.to_owned(), cost }));
    let name = name(latin).filter(|name| found.iter().all(|candidate| candidate.word != *name));
    let mut name_cost = UNKNOWN;
    let known = found.len();
    let mut row = Vec::with_capacity(2 * LONGEST);
    let mut least = found.iter().map(|candidate| candidate.cost).min().unwrap_or(u16::MAX - WIDEST);
    TABLES.words.each(&skeleton::of(latin), |word, rarity| {
        if name == Some(word) {
            name_cost = rarity;
        } else if rarity <= least + WIDEST
            && found[..known].iter().all(|candidate| candidate.word != word)
        {
            let limit = least + WIDEST - rarity;
            let is_spelled = TABLES.channel.symbols_of(word, &mut row).is_some();
            let score = TABLES.channel.score(&row, latin.as_bytes(), limit);
            if let Some(score) = score.filter(|_| is_spelled) {
                let cost = rarity + score;
                least = least.min(cost);
                found.push(Candidate { word: word.to_owned(), cost });
            }
        }
    });
    found.extend(name.map(|name| Candidate { word: name.to_owned(), cost: name_cost + NAME }));
    found.sort_by_key(|candidate| candidate.cost);
    let widest = found.first().map_or(0, |best| best.cost + WIDEST);
    found.truncate(MOST.min(found.iter().take_while(|candidate| candidate.cost < widest).count()));
    found
}

/// The Devanagari form of a lower-case name.
pub(super) fn name(latin: &str) -> Option<&'static str> {
    let mut letters = latin.to_owned();
    letters.get_mut(..1)?.make_ascii_uppercase();
    custom_lexicon::devanagari(&letters)
}
