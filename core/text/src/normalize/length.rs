//! Recognizes feet and inches, and minutes by their mark: `5'10"`, `6 ft 2 in`, `24′ 25″`, `67'`.

use super::fraction;
use super::prelude::*;
use super::semiotic::Length;

/// Feet and inches by mark or abbreviation: `5'10"`, `12"`, `6 ft 2 in`.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    if let Some(minute) = minute_of_arc(context) {
        return Some(minute);
    }
    // After degrees, the mark means minutes.
    if context.before.trim_end().ends_with('°') {
        return None;
    }
    if let Some(minute) = minute_of_match(context) {
        return Some(minute);
    }
    let feet = cursor.attempt(|cursor| feet(context, cursor));
    let inches = cursor.attempt(|cursor| inches(context, cursor, feet.is_some()));
    if feet.is_none() && inches.is_none() {
        return None;
    }
    // `5′→3′`: the ends of a DNA strand.
    let is_strand = |end: &str| context.text().contains(end);
    if is_strand("5′") && is_strand("3′") || is_strand("5'") && is_strand("3'") && is_strand("→")
    {
        return None;
    }
    // A single unit in words is a plain measure. A single quote alone is rarely a foot.
    if inches.is_none() && !may_be_foot(context, &cursor) {
        return None;
    }
    // `65" QN90D 4K TV`
    let of_product = cursor.rest().strip_prefix(' ').map(first_word).is_some_and(|noun| {
        // `27" 1440p`
        let is_resolution = noun.ends_with('p') && noun.len() > 3 && noun.starts_with(is_digit);
        is_resolution
            || noun.len() > 1 && noun.trim_start_matches(is_digit).starts_with(char::is_uppercase)
    });
    let of_compound =
        cursor.rest().strip_prefix('-').is_some_and(|noun| noun.starts_with(is_lower));
    let is_attributive = of_compound || context.describes(&cursor) || feet.is_none() && of_product;
    Some((cursor.at(), SemioticClass::Length(Length { feet, inches, is_attributive })))
}

/// Minutes and seconds after degrees: `+7° 24′ 25″`.
fn minute_of_arc(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor)?;
    let unit = match cursor.eat_char(|c| matches!(c, '\'' | '′' | '"' | '″'))? {
        '\'' | '′' => "min",
        _ => "sec",
    };
    let before = context.before.trim_end();
    let degrees = before.rfind('°').map(|at| &before[at + '°'.len_utf8()..])?;
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '\'' | '′');
    let fits = degrees.chars().all(is_part) && cursor.at_word_end();
    let (unit, _) = context.lexicon().unit(unit)?;
    let amount = Amount::of(number);
    fits.then(|| (cursor.at(), SemioticClass::measure(Some(amount), Some(unit))))
}

/// The minute of a match: `(Silva 67')`, `90+4'`.
fn minute_of_match(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(1..=3)?;
    cursor.eat_char(|c| matches!(c, '\'' | '′' | '’'))?;
    let added = context.before.strip_suffix('+').unwrap_or_default();
    let is_added = added.ends_with(is_digit);
    let ends = cursor.rest().is_empty()
        || cursor.rest().starts_with([')', ',', ';', '.', '+'])
        || context.is(first_word(cursor.rest()), WordClass::AfterGoal)
        || context.is(first_word(cursor.rest()), WordClass::Oblique);
    // `Rest 5', then sear`
    let is_food =
        context.topic_classes().contains(&"food") && context.follows(WordClass::BeforeMinutes);
    let is_sport = || {
        let is_about = context.topic_classes().contains(&"sport") && context.before.contains('(');
        is_about
            || context.lexicon().words.names(WordClass::Oblique).next().is_some()
                && context.mentions(WordClass::Game)
    };
    let (unit, _) = context.lexicon().unit("min")?;
    let amount = Amount::of(Number::whole(digits));
    (ends && (is_added || is_food || is_sport()))
        .then(|| (cursor.at(), SemioticClass::measure(Some(amount), Some(unit))))
}

