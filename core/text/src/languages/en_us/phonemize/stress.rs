//! Stress marks: emphasis by capitalization, and stress of compounds.

pub(super) const PRIMARY: char = 'ˈ';
pub(super) const SECONDARY: char = 'ˌ';
const VOWELS: &str = "AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ";
const DIPHTHONGS: &str = "AIOQWYʤʧ";

/// The capitalization of a word, which affects its stress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emphasis {
    /// In lower case.
    Plain,
    /// With capitals and small letters.
    Capitalized,
    Capitals,
}

impl Emphasis {
    pub(super) fn of(word: &str) -> Self {
        if !word.chars().any(char::is_uppercase) {
            Self::Plain
        } else if word.chars().any(char::is_lowercase) {
            Self::Capitalized
        } else {
            Self::Capitals
        }
    }

    /// Adds a secondary stress to an unstressed word with a capital, a primary one to capitals.
    pub(super) fn apply(self, phonemes: String) -> String {
        let has_primary = phonemes.contains(PRIMARY);
        let has_secondary = phonemes.contains(SECONDARY);
        match (self, has_primary, has_secondary) {
            (Self::Capitalized, false, false) => stressed(phonemes, SECONDARY),
            (Self::Capitals, false, false) => stressed(phonemes, PRIMARY),
            (Self::Capitals, false, true) => phonemes.replace(SECONDARY, "ˈ"),
            _ => phonemes,
        }
    }
}

/// Inserts a mark before the first vowel.
fn stressed(mut phonemes: String, mark: char) -> String {
    if let Some(at) = phonemes.find(is_vowel) {
        phonemes.insert(at, mark);
    }
    phonemes
}

pub(super) fn is_vowel(symbol: char) -> bool {
    VOWELS.contains(symbol)
}

/// Makes the primary stress secondary, and removes other secondary stresses.
pub(super) fn demote(phonemes: &str) -> String {
    if phonemes.contains(PRIMARY) {
        phonemes.replace(SECONDARY, "").replace(PRIMARY, "ˌ")
    } else {
        phonemes.to_owned()
    }
}

/// Balances the stress of compound parts. If more than half have a primary stress, the lighter half
/// is demoted. Of a letter and a second part, the second part is demoted.
pub(super) fn balance(parts: &mut [(&str, String)]) {
    let weight = |phonemes: &str| {
        phonemes.chars().map(|c| if DIPHTHONGS.contains(c) { 2 } else { 1 }).sum::<usize>()
    };
    let mut order: Vec<(bool, usize, usize)> = parts
        .iter()
        .enumerate()
        .filter(|(_, (_, phonemes))| !phonemes.is_empty())
        .map(|(i, (_, phonemes))| (phonemes.contains(PRIMARY), weight(phonemes), i))
        .collect();
    let stressed = order.iter().filter(|(has_primary, ..)| *has_primary).count();
    if let [(_, _, first), (_, _, second)] = order[..]
        && parts[first].0.chars().count() == 1
    {
        parts[second].1 = demote(&parts[second].1);
    } else if order.len() >= 2 && stressed > order.len().div_ceil(2) {
        order.sort_unstable();
        for (_, _, i) in &order[..order.len() / 2] {
            parts[*i].1 = demote(&parts[*i].1);
        }
    }
}

#[cfg(test)]
crate::row_tests::rows! {
    emphasis_of_words: |[word, phonemes]| Emphasis::of(word).apply(phonemes.into());
    stress_of_compounds: |[words, phonemes]| {
        let phonemes = phonemes.split(' ').map(str::to_owned);
        let mut parts: Vec<_> = words.split(' ').zip(phonemes).collect();
        balance(&mut parts);
        parts.into_iter().map(|(_, phonemes)| phonemes).collect::<String>()
    };
}
