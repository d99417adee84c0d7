//! The latency tiers of the audio-to-text side: price, lookahead and availability.
//!
//! A tier names how much audio lookahead a cache-aware streaming encoder may use before it commits
//! to text. There is one model; a tier is a serving setting, chosen per request. The latency is the
//! lookahead alone: network time and the client's frame length add to it.
//!
//! | tier | for |
//! |---|---|
//! | `ultra`, `turbo` | a person waits in mid-sentence: live captions, a voice agent, interpreting |
//! | `turbo` | a person waits for a whole utterance: voice search, dictation |
//! | `economy` | nothing waits: recorded calls, archives, subtitles |
//! | `standard` | everything else; the default |
//!
//! A tier that is not available is rejected, never replaced by a neighbor. A client reads the
//! catalog once, at its start, and chooses its own fallback in advance.

use std::time::Duration;

use serde::Serialize;

use crate::error::{Error, ErrorKind, Result, quoted};
use crate::string_conversions;

/// The length of one encoder frame.
const FRAME: Duration = Duration::from_millis(80);

/// The encoder frames of left context, in every tier.
const LEFT_CONTEXT: u32 = 70;

/// A latency tier.
///
/// ```
/// # extern crate speech_base as speech_core;
/// use std::time::Duration;
/// use speech_core::Tier;
///
/// assert_eq!(Tier::Turbo.lookahead(), Duration::from_millis(320));
/// assert_eq!(Tier::Turbo.att_context_size(), [70, 3]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// 80 ms of lookahead.
    Ultra,
    /// 320 ms of lookahead.
    Turbo,
    /// 560 ms of lookahead; the default.
    #[default]
    Standard,
    /// 1.12 s of lookahead.
    Economy,
}

impl Tier {
    /// Every tier, in the order of the catalog.
    pub const ALL: [Self; 4] = [Self::Ultra, Self::Turbo, Self::Standard, Self::Economy];

    /// The name that requests use, such as `standard`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ultra => "ultra",
            Self::Turbo => "turbo",
            Self::Standard => "standard",
            Self::Economy => "economy",
        }
    }

    /// The encoder's attention context in frames of 80 ms: left, right.
    pub const fn att_context_size(self) -> [u32; 2] {
        let right = match self {
            Self::Ultra => 0,
            Self::Turbo => 3,
            Self::Standard => 6,
            Self::Economy => 13,
        };
        [LEFT_CONTEXT, right]
    }

    /// The price of one second of audio, in millionths of a US dollar, before any rebate.
    pub const fn rate_micros(self) -> u32 {
        match self {
            Self::Ultra => 139,
            Self::Turbo => 100,
            Self::Standard => 61,
            Self::Economy => 42,
        }
    }

    /// The audio that the encoder waits for: the right context and the frame itself.
    pub fn lookahead(self) -> Duration {
        FRAME * (self.att_context_size()[1] + 1)
    }

    /// The price of `duration` of audio, in millionths of a US dollar, before any rebate.
    ///
    /// Exact: the product is rounded up to a whole micro-dollar once, at the end. Charge a whole
    /// recording at once, not the sum of its parts.
    ///
    /// ```
    /// # extern crate speech_base as speech_core;
    /// use std::time::Duration;
    /// use speech_core::Tier;
    ///
    /// assert_eq!(Tier::Standard.charge(Duration::from_secs(3600)), 219_600);
    /// assert_eq!(Tier::Ultra.charge(Duration::from_millis(10)), 2); // 1.39
    /// assert_eq!(Tier::Ultra.charge(Duration::ZERO), 0);
    /// ```
    pub fn charge(self, duration: Duration) -> u128 {
        self.charge_ratio(duration.as_nanos(), 1_000_000_000)
    }

    /// As [`charge`](Self::charge), for a number of samples at a sample rate in hertz.
    ///
    /// A duration such as 1/22,050 s is not a whole number of nanoseconds; this function stays
    /// exact.
    ///
    /// ```
    /// # extern crate speech_base as speech_core;
    /// # use speech_core::Tier;
    /// assert_eq!(Tier::Economy.charge_samples(22_050, 22_050.try_into()?), 42);
    /// assert_eq!(Tier::Economy.charge_samples(22_051, 22_050.try_into()?), 43);
    /// # Ok::<(), std::num::TryFromIntError>(())
    /// ```
    pub fn charge_samples(self, samples: u64, sample_rate: std::num::NonZeroU32) -> u128 {
        self.charge_ratio(samples.into(), sample_rate.get().into())
    }

    fn charge_ratio(self, amount: u128, per_second: u128) -> u128 {
        (amount * u128::from(self.rate_micros())).div_ceil(per_second)
    }

    /// Every tier, the most suitable for this use first.
    ///
    /// ```
    /// # extern crate speech_base as speech_core;
    /// use speech_core::{Tier, UseCase};
    ///
    /// assert_eq!(Tier::ranked_for(UseCase::WholeUtterance)[0], Tier::Turbo);
    /// ```
    pub const fn ranked_for(use_case: UseCase) -> [Self; 4] {
        match use_case {
            UseCase::MidSentence => [Self::Ultra, Self::Turbo, Self::Standard, Self::Economy],
            UseCase::WholeUtterance => [Self::Turbo, Self::Standard, Self::Ultra, Self::Economy],
            UseCase::NothingWaits => [Self::Economy, Self::Standard, Self::Turbo, Self::Ultra],
            UseCase::Other => [Self::Standard, Self::Turbo, Self::Economy, Self::Ultra],
        }
    }
}

