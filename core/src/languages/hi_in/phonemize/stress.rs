//! Where a word is stressed: by the weight of its syllables.
//!
//! A syllable is light (a short vowel), heavy (a long vowel, or a short one and a consonant) or superheavy. A final
//! superheavy syllable has the stress, else a heavy one before the last, else the one before that.

use super::letters::{Letter, Nasal, Vowel};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stress {
    Main,
    Secondary,
}

#[derive(Clone, Copy)]
struct Syllable {
    /// The letter whose vowel it is.
    letter: usize,
    /// Its place among the vowels that are written.
    written: usize,
    long: bool,
    coda: usize,
}

impl Syllable {
    fn weight(self) -> usize {
        1 + usize::from(self.long) + self.coda
    }
}

/// The stress of each letter's vowel.
pub(super) fn stresses(letters: &[Letter]) -> Vec<Option<Stress>> {
    let syllables = syllables(letters);
    let mut stresses = vec![None; letters.len()];
    let Some(main) = main_stress(&syllables, ends_in_ing(letters)) else { return stresses };
    stresses[syllables[main].letter] = Some(Stress::Main);
    for secondary in secondary_stresses(&syllables, main) {
        stresses[syllables[secondary].letter] = Some(Stress::Secondary);
    }
    stresses
}

fn syllables(letters: &[Letter]) -> Vec<Syllable> {
    let mut syllables: Vec<Syllable> = Vec::new();
    let mut written = 0;
    for (i, letter) in letters.iter().enumerate() {
        match letter.vowel {
            Vowel::None | Vowel::Deleted => {
                written += usize::from(letter.vowel == Vowel::Deleted);
                if let Some(last) = syllables.last_mut() {
                    last.coda += 1;
                }
            }
            vowel => {
                // The last of the consonants before a vowel begins its syllable, if the letter has none itself.
                if letter.consonant.is_empty()
                    && let Some(last) = syllables.last_mut()
                {
                    last.coda = last.coda.saturating_sub(1);
                }
                let long =
                    matches!(vowel, Vowel::Full(v) if v.ends_with('ː') || matches!(v, "ɔ" | "ɛ"));
                let coda = usize::from(letter.nasal != Nasal::None && !long);
                syllables.push(Syllable { letter: i, written, long, coda });
                written += 1;
            }
        }
    }
    syllables
}

/// पार्किंग: the ending of the English words is not stressed.
fn ends_in_ing(letters: &[Letter]) -> bool {
    let [.., vowel, end] = letters else { return false };
    vowel.vowel == Vowel::Full("ɪ")
        && vowel.nasal != Nasal::None
        && end.consonant == "ɡ"
        && !end.vowel.sounds()
}

fn main_stress(syllables: &[Syllable], is_ending_weak: bool) -> Option<usize> {
    let last = syllables.len().checked_sub(1)?;
    if last == 0 || syllables[last].weight() >= 3 && !is_ending_weak {
        return Some(last);
    }
    let heavy = |i: usize| syllables[i].weight() >= 2;
    if heavy(last - 1) || last == 1 {
        return Some(last - 1);
    }
    Some(last - 2)
}

fn secondary_stresses(syllables: &[Syllable], main: usize) -> impl Iterator<Item = usize> {
    let last = syllables.len() - 1;
    let far = |i: usize| syllables[i].written.abs_diff(syllables[main].written) >= 2;
    let after = (last > main && far(last) && syllables[last].weight() >= 2).then_some(last);
    let before = (main > 0 && (far(0) || syllables[0].coda > 0 && main == last)).then_some(0);
    before.into_iter().chain(after)
}
