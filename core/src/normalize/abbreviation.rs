//! Abbreviations and titles, by what stands around them.

use super::cursor::{Cursor, first_word, is_inner, last_word};
use super::locale::AbbreviationPosition;
use super::recognizer::{MatchContext, is_one_of};
use super::semiotic::SemioticClass;

/// The words of an abbreviation that has a reading in this place.
pub(crate) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let written = abbreviation(&mut cursor)?;
    let readings = context.lexicon().abbreviations.get(written.to_ascii_lowercase().as_str())?;
    let stopped = cursor.rest().starts_with('.');
    let after = &cursor.rest()[usize::from(stopped)..];
    let fits = |place: AbbreviationPosition| fits(context, place, written, stopped, after);
    let reading = readings.iter().find(|reading| fits(reading.place))?;
    let goes_on = after.contains(char::is_alphanumeric);
    if stopped {
        cursor.eat(".");
    }
    let value = SemioticClass::Phrase { words: reading.words, ends_sentence: stopped && !goes_on };
    Some((cursor.at(), value))
}

/// Consumes letters, with full stops, apostrophes and slashes between them but not after: `e.g`, `w/o`.
fn abbreviation<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let start = cursor.rest();
    cursor.letters()?;
    while let Some(()) = cursor.attempt(|cursor| {
        cursor.eat_char(|c| matches!(c, '.' | '\'' | '/'))?;
        cursor.letters().map(|_| ())
    }) {}
    let mut length = start.len() - cursor.rest().len();
    // `w/` ends with its slash.
    if start[..length].eq_ignore_ascii_case("w") && cursor.eat("/").is_some() {
        length += 1;
    }
    (length <= 8 && !cursor.rest().starts_with(|c: char| c.is_ascii_digit()))
        .then(|| &start[..length])
}

fn fits(
    context: &MatchContext<'_>,
    place: AbbreviationPosition,
    written: &str,
    stopped: bool,
    after: &str,
) -> bool {
    let spaced = after.starts_with(' ') || after.starts_with('\u{a0}');
    let next = after.trim_start();
    let is_capital = written.starts_with(char::is_uppercase);
    match place {
        AbbreviationPosition::BeforeName => {
            is_capital
                && next.starts_with(char::is_uppercase)
                && (spaced || stopped)
                && !is_one_of(first_word(next), context.cues().openers)
        }
        AbbreviationPosition::AfterName => is_capital && follows_name(context),
        AbbreviationPosition::BeforeNumber => {
            let joined = stopped || written.len() > 1 && spaced;
            joined
                && next.trim_start_matches('#').starts_with(|c: char| c.is_ascii_digit())
                && (stopped || is_capital || written.len() > 2)
        }
        AbbreviationPosition::WithStop => stopped,
        AbbreviationPosition::BeforeOf => stopped && first_word(next) == context.cues().of,
        AbbreviationPosition::Inside => {
            stopped
                && spaced
                && next.starts_with(|c: char| c.is_alphanumeric() && !c.is_uppercase())
        }
        AbbreviationPosition::UnlessCapitals => {
            let joins = |c: char| "-_./@\\#$".contains(c);
            let goes_on = after.starts_with(joins) && after[1..].starts_with(is_inner);
            let is_part = context.before.ends_with(joins) || goes_on || stopped && after.starts_with(is_inner);
            !is_part && written.chars().any(char::is_lowercase)
        }
        AbbreviationPosition::Anywhere => !context.before.ends_with(['.', '/', '@']),
    }
}

fn follows_name(context: &MatchContext<'_>) -> bool {
    let before = context.before.trim_end().trim_end_matches(',').trim_end_matches('.');
    let spaced = context.before.ends_with(' ');
    spaced && last_word(before).starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
}
