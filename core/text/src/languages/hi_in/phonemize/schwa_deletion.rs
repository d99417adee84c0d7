//! Schwa deletion: decides which inherent vowels are silent.
//!
//! The rule is the classic one (Ohala 1983; Narasimhan, Sproat and Kiraz 2004): the final schwa is
//! deleted, then from right to left each schwa in the context VC_CV. It applies within a compound
//! member. A final schwa stays after a cluster of rising sonority.

use super::graphemes::{Grapheme, Nasal, Vowel};
use super::transcription::WEAK_FINAL_SCHWA;

/// Deletes each inherent vowel or makes it a schwa.
pub(super) fn resolve(graphemes: &mut [Grapheme]) {
    let mut rest = graphemes;
    while !rest.is_empty() {
        let end = (1..rest.len()).find(|i| rest[*i].begins).unwrap_or(rest.len());
        let (member, after) = rest.split_at_mut(end);
        resolve_member(member);
        rest = after;
    }
}

fn resolve_member(graphemes: &mut [Grapheme]) {
    delete_final(graphemes);
    delete_medial(graphemes);
    for grapheme in graphemes.iter_mut().filter(|grapheme| grapheme.vowel == Vowel::Inherent) {
        grapheme.vowel = Vowel::Schwa;
    }
}

fn is_open(grapheme: &Grapheme) -> bool {
    grapheme.vowel == Vowel::Inherent && grapheme.nasal == Nasal::None
}

fn delete_final(graphemes: &mut [Grapheme]) {
    let Some((last, before)) = graphemes.split_last_mut() else { return };
    let has_vowel = before.iter().any(|grapheme| grapheme.vowel.is_pronounced());
    if is_open(last) && has_vowel && !(WEAK_FINAL_SCHWA && is_rising_cluster(before, last)) {
        last.vowel = Vowel::Deleted;
    }
}

/// Whether a cluster rises in sonority, as in मित्र, मुख्य, विश्व and रत्न.
fn is_rising_cluster(before: &[Grapheme], last: &Grapheme) -> bool {
    let Some(previous) = before.last().filter(|grapheme| grapheme.vowel == Vowel::None) else {
        return false;
    };
    let after_sonorant = matches!(previous.consonant, "ɾ" | "l" | "ʋ" | "j");
    match last.consonant {
        "j" => true,
        "ɾ" | "ʋ" => !after_sonorant || last.consonant == "ʋ" && previous.consonant != "l",
        "n" | "ɳ" => matches!(previous.consonant, "t" | "p" | "ɡ" | "ɡʰ" | "ʃ" | "ʂ"),
        "m" => matches!(previous.consonant, "t" | "d" | "k" | "ɡ"),
        _ => false,
    }
}

fn delete_medial(graphemes: &mut [Grapheme]) {
    for i in (1..graphemes.len().saturating_sub(1)).rev() {
        if can_delete(graphemes, i)
            && !(can_delete(graphemes, i - 1) && stays_after_deletion(graphemes, i))
        {
            graphemes[i].vowel = Vowel::Deleted;
        }
    }
}

/// Whether the inherent vowel of grapheme `i` is in the context VC_CV.
fn can_delete(graphemes: &[Grapheme], i: usize) -> bool {
    let Some([before, grapheme, after]) =
        i.checked_sub(1).and_then(|before| graphemes.get(before..i + 2))
    else {
        return false;
    };
    is_open(grapheme)
        && before.vowel.is_pronounced()
        && after.vowel.is_pronounced()
        && !after.consonant.is_empty()
}

/// Whether the second of two adjacent deletable schwas, that of grapheme `i`, stays and the first
/// is deleted. This applies to reduplications (जगमगाना, खटखटाना), and before a final vowel (मतलबी,
/// छिपकली) unless grapheme `i` is ह. Before a suffix, it applies only to reduplications of two
/// consonants.
fn stays_after_deletion(graphemes: &[Grapheme], i: usize) -> bool {
    let consonant = |i: usize| graphemes[i].consonant;
    let is_reduplication =
        graphemes[i - 2].vowel == Vowel::Inherent && consonant(i - 1) == consonant(i + 1);
    let ends = i + 2 == graphemes.len() && matches!(graphemes[i + 1].vowel, Vowel::Full(_));
    // सनसनी is a reduplication, सनकना is not.
    if ends && is_consonant_suffix(&graphemes[i + 1]) {
        return is_reduplication && consonant(i - 2) == consonant(i);
    }
    is_reduplication || ends && consonant(i) != "h"
}

/// Whether a suffix begins here with a consonant (ना, ता and their forms, वाँ, का, जी). The schwa
/// before it is pronounced: समझ|ना, सफल|ता.
fn is_consonant_suffix(grapheme: &Grapheme) -> bool {
    let Vowel::Full(vowel) = grapheme.vowel else { return false };
    match grapheme.consonant {
        "n" | "t" => matches!(vowel, "aː" | "eː" | "iː"),
        "ʋ" => grapheme.nasal != Nasal::None,
        "k" => vowel == "aː",
        "ɟ" => vowel == "iː",
        _ => false,
    }
}
