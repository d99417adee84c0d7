//! Phonemes of anusvara and chandrabindu.
//!
//! Each is a nasal vowel, a homorganic nasal consonant, or both. Native words write ं for ँ above
//! long vowel signs; `diacritics` respells these first. A nasal letter after इ or उ and before a
//! stop counts as ं: हिन्दी is हिंदी.

use super::graphemes::{Grapheme, Nasal, Vowel};
use super::transcription::{LONG_NASAL, Nasality, SHORT_NASAL};

const NEITHER: Nasality = Nasality { vowel: false, consonant: false };
const VOWEL: Nasality = Nasality { vowel: true, consonant: false };
const CONSONANT: Nasality = Nasality { vowel: false, consonant: true };

const SIBILANTS: [char; 3] = ['s', 'ʃ', 'z'];
const STOPS: [char; 10] = ['k', 'ɡ', 'c', 'ɟ', 'ʈ', 'ɖ', 't', 'd', 'p', 'b'];
const STOPS_AND_SIBILANTS: [char; 13] =
    ['k', 'ɡ', 'c', 'ɟ', 'ʈ', 'ɖ', 't', 'd', 'p', 'b', 's', 'ʃ', 'z'];

/// Whether the vowel of grapheme `i` is nasal, and its nasal consonant or an empty string.
pub(super) fn nasality(graphemes: &[Grapheme], i: usize) -> (bool, &'static str) {
    let next = graphemes.get(i + 1).map_or("", |next| next.consonant);
    let nasality = written(graphemes, i, next);
    (nasality.vowel, if nasality.consonant { homorganic(next) } else { "" })
}

fn written(graphemes: &[Grapheme], i: usize, next: &str) -> Nasality {
    let is_schwa = graphemes[i].vowel == Vowel::Schwa;
    match graphemes[i].nasal {
        Nasal::None => NEITHER,
        Nasal::Anusvara if is_schwa => schwa_anusvara(graphemes, i, next),
        // मैंने, गाँव, मुँह, सिंह
        _ if !next.starts_with(STOPS_AND_SIBILANTS) || is_future(graphemes, i) => VOWEL,
        _ if is_schwa => {
            if next.starts_with(SIBILANTS) {
                VOWEL
            } else {
                CONSONANT
            }
        }
        _ if matches!(graphemes[i].vowel, Vowel::Full("ɪ" | "ʊ")) => SHORT_NASAL,
        _ => LONG_NASAL,
    }
}

/// After ə an anusvara is a consonant, except for अं at the end of a one-letter word.
fn schwa_anusvara(graphemes: &[Grapheme], i: usize, next: &str) -> Nasality {
    if i == 0 && next.is_empty() && graphemes.len() == 1 { VOWEL } else { CONSONANT }
}

/// Whether the future ending of करेंगे, होंगे and करूंगा follows; not in गूंगा.
fn is_future(graphemes: &[Grapheme], i: usize) -> bool {
    if i == 0 && !matches!(graphemes[i].consonant, "l" | "d" | "h") {
        return false;
    }
    let long = matches!(graphemes[i].vowel, Vowel::Full("eː" | "oː" | "uː"));
    let ending = graphemes.get(i + 1).is_some_and(|next| {
        next.consonant == "ɡ" && matches!(next.vowel, Vowel::Full("aː" | "eː" | "iː"))
    });
    long && ending && i + 2 == graphemes.len()
}

/// The nasal consonant of an anusvara before a phoneme or at the end of a word.
fn homorganic(next: &str) -> &'static str {
    match next.chars().next() {
        Some('k' | 'ɡ' | 'q' | 'x' | 'ɣ' | 'ŋ') => "ŋ",
        Some('c' | 'ɟ' | 'ɲ' | 'j') => "ɲ",
        Some('ʈ' | 'ɖ' | 'ɳ' | 'ɽ') => "ɳ",
        Some('p' | 'b' | 'm' | 'f') | None => "m",
        _ => "n",
    }
}

/// Converts the nasal letters of हिन्दी and सुन्दर to the anusvara of हिंदी and सुंदर.
pub(super) fn unify_anusvara(graphemes: &mut Vec<Grapheme>) {
    let mut i = 1;
    while i + 1 < graphemes.len() {
        let (before, nasal, next) = (graphemes[i - 1], graphemes[i], graphemes[i + 1]);
        let short = matches!(before.vowel, Vowel::Full("ɪ" | "ʊ")) && before.nasal == Nasal::None;
        let is_mark = nasal.vowel == Vowel::None
            && next.consonant.starts_with(STOPS)
            && matches!(nasal.consonant, "n" | "m" | "ɳ" | "ɲ" | "ŋ")
            && (nasal.consonant == "n" || nasal.consonant == homorganic(next.consonant));
        if short && is_mark {
            graphemes[i - 1].nasal = Nasal::Anusvara;
            graphemes.remove(i);
        }
        i += 1;
    }
}
