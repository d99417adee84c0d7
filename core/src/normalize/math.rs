//! Operators whose reading their surroundings decide: `-`, `x`, `*`, `/`, `^`, `<=`.

use super::boundaries;
use super::choice::ContextClass;
use super::cursor::{Cursor, first_word, is_inner, is_letter, last_word};
use super::fraction;
use super::locale::Topics;
use super::markdown;
use super::measure;
use super::number::{self, Number};
use super::plural;
use super::recognizer::{MatchContext, is_one_of};
use super::semiotic::{Connector, Exponent, Operator, Range, SemioticClass};

/// Operators of several characters, longest first.
const COMPOUND: &[(&str, Operator)] = &[
    ("+/-", Operator::PlusOrMinus),
    ("±", Operator::PlusOrMinus),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("≤", Operator::AtMost),
    ("≥", Operator::AtLeast),
    ("!=", Operator::NotEqual),
    ("!==", Operator::NotEqual),
    ("==", Operator::Equal),
    ("===", Operator::Equal),
    ("&&", Operator::And),
    ("||", Operator::Or),
    ("->", Operator::To),
    ("=>", Operator::To),
    ("-->", Operator::To),
    ("→", Operator::To),
];

/// Whether a limit and its variable end here: `lim x`, `lim_(x`.
fn is_of_limit(before: &str) -> bool {
    let variable = |c: char| c.is_ascii_lowercase();
    let limit = before.trim_end().strip_suffix(variable).unwrap_or_default();
    limit.trim_end_matches([' ', '_', '(', '{']).ends_with("lim")
}

/// Whether an arrow leads from one menu or page to the next: `Go to File → Export`.
fn leads_through_menus(context: &MatchContext<'_>, length: usize) -> bool {
    const STEPS: &str =
        "choose click go hit menu navigate open path press select settings tap type";
    let before = context.before.to_lowercase();
    let mut words = before.split(|c: char| !c.is_alphabetic());
    let is_step = words.any(|word| boundaries::lists(STEPS, word));
    is_step && is_between_words(context, length)
}

/// Characters on either side of an operator that tell whether it is one.
const WINDOW: usize = 60;

/// The class of words about telephones.
const PHONE: ContextClass = "phone";

/// An operator in its place.
pub(crate) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let special = [
        sections,
        limits,
        upper_limit,
        power,
        power_in_brackets,
        factorial,
        given,
        bar,
        of_function,
        not_out,
        pound_key,
    ];
    let primes = context.rest.strip_prefix("''(").map_or(1, |_| 2);
    let is_prime = context.rest[primes - 1..].starts_with("'(")
        && context.before.ends_with(['f', 'g', 'h', 'y']);
    if is_prime && is_sure(context.text()) {
        let prime = if primes == 2 { Operator::DoublePrime } else { Operator::Prime };
        return Some((primes, SemioticClass::Operator(prime)));
    }
    if let Some(found) = special.iter().find_map(|find| find(context)) {
        return Some(found);
    }
    let compound = COMPOUND.iter().filter(|(written, _)| context.rest.starts_with(written));
    if let Some((written, operator)) = compound.max_by_key(|(written, _)| written.len()) {
        let joins = match operator {
            Operator::To => is_between_words(context, written.len()),
            // Two bars without anything around them are cells.
            Operator::And | Operator::Or => {
                context.before.ends_with(' ') && context.rest[written.len()..].starts_with(' ')
            }
            _ => true,
        };
        let operator = match operator {
            Operator::AtMost if !ends_in_value(context.before) => Operator::UpTo,
            Operator::AtLeast if !ends_in_value(context.before) => Operator::From,
            Operator::To if is_of_limit(context.before) => Operator::Approaches,
            Operator::To if leads_through_menus(context, written.len()) => {
                return Some((written.len(), SemioticClass::Pause));
            }
            other => *other,
        };
        return joins.then_some((written.len(), SemioticClass::Operator(operator)));
    }
    let symbol = context.rest.chars().next()?;
    let length = symbol.len_utf8();
    let after = &context.rest[length..];
    // `× Close`: the mark of a button.
    if matches!(symbol, '×' | '✕' | '✖')
        && context.before.trim().is_empty()
        && after.trim_start().starts_with(char::is_alphabetic)
    {
        return Some((length, SemioticClass::Markup(markdown::Value::Nothing)));
    }
    // `f/1.8`
    let is_aperture = || {
        let before = context.before.strip_suffix(['f', 'ƒ']);
        before.is_some_and(boundaries::opens) && after.starts_with(|c: char| c.is_ascii_digit())
    };
    if symbol == '/' && is_aperture()
        || matches!(symbol, '·' | '⋅') && is_inverse_unit(context, after)
    {
        return Some((length, SemioticClass::Markup(markdown::Value::Nothing)));
    }
    if symbol == '/' && (is_in_row(context.before, after) || joins_weekdays(context, after)) {
        return Some((length, SemioticClass::Pause));
    }
    let operator = operator(context, symbol, after)?;
    Some((length, SemioticClass::Operator(operator)))
}

