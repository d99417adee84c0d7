//! Parses amounts: a number or fraction, and magnitudes that multiply it.

use super::choice::ContextClass;
use super::fraction;
use super::prelude::*;

/// The class of nouns that are counted in thousands and millions.
const COUNT_NOUN: ContextClass = "count_noun";

/// The kind of quantity, which decides what letters are magnitudes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Money,
    Count,
}

/// Consumes an amount.
pub(crate) fn scan(
    context: &MatchContext<'_>,
    cursor: &mut Cursor<'_>,
    kind: Kind,
) -> Option<Amount> {
    let quantity = match fraction::scan(context, cursor) {
        Some(fraction) => Quantity::Fraction(fraction),
        None => Quantity::Number(context.number(cursor)?),
    };
    let magnitudes = magnitudes(context, cursor, kind);
    Some(Amount { quantity, magnitudes })
}

/// An amount with magnitudes, without a unit or currency: `5 lakh`.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let amount = scan(context, &mut cursor, Kind::Count)?;
    let ends = !amount.magnitudes.is_empty() && cursor.at_word_end();
    let amount = Some(amount);
    ends.then(|| (cursor.at(), SemioticClass::measure(amount, None)))
}

/// Consumes magnitudes: letters, or words after white space or a hyphen.
pub(crate) fn magnitudes(
    context: &MatchContext<'_>,
    cursor: &mut Cursor<'_>,
    kind: Kind,
) -> Vec<Magnitude> {
    // `₹50,000.00 Cr`: a credit.
    let written = &context.rest[..context.rest.len() - cursor.rest().len()];
    let is_exact = written.contains(',') && written.ends_with(".00");
    if is_exact && context.is(first_word(cursor.rest()), WordClass::Credit) {
        return Vec::new();
    }
    if let Some(magnitude) = letter(context, cursor, kind) {
        return vec![magnitude];
    }
    let mut magnitudes = Vec::new();
    while let Some(magnitude) = word(context.lexicon(), cursor) {
        magnitudes.push(magnitude);
    }
    magnitudes
}

fn word(lexicon: &Lexicon, cursor: &mut Cursor<'_>) -> Option<Magnitude> {
    cursor.attempt(|cursor| {
        cursor.eat("-");
        cursor.spaces();
        let word = cursor.letters()?;
        lexicon.magnitudes.get(word.to_ascii_lowercase().as_str()).copied()
    })
}

fn letter(context: &MatchContext<'_>, cursor: &mut Cursor<'_>, kind: Kind) -> Option<Magnitude> {
    cursor.attempt(|cursor| {
        if kind == Kind::Money {
            cursor.eat(" ");
        }
        // `14K gold`
        let unit = context.lexicon().unit(cursor.rest()).map_or(0, |(_, length)| length);
        let letters = cursor.letters().filter(|letters| unit <= letters.len())?;
        let (magnitude, money_only) = *context.lexicon().magnitude_letters.get(letters)?;
        // Consume the full stop of the abbreviation, unless it ends the sentence.
        if letters.len() > 1 && cursor.rest().starts_with(". ") {
            cursor.eat(".");
        }
        // `2.3L यूनिट`
        let is_many = || cursor.rest().starts_with(' ') && precedes_count(context, cursor.rest());
        let fits = kind == Kind::Money
            || !money_only && is_counted(context, letters, cursor.rest())
            || letters == "L" && is_many();
        (cursor.at_word_end() && fits).then_some(magnitude)
    })
}

/// Whether the next noun is counted in thousands and more: `Views`.
fn precedes_count(context: &MatchContext<'_>, after: &str) -> bool {
    let noun = first_word(after.trim_start_matches([' ', '+'])).to_lowercase();
    let classes = context.locale.context_classes();
    classes.get(noun.as_str()).is_some_and(|classes| classes.contains(&COUNT_NOUN))
}

/// Whether letters after a number are a magnitude. A capital may also name a flat or a screen.
fn is_counted(context: &MatchContext<'_>, letters: &str, after: &str) -> bool {
    let is_capital = letters.len() == 1 && letters.starts_with(char::is_uppercase);
    let noun = first_word(after.trim_start_matches('+'));
    // `1.2M Views`
    if is_capital && after.starts_with(' ') && precedes_count(context, after) {
        return true;
    }
    // `8.3M (2020 est.)`: a flat has no decimal point, but a shoe may.
    let number =
        context.rest[..context.rest.len() - after.len()].trim_end_matches(char::is_alphabetic);
    let label = last_word(context.before.trim_end_matches([' ', ':', '.']));
    let is_size = context.is(label, WordClass::SizeLabel);
    if is_capital && number.contains('.') && !is_size && !after.starts_with(is_inner) {
        return true;
    }
    let names = context.is(noun, WordClass::AfterCapital)
        || letters == "K" && context.is(label, WordClass::AfterCapital)
        || !noun.starts_with(|c: char| c.is_lowercase() || context.locales().is_own_script(c));
    !is_capital || after.starts_with([' ', '/', '+']) && !names
}
