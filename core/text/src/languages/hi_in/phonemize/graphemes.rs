//! Parses spelling into graphemes: consonant and vowel signs with their phonemes.
//!
//! Besides Devanagari, a spelling may contain two marks from the exception tables: `'` after a
//! consonant with a pronounced inherent vowel, and `-` between compound members.

/// Marks a pronounced inherent vowel of the previous consonant.
pub(super) const KEEP_SCHWA: char = '\'';
/// Marks the end of a compound member.
pub(super) const BOUNDARY: char = '-';
pub(super) const NUKTA: char = '\u{93c}';
pub(super) const VIRAMA: char = '\u{94d}';

/// A consonant letter with its vowel sign, or either alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Grapheme {
    /// Empty for an independent vowel.
    pub(super) consonant: &'static str,
    pub(super) vowel: Vowel,
    pub(super) nasal: Nasal,
    /// Whether it begins a compound member or the word.
    pub(super) begins: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Vowel {
    /// The inherent vowel before schwa deletion.
    #[default]
    Inherent,
    /// A pronounced ə.
    Schwa,
    /// A written vowel.
    Full(&'static str),
    /// No vowel, because of a virama.
    None,
    /// An inherent vowel that schwa deletion removed.
    Deleted,
}

impl Vowel {
    /// Whether it is pronounced, as far as known.
    pub(super) fn is_pronounced(self) -> bool {
        !matches!(self, Self::None | Self::Deleted)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Nasal {
    #[default]
    None,
    Anusvara,
    Chandrabindu,
}

/// The graphemes of a spelling. A vowel sign without a consonant becomes an independent vowel;
/// other stray signs are dropped.
pub(super) fn parse(spelling: &str) -> Vec<Grapheme> {
    let mut graphemes: Vec<Grapheme> = Vec::with_capacity(spelling.len() / 3);
    let mut begins = true;
    let mut rest = spelling.chars().peekable();
    while let Some(letter) = rest.next() {
        let nukta = rest.next_if_eq(&NUKTA).is_some();
        if letter == BOUNDARY {
            begins = true;
        } else if let Some(consonant) = consonant(letter, nukta) {
            let vowel =
                if rest.next_if_eq(&VIRAMA).is_some() { Vowel::None } else { Vowel::Inherent };
            graphemes.push(Grapheme { consonant, vowel, nasal: Nasal::None, begins });
            begins = false;
        } else if let Some((consonant, vowel)) = vowel(letter) {
            add_vowel(&mut graphemes, is_sign(letter), begins, consonant, vowel);
            begins = false;
        } else {
            add_mark(&mut graphemes, letter);
        }
    }
    join_clusters(&mut graphemes);
    graphemes
}

/// Adds a vowel to the previous consonant, if the consonant can take the sign.
fn add_vowel(
    graphemes: &mut Vec<Grapheme>,
    is_sign: bool,
    begins: bool,
    consonant: &'static str,
    vowel: Vowel,
) {
    let carrier = graphemes.last_mut().filter(|_| is_sign && !begins);
    match carrier {
        Some(last) if last.vowel == Vowel::Inherent && last.nasal == Nasal::None => {
            // श्रृ is a common misspelling of शृ.
            if consonant.is_empty() || consonant == last.consonant {
                last.vowel = vowel;
            } else {
                last.vowel = Vowel::None;
                graphemes.push(Grapheme { consonant, vowel, ..Grapheme::default() });
            }
        }
        // The first of two signs on one letter applies.
        Some(last) if matches!(last.vowel, Vowel::Full(_)) => {}
        _ => graphemes.push(Grapheme { consonant, vowel, nasal: Nasal::None, begins }),
    }
}

fn add_mark(graphemes: &mut Vec<Grapheme>, mark: char) {
    let alone =
        |consonant, vowel, begins| Grapheme { consonant, vowel, nasal: Nasal::None, begins };
    match (mark, graphemes.last_mut()) {
        (KEEP_SCHWA, Some(last)) if last.vowel == Vowel::Inherent => last.vowel = Vowel::Schwa,
        ('ं', Some(last)) => last.nasal = Nasal::Anusvara,
        ('ँ' | 'ऀ', Some(last)) => last.nasal = Nasal::Chandrabindu,
        ('ः', Some(last)) => {
            if last.vowel == Vowel::Inherent {
                last.vowel = Vowel::Schwa;
            }
            graphemes.push(alone("h", Vowel::None, false));
        }
        ('ॐ', _) => {
            graphemes.extend([alone("", Vowel::Full("oː"), true), alone("m", Vowel::None, false)]);
        }
        _ => {}
    }
}

/// Replaces the clusters ज्ञ (ɡj) and क्ष (kʃ).
fn join_clusters(graphemes: &mut [Grapheme]) {
    for i in 1..graphemes.len() {
        if graphemes[i - 1].vowel != Vowel::None {
            continue;
        }
        match (graphemes[i - 1].consonant, graphemes[i].consonant) {
            ("ɟ", "ɲ") => (graphemes[i - 1].consonant, graphemes[i].consonant) = ("ɡ", "j"),
            ("k", "ʂ") => graphemes[i].consonant = "ʃ",
            _ => {}
        }
    }
}

/// Whether `c` is a consonant letter or an independent vowel, rather than a sign.
pub(super) fn is_letter(c: char) -> bool {
    matches!(c, 'अ'..='ह' | 'ॲ')
}

fn is_sign(letter: char) -> bool {
    matches!(letter, '\u{93a}' | '\u{93b}' | '\u{93e}'..='\u{94c}' | '\u{94e}' | '\u{94f}' | '\u{955}'..='\u{957}'
        | '\u{962}' | '\u{963}')
}

fn consonant(letter: char, nukta: bool) -> Option<&'static str> {
    Some(match (letter, nukta) {
        ('क', true) | ('\u{958}', _) => "q",
        ('ख', true) | ('\u{959}', _) => "x",
        ('ग', true) | ('\u{95a}', _) => "ɣ",
        ('ज', true) | ('\u{95b}', _) => "z",
        ('ड', true) | ('\u{95c}', _) => "ɽ",
        ('ढ', true) | ('\u{95d}', _) => "ɽʰ",
        ('फ', true) | ('\u{95e}', _) => "f",
        ('झ' | 'श', true) | ('ॹ', _) => "ʒ",
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
        ('ड' | 'ॾ' | 'ॸ', _) => "ɖ",
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
        ('य' | 'ॺ' | '\u{95f}', _) => "j",
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

/// A vowel letter or sign, with the initial consonant of ऋ and ऌ.
fn vowel(letter: char) -> Option<(&'static str, Vowel)> {
    let vowel = match letter {
        'अ' | 'ऄ' | 'ॳ' | 'ॶ' | 'ॷ' | 'ऺ' | 'ॖ' | 'ॗ' | 'ॕ' | 'ॎ' => {
            return Some(("", Vowel::Schwa));
        }
        'ऋ' | 'ृ' => return Some(("ɾ", Vowel::Full("ɪ"))),
        'ॠ' | 'ॄ' => return Some(("ɾ", Vowel::Full("iː"))),
        'ऌ' | 'ॢ' => return Some(("l", Vowel::Full("ɪ"))),
        'ॡ' | 'ॣ' => return Some(("l", Vowel::Full("iː"))),
        'आ' | 'ा' | 'ॴ' | 'ऻ' => "aː",
        'इ' | 'ि' => "ɪ",
        'ई' | 'ी' => "iː",
        'उ' | 'ु' => "ʊ",
        'ऊ' | 'ू' => "uː",
        'ए' | 'े' => "eː",
        'ऐ' | 'ै' => "ɛː",
        'ओ' | 'ो' => "oː",
        'औ' | 'ौ' | 'ॏ' | 'ॵ' => "ɔː",
        'ऑ' | 'ॉ' => "ɔ",
        'ऍ' | 'ॅ' | 'ॲ' => "ɛ",
        'ऎ' | 'ॆ' => "e",
        'ऒ' | 'ॊ' => "o",
        _ => return None,
    };
    Some(("", Vowel::Full(vowel)))
}
