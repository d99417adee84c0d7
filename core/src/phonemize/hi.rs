//! Hindi words in Kokoro's symbols: letters to sounds, schwa deletion, nasals, stress.
//!
//! Devanagari is nearly phonemic; what the script leaves open is which inherent vowels are silent. The rule
//! is the classic one (Ohala 1983; Narasimhan, Sproat and Kiraz 2004): from right to left a schwa goes
//! between a vowel and a consonant that a vowel follows. Exceptions, loanwords and compound boundaries are not here yet.

/// A syllable-sized piece: what stands before the vowel, the vowel, whether it is nasal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Syllable {
    onset: String,
    vowel: Vowel,
    nasal: Nasal,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Vowel {
    /// The inherent vowel.
    #[default]
    Schwa,
    /// A written vowel.
    Full(&'static str),
    /// None: the consonant carries a virama, or its schwa was deleted.
    Silent,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Nasal {
    #[default]
    None,
    Anusvara,
    Chandrabindu,
}

const NASAL_MARK: char = '\u{303}';

/// The phonemes of a word in Devanagari; never empty for a word with a letter.
pub(super) fn read(word: &str) -> String {
    let mut syllables = syllables(word);
    delete_schwas(&mut syllables);
    let phonemes = render(&syllables);
    // A sign on its own is read as the vowel it writes, or as the inherent one.
    if phonemes.is_empty() { "ə".into() } else { phonemes }
}

fn consonant(letter: char, nukta: bool) -> Option<&'static str> {
    Some(match (letter, nukta) {
        ('क', true) => "q",
        ('ख', true) => "x",
        ('ग', true) => "ɣ",
        ('ज', true) => "z",
        ('ड', true) => "ɽ",
        ('ढ', true) => "ɽʰ",
        ('फ', true) => "f",
        ('झ', true) => "ʒ",
        ('क', _) => "k",
        ('ख', _) => "kʰ",
        ('ग' | 'ॻ', _) => "ɡ",
        ('घ', _) => "ɡʰ",
        ('ङ', _) => "ŋ",
        ('च', _) => "c",
        ('छ', _) => "cʰ",
        ('ज' | 'ॼ', _) => "ɟ",
        ('झ', _) => "ɟʰ",
        ('ञ', _) => "ɲ",
        ('ट', _) => "ʈ",
        ('ठ', _) => "ʈʰ",
        ('ड' | 'ॾ', _) => "ɖ",
        ('ढ', _) => "ɖʰ",
        ('ण', _) => "ɳ",
        ('त', _) => "t",
        ('थ', _) => "tʰ",
        ('द', _) => "d",
        ('ध', _) => "dʰ",
        ('न' | 'ऩ', _) => "n",
        ('प', _) => "p",
        ('फ', _) => "pʰ",
        ('ब' | 'ॿ', _) => "b",
        ('भ', _) => "bʰ",
        ('म', _) => "m",
        ('य' | 'ॺ', _) => "j",
        ('र' | 'ऱ', _) => "ɾ",
        ('ल' | 'ळ' | 'ऴ', _) => "l",
        ('व', _) => "ʋ",
        ('श', _) => "ʃ",
        ('ष', _) => "ʂ",
        ('स', _) => "s",
        ('ह', _) => "h",
        _ => return None,
    })
}

/// A vowel letter or sign: `Err` with the consonant for ऋ, which is a consonant and a vowel.
fn vowel(letter: char) -> Option<(&'static str, &'static str)> {
    Some(match letter {
        'अ' | 'ऄ' => ("", "ə"),
        'आ' | 'ा' | 'ॴ' | 'ऻ' => ("", "aː"),
        'इ' | 'ि' => ("", "ɪ"),
        'ई' | 'ी' => ("", "iː"),
        'उ' | 'ु' => ("", "ʊ"),
        'ऊ' | 'ू' => ("", "uː"),
        'ऋ' | 'ृ' => ("ɾ", "ɪ"),
        'ॠ' | 'ॄ' => ("ɾ", "iː"),
        'ऌ' | 'ॢ' => ("l", "ɪ"),
        'ॡ' | 'ॣ' => ("l", "iː"),
        'ए' | 'े' => ("", "eː"),
        'ऐ' | 'ै' => ("", "ɛː"),
        'ओ' | 'ो' => ("", "oː"),
        'औ' | 'ौ' | 'ॏ' | 'ॵ' => ("", "ɔː"),
        'ऑ' | 'ॉ' => ("", "ɔ"),
        'ऍ' | 'ॅ' | 'ॲ' => ("", "ɛ"),
        'ऎ' | 'ॆ' => ("", "e"),
        'ऒ' | 'ॊ' => ("", "o"),
        'ॳ' | 'ॶ' | 'ॷ' | 'ऺ' | 'ॖ' | 'ॗ' | 'ॕ' | 'ॎ' => ("", "ə"),
        _ => return None,
    })
}

fn syllables(word: &str) -> Vec<Syllable> {
    let mut syllables: Vec<Syllable> = Vec::new();
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let nukta = letters.next_if_eq(&'\u{93c}').is_some();
        if let Some(onset) = consonant(letter, nukta) {
            let silent = letters.next_if_eq(&'\u{94d}').is_some();
            let vowel = if silent { Vowel::Silent } else { Vowel::Schwa };
            syllables.push(Syllable { onset: onset.into(), vowel, nasal: Nasal::None });
        } else if let Some((onset, sound)) = vowel(letter) {
            let is_sign = unicode_normalization::char::is_combining_mark(letter);
            match syllables.last_mut() {
                Some(last)
                    if is_sign && last.vowel == Vowel::Schwa && last.nasal == Nasal::None =>
                {
                    last.onset.push_str(onset);
                    last.vowel = Vowel::Full(sound);
                }
                // A second sign on one letter is a slip of the keyboard: the first one counts.
                Some(last) if is_sign && matches!(last.vowel, Vowel::Full(_)) => {}
                _ => syllables.push(Syllable {
                    onset: onset.into(),
                    vowel: Vowel::Full(sound),
                    nasal: Nasal::None,
                }),
            }
        } else {
            match (letter, syllables.last_mut()) {
                ('ं', Some(last)) => last.nasal = Nasal::Anusvara,
                ('ँ' | 'ऀ', Some(last)) => last.nasal = Nasal::Chandrabindu,
                ('ः', Some(_)) => syllables.push(Syllable {
                    onset: "h".into(),
                    vowel: Vowel::Silent,
                    nasal: Nasal::None,
                }),
                ('ॐ', _) => syllables.extend([
                    Syllable {
                        onset: String::new(), vowel: Vowel::Full("oː"), nasal: Nasal::None
                    },
                    Syllable { onset: "m".into(), vowel: Vowel::Silent, nasal: Nasal::None },
                ]),
                _ => {}
            }
        }
    }
    join_special_clusters(&mut syllables);
    syllables
}

