//! Recognizes operators whose reading depends on their context: `-`, `x`, `*`, `/`, `^`, `<=`.

mod dimension;
mod power;
mod rate;

pub(crate) use self::dimension::{find_cross, find_dimension};
use self::dimension::{is_dimension, is_grid, is_of_paper};
pub(crate) use self::power::{ends_in_power_of_ten, find_scientific};
pub(crate) use self::rate::{find_per, is_per, is_price};

use speech_base::fork::LazyLock;

use crate::named::Named;
use crate::normalize::choice::ContextClass;
use crate::normalize::locale::rows;
use crate::normalize::markdown;
use crate::normalize::prelude::*;

/// The operators of signs that have one meaning.
static COMPOUND: LazyLock<Vec<(&str, Operator)>> = LazyLock::new(|| {
    let rows = rows(include_str!("../../languages/data/operators.tsv"));
    let operator = |row: Vec<&'static str>| {
        let operator = Operator::named(row[0]).expect("an operator");
        row[1].split(' ').map(move |sign| (sign, operator))
    };
    rows.flat_map(operator).collect()
});

/// Whether an arrow separates menu or page names: `Go to File → Export`.
fn leads_through_menus(context: &MatchContext<'_>, length: usize) -> bool {
    let mut words = context.before.split(|c: char| !c.is_alphabetic());
    let is_step = words.any(|word| context.is(word, WordClass::MenuStep));
    is_step && is_between_words(context, length)
}

/// Characters on each side of an operator that decide its reading.
const WINDOW: usize = 60;

/// The class of words about telephones.
const PHONE: ContextClass = "phone";

/// The operator at this position.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    if let Some(found) = pound_key(context).or_else(|| decoration(context)) {
        return Some(found);
    }
    if let Some(found) = compound(context) {
        return found;
    }
    let symbol = context.rest.chars().next()?;
    let length = symbol.len_utf8();
    let after = &context.rest[length..];
    // `× Close`: a button.
    if matches!(symbol, '×' | '✕' | '✖')
        && context.before.trim().is_empty()
        && after.trim_start().starts_with(char::is_alphabetic)
    {
        return Some((length, SemioticClass::Markup(markdown::Value::Nothing)));
    }
    // `f/1.8`
    let is_aperture = || {
        let before = context.before.strip_suffix(['f', 'ƒ']);
        before.is_some_and(opens) && after.starts_with(is_digit)
    };
    if symbol == '/' && is_aperture()
        || matches!(symbol, '·' | '⋅') && is_inverse_unit(context, after)
    {
        return Some((length, SemioticClass::Markup(markdown::Value::Nothing)));
    }
    if symbol == '~'
        && after.starts_with(is_amount_start)
        && context.is(last_word(context.before), WordClass::About)
    {
        return Some((length, SemioticClass::Markup(markdown::Value::Nothing)));
    }
    if symbol == '/'
        && (is_in_row(context.before, after, is_digit) || joins_weekdays(context, after))
    {
        return Some((length, SemioticClass::Pause));
    }
    let operator = operator(context, symbol, after)?;
    Some((length, SemioticClass::Operator(operator)))
}

/// Signs that decorate a text: `Good night~~`, `~whispers~`, the `>>` before another speaker.
fn decoration(context: &MatchContext<'_>) -> Found {
    let (before, rest) = (context.before, context.rest);
    let tildes = run(rest, |c| c == '~');
    let after = &rest[tildes..];
    let ends = after.is_empty() || after.starts_with([' ', '.', '!', '?', ',', ')']);
    let is_tail = ends && before.ends_with(|c: char| c.is_alphabetic() || "!?)".contains(c));
    let inner = after.split_once('~').map(|(inner, _)| inner).unwrap_or_default();
    let is_pair = (before.is_empty() || before.ends_with(' '))
        && inner.starts_with(char::is_alphabetic)
        && inner.ends_with(char::is_alphabetic);
    let is_speaker =
        rest.starts_with(">> ") && before.trim_end().ends_with(['.', '?', '!', '…', '♪', ')', ']']);
    let length = if is_speaker { 2 } else { tildes };
    (is_speaker || tildes > 0 && (is_tail || is_pair))
        .then_some((length, SemioticClass::Markup(markdown::Value::Nothing)))
}

