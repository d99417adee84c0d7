//! Recognizes money: a currency before or after an amount.

use super::amount::{self, Kind};
use super::locale::Currency;
use super::measure;
use super::number::{is_minus, may_be_signed};
use super::prelude::*;

/// A currency and the amount after it, `$5`, `Rs. 500`, `-€20`, or only the currency's name.
pub(crate) fn find_leading(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let is_spaced =
        !context.before.ends_with([',', ':']) && measure::spaced_minus(context).is_some();
    let negative = may_be_signed(context.before) && cursor.eat_char(is_minus).is_some();
    if is_spaced {
        cursor.spaces();
    }
    let currency = symbol(context.lexicon(), &mut cursor)?;
    let is_letters =
        cursor.rest().len() < context.rest.len() && context.rest.starts_with(is_latin_letter);
    // A single letter is a coin only after its number: `50p`.
    let written = context.rest[..cursor.at()].trim_start_matches(is_minus);
    if written.len() == 1 && written.starts_with(is_lower) {
        return None;
    }
    // `COP29`: a conference.
    let digits = cursor.rest().bytes().take_while(u8::is_ascii_digit).count();
    if WordClass::Conference.has(written) && (1..=2).contains(&digits) {
        return None;
    }
    if WordClass::BloodTest.has(written) && context.mentions(WordClass::Anticoagulation) {
        return None;
    }
    // The second currency of a pair: `USD/JPY`.
    if is_letters && context.before.ends_with('/') {
        return None;
    }
    if let Some(loss) = cursor.attempt(|cursor| loss(context, cursor)) {
        return Some(finish(context, cursor, currency, loss));
    }
    let amount = cursor.attempt(|cursor| {
        let is_change = is_letters && cursor.spaces().rest().starts_with(is_minus);
        cursor.spaces();
        let amount = leading_amount(context, cursor)?;
        let is_share = is_letters && cursor.rest().starts_with('%');
        // `ILS 27R`
        let is_code = written.len() == 3
            && written.bytes().all(|b| b.is_ascii_uppercase())
            && amount.magnitudes.is_empty()
            && cursor.rest().starts_with(is_latin_letter);
        (!is_change && !is_share && !is_code).then_some(amount)
    });
    let Some(mut amount) = amount else {
        let money = Money { amount: None, currency, per: None, is_attributive: false };
        return (!is_letters && !negative).then(|| (cursor.at(), SemioticClass::Money(money)));
    };
    if let Quantity::Number(number) = &mut amount.quantity {
        number.negative |= negative;
        // `$20s and $50s`
        let is_bills =
            cursor.rest().strip_prefix('s').is_some_and(|after| !after.starts_with(is_letter));
        if is_bills && number.is_plain() && amount.magnitudes.is_empty() {
            cursor.eat("s");
            return Some((cursor.at(), SemioticClass::Plural(number.clone())));
        }
        // `Rp50.000`
        if WordClass::GroupedByPoint.has(currency.one)
            && let Some(group) = number.fraction.take_if(|decimals| decimals.len() == 3)
        {
            number.integer.push_str(&group);
        }
    }
    Some(finish(context, cursor, currency, amount))
}

/// A loss in brackets after a currency: `$(0.07)`, `$(3.4) million`.
fn loss(context: &MatchContext<'_>, cursor: &mut Cursor<'_>) -> Option<Amount> {
    cursor.eat("(")?;
    let mut amount = leading_amount(context, cursor)?;
    cursor.eat(")")?;
    if amount.magnitudes.is_empty() {
        amount.magnitudes = amount::magnitudes(context, cursor, Kind::Money);
    }
    if let Quantity::Number(number) = &mut amount.quantity {
        number.negative = true;
    }
    Some(amount)
}

/// The amount after a currency.
pub(crate) fn leading_amount(
    context: &MatchContext<'_>,
    cursor: &mut Cursor<'_>,
) -> Option<Amount> {
    let mut number = Number::scan_signed(cursor)?;
    // `€12,50`
    let cents = cursor.attempt(|cursor| {
        cursor.eat(",")?;
        cursor.digits(2..=2).filter(|_| cursor.at_number_end())
    });
    if let Some(cents) = cents.filter(|_| number.is_whole()) {
        number.fraction = Some(cents.to_owned());
    }
    let magnitudes = amount::magnitudes(context, cursor, Kind::Money);
    Some(Amount { quantity: Quantity::Number(number), magnitudes })
}

/// An amount and its currency after it: `50€`, `20 USD`.
pub(crate) fn find_trailing(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let amount = amount::scan(context, &mut cursor, Kind::Money)?;
    let in_contact = cursor.spaces().at() == context.rest.len() - cursor.rest().len()
        && !context.rest[..cursor.at()].ends_with(char::is_whitespace);
    let start = cursor.at();
    let currency = symbol(context.lexicon(), &mut cursor)?;
    let written = &context.rest[start..cursor.at()];
    let is_letter = written.len() == 1 && written.starts_with(is_latin_letter);
    // A letter is a coin: `50p`, but `1080p` is none.
    let is_small = amount.as_number().is_some_and(|number| number.value() < Some(100));
    if is_letter && !(in_contact && is_small) {
        return None;
    }
    // The `$` between two amounts belongs to the second one.
    if !cursor.at_word_end() {
        return None;
    }
    Some(finish(context, cursor, currency, amount))
}

fn finish(
    context: &MatchContext<'_>,
    mut cursor: Cursor<'_>,
    currency: &'static Currency,
    amount: Amount,
) -> (usize, SemioticClass) {
    // `Rs. 500/-`: no further amount is due.
    if currency.is_indian {
        cursor.eat("/-");
    }
    let per = measure::per(context.lexicon(), &mut cursor);
    let written = &context.rest[..cursor.at()];
    let hyphenated = written.trim_end_matches(is_letter).ends_with('-');
    let is_attributive = context.describes(&cursor) || hyphenated && !amount.magnitudes.is_empty();
    (
        cursor.at(),
        SemioticClass::Money(Money { amount: Some(amount), currency, per, is_attributive }),
    )
}

/// Consumes the longest currency symbol. One of letters must end at a word boundary.
fn symbol<'l>(lexicon: &'l Lexicon, cursor: &mut Cursor<'_>) -> Option<&'l Currency> {
    let rest = cursor.rest();
    let fits = |symbol: &str| {
        let is_letters = symbol.ends_with(is_letter);
        rest.strip_prefix(symbol).is_some_and(|after| !(is_letters && after.starts_with(is_letter)))
    };
    let candidates = lexicon.currencies.get(&rest.chars().next()?)?;
    let (symbol, currency) = candidates.iter().find(|(symbol, _)| fits(symbol))?;
    cursor.eat(symbol)?;
    Some(currency)
}
