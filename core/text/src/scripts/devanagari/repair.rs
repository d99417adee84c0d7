//! Repairs one word: puts its characters in the order and number that the script allows.

use unicode_normalization::char::is_combining_mark;

use super::characters::{
    self, Class, are_two_vowels, class, joined, joined_letter, letter, with_nukta, without_nukta,
};
use crate::scripts::is_ignorable;

const NUKTA: char = '\u{93c}';
const VIRAMA: char = '\u{94d}';
const SHORT_I: char = 'ि';

/// Whether a word is a sequence of well-formed syllables.
///
/// A syllable is a vowel letter, or consonants joined by viramas with an optional vowel sign. An
/// anusvara or chandrabindu may follow, then a visarga. The word may end in a virama.
pub(crate) fn is_well_formed(word: &str) -> bool {
    let mut before = None;
    for c in word.chars() {
        if !may_follow(before, c) {
            return false;
        }
        before = Some(c);
    }
    before.is_some()
}

fn may_follow(before: Option<char>, c: char) -> bool {
    use Class::{Bindu, Consonant, Nukta, Sign, Silent, Virama, Visarga, Vowel};
    let before_class = before.map(class);
    match class(c) {
        Consonant => without_nukta(c).is_none(),
        Vowel => before_class != Some(Virama),
        Sign => matches!(before_class, Some(Consonant | Nukta)) && is_modern(c),
        Nukta => before.is_some_and(|c| with_nukta(c).len() == 2),
        Virama => matches!(before_class, Some(Consonant | Nukta)),
        Bindu => matches!(before_class, Some(Consonant | Nukta | Vowel | Sign)) && c != '\u{900}',
        Visarga => matches!(before_class, Some(Consonant | Nukta | Vowel | Sign | Bindu)),
        Silent | Class::Other => false,
    }
}

/// Whether modern spelling uses a sign. The other signs are halves of one.
fn is_modern(sign: char) -> bool {
    !matches!(sign, '\u{94e}' | '\u{955}')
}

/// The intended word for `typed`; empty if `typed` has no letter and no sign.
pub(crate) fn repair(typed: &str) -> String {
    let characters = characters(typed);
    let mut word = Word::default();
    for (i, c) in characters.iter().enumerate() {
        word.push(*c, &characters[i + 1..]);
    }
    word.syllables.iter().map(Syllable::text).collect()
}

/// The characters of `typed` without silent ones, in one encoding of each letter.
fn characters(typed: &str) -> Vec<char> {
    let mut characters = Vec::new();
    for c in typed.chars() {
        match c {
            ':' => characters.push('\u{903}'),
            '\u{900}' | '\u{310}' => characters.push('\u{901}'),
            '\u{94e}' | '\u{955}' => characters.push('े'),
            '\u{323}' => characters.push(NUKTA),
            c if let Some(base) = without_nukta(c) => characters.extend([base, NUKTA]),
            c if class(c) == Class::Silent || is_ignorable(c) => {}
            c if class(c) == Class::Other && is_combining_mark(c) => {}
            c => characters.push(c),
        }
    }
    characters
}

/// A vowel letter, or consonants and their signs.
#[derive(Debug, Default)]
struct Syllable {
    /// The vowel letter, or the consonants with their viramas.
    letters: String,
    is_vowel: bool,
    /// Whether it ends in a virama.
    is_dead: bool,
    sign: Option<char>,
    bindu: Option<char>,
    visarga: bool,
}

impl Syllable {
    fn text(&self) -> String {
        let virama = self.is_dead.then_some(VIRAMA);
        let visarga = self.visarga.then_some('\u{903}');
        let signs = [self.sign, virama, self.bindu, visarga];
        self.letters.chars().chain(signs.into_iter().flatten()).collect()
    }

    fn vowel(letter: char) -> Self {
        Self { letters: letter.into(), is_vowel: true, ..Self::default() }
    }

    fn add_nukta(&mut self) {
        if let Some(last) = self.letters.pop() {
            match with_nukta(last) {
                [] => self.letters.push(last),
                letters => self.letters.extend(letters),
            }
        }
    }
}

#[derive(Default)]
struct Word {
    syllables: Vec<Syllable>,
    /// Whether a short i was typed before its consonants, which come next.
    awaits_consonants: bool,
}