/// Whether an operand ends here, or an absolute value: `|x − 3| ≤ 5`.
fn ends_in_value(before: &str) -> bool {
    let is_closed =
        before.trim_end().ends_with('|') && before.matches('|').count().is_multiple_of(2);
    is_closed || ends_in_operand(before)
}

/// `§§ 6.1–6.3`
fn sections(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    context.rest.strip_prefix("§§")?;
    Some(("§§".len(), SemioticClass::Operator(Operator::Sections)))
}

/// A sum or an integral with limits after it, as preprocessing leaves them: `∫0^1`, `∑i=1^n`.
fn limits(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let sign = context.rest.chars().next()?;
    let operator = match sign {
        '∫' => Operator::IntegralFrom,
        '∑' => Operator::SumFrom,
        '∏' => Operator::ProductFrom,
        _ => return None,
    };
    let (low, _) = context.rest[sign.len_utf8()..].split_once('^')?;
    is_limit(low).then_some((sign.len_utf8(), SemioticClass::Operator(operator)))
}

/// The sign of a power before the upper limit of a sum.
fn upper_limit(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    context.rest.strip_prefix('^')?;
    let (_, low) = context.before.rsplit_once(['∫', '∑', '∏'])?;
    is_limit(low).then_some((1, SemioticClass::Operator(Operator::To)))
}

fn is_limit(text: &str) -> bool {
    let is_of_limit = |c: char| c.is_alphanumeric() || matches!(c, '=' | '-' | '−' | '+' | '∞');
    (1..=8).contains(&text.chars().count()) && text.chars().all(is_of_limit)
}

/// The brackets around what a function is of: `f(x) = 2x`.
fn of_function(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let is_function = |before: &str| {
        let mut chars = before.trim_end_matches('\'').chars().rev();
        matches!(chars.next(), Some('f' | 'g' | 'h' | 'F' | 'G' | 'P' | 'φ' | 'ψ' | '\''))
            && !chars.next().is_some_and(char::is_alphanumeric)
    };
    // `Find f(2).`
    let is_value = |before: &str, text: &str| {
        before.ends_with(['f', 'g', 'h'])
            && (text.bytes().all(|b| b.is_ascii_digit())
                || text.len() == 1 && text.bytes().all(|b| matches!(b, b'n' | b't' | b'x'..=b'z')))
    };
    let is_argument = |text: &str| {
        (1..=8).contains(&text.chars().count())
            && text.chars().all(|c| is_part(c) || c.is_alphabetic() || c == '|')
    };
    if context.rest.starts_with('(') {
        let (argument, _) = context.rest[1..].split_once(')')?;
        let fits = is_function(context.before)
            && is_argument(argument)
            && (is_sure(context.text()) || is_value(context.before, argument));
        return fits.then_some((1, SemioticClass::Operator(Operator::Of)));
    }
    context.rest.strip_prefix(')')?;
    let (function, argument) = context.before.rsplit_once('(')?;
    let fits = is_function(function)
        && is_argument(argument)
        && (is_sure(context.text()) || is_value(function, argument));
    fits.then_some((1, SemioticClass::Markup(markdown::Value::Nothing)))
}

/// The hash at the end of what is keyed in: `PIN 7734#`, `*67#`.
fn pound_key(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let after = context.rest.strip_prefix('#')?;
    let number = context.before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let digits = number.trim_start_matches('*');
    // `press # to repeat`
    let is_key = context.before.ends_with(' ')
        && boundaries::closes(after)
        && context
            .text()
            .split(|c: char| !c.is_alphabetic())
            .any(|word| is_one_of(word, &["press", "dial", "followed", "enter", "key"]))
        && !after.trim_start().starts_with(|c: char| c.is_ascii_digit());
    if is_key {
        return Some((1, SemioticClass::Operator(Operator::PoundKey)));
    }
    let is_keyed = number.len() >= 3
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && boundaries::closes(after);
    is_keyed.then_some((1, SemioticClass::Operator(Operator::PoundKey)))
}

/// The star after a batter's runs: `101* (113)`.
fn not_out(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    context.rest.strip_prefix('*')?;
    let is_runs = context.before.ends_with(|c: char| c.is_ascii_digit())
        && is_note(context.before, &context.rest[1..]);
    let fits = is_runs && context.is_about(Topics::CRICKET);
    fits.then_some((1, SemioticClass::Operator(Operator::NotOut)))
}

