//! Parses the attribute values of prosody: `rate`, `pitch`, `volume`, `level`, `strength`, `time`.

use std::ops::RangeInclusive;

use speech_base::prosody_settings::{PITCH_RANGE, ProsodySettings, RATE_RANGE, VOLUME_RANGE};

use crate::markup::pauses::MAX_PAUSE_MS;
use crate::normalize::locale::rows;

/// Why a value is rejected.
pub(super) type Problem = String;

/// An absolute value, or a change relative to the enclosing element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    Absolute(f64),
    Relative(f64),
}

/// The pause of a `break` without attributes.
pub(super) const MEDIUM_BREAK_MS: u32 = 300;

/// The lower limit of a pitch change in percent; its factor would be 0.
const LEAST_PERCENT: f64 = -100.0;

/// `slow`, `80%`, `0.8`: a factor of the natural rate. `+10%`: relative to the enclosing element.
pub(super) fn rate(value: &str) -> Result<Change, Problem> {
    if let Some(rate) = label("rate", value) {
        return Ok(Change::Absolute(rate));
    }
    let change = match (value.strip_suffix('%'), value.starts_with(['+', '-'])) {
        (Some(percent), true) => {
            number(percent).map(|percent| Change::Relative(1.0 + percent / 100.0))
        }
        (Some(percent), false) => number(percent).map(|percent| Change::Absolute(percent / 100.0)),
        (None, false) => number(value).map(Change::Absolute),
        (None, true) => None,
    };
    let change = change.ok_or_else(|| {
        let forms = "a percentage such as 80% or +10%, or a factor such as 0.8";
        format!("it must be {}, {forms}", names("rate"))
    })?;
    let (Change::Absolute(factor) | Change::Relative(factor)) = change;
    check(factor, &RATE_RANGE, "times the usual rate")?;
    Ok(change)
}

/// `high`: semitones above the natural pitch. `+2st`, `-10%`: relative to the enclosing element.
pub(super) fn pitch(value: &str) -> Result<Change, Problem> {
    if let Some(pitch) = label("pitch", value) {
        return Ok(Change::Absolute(pitch));
    }
    if value.to_ascii_lowercase().ends_with("hz") {
        return Err("hertz are not supported, as voices differ; use semitones (+2st) or a \
                    percentage (+10%)"
            .into());
    }
    let is_signed = value.starts_with(['+', '-']);
    let semitones = if let Some(semitones) = value.strip_suffix("st") {
        number(semitones)
    } else {
        let percent = value.strip_suffix('%').and_then(number);
        let percent = percent.filter(|percent| *percent > LEAST_PERCENT);
        percent.map(|percent| 12.0 * (1.0 + percent / 100.0).log2())
    };
    let semitones = semitones.filter(|_| is_signed).ok_or_else(|| {
        let forms = "semitones such as +2st, or a percentage such as -10%";
        format!("it must be {}, {forms}", names("pitch"))
    })?;
    check(semitones, &PITCH_RANGE, "semitones")?;
    Ok(Change::Relative(semitones))
}

/// `loud`, `50`: decibels above the natural volume. `+6dB`: relative to the enclosing element.
pub(super) fn volume(value: &str) -> Result<Change, Problem> {
    if let Some(volume) = label("volume", value) {
        return Ok(Change::Absolute(volume));
    }
    let is_signed = value.starts_with(['+', '-']);
    let decibels = value.strip_suffix("dB").filter(|_| is_signed).and_then(number);
    if let Some(decibels) = decibels {
        check(decibels, &VOLUME_RANGE, "decibels")?;
        return Ok(Change::Relative(decibels));
    }
    let amplitude = number(value).filter(|n| !is_signed && (0.0..=100.0).contains(n));
    let amplitude = amplitude.ok_or_else(|| {
        let forms = "decibels such as +6dB, or a number from 0 to 100";
        format!("it must be {}, {forms}", names("volume"))
    })?;
    let decibels = 20.0 * (amplitude / 100.0).log10();
    Ok(Change::Absolute(decibels.max(*VOLUME_RANGE.start())))
}

/// The prosody settings of an emphasis `level`.
pub(super) fn emphasis(level: &str) -> Result<ProsodySettings, Problem> {
    let (rate, pitch, volume) = match level {
        "strong" => (0.85, 2.0, 4.0),
        "moderate" => (0.92, 1.0, 2.0),
        "none" => (1.0, 0.0, 0.0),
        "reduced" => (1.1, -0.5, -3.0),
        _ => return Err("it must be strong, moderate, none, reduced".into()),
    };
    Ok(ProsodySettings { rate, pitch, volume })
}

/// The milliseconds of a pause by its `strength`.
pub(super) fn strength(value: &str) -> Result<u32, Problem> {
    let found = label("strength", value).map(|milliseconds| milliseconds as u32);
    found.ok_or_else(|| format!("it must be {}", names("strength")))
}

/// The milliseconds of a pause by its `time`: `500ms`, `1.5s`.
pub(super) fn time(value: &str) -> Result<u32, Problem> {
    let plain = value.strip_prefix('+').unwrap_or(value);
    let (digits, factor) = match plain.strip_suffix("ms") {
        Some(digits) => (digits, 1.0),
        None => (plain.strip_suffix('s').unwrap_or_default(), 1000.0),
    };
    let milliseconds = number(digits).filter(|_| !digits.starts_with(['+', '-']));
    let milliseconds = milliseconds.ok_or("it must be a time such as 500ms or 1.5s")? * factor;
    if milliseconds > f64::from(MAX_PAUSE_MS) {
        return Err(format!("the longest pause is {} s", MAX_PAUSE_MS / 1000));
    }
    Ok(milliseconds.round() as u32)
}

/// A decimal number as in XML Schema, with an optional sign.
fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_decimal = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && digits.ends_with(|c: char| c.is_ascii_digit());
    text.parse().ok().filter(|number: &f64| is_decimal && number.is_finite())
}

/// The labels of an attribute, and their values.
fn labels(attribute: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = rows(include_str!("prosody.tsv")).filter(move |row| row[0] == attribute);
    rows.map(|row| (row[1], row[2]))
}

fn label(attribute: &str, value: &str) -> Option<f64> {
    labels(attribute).find(|(name, _)| *name == value)?.1.parse().ok()
}

fn names(attribute: &str) -> String {
    labels(attribute).map(|(name, _)| name).collect::<Vec<_>>().join(", ")
}

fn check(value: f64, range: &RangeInclusive<f64>, unit: &str) -> Result<(), Problem> {
    let (least, most) = (range.start(), range.end());
    // A percentage equal to a limit may differ by a rounding error.
    if (least - 1e-9..=most + 1e-9).contains(&value) {
        return Ok(());
    }
    Err(format!("it must be from {least} to {most} {unit}"))
}

#[cfg(test)]
mod tests {
    use super::Change::{Absolute, Relative};
    use super::*;

    /// A value with two decimals, or the message.
    fn shown(change: Result<Change, Problem>) -> String {
        match change {
            Ok(Absolute(value)) => format!("absolute {value:.2}"),
            Ok(Relative(value)) => format!("relative {value:.2}"),
            Err(problem) => problem,
        }
    }

    crate::row_tests::rows! {
        rates: |[value]| shown(rate(value));
        pitches: |[value]| shown(pitch(value));
        volumes: |[value]| shown(volume(value));
        lengths_of_pauses: |[value]| time(value).map_or_else(|problem| problem, |ms| ms.to_string());
        strengths_of_pauses: |[value]| {
            strength(value).map_or_else(|problem| problem, |ms| ms.to_string())
        };
    }
}