impl Word {
    /// Adds a character; `rest` is the text after it.
    fn push(&mut self, c: char, rest: &[char]) {
        match class(c) {
            Class::Consonant => self.push_consonant(c, rest),
            Class::Vowel => self.push_vowel(c),
            Class::Sign => self.push_sign(c, rest),
            Class::Nukta => {
                if let Some(last) = self.syllables.last_mut().filter(|last| !last.is_vowel) {
                    last.add_nukta();
                }
            }
            Class::Virama => self.push_virama(rest),
            Class::Bindu => {
                let last = self.open_syllable();
                last.bindu = last.bindu.or(Some(c));
            }
            Class::Visarga => self.open_syllable().visarga = true,
            Class::Silent | Class::Other => {}
        }
    }

    /// The last syllable that can take a vowel, or a new one with the inherent vowel.
    fn open_syllable(&mut self) -> &mut Syllable {
        if self.syllables.is_empty() {
            self.syllables.push(Syllable::vowel('अ'));
        }
        let last = self.syllables.last_mut().expect("there is one");
        last.is_dead = false;
        last
    }

    fn push_consonant(&mut self, c: char, rest: &[char]) {
        match self.syllables.last_mut() {
            Some(last) if last.is_dead => {
                last.letters.extend([VIRAMA, c]);
                last.is_dead = false;
            }
            _ => self.syllables.push(Syllable { letters: c.into(), ..Syllable::default() }),
        }
        let goes_on = rest.iter().find(|c| **c != NUKTA).is_some_and(|next| *next == VIRAMA);
        if self.awaits_consonants && !goes_on {
            self.awaits_consonants = false;
            self.open_syllable().sign = Some(SHORT_I);
        }
    }

    fn push_vowel(&mut self, c: char) {
        if let Some(last) = self.syllables.last_mut().filter(|last| last.is_dead) {
            last.is_dead = false;
            if last.letters == "र" && c == 'इ' {
                // The hook of ई was typed as that of र्.
                *last = Syllable::vowel('ई');
                return;
            }
            if c == 'अ' {
                return;
            }
            if let Some(sign) = characters::sign(c) {
                last.sign = Some(sign);
                return;
            }
        }
        self.syllables.push(Syllable::vowel(c));
    }

    fn push_sign(&mut self, sign: char, rest: &[char]) {
        if sign == SHORT_I && self.is_early(rest) {
            self.awaits_consonants = true;
            return;
        }
        let Some(last) = self.syllables.last_mut() else {
            return self.syllables.push(Syllable::vowel(letter(sign)));
        };
        if last.is_vowel {
            let vowel = last.letters.chars().next().unwrap_or_default();
            match joined_letter(vowel, sign) {
                Some(letter) => last.letters = letter.into(),
                None if vowel == 'ॐ' => {}
                None => self.syllables.push(Syllable::vowel(letter(sign))),
            }
            return;
        }
        last.is_dead = false;
        match last.sign {
            None => last.sign = Some(sign),
            Some(first) => match joined(first, sign) {
                Some(joined) => last.sign = Some(joined),
                None if are_two_vowels(first, sign) => {
                    self.syllables.push(Syllable::vowel(letter(sign)));
                }
                // Of two incompatible signs, keep the first.
                None => {}
            },
        }
    }

    /// Whether a short i belongs to the next consonants, to the left of which it is drawn.
    fn is_early(&self, rest: &[char]) -> bool {
        let Some(length) = bare_consonants(rest) else { return false };
        match self.syllables.last() {
            None => true,
            Some(last) if last.is_dead || last.is_vowel || last.sign.is_some() => true,
            // कंिस is किंस, but संिवधान is संविधान.
            Some(last) => last.bindu.is_some() && length < rest.len(),
        }
    }

    fn push_virama(&mut self, rest: &[char]) {
        let Some(last) = self.syllables.last_mut().filter(|last| !last.is_vowel) else { return };
        let is_plain = last.bindu.is_none() && !last.visarga;
        if last.sign.is_none() && is_plain {
            last.is_dead = true;
        } else if last.sign == Some(SHORT_I) && is_plain && bare_consonants(rest).is_some() {
            last.sign = None;
            last.is_dead = true;
            self.awaits_consonants = true;
        }
    }
}

/// The number of characters of the consonants that begin `rest`, if no vowel sign follows them.
fn bare_consonants(rest: &[char]) -> Option<usize> {
    let is = |at: usize, of: Class| rest.get(at).is_some_and(|c| class(*c) == of);
    let mut at = 0;
    loop {
        if !is(at, Class::Consonant) {
            return None;
        }
        at += 1;
        while is(at, Class::Nukta) {
            at += 1;
        }
        if is(at, Class::Sign) {
            return None;
        }
        if !is(at, Class::Virama) {
            return Some(at);
        }
        while is(at, Class::Virama) {
            at += 1;
        }
    }
}
