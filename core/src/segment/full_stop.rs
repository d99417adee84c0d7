//! Whether a single full stop ends the sentence, by the words on its two sides.

use super::abbreviations::{Class, class};
use super::hindi;
use super::next::{Next, Start};
use super::runs::Run;
use super::view::View;
use super::words::{goes_with_a_time, is_opener, precedes_a_letter};

/// Whether the full stop of `run` ends the sentence; `next` does not begin with a small letter.
pub(super) fn ends_sentence(view: &View, run: &Run, next: &Next) -> bool {
    let word = run.word(view);
    match class(word) {
        Some(Class::BeforeMore) => false,
        Some(Class::BeforeNumber)
            if next.start == Start::Digit || is_item_name(word, next.word()) =>
        {
            false
        }
        Some(Class::TitleOrStreet) => is_opener(next.word()) && names_a_street(view, run),
        Some(Class::Time) => !begins_with_a_time(view, run, word) && !goes_with_a_time(next.word()),
        Some(Class::Anywhere) => is_opener(next.word()),
        _ if hindi::is_short_for_more(view, run, next) => false,
        _ if is_single_letter(word) => letter_ends(view, run, next, word),
        _ => true,
    }
}

/// "Vol. II", "Fig. B": a numeral in letters.
fn is_item_name(abbreviation: &str, next: &str) -> bool {
    let is_numeral = next.len() > 1 && next.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L'));
    // "No. I do not."
    let names_letters = abbreviation.starts_with(char::is_uppercase) && abbreviation != "No";
    is_numeral || is_single_letter(next) && (names_letters || !matches!(next, "A" | "I"))
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
    let is_pronoun = word == "I" && before.starts_with(char::is_lowercase);
    is_pronoun || precedes_a_letter(before) || is_opener(next.word())
}
