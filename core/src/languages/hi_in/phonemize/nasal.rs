//! What an anusvara and a chandrabindu are heard as.
//!
//! A nasal vowel, the nasal consonant of the next stop's place, or both. Native words write ं for ँ over and beside the
//! long signs: those are respelled before they come here (`restore`). A written nasal letter before a stop after इ or उ is
//! one with ं: हिन्दी and हिंदी.

use super::conventions::{LONG_NASAL, Nasality, SHORT_NASAL};
use super::letters::{Letter, Nasal, Vowel};

const NEITHER: Nasality = Nasality { vowel: false, consonant: false };
const VOWEL: Nasality = Nasality { vowel: true, consonant: false };
const CONSONANT: Nasality = Nasality { vowel: false, consonant: true };

const HISSES: [char; 3] = ['s', 'ʃ', 'z'];
const STOPS: [char; 10] = ['k', 'ɡ', 'c', 'ɟ', 'ʈ', 'ɖ', 't', 'd', 'p', 'b'];
const STOPS_AND_HISSES: [char; 13] =
    ['k', 'ɡ', 'c', 'ɟ', 'ʈ', 'ɖ', 't', 'd', 'p', 'b', 's', 'ʃ', 'z'];

/// Whether the vowel of letter `i` is nasal, and the nasal consonant after it, which may be none.
pub(super) fn nasality(letters: &[Letter], i: usize) -> (bool, &'static str) {
    let next = letters.get(i + 1).map_or("", |next| next.consonant);
    let nasality = written(letters, i, next);
    (nasality.vowel, if nasality.consonant { homorganic(next) } else { "" })
}

fn written(letters: &[Letter], i: usize, next: &str) -> Nasality {
    let is_schwa = letters[i].vowel == Vowel::Schwa;
    match letters[i].nasal {
        Nasal::None => NEITHER,
        Nasal::Anusvara if is_schwa => schwa_point(letters, i, next),
        // मैंने, गाँव, मुँह, सिंह
        _ if !next.starts_with(STOPS_AND_HISSES) || is_future(letters, i) => VOWEL,
        _ if is_schwa => {
            if next.starts_with(HISSES) {
                VOWEL
            } else {
                CONSONANT
            }
        }
        _ if matches!(letters[i].vowel, Vowel::Full("ɪ" | "ʊ")) => SHORT_NASAL,
        _ => LONG_NASAL,
    }
}

/// After ə an anusvara is a consonant, but for a lone अं at the end of a word of one letter.
fn schwa_point(letters: &[Letter], i: usize, next: &str) -> Nasality {
    if i == 0 && next.is_empty() && letters.len() == 1 { VOWEL } else { CONSONANT }
}

/// The ending of करेंगे, होंगे and करूंगा follows: not in गूंगा.
fn is_future(letters: &[Letter], i: usize) -> bool {
    if i == 0 && !matches!(letters[i].consonant, "l" | "d" | "h") {
        return false;
    }
    let long = matches!(letters[i].vowel, Vowel::Full("eː" | "oː" | "uː"));
    let ending = letters.get(i + 1).is_some_and(|next| {
        next.consonant == "ɡ" && matches!(next.vowel, Vowel::Full("aː" | "eː" | "iː"))
    });
    long && ending && i + 2 == letters.len()
}

/// The nasal consonant that stands for an anusvara before these sounds, and at the end of a word.
fn homorganic(next: &str) -> &'static str {
    match next.chars().next() {
        Some('k' | 'ɡ' | 'q' | 'x' | 'ɣ' | 'ŋ') => "ŋ",
        Some('c' | 'ɟ' | 'ɲ' | 'j') => "ɲ",
        Some('ʈ' | 'ɖ' | 'ɳ' | 'ɽ') => "ɳ",
        Some('p' | 'b' | 'm' | 'f') | None => "m",
        _ => "n",
    }
}

/// Turns the nasal letters of हिन्दी and सुन्दर into the mark of हिंदी and सुंदर.
pub(super) fn join_spellings(letters: &mut Vec<Letter>) {
    let mut i = 1;
    while i + 1 < letters.len() {
        let (before, nasal, next) = (letters[i - 1], letters[i], letters[i + 1]);
        let short = matches!(before.vowel, Vowel::Full("ɪ" | "ʊ")) && before.nasal == Nasal::None;
        let is_mark = nasal.vowel == Vowel::None
            && next.consonant.starts_with(STOPS)
            && matches!(nasal.consonant, "n" | "m" | "ɳ" | "ɲ" | "ŋ")
            && (nasal.consonant == "n" || nasal.consonant == homorganic(next.consonant));
        if short && is_mark {
            letters[i - 1].nasal = Nasal::Anusvara;
            letters.remove(i);
        }
        i += 1;
    }
}
