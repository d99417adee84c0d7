//! Words that no lexicon knows, read by rule.
//!
//! A small set of letter-to-sound rules for American English in the manner of Elovitz et al., "Automatic
//! Translation of English Text to Phonetics by Means of Letter-to-Sound Rules" (NRL Report 7948, 1976):
//! the longest letter group that matches wins. A trained model is to take this place; the callers only
//! need that every word of Latin letters gets a reading.

/// Whether a word is pronounceable; a word that is not is spelled.
pub(super) fn is_pronounceable(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_vowel = |c: char| "aeiouy".contains(c);
    let longest_cluster = word.split(is_vowel).map(str::len).max().unwrap_or(0);
    word.chars().any(is_vowel) && longest_cluster <= 4
}

/// The names of the letters, `a` first.
const LETTER_NAMES: [&str; 26] = [
    "ˈA",
    "bˈi",
    "sˈi",
    "dˈi",
    "ˈi",
    "ˈɛf",
    "ʤˈi",
    "ˈAʧ",
    "ˈI",
    "ʤˈA",
    "kˈA",
    "ˈɛl",
    "ˈɛm",
    "ˈɛn",
    "ˈO",
    "pˈi",
    "kjˈu",
    "ˈɑɹ",
    "ˈɛs",
    "tˈi",
    "jˈu",
    "vˈi",
    "dˈʌbᵊlju",
    "ˈɛks",
    "wˈI",
    "zˈi",
];

/// The names of the letters of a word, the last with the main stress.
pub(super) fn spell(word: &str) -> String {
    let letters: Vec<usize> = word
        .bytes()
        .filter(u8::is_ascii_alphabetic)
        .map(|letter| usize::from(letter.to_ascii_lowercase() - b'a'))
        .collect();
    let last = letters.len().saturating_sub(1);
    letters
        .into_iter()
        .enumerate()
        .map(|(i, letter)| {
            let name = LETTER_NAMES[letter];
            if i == last { name.to_owned() } else { name.replace('ˈ', "ˌ") }
        })
        .collect()
}

/// Where a rule holds in the word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Any,
    Start,
    End,
    /// Before e, i or y.
    BeforeFront,
    /// Before one consonant and a final e: the vowel is long.
    BeforeSilentE,
    BeforeVowel,
    /// Between vowels.
    BetweenVowels,
}

use At::{Any, BeforeFront, BeforeSilentE, BeforeVowel, BetweenVowels, End, Start};

/// Letters, where, sounds. Within one length of letters the first that holds wins.
const RULES: &[(&str, At, &str)] = &[
    ("tion", End, "ʃən"),
    ("sion", End, "ʒən"),
    ("ture", End, "ʧəɹ"),
    ("ough", Any, "O"),
    ("eigh", Any, "A"),
    ("igh", Any, "I"),
    ("tch", Any, "ʧ"),
    ("dge", Any, "ʤ"),
    ("sch", Any, "ʃ"),
    ("eau", Any, "O"),
    ("ous", End, "əs"),
    ("que", End, "k"),
    ("ing", End, "ɪŋ"),
    ("air", Any, "ɛɹ"),
    ("ear", Any, "ɪɹ"),
    ("eer", Any, "ɪɹ"),
    ("oor", Any, "ɔɹ"),
    ("our", Any, "ɔɹ"),
    ("iar", End, "iəɹ"),
    ("ian", End, "iən"),
    ("ia", End, "iə"),
    ("io", End, "iO"),
    ("kn", Start, "n"),
    ("wr", Start, "ɹ"),
    ("gn", Start, "n"),
    ("ps", Start, "s"),
    ("pt", Start, "t"),
    ("mn", Start, "n"),
    ("ch", Any, "ʧ"),
    ("sh", Any, "ʃ"),
    ("th", Any, "θ"),
    ("ph", Any, "f"),
    ("gh", Start, "ɡ"),
    ("gh", End, ""),
    ("gh", Any, "ɡ"),
    ("wh", Any, "w"),
    ("bh", Any, "b"),
    ("dh", Any, "d"),
    ("kh", Any, "k"),
    ("rh", Any, "ɹ"),
    ("zh", Any, "ʒ"),
    ("ck", Any, "k"),
    ("qu", Any, "kw"),
    ("ng", End, "ŋ"),
    ("nk", Any, "ŋk"),
    ("sc", BeforeFront, "s"),
    ("cc", BeforeFront, "ks"),
    ("xc", BeforeFront, "ks"),
    ("ee", Any, "i"),
    ("ea", Any, "i"),
    ("oo", Any, "u"),
    ("ou", Any, "W"),
    ("ow", End, "O"),
    ("ow", Any, "W"),
    ("oi", Any, "Y"),
    ("oy", Any, "Y"),
    ("ai", Any, "A"),
    ("ay", Any, "A"),
    ("au", Any, "ɔ"),
    ("aw", Any, "ɔ"),
    ("aa", Any, "ɑ"),
    ("ei", Any, "A"),
    ("ey", End, "i"),
    ("ie", Any, "i"),
    ("oa", Any, "O"),
    ("oe", End, "O"),
    ("ue", End, "u"),
    ("ui", Any, "u"),
    ("eu", Any, "ju"),
    ("ew", Any, "u"),
    ("ar", Any, "ɑɹ"),
    ("er", Any, "əɹ"),
    ("ir", Any, "ɜɹ"),
    ("or", Any, "ɔɹ"),
    ("ur", Any, "ɜɹ"),
    ("le", End, "ᵊl"),
    ("es", End, "z"),
    ("a", BeforeSilentE, "A"),
    ("a", End, "ə"),
    ("a", BetweenVowels, "ɑ"),
    ("a", Any, "æ"),
    ("b", Any, "b"),
    ("c", BeforeFront, "s"),
    ("c", Any, "k"),
    ("d", Any, "d"),
    ("e", BeforeSilentE, "i"),
    ("e", End, ""),
    ("e", Any, "ɛ"),
    ("f", Any, "f"),
    ("g", BeforeFront, "ʤ"),
    ("g", Any, "ɡ"),
    ("h", End, ""),
    ("h", Any, "h"),
    ("i", BeforeSilentE, "I"),
    ("i", End, "i"),
    ("i", Any, "ɪ"),
    ("j", Any, "ʤ"),
    ("k", Any, "k"),
    ("l", Any, "l"),
    ("m", Any, "m"),
    ("n", Any, "n"),
    ("o", BeforeSilentE, "O"),
    ("o", End, "O"),
    ("o", Any, "ɑ"),
    ("p", Any, "p"),
    ("q", Any, "k"),
    ("r", Any, "ɹ"),
    ("s", BetweenVowels, "z"),
    ("s", Any, "s"),
    ("t", Any, "t"),
    ("u", BeforeSilentE, "u"),
    ("u", End, "u"),
    ("u", Any, "ʌ"),
    ("v", Any, "v"),
    ("w", End, ""),
    ("w", Any, "w"),
    ("x", Start, "z"),
    ("x", Any, "ks"),
    ("y", BeforeVowel, "j"),
    ("y", End, "i"),
    ("y", BeforeSilentE, "I"),
    ("y", Any, "ɪ"),
    ("z", Any, "z"),
];