/// A row of stars, filled and empty: `★★★★☆`.
pub(crate) fn find_stars(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let length = boundaries::run(context.rest, |c| matches!(c, '★' | '☆' | '⭐'));
    let row = &context.rest[..length];
    let of = row.chars().count();
    let got = row.chars().filter(|c| *c != '☆').count();
    let number = |n: usize| Number::whole(&n.to_string());
    let stars = SemioticClass::Stars { got: number(got), of: number(of) };
    ((3..=10).contains(&of)).then_some((length, stars))
}

/// The sign of a factorial: `5! = 120`, `n!/(n-k)!`.
fn factorial(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let after = context.rest.strip_prefix('!')?;
    let next = after.trim_start();
    let joins = next.starts_with(['=', '+', '×', '/', '*', '·', '÷', '≈', '<', '>', '≤', '≥'])
        || context.before.ends_with(')') && next.is_empty() && context.text().contains("! =")
        || after.starts_with(')') && is_sure(context.text());
    let is_term = ends_in_operand(context.before) && !context.before.ends_with(char::is_whitespace);
    (joins && is_term).then_some((1, SemioticClass::Operator(Operator::Factorial)))
}

/// A number under a root: what follows its slash divides the root.
pub(crate) fn find_radicand(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor)?;
    let fits = context.before.ends_with('√') && cursor.rest().starts_with('/');
    fits.then(|| (cursor.at(), SemioticClass::Number(number)))
}

/// The bar of a conditional probability: `P(A|B)`.
fn given(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    context.rest.strip_prefix('|')?;
    let (function, event) = context.before.rsplit_once('(')?;
    let is_probability = ["P", "Pr", "p"].contains(&last_word(function));
    let fits = is_probability && !event.contains(')') && !event.trim().is_empty();
    fits.then_some((1, SemioticClass::Operator(Operator::Given)))
}

/// A bar around an absolute value in a formula: `|x − 3| < 2`. The closing bar says nothing.
fn bar(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let inner = context.rest.strip_prefix('|')?;
    let is_formula = |text: &str| {
        text.len() < WINDOW
            && !text.trim().is_empty()
            && text.chars().all(is_part)
            && !text.contains("  ")
    };
    let bars = context.before.matches('|').count();
    if bars % 2 == 1 {
        let (_, value) = context.before.rsplit_once('|')?;
        let closes =
            is_formula(value) && !value.ends_with(' ') && is_formula_around(context.text());
        return closes.then_some((1, SemioticClass::Markup(markdown::Value::Nothing)));
    }
    let (value, _) = inner.split_once('|')?;
    let opens = is_formula(value)
        && !value.starts_with(' ')
        && !value.ends_with(' ')
        && starts_operand(value.trim_start_matches(['-', '−']))
        && is_formula_around(context.text());
    opens.then_some((1, SemioticClass::Operator(Operator::AbsoluteValue)))
}

/// Whether a text with bars is a formula: it compares or reckons, or holds little else.
fn is_formula_around(text: &str) -> bool {
    is_sure(text) || text.matches('|').count() == 2 && text.trim().chars().count() < 12
}

fn is_sure(text: &str) -> bool {
    text.contains(['=', '<', '>', '≤', '≥', '≠', '+', '×', '÷', '√', '^', '⇒', '→'])
}

/// Whether a slash stands between two of three numbers or more: `31/31/100`.
fn is_in_row(before: &str, after: &str) -> bool {
    let is_number = |c: char| c.is_ascii_digit();
    let more_before = before.trim_end_matches(is_number).ends_with('/');
    let more_after = after.trim_start_matches(is_number).starts_with('/');
    before.ends_with(is_number) && after.starts_with(is_number) && (more_before || more_after)
}

/// `Mon/Wed/Fri`, and their letters, `M/W/F`.
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
        '-' | '−' if is_difference(context.before, after) => Some(Operator::Minus),
        '-' | '−' if is_sign_of_variable(context, after) => Some(Operator::Minus),
        '-' | '−' if is_grade(context.before, after) => Some(Operator::Minus),
        '>' if after.starts_with(is_amount_start) && !ends_in_operand(context.before) => {
            Some(Operator::MoreThan)
        }
        '*' if after.starts_with(|c: char| c.is_ascii_digit())
            && context.before.ends_with(' ')
            && (context.topic_classes().contains(&PHONE)
                || context.text().to_lowercase().contains("press ")) =>
        {
            Some(Operator::StarKey)
        }
        // `A/c *4471`
        '*' if joins_operands(context.before, after)
            && !is_note(context.before, after)
            && (context.before.ends_with(' ') == after.starts_with(' ')
                || !context.before.ends_with(' ')) =>
        {
            Some(Operator::Times)
        }
        // `COUNT(*)`, `*.png`
        '*' if context.before.ends_with('(') && after.starts_with(')')
            || is_wildcard(context.before, after) =>
        {
            Some(Operator::StarKey)
        }
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
        '/' if is_derivative(context.before, after) => Some(Operator::Over),
        // `11.2/14.8/39.0 ms`: values side by side
        '/' if is_one_of_values(context.before, after) => None,
        '/' if is_between_operands(context, 0)
            && !is_per(context, 0)
            && !is_pair_of_letters(context.before, after)
            || is_quotient_of_products(context, after) =>
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
        '#' if ends_in_note(context.before) && !after.starts_with(char::is_alphanumeric) => {
            Some(Operator::Sharp)
        }
        _ => None,
    }
}

