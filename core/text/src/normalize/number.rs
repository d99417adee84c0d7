//! Parses numbers: digits, groups between commas, a decimal point.

use super::cursor::Cursor;
use super::recognizer::MatchContext;
use super::semiotic::SemioticClass;

/// The grouping of digits by commas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Grouping {
    #[default]
    None,
    /// In threes: 1,234,567.
    Thousands,
    /// Twos before the last three, as in India: 12,34,567.
    Indian,
}

/// A number as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Number {
    /// Whether a minus sign precedes it.
    pub(crate) negative: bool,
    /// The digits before the decimal point, without commas; empty in `.5`.
    pub(crate) integer: String,
    /// The digits after the decimal point, if any.
    pub(crate) fraction: Option<String>,
    pub(crate) grouping: Grouping,
}

impl Number {
    /// A whole number from digits.
    pub(crate) fn whole(digits: &str) -> Self {
        Self { integer: digits.into(), ..Self::default() }
    }

    /// A whole number below 256.
    pub(crate) fn of(value: u8) -> Self {
        Self::whole(&value.to_string())
    }

    /// Consumes a number without a sign.
    pub(crate) fn scan(cursor: &mut Cursor<'_>) -> Option<Self> {
        if let Some(number) = cursor.attempt(continental) {
            return Some(number);
        }
        let (integer, grouping) = integer(cursor).unwrap_or_default();
        let fraction = cursor.attempt(|cursor| {
            cursor.eat(".")?;
            cursor.digits(1..=usize::MAX).map(String::from)
        });
        let is_number = !integer.is_empty() || fraction.is_some();
        is_number.then_some(Self { negative: false, integer, fraction, grouping })
    }

    /// Consumes a number, and a minus sign directly before it.
    pub(crate) fn scan_signed(cursor: &mut Cursor<'_>) -> Option<Self> {
        cursor.attempt(|cursor| {
            let negative = cursor.eat_char(is_minus).is_some();
            Some(Self { negative, ..Self::scan(cursor)? })
        })
    }

    /// The whole part, if it has no leading zero and fits.
    pub(crate) fn value(&self) -> Option<u128> {
        let is_padded = self.integer.len() > 1 && self.integer.starts_with('0');
        self.integer.parse().ok().filter(|_| !is_padded)
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.fraction.is_none()
    }

    /// Whether it has only digits: no sign, comma or point.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_whole() && !self.negative && self.grouping == Grouping::None
    }

    /// Whether it is zero: `0`, `00`, `0.0`.
    pub(crate) fn is_zero(&self) -> bool {
        let fraction = self.fraction.as_deref().unwrap_or_default();
        self.integer.bytes().chain(fraction.bytes()).all(|digit| digit == b'0')
    }

    /// Whether it is exactly one, which takes the singular in most languages.
    pub(crate) fn is_one(&self) -> bool {
        self.is_whole() && self.value() == Some(1)
    }
}

fn integer(cursor: &mut Cursor<'_>) -> Option<(String, Grouping)> {
    let mut digits = cursor.digits(1..=usize::MAX)?.to_owned();
    let mut groups = Vec::new();
    while digits.len() <= 3 || !groups.is_empty() {
        let Some(group) = group_after_comma(cursor) else { break };
        groups.push(group.len());
        digits.push_str(group);
    }
    let grouping = match groups[..] {
        [] => Grouping::None,
        [2, ..] => Grouping::Indian,
        _ => Grouping::Thousands,
    };
    Some((digits, grouping))
}

/// Consumes a number with points between thousands and a decimal comma, as in Europe: `1.234,56`.
fn continental(cursor: &mut Cursor<'_>) -> Option<Number> {
    let mut integer = cursor.digits(1..=3)?.to_owned();
    while let Some(group) = cursor.attempt(|cursor| {
        cursor.eat(".")?;
        cursor.digits(3..=3)
    }) {
        integer.push_str(group);
    }
    let fraction = cursor.attempt(|cursor| {
        cursor.eat(",")?;
        cursor.digits(1..=2).map(String::from)
    });
    // `1.000.000`; a single point is a decimal point.
    let is_long = integer.len() > if fraction.is_some() { 3 } else { 6 };
    let is_sure = is_long && !integer.starts_with('0') && cursor.at_word_end();
    let ends = !cursor.rest().starts_with([',', '.'])
        || !cursor.rest()[1..].starts_with(|c: char| c.is_ascii_digit());
    (is_sure && ends).then_some(Number {
        negative: false,
        integer,
        fraction,
        grouping: Grouping::Thousands,
    })
}

/// Consumes a group of exactly two or three digits after a comma.
fn group_after_comma<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    cursor.attempt(|cursor| {
        // Swiss grouping: `1'250`.
        if let Some(group) = cursor.attempt(|cursor| {
            cursor.eat("'").or_else(|| cursor.eat("’"))?;
            cursor.digits(3..=3)
        }) {
            return Some(group);
        }
        cursor.eat(",")?;
        let group = cursor.digits(2..=3)?;
        (group.len() == 3 || cursor.rest().starts_with(',')).then_some(group)
    })
}

pub(crate) fn is_minus(c: char) -> bool {
    matches!(c, '-' | '−' | '–')
}

/// Whether a sign here is a minus sign: after white space, or a mark that can precede a number.
pub(crate) fn may_be_signed(before: &str) -> bool {
    !before.ends_with(|c: char| !c.is_whitespace() && !"([=<>≤≥±~,:".contains(c))
}

/// Any number. This recognizer runs last.
pub(crate) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = Cursor::new(context.rest);
    let number = context.number(&mut cursor)?;
    Some((cursor.at(), SemioticClass::Number(number)))
}
