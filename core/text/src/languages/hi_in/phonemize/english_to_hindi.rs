//! Converts American English phonemes to those that Hindi voices were trained on.
//!
//! The accent is Indian English: t and d are retroflex, th is a dental stop, r is a tap and never
//! dropped, v and w merge, vowels are Hindi ones, and some reduced vowels are full as spelled.
//! `research/voices/table_mixed.md` has measurements of the intelligibility of the symbols.

const STRESS: [char; 2] = ['ˈ', 'ˌ'];
const VOWELS: &str = "AIOWYaeiouæɑɐɔəɛɜɪʊʌᵊᵻ";

/// The Hindi symbols for the phonemes of the English word `written`. Stress stays in place.
pub(super) fn map_phonemes(english: &str, written: &str) -> String {
    let sounds: Vec<char> = english.chars().collect();
    let is_vowel = |sound: &&char| VOWELS.contains(**sound);
    let letters = written_vowels(written);
    let is_aligned = letters.len() == sounds.iter().filter(is_vowel).count();
    let mut letters = letters.into_iter().filter(|_| is_aligned);
    let mut out = String::new();
    for (at, sound) in sounds.iter().enumerate() {
        let written = if is_vowel(&sound) { letters.next() } else { None };
        let written = written.unwrap_or_default();
        let context =
            Context { before: &sounds[..at], after: &sounds[at + 1..], written: &written };
        match vowel(*sound, context).or_else(|| consonant(*sound, context)) {
            Some(symbols) => out.push_str(symbols),
            None => out.push(*sound),
        }
    }
    out
}

/// The groups of vowel letters of a word, without a silent final e.
fn written_vowels(word: &str) -> Vec<String> {
    let word = word.to_lowercase();
    let groups = word.split(|letter| !"aeiouy".contains(letter)).filter(|group| !group.is_empty());
    let mut groups: Vec<String> = groups.map(str::to_owned).collect();
    if groups.len() > 1 && groups.last().is_some_and(|last| last == "e" && word.ends_with('e')) {
        groups.pop();
    }
    groups
}

/// English letter names in Hindi symbols, with zed for zee as in India.
pub(super) fn map_letter_names(names: &str) -> String {
    map_phonemes(&names.replace("zˈi", "zˈɛd").replace("zˌi", "zˌɛd"), "")
}

#[derive(Clone, Copy)]
struct Context<'a> {
    before: &'a [char],
    after: &'a [char],
    /// The spelling of the vowel, if known.
    written: &'a str,
}

impl Context<'_> {
    /// The next sound, stressed or not.
    fn next(&self) -> Option<char> {
        self.after.iter().copied().find(|sound| !STRESS.contains(sound))
    }

    fn is_before_vowel(&self) -> bool {
        self.next().is_some_and(|next| VOWELS.contains(next))
    }

    /// Whether a vowel precedes this sound in the word.
    fn follows_vowel(&self) -> bool {
        self.before.iter().any(|sound| VOWELS.contains(*sound))
    }

    fn is_before_r(&self) -> bool {
        self.after.first() == Some(&'ɹ')
    }

    fn follows(&self, sounds: &[char]) -> bool {
        self.before.last().is_some_and(|before| sounds.contains(before))
    }
}

fn consonant(sound: char, context: Context<'_>) -> Option<&'static str> {
    Some(match sound {
        't' | 'T' => "ʈ",
        'd' => "ɖ",
        'θ' => "tʰ",
        'ð' => "d",
        'v' | 'w' => "ʋ",
        'ʧ' => "c",
        'ʤ' => "ɟ",
        'ʒ' => "z",
        'ŋ' if !matches!(context.next(), Some('k' | 'ɡ')) => "ŋɡ",
        // Hindi has a glide between a front vowel and a final r: शेयर, हियर.
        'ɹ' if context.follows(&['ɪ', 'ɛ']) && !context.is_before_vowel() => "jəɾ",
        'ɹ' => "ɾ",
        _ => return None,
    })
}

fn vowel(sound: char, context: Context<'_>) -> Option<&'static str> {
    Some(match sound {
        'ə' | 'ᵊ' if matches!(context.written, "i" | "y") && !context.is_before_r() => "ɪ",
        'ə' | 'ᵊ' if context.written == "e" && context.after.starts_with(&['n', 't']) => "eː",
        'æ' => "ɛː",
        'ɛ' => "eː",
        'ɑ' if context.is_before_r() => "aː",
        'ɑ' => "ɔ",
        'ɔ' if context.is_before_r() => "oː",
        'ʊ' if context.is_before_r() => "uː",
        'u' => "uː",
        'i' if context.follows(&STRESS) => "iː",
        'ɜ' if context.follows(&['ˈ']) => "ʌ",
        'ə' if context.after.is_empty() && context.follows_vowel() => "aː",
        'ɜ' | 'ɐ' | 'ᵊ' => "ə",
        'ᵻ' => "ɪ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary;

    crate::row_tests::rows! {
        english_phonemes_in_hindi: |[english]| map_phonemes(english, "");
        weak_vowels_as_they_are_written: |[word, english]| map_phonemes(english, word);
    }

    #[test]
    fn letters_by_their_names() {
        assert_eq!(map_letter_names("zˌiˌɛksˈAʧ"), "zˌeːɖˌeːksˈAc");
    }

    #[test]
    fn every_symbol_gives_symbols_of_the_vocabulary() {
        for first in vocabulary::symbols().keys() {
            for second in vocabulary::symbols().keys() {
                let english = format!("{first}{second}");
                let read = map_phonemes(&english, "");
                assert!(!read.is_empty(), "{english}");
                assert!(
                    read.chars().all(|symbol| vocabulary::id(symbol).is_some()),
                    "{english}: {read}"
                );
            }
        }
    }
}
