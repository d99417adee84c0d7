//! Recognizes amounts: `1/2 चम्मच`, `2x`.

use super::super::lexicon;
use crate::normalize::fraction;
use crate::normalize::measure;
use crate::normalize::prelude::*;

/// A rating such as `8/10`, or blood pressure such as `120/80`, but no grade point average.
pub(in super::super) fn find_quotient(context: &MatchContext<'_>) -> Found {
    let label = last_word(context.before.trim_end_matches([' ', ':']));
    fraction::find_other(context).filter(|_| !context.is(label, WordClass::GradePoints))
}

/// Half of the next noun, in its gender: `आधा कप`, `आधी रोटी`, `आधे घंटे`.
pub(in super::super) fn find_half(context: &MatchContext<'_>) -> Found {
    if context.before.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '/' | '-' | '.')) {
        return None;
    }
    let mut cursor = context.cursor();
    cursor.eat("½").or_else(|| cursor.eat("1/2"))?;
    let length = cursor.at();
    cursor.gap()?;
    let noun = cursor.letters().filter(|noun| !noun.is_ascii())?;
    let words = if lexicon::is_postposition(noun) || noun.ends_with('े') {
        "आधे"
    } else if lexicon::lists(WordClass::FeminineNoun, noun)
        || noun.ends_with('ी') && !lexicon::lists(WordClass::MasculineNoun, noun)
    {
        "आधी"
    } else {
        "आधा"
    };
    let follows_number = context.before.trim_end().ends_with(is_digit);
    (!follows_number).then_some((length, SemioticClass::phrase(words)))
}

/// A fraction of one unit: `1/4 kg`, `3/4 किमी`.
pub(in super::super) fn find_part_of_unit(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    cursor.digits(1..=1)?;
    cursor.eat("/")?;
    cursor.digits(1..=1)?;
    let number = cursor.at();
    let (length, value) = measure::find(context)?;
    let SemioticClass::Measure(Measure { amount: Some(amount), unit: Some(_), .. }) = &value else {
        return None;
    };
    // Hindi names agree with the half: "आधी कटोरी".
    let unit = context.rest[number..length].trim_start();
    let is_symbol = unit.is_ascii() && unit.len() > 1;
    let is_part = matches!(amount.quantity, Quantity::Fraction(_)) && amount.magnitudes.is_empty();
    (is_part && is_symbol && !context.before.ends_with(['/', '-', '.'])).then_some((length, value))
}

/// A multiple: `2x`.
pub(in super::super) fn find_fold(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor)?;
    cursor.eat_char(|c| matches!(c, 'x' | 'X'))?;
    let unit = context.lexicon().units.get("गुना")?;
    let amount = Amount::of(number);
    let amount = Some(amount);
    ends(&cursor).then(|| (cursor.at(), SemioticClass::measure(amount, Some(unit))))
}

/// Whether no expression continues here.
fn ends(cursor: &Cursor<'_>) -> bool {
    let next = cursor.rest().trim_start().chars().next();
    cursor.at_word_end()
        && next.is_none_or(|c| is_inner(c) && !c.is_ascii() || "।,.!?)".contains(c))
}

/// A number over another, of any length: `72860/70`.
pub(in super::super) fn find_division(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let numerator = Number::scan(&mut cursor).filter(Number::is_whole)?;
    cursor.eat("/")?;
    let denominator = Number::scan(&mut cursor).filter(Number::is_whole)?;
    let is_alone = !context.before.ends_with('/') && !cursor.rest().starts_with('/');
    let fraction = Fraction::of(numerator, denominator);
    (is_alone && cursor.at_number_end()).then(|| (cursor.at(), SemioticClass::Fraction(fraction)))
}

/// An amount with nothing more to pay, `5,000/-`, in rupees; "rupees" may follow.
pub(in super::super) fn find_payable(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor)?;
    cursor.eat("/-").filter(|()| cursor.at_word_end())?;
    let amount = Some(Amount::of(number));
    let named = is_one_of(first_word(cursor.rest()), &["रुपये", "रुपए", "रुपया", "रु"]);
    let value = if named {
        SemioticClass::Measure(Measure::of(amount, None))
    } else {
        let (_, currency) = context.lexicon().currencies.get(&'₹')?.first()?;
        SemioticClass::Money(Money { amount, currency, per: None, is_attributive: false })
    };
    Some((cursor.at(), value))
}
