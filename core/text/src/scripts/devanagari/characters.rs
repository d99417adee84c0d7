//! The characters of Devanagari by class, and how they combine.

use super::{DEVANAGARI, is_devanagari};
use crate::scripts::is_alphanumeric;

/// The role of a character in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Consonant,
    /// A vowel letter.
    Vowel,
    /// A vowel sign.
    Sign,
    Nukta,
    Virama,
    /// Anusvara and chandrabindu.
    Bindu,
    Visarga,
    /// Vedic accents and the avagraha: written, but silent.
    Silent,
    /// A character outside words.
    Other,
}

pub(crate) fn class(c: char) -> Class {
    match c {
        '\u{915}'..='\u{939}' | '\u{958}'..='\u{95f}' | '\u{978}'..='\u{97f}' => Class::Consonant,
        '\u{904}'..='\u{914}' | '\u{950}' | '\u{960}' | '\u{961}' | '\u{972}'..='\u{977}' => {
            Class::Vowel
        }
        '\u{93a}' | '\u{93b}' | '\u{93e}'..='\u{94c}' | '\u{94e}' | '\u{94f}' => Class::Sign,
        '\u{955}'..='\u{957}' | '\u{962}' | '\u{963}' => Class::Sign,
        '\u{93c}' => Class::Nukta,
        '\u{94d}' => Class::Virama,
        '\u{900}'..='\u{902}' => Class::Bindu,
        '\u{903}' => Class::Visarga,
        '\u{93d}' | '\u{951}'..='\u{954}' | '\u{971}' | '\u{1cd0}'..='\u{1cfa}' => Class::Silent,
        '\u{a8e0}'..='\u{a8fc}' => Class::Silent,
        _ => Class::Other,
    }
}

/// Whether `c` was typed instead of a danda: a bar after Devanagari, with or without white space,
/// or a letter that looks like a bar.
pub(crate) fn is_danda_look_alike(before: &str, c: char, after: Option<char>) -> bool {
    let is_bar = |c: char| DEVANAGARI.stop_look_alikes.contains(&c);
    let ends_word = after.is_none_or(|c| !is_alphanumeric(c));
    let follows = |before: &str| before.chars().next_back().is_some_and(is_devanagari);
    match c {
        'l' => ends_word && ends_in_word(before.trim_end()),
        'I' => ends_word && ends_in_word(before),
        c => {
            is_bar(c)
                && !is_in_row(before)
                && follows(before.trim_end_matches(|c: char| is_bar(c) || c.is_whitespace()))
        }
    }
}

/// Whether the line begins with a bar, as a table row does.
fn is_in_row(before: &str) -> bool {
    before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('|'))
}

/// Whether the text ends in a Devanagari word. Signs without a letter are no word.
fn ends_in_word(text: &str) -> bool {
    let is_letter = |c| matches!(class(c), Class::Consonant | Class::Vowel);
    text.chars().rev().take_while(|c| class(*c) != Class::Other).any(is_letter)
}

/// The consonant with nukta, decomposed or as NFC writes it; empty if it takes no nukta.
pub(crate) fn with_nukta(consonant: char) -> &'static [char] {
    match consonant {
        'क' => &['क', '\u{93c}'],
        'ख' => &['ख', '\u{93c}'],
        'ग' => &['ग', '\u{93c}'],
        'ज' => &['ज', '\u{93c}'],
        'झ' => &['झ', '\u{93c}'],
        'ड' => &['ड', '\u{93c}'],
        'ढ' => &['ढ', '\u{93c}'],
        'फ' => &['फ', '\u{93c}'],
        'य' => &['य', '\u{93c}'],
        'न' => &['\u{929}'],
        'र' => &['\u{931}'],
        'ळ' => &['\u{934}'],
        _ => &[],
    }
}

/// The base letter of a precomposed letter that NFC decomposes.
pub(crate) fn without_nukta(consonant: char) -> Option<char> {
    const LETTERS: [char; 8] = ['क', 'ख', 'ग', 'ज', 'ड', 'ढ', 'फ', 'य'];
    let index = u32::from(consonant).checked_sub(0x958)?;
    LETTERS.get(index as usize).copied()
}