/// The longest operator of several characters at the start of `rest`, as it is written.
pub(crate) fn compound_sign(rest: &str) -> Option<(&'static str, Operator)> {
    let written = COMPOUND.iter().filter(|(written, _)| rest.starts_with(written));
    written.max_by_key(|(written, _)| written.len()).copied()
}

/// An operator of several characters: `<=`, `->`. The inner `None` is one that joins nothing.
fn compound(context: &MatchContext<'_>) -> Option<Found> {
    let (written, operator) = compound_sign(context.rest)?;
    let joins = match operator {
        Operator::To => is_between_words(context, written.len()),
        // Two bars without operands are table cells.
        Operator::And | Operator::Or => {
            context.before.ends_with(' ') && context.rest[written.len()..].starts_with(' ')
        }
        _ => true,
    };
    let operator = match operator {
        Operator::AtMost if !ends_in_value(context.before) => Operator::UpTo,
        Operator::AtLeast if !ends_in_value(context.before) => Operator::From,
        Operator::To if leads_through_menus(context, written.len()) => {
            return Some(Some((written.len(), SemioticClass::Pause)));
        }
        other => other,
    };
    Some(joins.then_some((written.len(), SemioticClass::Operator(operator))))
}

/// Whether an operand or an absolute value ends here: `|x − 3| ≤ 5`.
fn ends_in_value(before: &str) -> bool {
    let is_closed =
        before.trim_end().ends_with('|') && before.matches('|').count().is_multiple_of(2);
    is_closed || ends_in_operand(before)
}

/// The hash at the end of keypad input: `PIN 7734#`, `*67#`.
fn pound_key(context: &MatchContext<'_>) -> Found {
    let after = context.rest.strip_prefix('#')?;
    let number = context.before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let digits = number.trim_start_matches('*');
    // `press # to repeat`
    let is_key = context.before.ends_with(' ')
        && closes(after)
        && is_about_keys(context)
        && !after.trim_start().starts_with(is_digit);
    if is_key {
        return Some((1, SemioticClass::Operator(Operator::PoundKey)));
    }
    let is_keyed = (number.len() >= 3 || is_about_keys(context))
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && closes(after);
    is_keyed.then_some((1, SemioticClass::Operator(Operator::PoundKey)))
}

/// Whether the text is about pressing keys: `Press 0# for an agent`.
pub(super) fn is_about_keys(context: &MatchContext<'_>) -> bool {
    context.mentions(WordClass::Key)
}

/// A row of filled and empty stars: `★★★★☆`.
pub(crate) fn find_stars(context: &MatchContext<'_>) -> Found {
    let length = run(context.rest, |c| matches!(c, '★' | '☆' | '⭐'));
    let row = &context.rest[..length];
    let of = row.chars().count();
    let got = row.chars().filter(|c| *c != '☆').count();
    let number = |n: usize| Number::whole(&n.to_string());
    let stars = SemioticClass::Stars { got: number(got), of: number(of) };
    ((3..=10).contains(&of)).then_some((length, stars))
}

/// Whether a slash separates two of three or more numbers of the given characters: `31/31/100`.
fn is_in_row(before: &str, after: &str, is_of_number: fn(char) -> bool) -> bool {
    let more_before = before.trim_end_matches(is_of_number).ends_with('/');
    let more_after = after.trim_start_matches(is_of_number).starts_with('/');
    before.ends_with(is_of_number) && after.starts_with(is_of_number) && (more_before || more_after)
}

