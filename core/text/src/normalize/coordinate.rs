//! Recognizes geographic coordinates: "40.7128° N", "40°42′46″N", "N 40° 42' 46\"".
//!
//! Runs before measures, which also read degree signs.

use std::ops::Range;

use super::boundaries;
use crate::named::named;

/// Degrees, minutes and seconds with a compass point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) angles: Vec<Angle>,
    pub(crate) compass: Compass,
    /// The byte range of the compass point's letter.
    pub(crate) compass_span: Range<usize>,
}

/// A number of degrees, minutes or seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Angle {
    pub(crate) whole: u64,
    /// The digits after the decimal point.
    pub(crate) fraction: Vec<u8>,
    pub(crate) span: Range<usize>,
    pub(crate) unit_span: Range<usize>,
}

named! {
    /// A point of the compass.
    pub(crate) enum Compass {
        North,
        South,
        East,
        West,
    }
}

const UNITS: [&[char]; 3] = [&['°', 'º'], &['′', '\'', '’'], &['″', '"', '”']];

/// A coordinate at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    if !boundaries::opens(before) || before.ends_with(['.', ',']) {
        return None;
    }
    let mut angles = Vec::new();
    let leading = compass(rest);
    let mut at = match leading {
        Some(_) => 1 + boundaries::run(&rest[1..], |c| c == ' ').min(1),
        None => 0,
    };
    for unit in UNITS {
        let space =
            if angles.is_empty() { 0 } else { boundaries::run(&rest[at..], |c| c == ' ').min(1) };
        match angle(rest, at + space, unit) {
            Some(angle) => {
                at = angle.unit_span.end;
                angles.push(angle);
            }
            None => break,
        }
    }
    if let Some(compass) = leading {
        return (!angles.is_empty() && !rest[at..].starts_with(char::is_alphanumeric))
            .then_some((at, Value { angles, compass, compass_span: 0..1 }));
    }
    at += boundaries::run(&rest[at..], |c| c == ' ').min(1);
    let compass = compass(&rest[at..])?;
    let span = at..at + 1;
    (!angles.is_empty() && boundaries::closes(&rest[at + 1..]))
        .then_some((at + 1, Value { angles, compass, compass_span: span }))
}

fn compass(rest: &str) -> Option<Compass> {
    Some(match rest.as_bytes().first()? {
        b'N' => Compass::North,
        b'S' => Compass::South,
        b'E' => Compass::East,
        b'W' => Compass::West,
        _ => return None,
    })
}

/// Parses a number and its unit.
fn angle(rest: &str, start: usize, unit: &[char]) -> Option<Angle> {
    let digits = |at: usize| boundaries::run(&rest[at..], |c| c.is_ascii_digit());
    let mut at = start + digits(start);
    let whole = rest[start..at].parse().ok().filter(|whole| *whole <= 360)?;
    let mut fraction = Vec::new();
    if rest[at..].starts_with('.') && digits(at + 1) > 0 {
        let end = at + 1 + digits(at + 1);
        fraction = rest[at + 1..end].bytes().map(|b| b - b'0').collect();
        at = end;
    }
    let sign = rest[at..].chars().next().filter(|c| unit.contains(c))?;
    Some(Angle { whole, fraction, span: start..at, unit_span: at..at + sign.len_utf8() })
}