/// Vowel signs, and their letters in the same order.
const SIGNS: &str = "ािीुूृॄॢॣॅॆेैॉॊोौ\u{93a}\u{93b}\u{94f}\u{956}\u{957}";
const LETTERS: &str = "आइईउऊऋॠऌॡऍऎएऐऑऒओऔ\u{973}\u{974}\u{975}\u{976}\u{977}";

/// The character of `to` at the place that `c` has in `from`.
fn mapped(c: char, from: &str, to: &str) -> Option<char> {
    from.chars().zip(to.chars()).find(|(one, _)| *one == c).map(|(_, other)| other)
}

/// The letter of a vowel sign.
pub(crate) fn letter(sign: char) -> char {
    mapped(sign, SIGNS, LETTERS).unwrap_or('ए')
}

/// The sign of a vowel letter; `None` if it has none.
pub(crate) fn sign(letter: char) -> Option<char> {
    mapped(letter, LETTERS, SIGNS)
}

/// The single sign that two signs on one letter were typed for.
pub(crate) fn joined(first: char, second: char) -> Option<char> {
    Some(match (first, second) {
        (first, second) if first == second => first,
        ('ा', 'े') | ('े', 'ा') | ('ो', 'ा') | ('े', 'ो') => 'ो',
        ('ा', 'ै') | ('ै', 'ा') | ('ा', 'ौ') | ('ौ', 'ा') => 'ौ',
        ('ो', 'ौ' | 'े' | 'ै') | ('ौ', 'ो') | ('ौ', 'े') | ('ै', 'ौ') => 'ौ',
        ('ा', 'ॅ') | ('ॅ', 'ा') | ('ा', 'ॉ') | ('ॉ', 'ा') | ('ो', 'ॅ') => 'ॉ',
        ('ा', 'ॆ') | ('ॆ', 'ा') | ('ा', 'ॊ') | ('ॊ', 'ा') => 'ॊ',
        ('ि', 'ी') | ('ी', 'ि') => 'ी',
        ('ु', 'ू') | ('ू', 'ु') => 'ू',
        ('े', 'ै') | ('ै', 'े') => 'ै',
        _ => return None,
    })
}

/// Whether the second sign on a letter was typed for a vowel letter: हुा for हुआ, कोी for कोई.
pub(crate) fn are_two_vowels(first: char, second: char) -> bool {
    match first {
        'ा' => "िीुूो".contains(second),
        'ो' => "िी".contains(second),
        'ु' | 'ू' => "ािीेो".contains(second),
        'ि' => "ाे".contains(second),
        _ => false,
    }
}

/// The single letter that a vowel letter and a sign were typed for.
pub(crate) fn joined_letter(vowel: char, second: char) -> Option<char> {
    Some(match (vowel, second) {
        ('ए', 'े' | 'ै') | ('ऐ', 'े') => 'ऐ',
        (vowel, second) if letter(second) == vowel => vowel,
        ('अ', 'ॅ') => '\u{972}',
        ('अ', second) => letter(second),
        ('आ', 'े') | ('ए', 'ा') | ('ओ', 'ा') => 'ओ',
        ('आ', 'ै') | ('ऐ', 'ा') | ('औ', 'ा') | ('ओ', 'ै' | 'े' | 'ौ') => 'औ',
        ('आ', 'ॅ' | 'ॉ') | ('ऑ', 'ा') | ('ऍ' | '\u{972}', 'ा') => 'ऑ',
        ('आ', 'ॆ') => 'ऒ',
        ('ए', 'ॅ') => 'ऍ',
        ('इ', 'ी') | ('ई', 'ि') => 'ई',
        ('उ', 'ू') | ('ऊ', 'ु') => 'ऊ',
        ('ऋ', 'ॄ') => 'ॠ',
        _ => return None,
    })
}