/// Whether three numbers or more stand with slashes between, of which this is one of the slashes.
fn is_one_of_values(before: &str, after: &str) -> bool {
    let is_value = |c: char| c.is_ascii_digit() || c == '.';
    let left = &before[before.trim_end_matches(|c| is_value(c) || c == '/').len()..];
    let right = &after[..boundaries::run(after, |c| is_value(c) || c == '/')];
    let slashes = 1 + left.matches('/').count() + right.matches('/').count();
    slashes > 1 && left.contains('.') && left.ends_with(is_value) && right.starts_with(is_value)
}

/// Whether a unit with a negative power follows: it is read as the unit of a rate.
fn is_inverse_unit(context: &MatchContext<'_>, after: &str) -> bool {
    let unit = context.lexicon().unit(after);
    unit.is_some_and(|(_, length)| after[length..].starts_with("^-"))
}

/// Whether a star stands for any name of a file: `*.png`.
fn is_wildcard(before: &str, after: &str) -> bool {
    let ending = after.strip_prefix('.').unwrap_or_default();
    let letters = boundaries::run(ending, |c| c.is_ascii_alphanumeric());
    let opens = before.is_empty() || before.ends_with([' ', '/', '(', '"', '\'', '`']);
    opens && (1..=5).contains(&letters) && !ending[letters..].starts_with('*')
}

/// `dy/dx`, `∂u/∂t`, `d/dx`
fn is_derivative(before: &str, after: &str) -> bool {
    let is_of = |text: &str, sign: char| {
        let variable = text.strip_prefix(sign).unwrap_or_default();
        variable.starts_with(|c: char| c.is_alphabetic())
            && !variable.chars().nth(1).is_some_and(char::is_alphanumeric)
    };
    let token = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    ['d', '∂'].iter().any(|sign| {
        let over = token.strip_prefix(*sign).map(|rest| rest.trim_start_matches(['^', '2', '3']));
        over.is_some_and(|variable| variable.chars().count() < 2)
            && (is_of(after, *sign) || after.is_empty())
    })
}

/// Whether a slash stands between products of variables after an equals sign: `n = PV/RT`.
fn is_quotient_of_products(context: &MatchContext<'_>, after: &str) -> bool {
    let is_variable = |c: char| c.is_ascii_alphabetic();
    let left = context.before.trim_end_matches(is_variable);
    let is_short = |variables: usize| (1..=3).contains(&variables);
    let lengths = [context.before.len() - left.len(), boundaries::run(after, is_variable)];
    left.trim_end().ends_with('=') && lengths.iter().all(|length| is_short(*length))
}

/// `M/F`: capitals for two things.
fn is_pair_of_letters(before: &str, after: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase();
    before.ends_with(is_capital) && after.starts_with(is_capital)
}

fn is_amount_start(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '$' | '₹' | '€' | '£' | '.' | '¼'..='¾' | '⅐'..='⅞')
}

/// Whether a hyphen in white space stands between a variable and a number or another: `x - 1`.
fn is_difference(before: &str, after: &str) -> bool {
    let is_variable = |c: char| matches!(c, 'k' | 'm' | 'n' | 'x' | 'y' | 'z');
    let alone = before.strip_suffix(' ').filter(|before| ends_in_operand(before));
    alone.is_some_and(|before| before.ends_with(is_variable))
        && after.starts_with(' ')
        && starts_operand(after)
}

/// The sign of a variable after a bracket or an equals sign: `(-b ± √d)`.
fn is_sign_of_variable(context: &MatchContext<'_>, after: &str) -> bool {
    let mut chars = after.chars();
    context.before.trim_end().ends_with(['(', '='])
        && chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && !chars.next().is_some_and(char::is_alphabetic)
        && is_sure(context.text())
}

