//! Recognizes plural numbers, as written in Latin letters: `747s`.

use super::choice::ContextClass;
use super::prelude::*;

/// The class of words about computers.
const TECH: ContextClass = "tech";

/// `747s`, `12's`, `49ers`.
pub(crate) fn find(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let number = Number::scan(&mut cursor).filter(Number::is_whole)?;
    if cursor.eat_class(WordClass::GroupEnding).is_some() && cursor.at_word_end() {
        return Some((cursor.at(), SemioticClass::NumberedGroup(number)));
    }
    let with_apostrophe = cursor.eat_char(|c| matches!(c, '\'' | '’')).is_some();
    cursor.eat("s")?;
    let is_listed = || {
        let is_plural = |word: &&str| {
            let digits = word.trim_matches(|c: char| !c.is_alphanumeric()).strip_suffix('s');
            digits.is_some_and(|digits| {
                !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
            })
        };
        context.text().split_whitespace().filter(is_plural).count() > 2
    };
    if number.integer.len() < 3 && is_listed() && cursor.at_word_end() {
        return Some((cursor.at(), SemioticClass::Plural(number)));
    }
    // `two 15s`, `two iPhone 15s`
    let is_counted = context.before.ends_with(' ')
        && (context.follows(WordClass::SmallNumber)
            || context.follows(WordClass::Product)
            || last_word(context.before).bytes().all(|b| b.is_ascii_digit())
                && last_word(context.before).len() == 1);
    // `a pair of 2s`, `+1s welcome`
    let is_of_cards = WordClass::BeforeCards.strip_suffix(context.before).is_some()
        || context.before.ends_with('+');
    if (is_counted || is_of_cards) && number.integer.len() < 5 && cursor.at_word_end() {
        return Some((cursor.at(), SemioticClass::Plural(number)));
    }
    if is_status(context, &number.integer) && cursor.at_word_end() {
        return Some((cursor.at(), SemioticClass::Plural(number)));
    }
    let counted = context.before.ends_with(['x', 'X'])
        || context.follows(WordClass::BeforePlural)
        || context.is(first_word(cursor.rest()), WordClass::Of);
    let is_plural = with_apostrophe
        || counted && (number.integer.len() > 2 || context.before.ends_with(['x', 'X']));
    (is_plural && cursor.at_word_end()).then(|| (cursor.at(), SemioticClass::Plural(number)))
}

/// Whether a number is an HTTP status or aircraft model: `502s from nginx`, `737s`, but not `30s`.
fn is_status(context: &MatchContext<'_>, digits: &str) -> bool {
    const NAMED: &str = "401 403 404 405 409 410 418 422 429 451 501 502 503 504 \
        707 717 727 737 747 757 767 777 787";
    const ROUND: &str = "400 500";
    let takes_time = || context.follows(WordClass::BeforeTaken);
    (lists(NAMED, digits) || lists(ROUND, digits) && context.topic_classes().contains(&TECH))
        && opens(context.before)
        && !takes_time()
}
