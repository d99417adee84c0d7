//! Parses values whose class the caller specifies with SSML's `say-as`. The content must be valid
//! for the class; the context is ignored.

mod date;
mod number;
mod telephone;
mod time;

use super::preprocess::Preprocessed;
use super::recognizer::SentenceContext;
use crate::normalize::prelude::*;
pub(crate) use date::{DateFormat, DayPlace};
pub(crate) use time::TimeFormat;

/// The class of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SayAs {
    /// Letter by letter, digit by digit, symbols by name.
    Characters,
    Cardinal,
    Ordinal,
    Digits,
    Fraction,
    Unit,
    Date(Option<DateFormat>, DayPlace),
    Time(Option<TimeFormat>),
    Telephone,
    Currency,
}

/// The values of `interpret-as`, including the names of other engines.
const KINDS: [(&str, SayAs); 14] = [
    ("characters", SayAs::Characters),
    ("spell-out", SayAs::Characters),
    ("verbatim", SayAs::Characters),
    ("cardinal", SayAs::Cardinal),
    ("number", SayAs::Cardinal),
    ("ordinal", SayAs::Ordinal),
    ("digits", SayAs::Digits),
    ("number_digit", SayAs::Digits),
    ("fraction", SayAs::Fraction),
    ("unit", SayAs::Unit),
    ("date", SayAs::Date(None, DayPlace::AsWritten)),
    ("time", SayAs::Time(None)),
    ("telephone", SayAs::Telephone),
    ("currency", SayAs::Currency),
];

/// Why the attributes of `say-as` are rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) attribute: &'static str,
    pub(crate) message: String,
}

impl SayAs {
    /// The class for the attributes of `say-as`.
    ///
    /// # Errors
    ///
    /// The supported values, if a value is not supported.
    pub(crate) fn new(
        kind: &str,
        format: Option<&str>,
        detail: Option<&str>,
    ) -> Result<Self, Refusal> {
        let refused = |attribute, message: &str| Refusal { attribute, message: message.to_owned() };
        let Some((_, say_as)) = KINDS.iter().find(|(name, _)| *name == kind) else {
            let names = KINDS.map(|(name, _)| name).join(", ");
            return Err(refused("interpret-as", &format!("it must be {names}")));
        };
        let say_as = match (detail, say_as) {
            (None, say_as) => *say_as,
            (Some("1"), Self::Date(..)) => Self::Date(None, DayPlace::First),
            (Some("2"), Self::Date(..)) => Self::Date(None, DayPlace::AfterMonth),
            _ => return Err(refused("detail", "it must be 1 or 2, of a date")),
        };
        let Some(format) = format else { return Ok(say_as) };
        let with_format = match say_as {
            Self::Date(_, place) => DateFormat::new(format)
                .map(|format| Self::Date(Some(format), place))
                .ok_or("it must name day, month and year in their order, as mdy, dmy, ymd, ym, d, yyyymmdd do"),
            Self::Time(_) => TimeFormat::new(format)
                .map(|format| Self::Time(Some(format)))
                .ok_or("it must be hms12, hms24, hms, hm, ms"),
            // The number is read as written, with or without a country code.
            Self::Telephone if format.bytes().all(|b| b.is_ascii_digit()) => Ok(say_as),
            Self::Telephone => Err("it must be the code of a country, in digits"),
            _ => Err("only date, time and telephone have a format"),
        };
        with_format.map_err(|message| refused("format", message))
    }

    /// The value of a content, in the language of `locale`; `None` for characters, which need no
    /// value.
    ///
    /// # Errors
    ///
    /// The expected form, if the content is no such value.
    pub(crate) fn value(
        self,
        content: &str,
        locale: &'static Locale,
        locales: Locales,
    ) -> Result<Option<SemioticClass>, String> {
        let preprocessed = Preprocessed::new(content, 0, locales, false);
        let content = Content { text: preprocessed.text.trim(), locale, locales };
        let (value, expected) = match self {
            Self::Characters => return Ok(None),
            Self::Cardinal => (number::cardinal(content), "a number".to_owned()),
            Self::Ordinal => (number::ordinal(content), "a whole number or an ordinal".to_owned()),
            Self::Digits => (number::digits(content), "digits".to_owned()),
            Self::Fraction => {
                (number::fraction(content), "a fraction such as 3/4 or 2+1/2".to_owned())
            }
            Self::Unit => (number::unit(content), "a number with a unit".to_owned()),
            Self::Currency => (number::currency(content), "an amount with its currency".to_owned()),
            Self::Telephone => (telephone::number(content), "a telephone number".to_owned()),
            Self::Date(None, place) => {
                (date::any(content, place), "a date that is clear without a format".to_owned())
            }
            Self::Date(Some(format), place) => {
                (format.read(content, place), format!("a date of the format {format}"))
            }
            Self::Time(format) => (time::read(content, format), time::expected(format)),
        };
        value.map(Some).ok_or(expected)
    }
}

/// The text of a value and its language.
#[derive(Clone, Copy)]
struct Content<'a> {
    text: &'a str,
    locale: &'static Locale,
    locales: Locales,
}

impl Content<'_> {
    fn lexicon(self) -> &'static Lexicon {
        self.locale.lexicon()
    }

    /// The class that a recognizer finds in the whole text, if it is wanted.
    fn recognized(self, is_wanted: impl Fn(&SemioticClass) -> bool) -> Option<SemioticClass> {
        let sentence = SentenceContext::new(self.text, self.locale, self.locales);
        let context = (!self.text.is_empty()).then(|| MatchContext::new(&sentence, 0))?;
        let found =
            self.locale.recognizers.iter().filter_map(|recognizer| (recognizer.find)(&context));
        let mut whole = found.filter(|(length, _)| *length == self.text.len());
        whole.find_map(|(_, value)| is_wanted(&value).then_some(value))
    }
}

/// Whether a class is a date or a range of dates.
fn is_date(value: &SemioticClass) -> bool {
    match value {
        SemioticClass::Date(Date { month, day, .. }) => month.is_some() || day.is_some(),
        SemioticClass::DateTime(..) => true,
        SemioticClass::Range(range) => is_date(&range.low) && is_date(&range.high),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