/// ज्ञ is said ɡj.
fn join_special_clusters(syllables: &mut [Syllable]) {
    for i in 1..syllables.len() {
        if syllables[i].onset == "ɲ"
            && syllables[i - 1].onset == "ɟ"
            && syllables[i - 1].vowel == Vowel::Silent
        {
            syllables[i - 1].onset = "ɡ".into();
            syllables[i].onset = "j".into();
        }
    }
}

fn delete_schwas(syllables: &mut [Syllable]) {
    let is_vowel = |s: &Syllable| s.vowel != Vowel::Silent;
    let deletable =
        |s: &Syllable| s.vowel == Vowel::Schwa && s.nasal == Nasal::None && !s.onset.is_empty();
    let count = syllables.len();
    if let Some((last, before)) = syllables.split_last_mut()
        && deletable(last)
        && before.iter().any(is_vowel)
    {
        last.vowel = Vowel::Silent;
    }
    for i in (1..count.saturating_sub(1)).rev() {
        if deletable(&syllables[i])
            && is_vowel(&syllables[i - 1])
            && is_vowel(&syllables[i + 1])
            && !syllables[i + 1].onset.is_empty()
        {
            syllables[i].vowel = Vowel::Silent;
        }
    }
}

/// The nasal consonant that stands for an anusvara before these sounds.
fn homorganic(next: &str) -> &'static str {
    match next.chars().next() {
        Some('k' | 'ɡ' | 'q' | 'x' | 'ɣ' | 'ŋ') => "ŋ",
        Some('c' | 'ɟ' | 'ɲ' | 'j') => "ɲ",
        Some('ʈ' | 'ɖ' | 'ɳ' | 'ɽ') => "ɳ",
        Some('p' | 'b' | 'm' | 'f') => "m",
        _ => "n",
    }
}

