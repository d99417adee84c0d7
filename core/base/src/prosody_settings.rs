//! Prosody settings of speech: rate, pitch and volume.

use std::ops::RangeInclusive;

use crate::error::{Error, Result};

/// The allowed rates, as factors of the voice's natural rate.
pub const RATE_RANGE: RangeInclusive<f64> = 0.5..=2.0;

/// The allowed pitch shifts, in semitones.
pub const PITCH_RANGE: RangeInclusive<f64> = -6.0..=6.0;

/// The allowed volume changes, in decibels.
pub const VOLUME_RANGE: RangeInclusive<f64> = -40.0..=12.0;

/// The rate, pitch and volume of a range of text. All values are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProsodySettings {
    /// A factor of the voice's natural rate.
    pub rate: f64,
    /// Semitones above the voice's natural pitch.
    pub pitch: f64,
    /// Decibels above the voice's natural volume.
    pub volume: f64,
}

impl Default for ProsodySettings {
    /// The voice's natural settings.
    fn default() -> Self {
        Self { rate: 1.0, pitch: 0.0, volume: 0.0 }
    }
}

impl ProsodySettings {
    /// Rejects out-of-range values.
    pub fn check(&self) -> Result<()> {
        check("rate", self.rate, &RATE_RANGE)?;
        check("pitch", self.pitch, &PITCH_RANGE)?;
        check("volume", self.volume, &VOLUME_RANGE)
    }

    /// Applies `inner` on top of these settings, clamped to the allowed ranges.
    pub fn with(self, inner: Self) -> Self {
        let within =
            |value: f64, range: RangeInclusive<f64>| value.clamp(*range.start(), *range.end());
        Self {
            rate: within(self.rate * inner.rate, RATE_RANGE),
            pitch: within(self.pitch + inner.pitch, PITCH_RANGE),
            volume: within(self.volume + inner.volume, VOLUME_RANGE),
        }
    }

    /// The factor of the fundamental frequency.
    pub fn pitch_factor(&self) -> f64 {
        (self.pitch / 12.0).exp2()
    }

    /// The factor of the amplitude.
    pub fn gain(&self) -> f64 {
        10_f64.powf(self.volume / 20.0)
    }
}

/// Rejects NaN and out-of-range values.
fn check(name: &str, value: f64, range: &RangeInclusive<f64>) -> Result<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = (range.start(), range.end());
    // A number too large for its type arrives as infinite; the message must not quote "inf", which
    // nobody wrote.
    let found = if value.is_infinite() { "out of range".into() } else { value.to_string() };
    Err(Error::invalid_request(format!(
        "{name} is {found}; it must be a number from {least} to {most}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_refused() {
        let default = ProsodySettings::default();
        assert!(default.check().is_ok());
        let refused =
            |settings: ProsodySettings| settings.check().unwrap_err().message().to_owned();
        let rate = |rate| ProsodySettings { rate, ..default };
        assert_eq!(refused(rate(0.4)), "rate is 0.4; it must be a number from 0.5 to 2");
        assert_eq!(refused(rate(f64::NAN)), "rate is NaN; it must be a number from 0.5 to 2");
        for infinite in [f64::INFINITY, -f64::INFINITY] {
            let message = "rate is out of range; it must be a number from 0.5 to 2";
            assert_eq!(refused(rate(infinite)), message);
        }
        let pitch = ProsodySettings { pitch: -6.5, ..default };
        assert_eq!(refused(pitch), "pitch is -6.5; it must be a number from -6 to 6");
        let volume = ProsodySettings { volume: 13.0, ..default };
        assert_eq!(refused(volume), "volume is 13; it must be a number from -40 to 12");
        for edge in [rate(0.5), rate(2.0), ProsodySettings { pitch: 6.0, volume: -40.0, ..default }]
        {
            assert!(edge.check().is_ok());
        }
    }

    #[test]
    fn settings_within_others_add_up_to_the_limits() {
        let outer = ProsodySettings { rate: 1.5, pitch: 2.0, volume: -6.0 };
        let inner = ProsodySettings { rate: 0.8, pitch: 5.0, volume: 3.0 };
        let both = outer.with(inner);
        assert!((both.rate - 1.2).abs() < 1e-9);
        assert_eq!((both.pitch, both.volume), (6.0, -3.0));
        assert!(
            (both.gain() - 0.7079).abs() < 1e-4 && (outer.pitch_factor() - 1.1225).abs() < 1e-4
        );
    }
}
