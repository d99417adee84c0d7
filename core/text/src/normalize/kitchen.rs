//! Recognizes recipe amounts with a one-letter unit: `1 1/2 c. flour`, `1 T sugar`, `2 t. salt`.

use super::amount::{self, Kind};
use super::choice::ContextClass;
use super::prelude::*;

/// The class of recipe words.
const FOOD: ContextClass = "food";

/// Cups or spoons after a range, or at the end of a clause: `1/2–3/4 c. sugar`, `1½ c. ea.`
pub(crate) fn find_letter(context: &MatchContext<'_>) -> Found {
    let amount = context.before.strip_suffix(' ')?;
    let symbol = match context.rest.chars().next()? {
        'c' => "cup",
        'T' => "tbsp",
        't' => "tsp",
        _ => return None,
    };
    let after = &context.rest[1..];
    let stopped = after.starts_with('.');
    let fits = amount.ends_with(char::is_numeric)
        && (stopped || symbol == "cup" && after.starts_with(' '))
        && context.topic_classes().contains(&FOOD);
    let (unit, _) = context.lexicon().unit(symbol)?;
    let amount = amount.rsplit(' ').next().unwrap_or_default().trim_start_matches('(');
    let is_one = matches!(amount, "1" | "1/2" | "1/4" | "3/4" | "1/3" | "2/3" | "1/8")
        || amount.chars().count() == 1 && !amount.starts_with(is_digit);
    let measure = Measure { amount: None, unit: Some(unit), per: None, is_attributive: is_one };
    fits.then(|| (1 + usize::from(stopped), SemioticClass::Measure(measure)))
}

/// An amount before an ingredient. A capital or small T needs a recipe, since it is also a ton.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let amount = amount::scan(context, &mut cursor, Kind::Count)?;
    let spaced = cursor.gap().is_some();
    let letter = cursor.eat_char(|c| matches!(c, 'c' | 'C' | 't' | 'T'))?;
    let symbol = match letter {
        'c' | 'C' => "c",
        'T' => "tbsp",
        _ => "tsp",
    };
    if symbol == "tbsp" {
        cursor.eat("b");
    }
    let stopped = cursor.eat(".").is_some();
    let noun = first_word(cursor.rest());
    let is_recipe = || context.topic_classes().contains(&FOOD);
    // `2 c. AP flour`
    let is_kind = || stopped && noun.chars().all(char::is_uppercase) && is_recipe();
    let is_noun = cursor.rest().starts_with(' ')
        && (noun.len() > 2 && noun.starts_with(char::is_lowercase) || noun.len() > 1 && is_kind())
        && !context.is(noun, WordClass::NotCounted);
    // `1/3 c + 2 Tbsp cocoa`, `(1 c)`
    let is_alone = symbol == "c"
        && letter == 'c'
        && spaced
        && (cursor.rest().starts_with(" +") || cursor.rest().starts_with(')'))
        && is_recipe();
    let fits = is_alone || is_noun && (symbol == "c" && letter == 'c' || is_recipe());
    let (unit, _) = context.lexicon().unit(if symbol == "c" { "cup" } else { symbol })?;
    (fits && (spaced || stopped))
        .then(|| (cursor.at(), SemioticClass::measure(Some(amount), Some(unit))))
}
