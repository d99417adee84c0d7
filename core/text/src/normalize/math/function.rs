//! Recognizes functions and arguments, logarithms, limits and roots: `f(x)`, `log₂ 8`, `lim x→0`.

use super::{is_part, is_sure, starts_operand};
use crate::normalize::boundaries;
use crate::normalize::length;
use crate::normalize::markdown;
use crate::normalize::measure;
use crate::normalize::number::Number;
use crate::normalize::recognizer::MatchContext;
use crate::normalize::semiotic::{Operator, SemioticClass};
use crate::words::WordClass;

/// Whether a limit and its variable precede: `lim x`, `lim_(x`.
pub(super) fn is_of_limit(before: &str) -> bool {
    let variable = |c: char| c.is_ascii_lowercase();
    let limit = before.trim_end().strip_suffix(variable).unwrap_or_default();
    limit.trim_end_matches([' ', '_', '(', '{']).ends_with(WordClass::LimitOf.first())
}

/// A sum or integral and its limits, in the form of preprocessing: `∫0^1`, `∑i=1^n`.
pub(super) fn limits(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
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

/// The power sign before the upper limit of a sum.
pub(super) fn upper_limit(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    context.rest.strip_prefix('^')?;
    let (_, low) = context.before.rsplit_once(['∫', '∑', '∏'])?;
    is_limit(low).then_some((1, SemioticClass::Operator(Operator::To)))
}

pub(super) fn is_limit(text: &str) -> bool {
    let is_of_limit = |c: char| c.is_alphanumeric() || matches!(c, '=' | '-' | '−' | '+' | '∞');
    (1..=8).contains(&text.chars().count()) && text.chars().all(is_of_limit)
}

/// The brackets around the argument of a function: `f(x) = 2x`.
pub(super) fn of_function(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
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

/// A number under a root, before the slash that divides the root.
pub(crate) fn find_radicand(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor)?;
    let fits = context.before.ends_with('√') && cursor.rest().starts_with('/');
    fits.then(|| (cursor.at(), SemioticClass::Number(number)))
}

/// The name of a logarithm before its base: `log₂ 8`, `log_10(x)`.
pub(crate) fn find_logarithm(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let base = WordClass::Logarithm.strip_prefix(context.rest)?;
    let base = base.strip_prefix('_').unwrap_or(base);
    let length = context.rest.len() - base.len();
    let digits = boundaries::run(base, char::is_numeric);
    let after = &base[digits..];
    let fits = (1..=2).contains(&base[..digits].chars().count())
        && boundaries::opens(context.before)
        && (after.starts_with('(') || after.starts_with(' ') && starts_operand(after));
    let phrase =
        SemioticClass::Phrase { words: WordClass::LogarithmWords.first(), ends_sentence: false };
    fits.then_some((length, phrase))
}

/// The limit point of a limit: `lim x→0`.
pub(crate) fn find_limit(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let variable = WordClass::LimitOf.strip_prefix(context.rest)?;
    let variable = variable.strip_prefix('_').unwrap_or(variable).trim_start_matches([' ', '(']);
    let mut after = variable.chars();
    let fits = after.next().is_some_and(|c| c.is_ascii_lowercase())
        && after.as_str().trim_start().starts_with(['→', '-'])
        && after.as_str().contains(['→', '>'])
        && boundaries::opens(context.before);
    let length = context.rest.len() - variable.len();
    let phrase =
        SemioticClass::Phrase { words: WordClass::LimitWords.first(), ends_sentence: false };
    fits.then_some((length, phrase))
}

/// Whether the number here has its own unit.
pub(super) fn is_measured(context: &MatchContext<'_>, after: &str) -> bool {
    let after = after.trim_start();
    let place = context.advanced(context.rest.len() - after.len());
    measure::find(&place).is_some() || length::find(&place).is_some()
}
