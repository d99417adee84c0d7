//! Which inherent vowels are silent.
//!
//! The rule is the classic one (Ohala 1983; Narasimhan, Sproat and Kiraz 2004): the last goes, then from right to left
//! each between a vowel and a consonant that a vowel follows. It works within a member of a compound, and stops at the
//! clusters that are hard to end on.

use super::conventions::WEAK_FINAL_SCHWA;
use super::letters::{Letter, Nasal, Vowel};

/// Settles every inherent vowel of the word.
pub(super) fn settle(letters: &mut [Letter]) {
    let mut rest = letters;
    while !rest.is_empty() {
        let end = (1..rest.len()).find(|i| rest[*i].begins).unwrap_or(rest.len());
        let (member, after) = rest.split_at_mut(end);
        settle_member(member);
        rest = after;
    }
}

fn settle_member(letters: &mut [Letter]) {
    delete_last(letters);
    delete_medial(letters);
    for letter in letters.iter_mut().filter(|letter| letter.vowel == Vowel::Inherent) {
        letter.vowel = Vowel::Schwa;
    }
}

fn is_open(letter: &Letter) -> bool {
    letter.vowel == Vowel::Inherent && letter.nasal == Nasal::None
}

fn delete_last(letters: &mut [Letter]) {
    let Some((last, before)) = letters.split_last_mut() else { return };
    let has_vowel = before.iter().any(|letter| letter.vowel.sounds());
    if is_open(last) && has_vowel && !(WEAK_FINAL_SCHWA && is_hard_to_end_on(before, last)) {
        last.vowel = Vowel::Deleted;
    }
}

/// A cluster that rises in sonority, such as that of मित्र, मुख्य, विश्व and रत्न.
fn is_hard_to_end_on(before: &[Letter], last: &Letter) -> bool {
    let Some(previous) = before.last().filter(|letter| letter.vowel == Vowel::None) else {
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

fn delete_medial(letters: &mut [Letter]) {
    for i in (1..letters.len().saturating_sub(1)).rev() {
        if can_delete(letters, i) && !(can_delete(letters, i - 1) && yields(letters, i)) {
            letters[i].vowel = Vowel::Deleted;
        }
    }
}

/// The inherent vowel of letter `i` stands between a vowel and a consonant that a vowel follows.
fn can_delete(letters: &[Letter], i: usize) -> bool {
    let Some([before, letter, after]) =
        i.checked_sub(1).and_then(|before| letters.get(before..i + 2))
    else {
        return false;
    };
    is_open(letter) && before.vowel.sounds() && after.vowel.sounds() && !after.consonant.is_empty()
}

/// Of two vowels in a row that could go, the first goes and this second one stays: in echoes (जगमगाना, खटखटाना) and
/// before the vowel that a word ends in (मतलबी, छिपकली), unless it is the ending of a verb's stem or an abstract noun's.
fn yields(letters: &[Letter], i: usize) -> bool {
    let consonant = |i: usize| letters[i].consonant;
    let echo = letters[i - 2].vowel == Vowel::Inherent && consonant(i - 1) == consonant(i + 1);
    let ends = i + 2 == letters.len() && matches!(letters[i + 1].vowel, Vowel::Full(_));
    // सनसनी is an echo, सनकना is not.
    if ends && is_consonant_ending(&letters[i + 1]) {
        return echo && consonant(i - 2) == consonant(i);
    }
    echo || ends && consonant(i) != "h"
}

/// ना, ता and their forms, वाँ, का, which follow a stem whose last vowel is said: समझ|ना, सफल|ता.
fn is_consonant_ending(letter: &Letter) -> bool {
    let Vowel::Full(vowel) = letter.vowel else { return false };
    match letter.consonant {
        "n" | "t" => matches!(vowel, "aː" | "eː" | "iː"),
        "ʋ" => letter.nasal != Nasal::None,
        "k" => vowel == "aː",
        "ɟ" => vowel == "iː",
        _ => false,
    }
}
