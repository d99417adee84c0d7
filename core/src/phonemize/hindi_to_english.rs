//! Hindi words as an English voice says them: the symbols of Hindi to those that English was trained on.
//!
//! Aspirates lose their breath, retroflex and dental sounds are one, double consonants are single, and a nasal vowel is
//! a vowel and the nasal that the next sound asks for. Which symbols are understood best was measured: `research/voices/table_mixed.md`.

const NASAL_MARK: char = '\u{303}';
const STRESS: [char; 2] = ['ˈ', 'ˌ'];
const VOWELS: &str = "aeiouɔəɛɪʊʌ";

/// The phonemes of a Hindi word in the symbols of American English; stress stays where it was.
pub(crate) fn read(hindi: &str) -> String {
    let sounds: Vec<char> = hindi.chars().collect();
    let mut out = String::new();
    for (at, sound) in sounds.iter().enumerate() {
        let after = &sounds[at + 1..];
        match symbols(*sound, after) {
            _ if !VOWELS.contains(*sound) && after.first() == Some(sound) => {}
            Some(symbols) => out.push_str(symbols),
            None => out.push(*sound),
        }
    }
    out
}

fn symbols(sound: char, after: &[char]) -> Option<&'static str> {
    Some(match sound {
        'a' => "ɑ",
        'e' => "A",
        'o' => "O",
        'ɛ' if is_long(after) => "æ",
        'ʈ' => "t",
        'ɖ' => "d",
        'ɽ' | 'ɾ' | 'r' => "ɹ",
        'ʋ' => "v",
        'c' => "ʧ",
        'ɟ' => "ʤ",
        'ɳ' | 'ɲ' => "n",
        'ʂ' => "ʃ",
        'q' | 'x' => "k",
        'ɣ' => "ɡ",
        'ʰ' | 'ː' => "",
        NASAL_MARK => nasal(after),
        _ => return None,
    })
}

fn is_long(after: &[char]) -> bool {
    after.iter().find(|sound| **sound != NASAL_MARK) == Some(&'ː')
}

/// The nasal that follows a nasal vowel.
fn nasal(after: &[char]) -> &'static str {
    let next = after.iter().find(|sound| **sound != 'ː' && !STRESS.contains(sound));
    match next {
        Some('p' | 'b' | 'm') => "m",
        Some('k' | 'ɡ' | 'q' | 'x' | 'ɣ') => "ŋ",
        _ => "n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phonemize::vocab;

    #[test]
    fn hindi_words_in_american_sounds() {
        let rows = [
            ("nəmˈʌsteː", "nəmˈʌstA"),
            ("bʰˈaːɾət", "bˈɑɹət"),
            ("pˈa\u{303}c", "pˈɑnʧ"),
            ("bˈɛ\u{303}k", "bˈɛŋk"),
            ("sˈaː\u{303}p", "sˈɑmp"),
            ("mˈe\u{303}ː", "mˈAn"),
            ("lˈʌɽkaː", "lˈʌɹkɑ"),
            ("pʌccˈiːs", "pʌʧˈis"),
            ("pˈʌkːaː", "pˈʌkɑ"),
            ("hɛː", "hæ"),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter(|(hindi, expected)| read(hindi) != *expected)
            .map(|(hindi, expected)| format!("{hindi}: {}, not {expected}", read(hindi)))
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }

    #[test]
    fn every_symbol_gives_symbols_of_the_vocabulary() {
        for symbol in vocab::symbols().keys() {
            let read = read(&format!("{symbol}ə"));
            assert!(read.chars().all(|symbol| vocab::id(symbol).is_some()), "{symbol}: {read}");
        }
    }
}