/// Whether a slash separates weekdays or their letters: `Mon/Wed/Fri`, `M/W/F`.
fn joins_weekdays(context: &MatchContext<'_>, after: &str) -> bool {
    let lexicon = context.lexicon();
    let is_weekday = |word: &str| {
        lexicon.weekdays.contains_key(word.to_ascii_lowercase().as_str())
            || word.len() > 2 && lexicon.months.contains_key(word.to_ascii_lowercase().as_str())
            || lexicon.weekday_letters.iter().any(|(letter, _)| *letter == word)
    };
    let [last, next] = [last_word(context.before), first_word(after)];
    let is_letter = last.len() == 1 && next.len() == 1;
    let is_in_row = context.before.trim_end_matches(char::is_alphabetic).ends_with('/')
        || after.trim_start_matches(char::is_alphabetic).starts_with('/');
    is_weekday(last) && is_weekday(next) && (!is_letter || is_in_row)
}

fn operator(context: &MatchContext<'_>, symbol: char, after: &str) -> Option<Operator> {
    match symbol {
        '-' | '−' | '–' if is_between_operands(context, 0) => Some(Operator::Minus),
        '-' | '−' if is_grade(context.before, after) => Some(Operator::Minus),
        '>' if after.starts_with(is_amount_start) && !ends_in_operand(context.before) => {
            Some(Operator::MoreThan)
        }
        '*' => star(context, after),
        '×' if is_dimension(context.before, after)
            || is_of_paper(context, after)
            || is_grid(context.before, after) =>
        {
            Some(Operator::By)
        }
        // `Page 1 of 12 · 1,024 × 768 px`
        '·' if after.starts_with(' ') && !context.text().contains(['=', '^', '√', '≈']) => {
            None
        }
        '×' | '·' | '⋅' if joins_operands(context.before, after) => Some(Operator::Times),
        // `11.2/14.8/39.0 ms`: separate values.
        '/' if is_one_of_values(context.before, after) => None,
        '/' if is_between_operands(context, 0)
            && !is_per(context, 0)
            && !is_pair_of_letters(context.before, after) =>
        {
            Some(Operator::DividedBy)
        }
        '~' | '≈'
            if after.trim_start_matches(' ').starts_with(is_amount_start)
                && (!ends_in_operand(context.before)
                    || is_one_of(last_word(context.before), &["a"]))
                && !context.before.ends_with(is_letter) =>
        {
            Some(Operator::About)
        }
        _ => None,
    }
}

/// A star: a key (`press *1`), a product, or a wildcard (`COUNT(*)`, `*.png`).
fn star(context: &MatchContext<'_>, after: &str) -> Option<Operator> {
    let before = context.before;
    let is_pressed = after.starts_with(is_digit)
        && before.ends_with(' ')
        && (context.topic_classes().contains(&PHONE) || context.mentions(WordClass::Press));
    // `A/c *4471`
    let is_product = joins_operands(before, after)
        && !is_note(before, after)
        && (before.ends_with(' ') == after.starts_with(' ') || !before.ends_with(' '));
    let is_any = before.ends_with('(') && after.starts_with(')') || is_wildcard(before, after);
    match () {
        () if is_pressed => Some(Operator::StarKey),
        () if is_product => Some(Operator::Times),
        () => is_any.then_some(Operator::StarKey),
    }
}

/// Whether a slash separates several decimal numbers.
fn is_one_of_values(before: &str, after: &str) -> bool {
    let is_value = |c: char| c.is_ascii_digit() || c == '.';
    let row = &before[before.trim_end_matches(|c| is_value(c) || c == '/').len()..];
    row.contains('.') && is_in_row(before, after, is_value)
}

/// Whether a unit with a negative power follows, which is read as a rate.
fn is_inverse_unit(context: &MatchContext<'_>, after: &str) -> bool {
    let unit = context.lexicon().unit(after);
    unit.is_some_and(|(_, length)| after[length..].starts_with("^-"))
}