string_conversions!(Tier, "tier", |name: &str| {
    refuse(name, "does not exist; use ultra, turbo, standard or economy")
});

fn refuse(name: &str, why: &str) -> Error {
    Error::new(ErrorKind::InvalidTier, format!("tier {} {why}", quoted(name)))
}

/// The use that a tier is chosen for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UseCase {
    /// A person waits in mid-sentence: live captions, a voice agent, interpreting.
    MidSentence,
    /// A person waits for a whole utterance: voice search, dictation.
    WholeUtterance,
    /// Nothing waits: recorded calls, archives, subtitles.
    NothingWaits,
    /// Anything else.
    #[default]
    Other,
}

impl UseCase {
    /// Every use case.
    pub const ALL: [Self; 4] =
        [Self::MidSentence, Self::WholeUtterance, Self::NothingWaits, Self::Other];

    /// The name that options use, such as `mid_sentence`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MidSentence => "mid_sentence",
            Self::WholeUtterance => "whole_utterance",
            Self::NothingWaits => "nothing_waits",
            Self::Other => "other",
        }
    }
}

string_conversions!(UseCase, "use case");

/// The tiers, and which of them this deployment can run.
///
/// ```
/// # extern crate speech_base as speech_core;
/// use speech_core::{ErrorKind, Tier, TierCatalogue};
///
/// let catalogue = TierCatalogue::new([[70, 6], [70, 13]]);
/// assert_eq!(catalogue.resolve("economy")?, Tier::Economy);
///
/// let error = catalogue.resolve("ultra").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidTier);
/// assert_eq!(error.message(), "tier \"ultra\" is not available here");
/// # Ok::<(), speech_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierCatalogue {
    available: Vec<Tier>,
}

impl TierCatalogue {
    /// The catalog of a serving layer that can run these `att_context_size` settings.
    ///
    /// Settings that no tier uses are ignored.
    pub fn new(contexts: impl IntoIterator<Item = [u32; 2]>) -> Self {
        let contexts: Vec<_> = contexts.into_iter().collect();
        let runs = |tier: &Tier| contexts.contains(&tier.att_context_size());
        Self { available: Tier::ALL.into_iter().filter(runs).collect() }
    }

    /// Whether this deployment can run the tier.
    pub fn is_available(&self, tier: Tier) -> bool {
        self.available.contains(&tier)
    }

    /// The tier with this name, or `invalid_tier`, whose message names the tier, if it is unknown
    /// or not available.
    ///
    /// Never returns another tier.
    pub fn resolve(&self, name: &str) -> Result<Tier> {
        let tier = name.parse()?;
        if self.is_available(tier) { Ok(tier) } else { Err(refuse(name, "is not available here")) }
    }

    /// The available tiers, the most suitable for this use first, from which a client chooses in
    /// advance. Empty if none is available.
    pub fn ranked_for(&self, use_case: UseCase) -> Vec<Tier> {
        Tier::ranked_for(use_case).into_iter().filter(|tier| self.is_available(*tier)).collect()
    }