/// A capital letter, or up to three of one, directly before a hyphen that joins nothing: `B-`, `BBB-`.
fn is_grade(before: &str, after: &str) -> bool {
    let grade = before.chars().next_back().filter(|c| matches!(c, 'A'..='F' | 'O'));
    let Some(letter) = grade else { return false };
    // The blood group AB.
    let rest = before.strip_suffix("AB").unwrap_or_else(|| before.trim_end_matches(letter));
    let alone = before.len() - rest.len() <= 3
        && rest.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
    alone && !after.starts_with(|c: char| c.is_alphanumeric() || c == '-')
}

/// A single capital letter from A to G.
fn ends_in_note(before: &str) -> bool {
    let mut chars = before.chars().rev();
    chars.next().is_some_and(|c| ('A'..='G').contains(&c))
        && !chars.next().is_some_and(char::is_alphanumeric)
}

/// The letter x between numbers: a dimension, a product, or how many times.
pub(crate) fn find_cross(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    cursor.eat_char(|c| matches!(c, 'x' | 'X'))?;
    let before = context.before.trim_end();
    let before = before
        .strip_suffix(['L', 'W', 'H', 'D'])
        .filter(|side| side.ends_with(['"', '″']))
        .unwrap_or(before);
    let sized = before.ends_with(|c: char| {
        c.is_ascii_digit() || matches!(c, '"' | '\'' | '″' | '′' | '¼'..='¾' | '⅐'..='⅞')
    }) || ends_in_unit(context, before);
    if !sized {
        return None;
    }
    let after = cursor.rest();
    if has_price(before, after) {
        return Some((1, SemioticClass::Operator(Operator::Times)));
    }
    if after.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
        let in_words = context.before.len() > before.len();
        if in_words && !after.starts_with(' ') {
            return None;
        }
        // "50 g x 2": so many of them.
        let is_multiple = in_words && ends_in_unit(context, before) && !is_measured(context, after);
        let is_product = in_words && contains_operator(after) || is_multiple;
        let operator = if is_product { Operator::Times } else { Operator::By };
        return Some((1, SemioticClass::Operator(operator)));
    }
    let word = first_word(after);
    let compares = is_one_of(word, context.cues().comparisons);
    // `2x/day`
    let is_rate =
        after.strip_prefix('/').is_some_and(|after| context.lexicon().unit(after).is_some());
    if is_rate && context.before.len() == before.len() {
        return Some((1, SemioticClass::Operator(Operator::Times)));
    }
    (after.starts_with(' ') && compares).then_some((1, SemioticClass::Operator(Operator::Times)))
}

/// Whether there is an amount of money on either side of a cross: `3 x ₹45`, `$4.50 x 3`.
fn has_price(before: &str, after: &str) -> bool {
    let is_currency = |c: char| matches!(c, '$' | '₹' | '€' | '£' | '¥');
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let after = after.trim_start();
    after.starts_with(is_currency)
        || after.starts_with(|c: char| c.is_ascii_digit())
            && number.trim_end().ends_with(is_currency)
}

/// The name of a logarithm before its base: `log₂ 8`, `log_10(x)`.
pub(crate) fn find_logarithm(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let base = context.rest.strip_prefix("log")?;
    let base = base.strip_prefix('_').unwrap_or(base);
    let length = context.rest.len() - base.len();
    let digits = boundaries::run(base, char::is_numeric);
    let after = &base[digits..];
    let fits = (1..=2).contains(&base[..digits].chars().count())
        && boundaries::opens(context.before)
        && (after.starts_with('(') || after.starts_with(' ') && starts_operand(after));
    let phrase = SemioticClass::Phrase { words: "log base", ends_sentence: false };
    fits.then_some((length, phrase))
}

/// What a limit is taken at: `lim x→0`.
pub(crate) fn find_limit(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let variable = context.rest.strip_prefix("lim")?;
    let variable = variable.strip_prefix('_').unwrap_or(variable).trim_start_matches([' ', '(']);
    let mut after = variable.chars();
    let fits = after.next().is_some_and(|c| c.is_ascii_lowercase())
        && after.as_str().trim_start().starts_with(['→', '-'])
        && after.as_str().contains(['→', '>'])
        && boundaries::opens(context.before);
    let length = context.rest.len() - variable.len();
    let phrase = SemioticClass::Phrase { words: "the limit as", ends_sentence: false };
    fits.then_some((length, phrase))
}

/// Whether a number here has a unit of its own.
fn is_measured(context: &MatchContext<'_>, after: &str) -> bool {
    let after = after.trim_start();
    let place = context.advanced(context.rest.len() - after.len());
    measure::find(&place).is_some() || measure::find_length(&place).is_some()
}

