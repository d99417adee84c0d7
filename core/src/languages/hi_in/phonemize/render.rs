//! Letters in Kokoro's symbols.

use super::conventions::{
    ASPIRATED_FLAP, BEFORE_FINAL_Y, FLAP, LONG_BEFORE_Y, LONG_NASAL_VOWELS, LOWERED_BESIDE_H,
    TRILL_BEFORE_CONTINUANT,
};
use super::letters::{Letter, Nasal, Vowel};
use super::nasal::nasality;
use super::stress::{Stress, stresses};

const NASAL_MARK: char = '\u{303}';

/// The symbols of letters whose vowels are settled.
pub(super) fn render(letters: &[Letter]) -> String {
    let stresses = stresses(letters);
    let mut out = String::with_capacity(letters.len() * 4);
    for (i, letter) in letters.iter().enumerate() {
        let next = letters.get(i + 1);
        push_consonant(&mut out, letter, i.checked_sub(1).map(|i| &letters[i]), next);
        if !letter.vowel.sounds() {
            continue;
        }
        match stresses[i] {
            Some(Stress::Main) => out.push('ˈ'),
            Some(Stress::Secondary) => out.push('ˌ'),
            None => {}
        }
        let (is_nasal, nasal) = nasality(letters, i);
        push_vowel(&mut out, vowel(letters, i, stresses[i] == Some(Stress::Main)), is_nasal);
        out.push_str(nasal);
    }
    out
}

fn push_consonant(
    out: &mut String,
    letter: &Letter,
    previous: Option<&Letter>,
    next: Option<&Letter>,
) {
    let consonant = letter.consonant;
    let previous =
        previous.filter(|previous| previous.vowel == Vowel::None).map_or("", |p| p.consonant);
    if consonant.is_empty() {
        return;
    }
    if is_doubled(previous, consonant) {
        double(out, previous, consonant);
    } else if consonant == "ɾ" && letter.vowel == Vowel::None && next.is_some_and(is_continuant) {
        out.push_str(if TRILL_BEFORE_CONTINUANT { "r" } else { consonant });
    } else {
        out.push_str(match consonant {
            "ɽ" => FLAP,
            "ɽʰ" => ASPIRATED_FLAP,
            _ => consonant,
        });
    }
    if LONG_BEFORE_Y
        && letter.vowel == Vowel::None
        && matches!(consonant, "t" | "d" | "k" | "ɡ" | "p")
        && next.is_some_and(|next| next.consonant == "j")
    {
        out.push('ː');
    }
}

/// The same consonant twice, the second perhaps aspirated: क्क, त्थ.
fn is_doubled(first: &str, second: &str) -> bool {
    !first.is_empty() && second.trim_end_matches('ʰ') == first
}

/// Writes the second half of a double consonant, whose first half stands at the end of `out`.
fn double(out: &mut String, first: &str, second: &str) {
    let aspirated = second != first;
    match first {
        "k" | "ɡ" | "c" | "ɟ" | "t" | "d" | "p" if !aspirated => out.push('ː'),
        "t" | "d" => out.push_str("ʰː"),
        "c" | "ʈ" | "ɖ" if aspirated => {
            out.push('ʰ');
            out.push_str(second);
        }
        _ => out.push_str(second),
    }
}

fn is_continuant(letter: &Letter) -> bool {
    matches!(
        letter.consonant,
        "m" | "n" | "ɳ" | "j" | "l" | "ʋ" | "ʃ" | "ʂ" | "s" | "h" | "z" | "f"
    )
}

/// The vowel of a letter as its place has it.
fn vowel(letters: &[Letter], i: usize, stressed: bool) -> &'static str {
    match letters[i].vowel {
        Vowel::Full("iː") if !stressed || i + 1 == letters.len() => "i",
        Vowel::Full("ɛː") if glides_into(letters, i, "j") => if_stressed(stressed, "ʌj", "əj"),
        Vowel::Full("ɔː") if glides_into(letters, i, "ʋ") => if_stressed(stressed, "ʌʋ", "əʋ"),
        Vowel::Full(vowel) => vowel,
        _ if LOWERED_BESIDE_H && is_lowered(letters, i) => "ɛ",
        _ if is_before_final_y(letters, i) => BEFORE_FINAL_Y,
        _ => if_stressed(stressed || i == 0 && letters[0].consonant.is_empty(), "ʌ", "ə"),
    }
}

fn if_stressed(stressed: bool, one: &'static str, other: &'static str) -> &'static str {
    if stressed { one } else { other }
}

/// The diphthong ends in the consonant that follows it: भैया, कौवा.
fn glides_into(letters: &[Letter], i: usize, glide: &str) -> bool {
    letters.get(i + 1).is_some_and(|next| {
        next.consonant == glide && next.vowel == Vowel::Full("aː") && next.nasal == Nasal::None
    })
}

/// The ə of पहले and both of शहर.
fn is_lowered(letters: &[Letter], i: usize) -> bool {
    let is_short_h = |i: usize| {
        letters.get(i).is_some_and(|letter| {
            letter.consonant == "h"
                && !letter.begins
                && matches!(letter.vowel, Vowel::Schwa | Vowel::Deleted)
        })
    };
    let follows = |i: usize| letters.get(i + 1).is_some_and(|next| !next.begins);
    let before = is_short_h(i + 1) && i + 2 < letters.len();
    let after = is_short_h(i) && follows(i) && letters[i - 1].vowel == Vowel::Schwa;
    before || after
}

fn is_before_final_y(letters: &[Letter], i: usize) -> bool {
    letters.get(i + 1).is_some_and(|next| next.consonant == "j" && next.vowel == Vowel::Deleted)
        && i + 2 == letters.len()
}

fn push_vowel(out: &mut String, vowel: &str, nasal: bool) {
    if !nasal {
        out.push_str(vowel);
        return;
    }
    // The transcriptions write a nasal i or u as if it were long, and the length of a nasal e alone.
    let letter = match vowel.trim_end_matches('ː') {
        "ɪ" => "i",
        "ʊ" => "u",
        letter => letter,
    };
    out.push_str(letter);
    out.push(NASAL_MARK);
    if (LONG_NASAL_VOWELS || letter == "e") && vowel.ends_with('ː') {
        out.push('ː');
    }
}