    /// The entries of the catalog, one a tier, in the order of [`Tier::ALL`].
    pub fn entries(&self) -> [TierEntry; 4] {
        Tier::ALL.map(|tier| TierEntry {
            tier,
            rate_micros: tier.rate_micros(),
            rate_usd_per_second: f64::from(tier.rate_micros()) / 1e6,
            latency_ms: tier.lookahead().as_millis() as u32,
            available: self.is_available(tier),
        })
    }

    /// The catalog as JSON, for a service's response.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Catalogue {
            tiers: [TierEntry; 4],
            default: Tier,
        }
        let catalogue = Catalogue { tiers: self.entries(), default: Tier::default() };
        serde_json::to_string(&catalogue).expect("a catalogue always serialises")
    }
}

/// One entry of the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TierEntry {
    /// The tier, serialized as its name.
    pub tier: Tier,
    /// The price in millionths of a US dollar per second of audio.
    pub rate_micros: u32,
    /// The price in US dollars per second of audio.
    pub rate_usd_per_second: f64,
    /// The lookahead in milliseconds; network time and the client's frame length add to it.
    pub latency_ms: u32,
    /// Whether this deployment can run the tier.
    pub available: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_contract() {
        let rows = Tier::ALL.map(|tier| {
            (
                tier.as_str(),
                tier.att_context_size(),
                tier.lookahead().as_millis(),
                tier.rate_micros(),
            )
        });
        assert_eq!(
            rows,
            [
                ("ultra", [70, 0], 80, 139),
                ("turbo", [70, 3], 320, 100),
                ("standard", [70, 6], 560, 61),
                ("economy", [70, 13], 1120, 42),
            ]
        );
    }

    #[test]
    fn the_json_of_the_contract() {
        assert_eq!(
            TierCatalogue::new([[70, 6], [70, 0], [56, 3]]).to_json(),
            concat!(
                r#"{"tiers":["#,
                r#"{"tier":"ultra","rate_micros":139,"rate_usd_per_second":0.000139,"latency_ms":80,"available":true},"#,
                r#"{"tier":"turbo","rate_micros":100,"rate_usd_per_second":0.0001,"latency_ms":320,"available":false},"#,
                r#"{"tier":"standard","rate_micros":61,"rate_usd_per_second":0.000061,"latency_ms":560,"available":true},"#,
                r#"{"tier":"economy","rate_micros":42,"rate_usd_per_second":0.000042,"latency_ms":1120,"available":false}"#,
                r#"],"default":"standard"}"#
            )
        );
    }

    #[test]
    fn a_tier_is_never_replaced() {
        for contexts in 0..16_u32 {
            let settings = Tier::ALL
                .into_iter()
                .enumerate()
                .filter(|(bit, _)| contexts >> bit & 1 == 1)
                .map(|(_, tier)| tier.att_context_size());
            let catalogue = TierCatalogue::new(settings);
            for (bit, tier) in Tier::ALL.into_iter().enumerate() {
                match catalogue.resolve(tier.as_str()) {
                    Ok(resolved) => assert!(resolved == tier && contexts >> bit & 1 == 1),
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::InvalidTier);
                        assert!(error.message().contains(tier.as_str()));
                        assert!(contexts >> bit & 1 == 0);
                    }
                }
            }
        }
    }

    #[test]
    fn unknown_names_are_refused_by_name() {
        let catalogue = TierCatalogue::new(Tier::ALL.map(Tier::att_context_size));
        for name in ["", "Ultra", "standard ", "premium"] {
            let error = catalogue.resolve(name).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidTier);
            assert!(error.message().contains(&format!("{name:?}")), "{}", error.message());
        }
    }

    #[test]
    fn a_charge_is_exact_and_rounded_up_once() {
        let second = Duration::from_secs(1);
        for tier in Tier::ALL {
            let rate = u128::from(tier.rate_micros());
            assert_eq!(tier.charge(second), rate);
            assert_eq!(tier.charge(second + Duration::from_nanos(1)), rate + 1);
            assert_eq!(tier.charge(Duration::from_nanos(1)), 1);
            assert_eq!(
                tier.charge(Duration::MAX),
                (Duration::MAX.as_nanos() * rate).div_ceil(1_000_000_000)
            );
        }
    }
}