/// Reads a pronounceable word of Latin letters by rule, with one main stress.
pub(super) fn read(word: &str) -> String {
    let letters: Vec<u8> =
        word.bytes().filter(u8::is_ascii_alphabetic).map(|b| b.to_ascii_lowercase()).collect();
    let mut sounds: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        // A doubled consonant sounds once.
        if at > 0 && letters[at] == letters[at - 1] && !is_vowel(letters[at]) {
            at += 1;
            continue;
        }
        let (group, _, sound) = RULES
            .iter()
            .find(|(group, place, _)| {
                letters[at..].starts_with(group.as_bytes())
                    && holds(*place, &letters, at, group.len())
            })
            .expect("every letter has a rule that holds anywhere");
        sounds.push(sound);
        at += group.len();
    }
    stress(&sounds.concat())
}

fn is_vowel(letter: u8) -> bool {
    b"aeiouy".contains(&letter)
}

fn holds(place: At, letters: &[u8], at: usize, length: usize) -> bool {
    let after = &letters[at + length..];
    match place {
        Any => true,
        Start => at == 0,
        End => at > 0 && after.is_empty(),
        BeforeFront => after.first().is_some_and(|c| b"eiy".contains(c)),
        BeforeSilentE => matches!(after, [c, b'e'] | [c, b'e', b's'] if !is_vowel(*c)),
        BeforeVowel => after.first().is_some_and(|c| is_vowel(*c)),
        BetweenVowels => {
            let open = |c: Option<&u8>| c.is_some_and(|c| is_vowel(*c));
            if is_vowel(letters[at]) {
                matches!(after, [c, v, ..] if !is_vowel(*c) && is_vowel(*v))
            } else {
                at > 0 && open(letters.get(at - 1)) && open(after.first())
            }
        }
    }
}

/// Puts the main stress: on the first of two syllables, else on the last but one if the word ends in a
/// vowel and on the last but two if not.
fn stress(sounds: &str) -> String {
    const VOWELS: &str = "AIOWYiuɑæɔəɛɜɪʊʌᵊ";
    let vowels: Vec<usize> =
        sounds.char_indices().filter(|(_, c)| VOWELS.contains(*c)).map(|(i, _)| i).collect();
    let from_end = match vowels.len() {
        0 => return sounds.into(),
        count @ 1..=2 => count,
        _ if sounds.ends_with(|c| VOWELS.contains(c)) => 2,
        _ => 3,
    };
    let at = vowels[vowels.len() - from_end];
    let (before, after) = sounds.split_at(at);
    // A reduced vowel cannot carry the stress.
    let after = match after.chars().next() {
        Some('ə' | 'ᵊ') => {
            format!("ʌ{}", &after[after.chars().next().map_or(0, char::len_utf8)..])
        }
        _ => after.to_owned(),
    };
    format!("{before}ˈ{after}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phonemize::vocab;

    #[test]
    fn words_by_rule() {
        for (word, expected) in [
            ("Flipkart", "flˈɪpkɑɹt"),
            ("Modi", "mˈɑdi"),
            ("splike", "splˈIk"),
            ("zorran", "zˈɔɹæn"),
            ("Priyanka", "pɹɪjˈæŋkə"),
        ] {
            assert_eq!(read(word), expected, "{word}");
        }
    }

    #[test]
    fn every_rule_and_letter_name_is_in_the_vocabulary() {
        let symbols = RULES.iter().map(|(_, _, sound)| *sound).chain(LETTER_NAMES);
        for symbol in symbols.flat_map(str::chars) {
            assert!(vocab::id(symbol).is_some(), "{symbol}");
        }
    }

    #[test]
    fn what_cannot_be_pronounced() {
        assert!(["nginx", "paneer", "Schmidt"].into_iter().all(is_pronounceable));
        assert!(!["qzxwv", "btw", "pqrst"].into_iter().any(is_pronounceable));
        assert_eq!(spell("btw"), "bˌitˌidˈʌbᵊlju");
    }
}
