//! Ranges whose two values are said in a row, and ranges of months and weekdays.

use super::super::lexicon;
use crate::normalize::cursor::{Cursor, first_word, is_inner, last_word};
use crate::normalize::locale::Topics;
use crate::normalize::number::Number;
use crate::normalize::range;
use crate::normalize::recognizer::{MatchContext, is_one_of};
use crate::normalize::semiotic::{Connector, Operator, Range, SemioticClass, Year};

/// Before these, two years are the two halves of one: `वित्त वर्ष 2024-25`.
const SEASONS: &[&str] = &[
    "वित्त",
    "वित्तीय",
    "सत्र",
    "शैक्षणिक",
    "सीज़न",
    "सीजन",
    "आकलन",
    "बजट",
    "रबी",
    "खरीफ",
    "खरीफ़",
    "कारोबारी",
];

/// Two values with a joint between, as the words around them ask for.
pub(in super::super) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let (length, value) = range::find(context)?;
    let SemioticClass::Range(mut range) = value else { return Some((length, value)) };
    let length = length + o_clock(&range, &context.rest[length..]);
    let rest = &context.rest[length..];
    let in_row = match range.connector {
        Connector::Ratio => is_in_proportion(rest),
        Connector::To => {
            is_share(&range, rest)
                || is_score(context, &range, rest)
                || is_season(context.before, &range)
        }
        _ => false,
    };
    if in_row {
        range.connector = Connector::Juxtaposed;
    }
    Some((length, SemioticClass::Range(range)))
}

/// The bytes of the word for o'clock after a time of day, which is said with the time.
fn o_clock(range: &Range, rest: &str) -> usize {
    let mut cursor = Cursor::new(rest);
    cursor.spaces();
    let is_said = matches!(range.high, SemioticClass::TimeOfDay(_)) && cursor.eat("बजे").is_some();
    if is_said && cursor.at_word_end() { cursor.at() } else { 0 }
}

/// `3:2 के अनुपात में`.
fn is_in_proportion(rest: &str) -> bool {
    let mut cursor = Cursor::new(rest);
    cursor.spaces().letters();
    first_word(cursor.rest()) == "अनुपात" || first_word(rest) == "अनुपात"
}

/// `2-2 लोग`: so many each; `9-9 खुला` are hours.
fn is_share(range: &Range, rest: &str) -> bool {
    let are_hours = first_word(rest).starts_with("खुल") || first_word(rest) == "बजे";
    matches!(&range.low, SemioticClass::Number(_)) && range.low == range.high && !are_hours
}

/// `2-1 से जीता`.
fn is_score(context: &MatchContext<'_>, range: &Range, rest: &str) -> bool {
    let are_numbers =
        matches!((&range.low, &range.high), (SemioticClass::Number(_), SemioticClass::Number(_)));
    let next = first_word(rest);
    let fits = next.is_empty() || is_one_of(next, lexicon::POSTPOSITIONS);
    are_numbers && fits && context.is_about(Topics::GAME)
}

/// `2006-07` is one year even where nothing says so.
fn is_season(before: &str, range: &Range) -> bool {
    let is_short = |value: &SemioticClass| matches!(value, SemioticClass::Year(year) if year.digits.starts_with('0'));
    if follow_each_other(range) && is_short(&range.high) {
        return true;
    }
    let mut words = before.rsplit(|c: char| !is_inner(c)).filter(|word| !word.is_empty()).take(3);
    follow_each_other(range) && words.any(|word| SEASONS.contains(&word))
}

fn follow_each_other(range: &Range) -> bool {
    let (SemioticClass::Year(low), SemioticClass::Year(high)) = (&range.low, &range.high) else {
        return false;
    };
    let last_two = |year: &Year| year.digits.get(year.digits.len() - 2..)?.parse::<u8>().ok();
    match (last_two(low), last_two(high)) {
        (Some(low), Some(high)) => (low + 1) % 100 == high,
        _ => false,
    }
}

/// Two values of two digits each with zeros before them, of what is counted: `08-10 बजे`.
pub(in super::super) fn find_padded(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    let low = cursor.digits(2..=2).filter(|low| low.starts_with('0'))?;
    cursor.eat_char(|c| matches!(c, '-' | '–'))?;
    let high_start = cursor.at();
    let high = cursor.digits(2..=2)?;
    let counts = cursor.rest().starts_with(' ') && lexicon::is_counted(first_word(cursor.rest()));
    let number =
        |digits: &str| SemioticClass::Number(Number::whole(digits.trim_start_matches('0')));
    let (low, high) = (number(low), number(high));
    let range = Range { low, low_length: 2, connector: Connector::To, high, high_start };
    counts.then(|| (cursor.at(), SemioticClass::Range(Box::new(range))))
}

/// The hyphen between two months or two weekdays: `जनवरी-मार्च`.
pub(in super::super) fn find_joint(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = context.cursor();
    cursor.eat_char(|c| matches!(c, '-' | '–' | '—'))?;
    let length = cursor.at();
    let is_stop = |c: char| matches!(c, '.' | '॰');
    let led = context.before.trim_end();
    let low = last_word(led.trim_end_matches(is_stop));
    let high = first_word(cursor.rest());
    let after = cursor.rest().trim_start().strip_prefix(high).unwrap_or_default();
    let is_month =
        |word, stopped: bool| lexicon::is_month(word) || stopped && lexicon::is_short_month(word);
    let fits = is_month(low, led.ends_with(is_stop)) && is_month(high, after.starts_with(is_stop))
        || lexicon::is_weekday(low) && lexicon::is_weekday(high);
    fits.then_some((length, SemioticClass::Operator(Operator::To)))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::assert_lines;

    #[test]
    fn rows_and_ranges() {
        assert_lines(&[
            ("10-20 लोग", "दस से बीस लोग"),
            ("2-1 से जीता", "दो एक से जीता"),
            ("2-1 से", "दो एक से"),
            ("दुकान 9-9 खुली", "दुकान नौ से नौ खुली"),
            ("वित्त वर्ष 2024-25", "वित्त वर्ष दो हज़ार चौबीस पच्चीस"),
            ("2006-07 का बजट", "दो हज़ार छह सात का बजट"),
            ("1920-26 तक", "उन्नीस सौ बीस से छब्बीस तक"),
            ("16:9, 3:2 के अनुपात में", "सोलह अनुपात नौ, तीन दो के अनुपात में"),
            ("जनवरी-मार्च, सोम-शुक्र", "जनवरी से मार्च, सोम से शुक्र"),
            ("1.5-2 लाख", "डेढ़ से दो लाख"),
            ("₹1.5-2 करोड़", "डेढ़ से दो करोड़ रुपए"),
            ("1-1 करके, 05-06 बजे, 20-20 मैच", "एक एक करके, पाँच से छह बजे, ट्वेंटी ट्वेंटी मैच"),
            ("9:30-10:30 बजे", "साढ़े नौ बजे से साढ़े दस बजे"),
        ]);
    }
}
