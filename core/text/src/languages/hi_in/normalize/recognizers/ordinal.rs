//! Recognizes ordinals: `5वीं`, `1ला`, `21st`.

use super::super::{letters, numbers};
use crate::normalize::prelude::*;

/// Irregular numbers: number, stem, and the letter that the ending begins with.
const STEMS: &[(u128, &str, char)] =
    &[(1, "पहल", 'ल'), (2, "दूसर", 'र'), (3, "तीसर", 'र'), (4, "चौथ", 'थ'), (6, "छठ", 'ठ')];

/// Numbers from this limit on are read digit by digit.
const LIMIT: u128 = 10_000_000_000_000_000_000;

/// A number with a Hindi or English ordinal ending. White space may precede a Hindi one.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor).filter(Number::is_whole)?;
    let suffix = cursor.attempt(|cursor| {
        let apart = cursor.gap().is_some();
        let suffix = ending(cursor)?;
        (!apart || is_sure(suffix)).then_some(suffix)
    })?;
    words(&number, suffix)?;
    Some((cursor.at(), SemioticClass::Ordinal { number, suffix: Some(suffix.to_owned()) }))
}

fn ending<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let letters = cursor.letters()?;
    let ends = cursor.at_word_end();
    if let Some(ending) = letters::listed("romanized-ordinal", letters) {
        return ends.then_some(ending);
    }
    let latin = ["st", "nd", "rd", "th", "ST", "ND", "RD", "TH"].contains(&letters);
    (ends && (latin || vowel(letters).is_some())).then_some(letters)
}

/// Whether this is an unambiguous ending even after white space.
fn is_sure(ending: &str) -> bool {
    matches!(ending, "वां" | "वाँ" | "वीं" | "वें")
}

/// The vowel sign of an ending, which shows its agreement.
fn vowel(ending: &str) -> Option<char> {
    let mut chars = ending.chars();
    chars.next().filter(|c| "लरथठव".contains(*c))?;
    let vowel = chars.next().filter(|c| "ाीे".contains(*c))?;
    (letters::listed("ordinal", ending).is_some() || chars.next().is_none()).then_some(vowel)
}

/// The words of an ordinal; `None` if the ending does not fit the number.
pub(in super::super) fn words(number: &Number, suffix: &str) -> Option<Vec<String>> {
    let n = number.value().filter(|n| *n < LIMIT)?;
    if suffix.is_ascii() {
        return Some(if n < 1000 {
            owned(numbers().spell("english-ordinal", n))
        } else {
            with_ending(n, "वां")
        });
    }
    let (letter, vowel) = (suffix.chars().next()?, vowel(suffix)?);
    let stem = STEMS.iter().find(|(of, ..)| *of == n);
    if let Some((_, stem, _)) = stem.filter(|(n, _, of)| letter == *of || letter == 'व' && *n < 6)
    {
        return Some(vec![format!("{stem}{vowel}")]);
    }
    let said = letters::listed("ordinal", suffix)?;
    Some(if n == 6 { vec![format!("छठ{said}")] } else { with_ending(n, said) })
}

/// A number with an ending. Numbers from 1900 to 1999 are said in hundreds, as years are.
fn with_ending(n: u128, ending: &str) -> Vec<String> {
    let is_year = (1900..2000).contains(&n);
    let mut words = owned(numbers().spell(if is_year { "year" } else { "cardinal" }, n));
    if let Some(last) = words.last_mut() {
        last.push_str(ending);
    }
    words
}

fn owned(words: Vec<&str>) -> Vec<String> {
    words.into_iter().map(String::from).collect()
}