/// Numbers with the letter x directly between: `1920x1080`, `2x4s`, `20x30 ft`.
pub(crate) fn find_dimension(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let low = Number::scan(&mut cursor).filter(|low| low.value() != Some(0))?;
    let low_length = cursor.at();
    cursor.eat_char(|c| matches!(c, 'x' | 'X' | '×'))?;
    let high_start = cursor.at();
    let place = context.advanced(high_start);
    let (length, high) = find_dimension(&place)
        .or_else(|| measure::find_length(&place))
        .or_else(|| plural::find(&place))
        .or_else(|| measure::find(&place))
        .or_else(|| number::find(&place))?;
    let rest = &place.rest[length..];
    let is_reckoned =
        context.rest[low_length..].starts_with('×') && contains_operator(context.text());
    let goes_on = rest.starts_with(is_inner) || contains_operator(rest) || is_reckoned;
    let low = SemioticClass::Number(low);
    let range = Range { low, low_length, connector: Connector::By, high, high_start };
    (!goes_on).then(|| (high_start + length, SemioticClass::Range(Box::new(range))))
}

fn ends_in_unit(context: &MatchContext<'_>, before: &str) -> bool {
    let before = before.trim_end_matches('.');
    let start = before.trim_end_matches(is_letter);
    let number = start.trim_end();
    number.ends_with(|c: char| c.is_ascii_digit())
        && context.lexicon().units.contains_key(&before[start.len()..])
}

/// `1920×1080`: digits on both sides and nothing that is reckoned; a `3×3 matrix` in any formula.
fn is_dimension(before: &str, after: &str) -> bool {
    const GRIDS: [&str; 7] = ["matrix", "matrices", "grid", "table", "array", "kernel", "square"];
    let noun = first_word(after.trim_start_matches(|c: char| c.is_ascii_digit()));
    if before.ends_with(|c: char| c.is_ascii_digit()) && is_one_of(noun, &GRIDS) {
        return true;
    }
    before.ends_with(|c: char| c.is_ascii_digit())
        && after.starts_with(|c: char| c.is_ascii_digit())
        && !contains_operator(after)
        && !contains_operator(before)
}

/// `8½ × 11`, `12 × 15 ft`: a mixed fraction times a number that nothing equals, or two numbers of one length.
fn is_of_paper(context: &MatchContext<'_>, after: &str) -> bool {
    const LENGTHS: [&str; 12] =
        ["ft", "feet", "foot", "in", "inch", "inches", "cm", "mm", "m", "meters", "yd", "yards"];
    let is_fraction = |c: char| matches!(c, '¼'..='¾' | '⅐'..='⅞');
    let before = context.before.trim_end();
    let unit = after.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_of_length = before.ends_with(|c: char| c.is_ascii_digit())
        && (is_one_of(first_word(unit), &LENGTHS) || unit.starts_with(['"', '\'', '″', '′']));
    let is_marked = before.ends_with(['"', '\'', '″', '′']);
    (before.ends_with(is_fraction) || is_of_length || is_marked)
        && after.trim_start().starts_with(|c: char| c.is_ascii_digit())
        && !contains_operator(context.text())
}

/// `4 rows × 3 columns`
fn is_grid(before: &str, after: &str) -> bool {
    let after = after.trim_start();
    let counted = after.trim_start_matches(|c: char| c.is_ascii_digit());
    is_one_of(last_word(before), &["rows", "row", "columns", "cols"])
        && counted.len() < after.len()
        && is_one_of(first_word(counted), &["rows", "columns", "cols", "column"])
}

fn contains_operator(text: &str) -> bool {
    text.contains(['=', '+', '÷', '^', '≠', '√'])
}

fn joins_operands(before: &str, after: &str) -> bool {
    ends_in_operand(before) && starts_operand(after)
}

/// Whether a star belongs to the number before it alone: `122* (94)`.
fn is_note(before: &str, after: &str) -> bool {
    before.ends_with(|c: char| c.is_ascii_digit()) && after.starts_with(' ')
}

/// Whether an operator `offset` bytes further on stands between operands in an expression that holds
/// another, sure operator.
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

/// A number, a single letter or a closing bracket.
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
    let ends = |c: char| c.is_alphanumeric() || matches!(c, ')' | '"' | '%');
    context.before.trim_end().ends_with(ends)
        && context.rest[length..]
            .trim_start()
            .starts_with(|c: char| c.is_alphanumeric() || is_amount_start(c) || c == '∞')
}