fn render(syllables: &[Syllable]) -> String {
    let stressed = stressed(syllables);
    let mut out = String::new();
    for (i, syllable) in syllables.iter().enumerate() {
        out.push_str(&syllable.onset);
        let is_stressed = stressed == Some(i);
        let sound = match syllable.vowel {
            Vowel::Silent => continue,
            Vowel::Schwa | Vowel::Full("ə")
                if is_stressed || i == 0 && syllable.onset.is_empty() =>
            {
                "ʌ"
            }
            Vowel::Schwa => "ə",
            Vowel::Full("iː") if i + 1 == syllables.len() && !is_stressed => "i",
            Vowel::Full(sound) => sound,
        };
        if is_stressed {
            out.push('ˈ');
        }
        let next =
            syllables.get(i + 1).map(|next| next.onset.as_str()).filter(|onset| !onset.is_empty());
        match (syllable.nasal, next) {
            (Nasal::None, _) => out.push_str(sound),
            (Nasal::Anusvara, Some(next)) if matches!(sound, "ə" | "ʌ") => {
                out.push_str(sound);
                out.push_str(homorganic(next));
            }
            _ => {
                let letter = sound.trim_end_matches('ː');
                out.push_str(letter);
                out.push(NASAL_MARK);
                if letter == "e" && sound.ends_with('ː') {
                    out.push('ː');
                }
            }
        }
    }
    out
}

/// The syllable with the main stress: the heaviest, the last but one if two are equal, the last only if
/// it alone is superheavy.
fn stressed(syllables: &[Syllable]) -> Option<usize> {
    let nuclei: Vec<usize> =
        (0..syllables.len()).filter(|i| syllables[*i].vowel != Vowel::Silent).collect();
    let weight = |nucleus: usize| {
        let syllable = &syllables[nucleus];
        let long = matches!(syllable.vowel, Vowel::Full(v) if v.ends_with('ː') || v == "ɔ");
        let is_coda = |s: &&Syllable| s.vowel == Vowel::Silent;
        let coda = syllables[nucleus + 1..].iter().take_while(is_coda).count();
        // The last silent consonant before another vowel begins the next syllable with it.
        let is_final = syllables[nucleus + 1..].iter().all(|s| s.vowel == Vowel::Silent);
        let coda = if is_final { coda } else { coda.min(1) };
        1 + usize::from(long) + coda + usize::from(syllable.nasal == Nasal::Anusvara)
    };
    let (&last, rest) = nuclei.split_last()?;
    let Some(best) = rest.iter().copied().max_by_key(|n| (weight(*n).min(2), *n)) else {
        return Some(last);
    };
    Some(if weight(last) >= 3 && weight(best) < 3 { last } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phonemize::vocab;

    #[test]
    fn words() {
        let rows = [
            ("नमस्ते", "nəmˈʌsteː"),
            ("हिन्दी", "hˈɪndi"),
            ("कमल", "kˈʌməl"),
            ("कमला", "kˈʌmlaː"),
            ("गंगा", "ɡˈʌŋɡaː"),
            ("पाँच", "pˈa\u{303}c"),
            ("ज्ञान", "ɡjˈaːn"),
            ("लड़का", "lˈʌɽkaː"),
            ("में", "mˈe\u{303}ː"),
            ("ज़रूर", "zəɾˈuːɾ"),
            ("विद्यालय", "ʋɪdjˈaːləj"),
            ("दुःख", "dˈʊhkʰ"),
            ("ा", "ˈaː"),
            ("्", "ə"),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter(|(word, expected)| read(word) != *expected)
            .map(|(word, expected)| format!("{word}: {}, not {expected}", read(word)))
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }

    #[test]
    fn every_letter_of_the_block_is_in_the_vocabulary() {
        for letter in '\u{900}'..='\u{97f}' {
            for symbol in read(&letter.to_string()).chars() {
                assert!(vocab::id(symbol).is_some(), "{letter}: {symbol}");
            }
        }
    }
}
