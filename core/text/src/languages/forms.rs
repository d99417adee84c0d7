//! Parses `forms.tsv`: spellings of months, weekdays, compass points, magnitudes, time zones, eras, the
//! order of dates.

use crate::named::Named;
use crate::normalize::locale::{Lexicon, rows};
use crate::normalize::semiotic::Magnitude;

/// Parses a table with columns for kind, meaning and space-separated forms. Other fields of the
/// lexicon stay empty.
///
/// # Panics
///
/// If a kind or magnitude is unknown.
pub(crate) fn forms(table: &'static str) -> Lexicon {
    let mut lexicon = Lexicon::default();
    for row in rows(table) {
        let (kind, meant) = (row[0], row[1]);
        let number = || meant.parse().expect("months and weekdays have numbers");
        let magnitude = || Magnitude::named(meant).expect("it is a magnitude");
        for form in row[2].split(' ') {
            match kind {
                "month" => _ = lexicon.months.insert(form, number()),
                "weekday" => _ = lexicon.weekdays.insert(form, number()),
                "weekday-letters" => lexicon.weekday_letters.push((form, number())),
                "weekday-range" => lexicon.weekday_ranges.push(form),
                "compass" => _ = lexicon.compass.insert(form, meant),
                "magnitude" => _ = lexicon.magnitudes.insert(form, magnitude()),
                "letters" | "money-letters" => {
                    let of_money_alone = kind == "money-letters";
                    lexicon.magnitude_letters.insert(form, (magnitude(), of_money_alone));
                }
                "zone" => lexicon.zones.push(form),
                "order" => lexicon.day_first = form == "day-first",
                "era" => lexicon.eras.push(form),
                kind => panic!("{kind} is no kind of name"),
            }
        }
    }
    lexicon
}