/// `^2`, `^-3`, `^n`.
fn power(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let is_spaced =
        context.rest.starts_with("** ") && joins_operands(context.before, &context.rest[2..]);
    let follows = |c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '∇');
    if !context.before.ends_with(follows) && !is_spaced {
        return None;
    }
    let mut cursor = context.cursor();
    cursor.eat("^").or_else(|| cursor.eat("**"))?;
    if is_spaced {
        cursor.spaces();
    }
    let bracketed = cursor.eat_char(|c| matches!(c, '(' | '{'));
    let fraction = bracketed.and_then(|_| cursor.attempt(|cursor| fraction::scan(context, cursor)));
    let exponent = match fraction {
        Some(fraction) => Exponent::Fraction(fraction),
        None if let Some(charge) = cursor.attempt(|cursor| charge(context.before, cursor)) => {
            charge
        }
        None if let Some(number) = Number::scan_signed(&mut cursor) => {
            let is_inverse = number.negative && number.value() == Some(1) && number.is_whole();
            let function = last_word(context.before);
            let is_function = function.chars().count() == 1
                && !function.starts_with(|c: char| c.is_ascii_digit())
                || is_one_of(
                    function,
                    &["sin", "cos", "tan", "sinh", "cosh", "tanh", "sec", "csc", "cot"],
                );
            if is_inverse && is_function && bracketed.is_none() {
                Exponent::Inverse
            } else {
                Exponent::Number(number)
            }
        }
        None => Exponent::Letter(cursor.eat_char(|c| c.is_ascii_alphabetic())?),
    };
    if bracketed.is_some() {
        cursor.eat_char(|c| matches!(c, ')' | '}'))?;
    }
    Some((cursor.at(), SemioticClass::Power(exponent)))
}

/// The sign of a power before brackets that hold more than a number: `(1 + r)^(nt)`.
fn power_in_brackets(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let follows = |c: char| c.is_alphanumeric() || matches!(c, ')' | ']');
    let fits = context.rest.starts_with(['^'])
        && context.rest[1..].starts_with(['(', '{'])
        && context.before.ends_with(follows);
    fits.then_some((1, SemioticClass::Operator(Operator::ToThePower)))
}

/// The charge of an ion after its formula: `Ca^2+`, `Cl^-`.
fn charge(before: &str, cursor: &mut Cursor<'_>) -> Option<Exponent> {
    let formula = last_word(before);
    let particle = formula.trim_start_matches(|c: char| c.is_ascii_digit());
    // `3OH^-`
    let is_formula = particle.starts_with(char::is_uppercase)
        || matches!(particle, "e" | "p" | "n" | "β" | "δ" | "μ" | "π");
    let count = cursor.digits(1..=1).unwrap_or_default();
    let sign = cursor.eat_char(|c| matches!(c, '+' | '-' | '−'))?;
    let charge = Exponent::Charge { count: count.parse().unwrap_or(1), is_negative: sign != '+' };
    (is_formula && formula.len() <= 6 && !cursor.at_digit()).then_some(charge)
}

/// `1.5e-6`, `3E8`.
pub(crate) fn find_scientific(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let mantissa = context.number(&mut cursor)?;
    let sign = cursor.eat_char(|c| matches!(c, 'e' | 'E'))?;
    let signed = cursor.rest().starts_with(['+', '-', '−']);
    cursor.eat("+");
    let exponent = Number::scan_signed(&mut cursor).filter(Number::is_whole)?;
    // `6E-2175` is a flight.
    let most = if sign == 'E' && mantissa.fraction.is_none() { 2 } else { 3 };
    let is_sure = (signed || mantissa.fraction.is_some()) && exponent.integer.len() <= most;
    (is_sure && cursor.at_number_end())
        .then(|| (cursor.at(), SemioticClass::Scientific { mantissa, exponent }))
}

/// Whether a number in scientific notation and a space end here: `5.97e24 `, `3 × 10^8 `.
pub(crate) fn ends_in_power_of_ten(before: &str) -> bool {
    let Some(number) = before.strip_suffix(' ') else { return false };
    let is_digit = |c: char| c.is_ascii_digit();
    let base = number.trim_end_matches(is_digit);
    let base = base.trim_end_matches(['-', '−', '+']);
    let is_short = base.strip_suffix(['e', 'E']).is_some_and(|base| base.ends_with(is_digit));
    let is_power = base.strip_suffix("10^").is_some_and(|base| !base.ends_with(is_inner));
    base.len() < number.len() && (is_short || is_power)
}

/// The slash of a rate: `rooms/night`, `$85/player`, `160 mg/5 mL`, `60 req/min/IP`.
pub(crate) fn find_per(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    is_per(context, 0).then_some((1, SemioticClass::Operator(Operator::Per)))
}

