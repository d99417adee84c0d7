//! Recognizes text of shells, editors, programs and spreadsheets: `PATH=$HOME/bin:$PATH`, `A1:B10`.

use super::lettered::alphanumeric;
use crate::normalize::prelude::*;

/// The name of a security advisory: `CVE-2024-3094`.
pub(super) fn find_advisory(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    cursor.eat("CVE-")?;
    let year = cursor.digits(4..=4)?;
    cursor.eat("-")?;
    let number = cursor.digits(4..=7)?;
    let mut code_parts = CodeParts::default();
    code_parts.letters("CVE", 0);
    code_parts.pairs(year, 4);
    code_parts.push(CodePart::Symbol('-'), 8..9);
    match number.len() {
        4 => code_parts.pairs(number, 9),
        _ => code_parts.digits(number, 9),
    }
    let stands = opens(context.before) && cursor.at_number_end();
    stands.then(|| alphanumeric(cursor.at(), code_parts))
}

/// The colon between the paths in a variable: `PATH=$HOME/bin:$PATH`.
pub(super) fn find_path_separator(context: &MatchContext<'_>) -> Found {
    let after = context.rest.strip_prefix(':')?;
    let token = context.before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let phrase = SemioticClass::Phrase { words: "colon", ends_sentence: false };
    (token.contains(['=', '/']) && token.contains('$') && after.starts_with(['$', '/', '~'])
        || token.contains('=') && after.starts_with('$'))
    .then_some((1, phrase))
}

/// The colon of a spreadsheet range: `A1:B10`.
pub(super) fn find_cells(context: &MatchContext<'_>) -> Found {
    let is_cell = |text: &str| {
        let letters = run(text, is_upper);
        let digits = run(&text[letters..], is_digit);
        (1..=2).contains(&letters) && digits > 0 && letters + digits == text.len()
    };
    let after = context.rest.strip_prefix(':')?;
    let is_of_cell = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    let start = context.before.trim_end_matches(is_of_cell).len();
    let fits = is_cell(&context.before[start..])
        && is_cell(&after[..run(after, |c| c.is_ascii_alphanumeric())]);
    let phrase = SemioticClass::Phrase { words: "to", ends_sentence: false };
    fits.then_some((1, phrase))
}
