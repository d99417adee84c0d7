//! Parses spelling into graphemes: consonant and vowel signs with their phonemes.
//!
//! Besides Devanagari, a spelling may contain two marks from the exception tables: `'` after a
//! consonant with a pronounced inherent vowel, and `-` between compound members.

use speech_base::fork::LazyLock;

use crate::normalize::locale::rows;

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
            continue;
        }
        match sounds(letter, nukta) {
            None => {
                add_mark(&mut graphemes, letter);
                continue;
            }
            Some((consonant, Some(vowel))) => {
                add_vowel(&mut graphemes, is_sign(letter), begins, consonant, vowel);
            }
            Some((consonant, None)) => {
                let is_dead = rest.next_if_eq(&VIRAMA).is_some();
                let vowel = if is_dead { Vowel::None } else { Vowel::Inherent };
                graphemes.push(Grapheme { consonant, vowel, nasal: Nasal::None, begins });
            }
        }
        begins = false;
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

/// The consonant of a letter, empty if it has none, and its vowel, `None` for the inherent one.
type Sounds = (&'static str, Option<Vowel>);

/// The sounds of the letters of the block, and of those with a nukta, from `graphemes.tsv`.
static SOUNDS: LazyLock<[[Option<Sounds>; 128]; 2]> = LazyLock::new(|| {
    let mut sounds = [[None; 128]; 2];
    for row in rows(include_str!("../data/graphemes.tsv")) {
        let vowel = match row[1] {
            "-" => None,
            "ə" => Some(Vowel::Schwa),
            vowel => Some(Vowel::Full(vowel)),
        };
        for letter in row[2].split(' ') {
            let of_letter = &mut sounds[usize::from(letter.ends_with(NUKTA))];
            let at = letter.chars().next().map_or(0, |letter| letter as usize - FIRST);
            of_letter[at] = Some((row[0].trim_matches('-'), vowel));
        }
    }
    sounds
});

/// The first code point of the block.
const FIRST: usize = 0x900;

fn sounds(letter: char, nukta: bool) -> Option<Sounds> {
    let at = (letter as usize).checked_sub(FIRST)?;
    let [plain, with_nukta] = &*SOUNDS;
    let found = |sounds: &[Option<Sounds>; 128]| *sounds.get(at)?;
    found(with_nukta).filter(|_| nukta).or_else(|| found(plain))
}