fn may_be_foot(context: &MatchContext<'_>, cursor: &Cursor<'_>) -> bool {
    let written = &context.rest[..cursor.at()];
    let is_strand =
        cursor.rest().strip_prefix('-').is_some_and(|after| after.starts_with(char::is_uppercase))
            || context
                .before
                .strip_suffix('-')
                .is_some_and(|before| before.ends_with(char::is_alphabetic));
    // `6'-long`
    let is_before_noun =
        cursor.rest().strip_prefix('-').is_some_and(|noun| noun.starts_with(is_lower));
    (cursor.at_word_end() || is_before_noun)
        && !is_strand
        && (written.ends_with('′')
            || written.ends_with('\'') && !opens_quote(context.before, is_single_quote))
}

fn feet(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Number> {
    let number = context.number(cursor).filter(Number::is_whole)?;
    if cursor.eat_char(|c| matches!(c, '\'' | '′' | '’')).is_some() {
        // `2''` means inches.
        if cursor.rest().starts_with('\'') {
            return None;
        }
        // `6' 2"`, `12'-6"`
        let _ = cursor.attempt(|cursor| {
            cursor.eat_char(|c| matches!(c, ' ' | '-' | '–'))?;
            cursor.at_digit().then_some(())
        });
        return Some(number);
    }
    cursor.spaces();
    cursor.eat_class(WordClass::Foot)?;
    cursor.spaces();
    cursor.at_digit().then_some(number)
}

fn inches(
    context: &MatchContext<'_>,
    cursor: &mut Cursor<'_>,
    after_feet: bool,
) -> Option<Quantity> {
    let quantity = match fraction::scan(context, cursor) {
        Some(fraction) => Quantity::Fraction(fraction),
        None => Quantity::Number(Number::scan(cursor)?),
    };
    let has_mark = cursor.rest().starts_with(['"', '″', '\'']);
    let may_close = || !after_feet && opens_quote(context.before, |c| c == '"');
    let mark = if has_mark && !may_close() {
        cursor.eat_char(|c| matches!(c, '"' | '″')).or_else(|| cursor.eat("''").map(|_| '"'))
    } else {
        cursor.eat_char(|c| c == '″')
    };
    let marked = mark.is_some() && (cursor.at_word_end() || is_side(cursor.rest()));
    let mut in_words = || {
        after_feet
            && cursor
                .attempt(|cursor| {
                    cursor.spaces();
                    cursor.eat_class(WordClass::Inch)?;
                    cursor.at_word_end().then_some(())
                })
                .is_some()
    };
    if marked || in_words() {
        return Some(quantity);
    }
    let is_inches =
        matches!(&quantity, Quantity::Number(number) if number.value().is_some_and(|n| n < 12));
    (after_feet && is_inches && cursor.at_number_end() && context.rest.contains(['\'', '’', '′']))
        .then_some(quantity)
}

/// Whether the letter of a dimension follows: `15"W`.
fn is_side(rest: &str) -> bool {
    let mut chars = rest.chars();
    matches!(chars.next(), Some('L' | 'W' | 'H' | 'D'))
        && !chars.next().is_some_and(char::is_alphanumeric)
}

fn is_single_quote(c: char) -> bool {
    matches!(c, '\'' | '‘')
}

/// Whether a quotation is open here. Marks of inches and feet after digits open none.
fn opens_quote(before: &str, is_quote: fn(char) -> bool) -> bool {
    let mut open = false;
    let mut previous = ' ';
    for c in before.chars() {
        let may_open = previous.is_whitespace() || matches!(previous, '(' | '[' | '—');
        let may_open = may_open || c == '"' && !previous.is_ascii_digit();
        if is_quote(c) && (open || may_open) {
            open = !open;
        }
        previous = c;
    }
    open
}
