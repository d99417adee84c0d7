//! Whether a single full stop ends the sentence, by the words on its two sides.

use super::next::{Next, Start};
use super::rules::{AbbreviationClass, Rules};
use super::runs::Run;
use super::view::View;
use crate::words::WordClass;

/// Whether the full stop of `run` ends the sentence; `next` does not begin with a small letter.
pub(super) fn ends_sentence(view: &View, run: &Run, next: &Next) -> bool {
    let rules = view.rules();
    // "Ex-Gov. Hale", "Mar. 3-Apr. 4": the part after the hyphen.
    let word = match run.word(view).rsplit_once('-') {
        Some((_, part)) if rules.abbreviation(part).is_some() => part,
        _ => run.word(view),
    };
    match rules.abbreviation(word) {
        // "12 in. = 1 ft."
        _ if next.begins_comparison() => false,
        // "0.42 ac. (18,295 sf)", "9 in. (23 cm)"
        _ if next.is_bracketed_number()
            && word.len() < 5
            && word.chars().all(|c| c.is_ascii_lowercase())
            && run.word_before(view).ends_with(|c: char| c.is_ascii_digit()) =>
        {
            false
        }
        _ if is_joined_unit(run.word(view)) => {
            rules.is_opener(next.word()) && !next.begins_number()
        }
        Some(AbbreviationClass::BeforeMore) => false,
        // "1 tab. PO"
        _ if WordClass::MedicineForm.has(word)
            && run.word_before(view).ends_with(|c: char| c.is_ascii_digit())
            && !rules.is_opener(next.word()) =>
        {
            false
        }
        // "400 S. Hope St."
        Some(AbbreviationClass::BeforeNumber)
            if WordClass::CompassLetter.has(word)
                && next.start == Start::Capital
                && run.word_before(view).ends_with(|c: char| c.is_ascii_digit()) =>
        {
            false
        }
        Some(AbbreviationClass::BeforeNumber)
            if next.start == Start::Digit
                || next.begins_sign()
                || is_item_name(rules, word, next.word()) =>
        {
            false
        }
        // "11:59 PM PT. Limit"
        Some(AbbreviationClass::TitleOrStreet)
            if WordClass::ZoneOrStreet.has(word)
                && WordClass::HalfOfDay.has(run.word_before(view)) =>
        {
            true
        }
        Some(AbbreviationClass::TitleOrStreet) => {
            rules.is_opener(next.word()) && names_a_street(view, run)
        }
        Some(AbbreviationClass::Time) => time_ends(view, run, next, word),
        Some(AbbreviationClass::Anywhere) => short_ends(view, run, next, word),
        _ if rules.is_abbreviation_here(view, run, next) => false,
        // "41°F. Wind"
        _ if is_single_letter(word) && view.before(run.from - word.len()).ends_with('°') => true,
        // "425 F. Grease"
        _ if matches!(word, "F" | "C")
            && run.word_before(view).ends_with(|c: char| c.is_ascii_digit())
            && next.start == Start::Capital =>
        {
            true
        }
        _ if is_single_letter(word) => letter_ends(view, run, next, word),
        _ => true,
    }
}

/// A unit that a hyphen joins to its number: "10.9-in. (10th gen.)"
fn is_joined_unit(word: &str) -> bool {
    word.rsplit_once('-').is_some_and(|(number, unit)| {
        number.ends_with(|c: char| c.is_ascii_digit()) && WordClass::StoppedUnit.has(unit)
    })
}

/// Whether a half of the day ends the sentence: "until 5 p.m. Then", but "₹199 p.m. है".
fn time_ends(view: &View, run: &Run, next: &Next, word: &str) -> bool {
    let rules = view.rules();
    !next.begins_sign()
        && !begins_with_a_time(view, run, word)
        && !rules.lists(|rules| rules.after_time, next.word())
        && !rules.is_final_word(next.word())
}

/// Whether the stop of an abbreviation ends the sentence too: "30 min. The", but "Lic. No. 482", "Luther King Jr. Dr."
fn short_ends(view: &View, run: &Run, next: &Next, word: &str) -> bool {
    let rules = view.rules();
    let ends_time = next.start == Start::Capital
        && rules.lists(|rules| rules.time_units, word)
        && run.word_before(view).ends_with(|c: char| c.is_ascii_digit());
    let class = rules.abbreviation(next.word());
    let is_street = class == Some(AbbreviationClass::TitleOrStreet) && next.is_last();
    (ends_time || rules.is_opener(next.word()) && !is_street) && !next.begins_number()
}

/// "Vol. II", "Fig. B": a numeral in letters.
fn is_item_name(rules: &Rules, abbreviation: &str, next: &str) -> bool {
    // "No. D482"
    if next.contains(|c: char| c.is_ascii_digit()) {
        return true;
    }
    // "Model no. WH-1000XM5"
    if WordClass::SmallNumberWord.has(abbreviation)
        && next.len() > 1
        && next.chars().all(char::is_uppercase)
    {
        return true;
    }
    let is_numeral = next.len() > 1 && next.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L'));
    // "No. I do not."
    let names_letters = abbreviation.starts_with(char::is_uppercase)
        && !rules.lists(|rules| rules.number_words, abbreviation);
    is_numeral
        || is_single_letter(next)
            && (names_letters || !rules.lists(|rules| rules.one_letter_words, next))
}

/// "221 Elm Dr. The": after a name or a number, the kind of a street.
fn names_a_street(view: &View, run: &Run) -> bool {
    run.word_before(view).starts_with(|c: char| c.is_uppercase() || c.is_numeric())
}

/// "At 5 a.m. Mr. Smith went": a time among the first words leads on to the rest.
fn begins_with_a_time(view: &View, run: &Run, word: &str) -> bool {
    let words = view.before(run.from - word.len()).split_whitespace();
    words.count() <= 2
}

fn is_single_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

/// "you and I. Did", but "Albert I. Jones"; "vitamin C. It", but "J. Smith".
fn letter_ends(view: &View, run: &Run, next: &Next, word: &str) -> bool {
    let before = run.word_before(view);
    let rules = view.rules();
    let is_pronoun = rules.is_capital_pronoun(word) && before.starts_with(char::is_lowercase);
    is_pronoun
        || rules.lists(|rules| rules.before_letter, &before.to_lowercase())
        || rules.is_opener(next.word())
}