/// Whether a slash `back` bytes before this place, or here, is that of a rate.
pub(crate) fn is_per(context: &MatchContext<'_>, back: usize) -> bool {
    let at = context.before.len() - back;
    let Some(after) = context.text()[at..].strip_prefix('/') else { return false };
    let before = &context.text()[..at];
    let start = context.at(at + 1);
    let is_word = after.starts_with(is_letter) && !after.starts_with(char::is_uppercase);
    let (_, length) = context.lexicon().unit(after).unzip();
    let is_unit = length.is_some_and(|length| !after[length..].starts_with(is_inner));
    let is_amount =
        || after.starts_with(|c: char| c.is_ascii_digit()) && measure::find(&start).is_some();
    if is_price(before) {
        return is_word || is_unit || is_amount() || after.starts_with(['$', '€', '£', '₹']);
    }
    let token = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    // `50 lb/23 kg`: one amount in two units.
    const SAME: [&str; 4] =
        ["lb lbs kg kgs oz g", "mi km m ft yd", "mph kph km/h kmh", "in cm mm ft m"];
    let unit_after = first_word(after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    let is_same = SAME.iter().any(|units| {
        boundaries::lists(units, last_word(before)) && boundaries::lists(units, unit_after)
    });
    if is_same && after.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let is_counted = before.ends_with(|c: char| c.is_ascii_lowercase());
    let many = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    if is_counted && is_one_of(first_word(many), context.cues().rates) {
        return true;
    }
    // What is counted by the rate: a number and its unit or its noun.
    let number = token.trim_end_matches(['"', '″']).trim_end_matches(is_letter);
    let gap = token.len() < before.len() && number.is_empty();
    let counted = if gap { before[..before.len() - token.len()].trim_end() } else { number };
    let has_number = counted.ends_with(|c: char| c.is_ascii_digit());
    // `I-80 E/W`
    let compass = &context.lexicon().compass;
    if compass.contains_key(token) && compass.contains_key(first_word(after)) {
        return false;
    }
    // `mg/kg/day`, but not `1st/last/sec. dep.`
    let last = token.rsplit('/').next().unwrap_or_default();
    // `2 lbs./100 sq. ft.`
    let is_stopped = token.ends_with('.')
        && context.lexicon().unit(token).is_some()
        && before.trim_end_matches(token).trim_end().ends_with(|c: char| c.is_ascii_digit());
    if is_stopped && (is_unit || is_amount()) {
        return true;
    }
    let goes_on = token.len() > last.len() && context.lexicon().unit(last).is_some();
    let is_multiple = token
        .strip_suffix('x')
        .is_some_and(|number| number.ends_with(|c: char| c.is_ascii_digit()));
    // `Limit 2/customer`
    let is_limit = is_word
        && token.bytes().all(|b| b.is_ascii_digit())
        && is_one_of(
            last_word(before.trim_end_matches(token)),
            &["limit", "max", "min", "maximum", "up to"],
        );
    if is_limit && !token.is_empty() {
        return true;
    }
    // `8:37/mi`
    let is_pace = token.split_once(':').is_some_and(|(minutes, seconds)| {
        let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        (1..=2).contains(&minutes.len())
            && seconds.len() == 2
            && is_digits(minutes)
            && is_digits(seconds)
    });
    // `11.2 × 10^3/µL`
    let is_power = || token.split_once("10^").is_some_and(|(_, power)| power.parse::<i8>().is_ok());
    if is_unit && (is_pace || is_power()) {
        return true;
    }
    if is_multiple && (is_unit || is_amount()) {
        return true;
    }
    let is_thing = before.ends_with(is_letter) && (has_number || goes_on);
    let counted = &token[number.len()..];
    // `160 mg/5 mL`, but `50 lb/23 kg` is one weight twice.
    let is_dose = || is_one_of(counted, context.cues().doses) && is_amount();
    // `60 mL/24 hrs`
    let is_period = || {
        let period = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let unit = first_word(period.trim_start());
        period.len() < after.len()
            && is_one_of(unit, &["h", "hr", "hrs", "hours", "day", "days", "d", "min", "wk", "yr"])
    };
    is_thing
        && (is_unit
            || is_dose()
            || is_period()
            || goes_on && (after.starts_with("IP") || is_amount()))
}

/// Whether an amount of money ends here, as far as its sign tells: `₹62,500`.
pub(crate) fn is_price(before: &str) -> bool {
    let amount = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let amount = amount.trim_start_matches('(');
    let last = amount.rsplit(['-', '–']).next().unwrap_or_default();
    let is_money = |c: char| is_amount_start(c) && c != '.' && !c.is_ascii_digit();
    let is_number = last.trim_start_matches(is_money).starts_with(|c: char| c.is_ascii_digit());
    let is_cents =
        amount.strip_suffix('¢').is_some_and(|cents| cents.ends_with(|c: char| c.is_ascii_digit()));
    is_cents || amount.starts_with(is_money) && is_number && !amount.contains('/')
}
