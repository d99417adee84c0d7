//! Converts graphemes to the phoneme symbols of Kokoro's vocabulary.

use super::graphemes::{Grapheme, Nasal, Vowel};
use super::nasalization::nasality;
use super::stress::{Stress, stresses};
use super::transcription::{
    ASPIRATED_FLAP, BEFORE_FINAL_Y, FLAP, LONG_BEFORE_Y, LONG_NASAL_VOWELS, LOWERED_BESIDE_H,
    TRILL_BEFORE_CONTINUANT,
};

const NASAL_MARK: char = '\u{303}';

/// The symbols of graphemes after schwa deletion.
pub(super) fn symbols(graphemes: &[Grapheme]) -> String {
    let stresses = stresses(graphemes);
    let mut out = String::with_capacity(graphemes.len() * 4);
    for (i, grapheme) in graphemes.iter().enumerate() {
        let next = graphemes.get(i + 1);
        push_consonant(&mut out, grapheme, i.checked_sub(1).map(|i| &graphemes[i]), next);
        if !grapheme.vowel.is_pronounced() {
            continue;
        }
        match stresses[i] {
            Some(Stress::Primary) => out.push('ˈ'),
            Some(Stress::Secondary) => out.push('ˌ'),
            None => {}
        }
        let (is_nasal, nasal) = nasality(graphemes, i);
        push_vowel(&mut out, vowel(graphemes, i, stresses[i] == Some(Stress::Primary)), is_nasal);
        out.push_str(nasal);
    }
    out
}

fn push_consonant(
    out: &mut String,
    grapheme: &Grapheme,
    previous: Option<&Grapheme>,
    next: Option<&Grapheme>,
) {
    let consonant = grapheme.consonant;
    let previous =
        previous.filter(|previous| previous.vowel == Vowel::None).map_or("", |p| p.consonant);
    if consonant.is_empty() {
        return;
    }
    if is_geminate(previous, consonant) {
        push_second_half(out, previous, consonant);
    } else if consonant == "ɾ" && grapheme.vowel == Vowel::None && next.is_some_and(is_continuant)
    {
        out.push_str(if TRILL_BEFORE_CONTINUANT { "r" } else { consonant });
    } else {
        out.push_str(match consonant {
            "ɽ" => FLAP,
            "ɽʰ" => ASPIRATED_FLAP,
            _ => consonant,
        });
    }
    if LONG_BEFORE_Y
        && grapheme.vowel == Vowel::None
        && matches!(consonant, "t" | "d" | "k" | "ɡ" | "p")
        && next.is_some_and(|next| next.consonant == "j")
    {
        out.push('ː');
    }
}

/// Whether two consonants are a geminate; the second may be aspirated: क्क, त्थ.
fn is_geminate(first: &str, second: &str) -> bool {
    !first.is_empty() && second.trim_end_matches('ʰ') == first
}

/// Adds the second half of a geminate whose first half is at the end of `out`.
fn push_second_half(out: &mut String, first: &str, second: &str) {
    let is_aspirated = second != first;
    match first {
        "k" | "ɡ" | "c" | "ɟ" | "t" | "d" | "p" if !is_aspirated => out.push('ː'),
        "t" | "d" => out.push_str("ʰː"),
        "c" | "ʈ" | "ɖ" if is_aspirated => {
            out.push('ʰ');
            out.push_str(second);
        }
        _ => out.push_str(second),
    }
}

fn is_continuant(grapheme: &Grapheme) -> bool {
    matches!(
        grapheme.consonant,
        "m" | "n" | "ɳ" | "j" | "l" | "ʋ" | "ʃ" | "ʂ" | "s" | "h" | "z" | "f"
    )
}

fn vowel(graphemes: &[Grapheme], i: usize, stressed: bool) -> &'static str {
    match graphemes[i].vowel {
        Vowel::Full("iː") if !stressed || i + 1 == graphemes.len() => "i",
        Vowel::Full("ɛː") if glides_into(graphemes, i, "j") => if_stressed(stressed, "ʌj", "əj"),
        Vowel::Full("ɔː") if glides_into(graphemes, i, "ʋ") => if_stressed(stressed, "ʌʋ", "əʋ"),
        Vowel::Full(vowel) => vowel,
        _ if LOWERED_BESIDE_H && is_lowered(graphemes, i) => "ɛ",
        _ if is_before_final_y(graphemes, i) => BEFORE_FINAL_Y,
        _ => if_stressed(stressed || i == 0 && graphemes[0].consonant.is_empty(), "ʌ", "ə"),
    }
}

fn if_stressed(stressed: bool, one: &'static str, other: &'static str) -> &'static str {
    if stressed { one } else { other }
}

/// Whether a diphthong ends in the following glide: भैया, कौवा.
fn glides_into(graphemes: &[Grapheme], i: usize, glide: &str) -> bool {
    graphemes.get(i + 1).is_some_and(|next| {
        next.consonant == glide && next.vowel == Vowel::Full("aː") && next.nasal == Nasal::None
    })
}

/// Whether a ə is lowered, as in पहले and both of शहर.
fn is_lowered(graphemes: &[Grapheme], i: usize) -> bool {
    let is_short_h = |i: usize| {
        graphemes.get(i).is_some_and(|grapheme| {
            grapheme.consonant == "h"
                && !grapheme.begins
                && matches!(grapheme.vowel, Vowel::Schwa | Vowel::Deleted)
        })
    };
    let follows = |i: usize| graphemes.get(i + 1).is_some_and(|next| !next.begins);
    let before = is_short_h(i + 1) && i + 2 < graphemes.len();
    let after = is_short_h(i) && follows(i) && graphemes[i - 1].vowel == Vowel::Schwa;
    before || after
}

fn is_before_final_y(graphemes: &[Grapheme], i: usize) -> bool {
    graphemes.get(i + 1).is_some_and(|next| next.consonant == "j" && next.vowel == Vowel::Deleted)
        && i + 2 == graphemes.len()
}

fn push_vowel(out: &mut String, vowel: &str, nasal: bool) {
    if !nasal {
        out.push_str(vowel);
        return;
    }
    // The transcriptions write nasal i and u as long, and the length of nasal e only alone.
    let quality = match vowel.trim_end_matches('ː') {
        "ɪ" => "i",
        "ʊ" => "u",
        quality => quality,
    };
    out.push_str(quality);
    out.push(NASAL_MARK);
    if (LONG_NASAL_VOWELS || quality == "e") && vowel.ends_with('ː') {
        out.push('ː');
    }
}