/// Whether a star matches any file name: `*.png`.
fn is_wildcard(before: &str, after: &str) -> bool {
    let ending = after.strip_prefix('.').unwrap_or_default();
    let letters = run(ending, |c| c.is_ascii_alphanumeric());
    let opens = before.is_empty() || before.ends_with([' ', '/', '(', '"', '\'', '`']);
    opens && (1..=5).contains(&letters) && !ending[letters..].starts_with('*')
}

/// Whether a slash separates two capital letters that name alternatives: `M/F`.
fn is_pair_of_letters(before: &str, after: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase();
    before.ends_with(is_capital) && after.starts_with(is_capital)
}

fn is_amount_start(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '$' | '₹' | '€' | '£' | '.' | '¼'..='¾' | '⅐'..='⅞')
}

/// Whether a hyphen ends a grade of one capital, or of up to three equal ones: `B-`, `BBB-`.
fn is_grade(before: &str, after: &str) -> bool {
    let grade = before.chars().next_back().filter(|c| matches!(c, 'A'..='F' | 'O'));
    let Some(letter) = grade else { return false };
    // The blood group AB.
    let rest = WordClass::BloodGroup
        .strip_suffix(before)
        .unwrap_or_else(|| before.trim_end_matches(letter));
    let alone = before.len() - rest.len() <= 3
        && rest.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
    alone && !after.starts_with(|c: char| c.is_alphanumeric() || c == '-')
}

fn contains_operator(text: &str) -> bool {
    text.contains(['=', '+', '÷', '^', '≠', '√'])
}

fn joins_operands(before: &str, after: &str) -> bool {
    ends_in_operand(before) && starts_operand(after)
}

/// Whether a star belongs only to the number before it: `122* (94)`.
fn is_note(before: &str, after: &str) -> bool {
    before.ends_with(is_digit) && after.starts_with(' ')
}

/// Whether an operator `offset` bytes ahead is in an expression with another unambiguous operator.
pub(crate) fn is_between_operands(context: &MatchContext<'_>, offset: usize) -> bool {
    let before_length = context.before.len() + offset;
    let place = context.advanced(offset);
    let mut chars = place.rest.trim_start().chars();
    chars.next();
    if !joins_operands(&place.before[..before_length], chars.as_str()) {
        return false;
    }
    let left = place.before.chars().rev().take(WINDOW).take_while(|c| is_part(*c));
    let right = place.rest.chars().take(WINDOW).take_while(|c| is_part(*c));
    left.chain(right).any(is_sure_operator)
}

fn is_sure_operator(c: char) -> bool {
    "=+×÷^≠√*<>≤≥∝".contains(c)
}

/// Whether a character may be part of an expression.
fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || " .,()[]=+-−–×÷·*/^≠√<>≤≥π".contains(c)
}

/// Whether `before` ends in a number, a single letter or a closing bracket.
fn ends_in_operand(before: &str) -> bool {
    let before = before.trim_end();
    let mut chars = before.chars().rev();
    match chars.next() {
        Some(c) if c.is_ascii_digit() || matches!(c, ')' | ']') => true,
        Some(c) if c.is_alphabetic() => {
            !chars.next().is_some_and(|c| c.is_alphabetic() || matches!(c, '\'' | '’'))
        }
        _ => false,
    }
}

fn starts_operand(after: &str) -> bool {
    let mut chars = after.trim_start().chars();
    match chars.next() {
        Some(c) if c.is_ascii_digit() || matches!(c, '(' | '[' | '√' | '.') => true,
        Some(c) if c.is_alphabetic() => !chars.next().is_some_and(char::is_alphabetic),
        _ => false,
    }
}

fn is_between_words(context: &MatchContext<'_>, length: usize) -> bool {
    let ends = |c: char| c.is_alphanumeric() || matches!(c, ')' | '"' | '%' | '`');
    context.before.trim_end().ends_with(ends)
        && context.rest[length..]
            .trim_start()
            .starts_with(|c: char| c.is_alphanumeric() || is_amount_start(c) || "∞`".contains(c))
}
