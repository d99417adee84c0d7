use speech_base::language::Language;

use super::*;
use crate::languages::locales;
use crate::normalize::say::verbalize;
use crate::normalize::verbalized::Verbalization;

const EN: Language = Language::EnUs;
const HI: Language = Language::HiIn;

/// The words of a content, or the expected form.
fn said(language: Language, kind: &str, content: &str) -> Result<String, String> {
    let (kind, format) = match kind.split_once(' ') {
        Some((kind, format)) => (kind, Some(format)),
        None => (kind, None),
    };
    let say_as = SayAs::new(kind, format, None).map_err(|refusal| refusal.message)?;
    let locale = locales().of(language);
    let value = say_as.value(content, locale, locales())?.expect("a value");
    let mut verbalization = Verbalization::default();
    verbalize(locale, &value, content, &mut verbalization);
    Ok(verbalization.to_line())
}

fn assert_rows(rows: &[(Language, &str, &str, Result<&str, &str>)]) {
    let failures: Vec<_> = rows
        .iter()
        .filter_map(|(language, kind, content, expected)| {
            let got = said(*language, kind, content);
            let is_right = match (&got, expected) {
                (Ok(got), Ok(expected)) => got == expected,
                (Err(got), Err(expected)) => got == expected,
                _ => false,
            };
            (!is_right).then(|| format!("{kind} {content:?}: {got:?}"))
        })
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn numbers() {
    let no_number = Err("a number");
    let no_ordinal = Err("a whole number or an ordinal");
    assert_rows(&[
        (EN, "cardinal", "1999", Ok("one thousand nine hundred ninety nine")),
        (EN, "cardinal", "007", Ok("seven")),
        (EN, "cardinal", "0", Ok("zero")),
        (EN, "cardinal", "+5", Ok("five")),
        (EN, "number", "-3.5", Ok("minus three point five")),
        (HI, "cardinal", "१,२५,०००", Ok("एक लाख पच्चीस हज़ार")),
        (EN, "cardinal", "12 34", no_number),
        (EN, "cardinal", "five", no_number),
        (EN, "cardinal", "5%", no_number),
        (EN, "ordinal", "21", Ok("twenty first")),
        (EN, "ordinal", "3rd", Ok("third")),
        (HI, "ordinal", "1", Ok("पहला")),
        (HI, "ordinal", "5वीं", Ok("पाँचवीं")),
        (EN, "ordinal", "3.5", no_ordinal),
        (EN, "ordinal", "-1", no_ordinal),
        (EN, "ordinal", "0", no_ordinal),
        (EN, "digits", "40-12", Ok("four zero one two")),
        (EN, "digits", "(020) 7", Ok("zero two zero seven")),
        (HI, "digits", "१०१", Ok("एक शून्य एक")),
        (EN, "digits", "1.5", Err("digits")),
        (EN, "digits", "-", Err("digits")),
        (EN, "fraction", "-3/4", Ok("minus three quarters")),
        (EN, "fraction", "2 1/2", Ok("two and a half")),
        (EN, "fraction", "2½", Ok("two and a half")),
        (HI, "fraction", "1/2", Ok("आधा")),
        (EN, "fraction", "1/0", Err("a fraction such as 3/4 or 2+1/2")),
        (EN, "fraction", "0.5", Err("a fraction such as 3/4 or 2+1/2")),
        (EN, "fraction", "1/2/3", Err("a fraction such as 3/4 or 2+1/2")),
    ]);
}

#[test]
fn measures_and_money() {
    assert_rows(&[
        (EN, "unit", "1 foot", Ok("one foot")),
        (EN, "unit", "10 feet", Ok("ten feet")),
        (EN, "unit", "5kg", Ok("five kilograms")),
        (EN, "unit", "3/4 inch", Ok("three quarters of an inch")),
        (HI, "unit", "5 किलोग्राम", Ok("पाँच किलोग्राम")),
        (EN, "unit", "5", Err("a number with a unit")),
        (EN, "unit", "kg", Err("a number with a unit")),
        (EN, "unit", "5 of them", Err("a number with a unit")),
        (EN, "currency", "$1", Ok("one dollar")),
        (EN, "currency", "20 euros", Ok("twenty euros")),
        (EN, "currency", "INR 500", Ok("five hundred rupees")),
        (HI, "currency", "₹1,500", Ok("एक हज़ार पाँच सौ रुपए")),
        (EN, "currency", "42.01", Err("an amount with its currency")),
        (EN, "currency", "$", Err("an amount with its currency")),
    ]);
}

#[test]
fn dates() {
    let no_date = Err("a date of the format mdy");
    assert_rows(&[
        (EN, "date mdy", "1/2/2003", Ok("January second two thousand three")),
        (EN, "date dmy", "1/2/2003", Ok("the first of February two thousand three")),
        (EN, "date mdy", "01022003", Ok("January second two thousand three")),
        (EN, "date dmy", "2nd Feb 2003", Ok("the second of February two thousand three")),
        (EN, "date ymd", "2003.1.2", Ok("January second two thousand three")),
        (EN, "date ydm", "2003-1-2", Ok("February first two thousand three")),
        (EN, "date md", "12-25", Ok("December twenty fifth")),
        (EN, "date my", "9/1960", Ok("September nineteen sixty")),
        (EN, "date ym", "1960-09", Ok("September nineteen sixty")),
        (EN, "date y", "1876", Ok("eighteen seventy six")),
        (EN, "date m", "9", Ok("September")),
        (EN, "date d", "9", Ok("ninth")),
        (EN, "date mmddyy", "090160", Ok("September first sixty")),
        (EN, "date", "5 May 2024", Ok("the fifth of May twenty twenty four")),
        (EN, "date", "2024-05-05", Ok("May fifth twenty twenty four")),
        (EN, "date", "????0922", Ok("September twenty second")),
        (HI, "date dmy", "१५/८/१९४७", Ok("पंद्रह अगस्त उन्नीस सौ सैंतालीस")),
        (HI, "date d", "9", Ok("नौ")),
        (EN, "date mdy", "13/1/2003", no_date),
        (EN, "date mdy", "1/32/2003", no_date),
        (EN, "date mdy", "1/2", no_date),
        (EN, "date mdy", "1/2/3/2004", no_date),
        (EN, "date mdy", "1022003", no_date),
        (EN, "date mdy", "today", no_date),
        (EN, "date yyyymmdd", "x", Err("a date of the format ymd")),
        (EN, "date dy", "1 2003", Err("a date of the format dy")),
        (EN, "date", "soon", Err("a date that is clear without a format")),
        (
            EN,
            "date dmyd",
            "1",
            Err(
                "it must name day, month and year in their order, as mdy, dmy, ymd, ym, d, yyyymmdd do",
            ),
        ),
    ]);
    for format in ["", "dd-mm", "DMY", "dd mm", "mm m", "yyyyy", "dmd"] {
        assert!(DateFormat::new(format).is_none(), "{format}");
    }
}

#[test]
fn times_and_telephones() {
    let no_time = Err("a time such as 2:30pm or 14:30:15");
    let of_12 = Err("a time of a day of 12 hours, such as 2:30pm");
    assert_rows(&[
        (EN, "time", "2:30pm", Ok("two thirty PM")),
        (EN, "time", "14:30", Ok("fourteen thirty")),
        (EN, "time hms24", "02:50:45", Ok("two fifty and forty five seconds")),
        (EN, "time hms12", "8", Ok("eight o'clock")),
        (EN, "time ms", "1:21", Ok("one minute and twenty one seconds")),
        (EN, "time", "5'", Ok("five minutes")),
        (HI, "time", "4:30 pm", Ok("शाम साढ़े चार बजे")),
        (EN, "time hms12", "14:30", of_12),
        (EN, "time hms24", "2pm", Err("a time of a day of 24 hours, such as 14:30")),
        (EN, "time", "14:30pm", no_time),
        (EN, "time", "25:00", no_time),
        (EN, "time", "8", no_time),
        (EN, "time", "noon", no_time),
        (EN, "time hmz", "8", Err("it must be hms12, hms24, hms, hm, ms")),
        (EN, "telephone", "555-1212", Ok("five five five one two one two")),
        (EN, "telephone", "5551212", Ok("five five five one two one two")),
        (
            EN,
            "telephone 39",
            "+39 06 1234567",
            Ok("plus three nine zero six one two three four five six seven"),
        ),
        (EN, "telephone", "911", Ok("nine one one")),
        (HI, "telephone", "98765 43210", Ok("नौ आठ सात छह पाँच चार तीन दो एक शून्य")),
        (EN, "telephone", "call me", Err("a telephone number")),
        (EN, "telephone", "1234567890123456", Err("a telephone number")),
        (EN, "telephone us", "1", Err("it must be the code of a country, in digits")),
    ]);
}
