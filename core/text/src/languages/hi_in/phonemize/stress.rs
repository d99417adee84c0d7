//! Word stress by syllable weight.
//!
//! A syllable is light (short vowel), heavy (long vowel, or short vowel and consonant) or
//! superheavy. Stress is on a final superheavy syllable, else on a heavy penultimate one, else on
//! the one before.

use super::graphemes::{Grapheme, Nasal, Vowel};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stress {
    Primary,
    Secondary,
}

#[derive(Clone, Copy)]
struct Syllable {
    grapheme: usize,
    /// Its index among the vowels of the spelling, including deleted ones.
    written: usize,
    long: bool,
    coda: usize,
}

impl Syllable {
    fn weight(self) -> usize {
        1 + usize::from(self.long) + self.coda
    }
}

pub(super) fn stresses(graphemes: &[Grapheme]) -> Vec<Option<Stress>> {
    let syllables = syllables(graphemes);
    let mut stresses = vec![None; graphemes.len()];
    let Some(main) = primary_stress(&syllables, ends_in_ing(graphemes)) else { return stresses };
    stresses[syllables[main].grapheme] = Some(Stress::Primary);
    for secondary in secondary_stresses(&syllables, main) {
        stresses[syllables[secondary].grapheme] = Some(Stress::Secondary);
    }
    stresses
}

fn syllables(graphemes: &[Grapheme]) -> Vec<Syllable> {
    let mut syllables: Vec<Syllable> = Vec::new();
    let mut written = 0;
    for (i, grapheme) in graphemes.iter().enumerate() {
        match grapheme.vowel {
            Vowel::None | Vowel::Deleted => {
                written += usize::from(grapheme.vowel == Vowel::Deleted);
                if let Some(last) = syllables.last_mut() {
                    last.coda += 1;
                }
            }
            vowel => {
                // The last consonant before an independent vowel is its syllable's onset.
                if grapheme.consonant.is_empty()
                    && let Some(last) = syllables.last_mut()
                {
                    last.coda = last.coda.saturating_sub(1);
                }
                let long =
                    matches!(vowel, Vowel::Full(v) if v.ends_with('ː') || matches!(v, "ɔ" | "ɛ"));
                let coda = usize::from(grapheme.nasal != Nasal::None && !long);
                syllables.push(Syllable { grapheme: i, written, long, coda });
                written += 1;
            }
        }
    }
    syllables
}

/// Whether a word ends in the unstressed English -ing: पार्किंग.
fn ends_in_ing(graphemes: &[Grapheme]) -> bool {
    let [.., vowel, end] = graphemes else { return false };
    vowel.vowel == Vowel::Full("ɪ")
        && vowel.nasal != Nasal::None
        && end.consonant == "ɡ"
        && !end.vowel.is_pronounced()
}

fn primary_stress(syllables: &[Syllable], is_ending_weak: bool) -> Option<usize> {
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
