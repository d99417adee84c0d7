//! The latency tiers of the audio-to-text side.

use std::ffi::{CStr, CString, c_char};
use std::num::NonZeroU32;
use std::ptr;
use std::time::Duration;

use speech_core::{Error, ErrorKind, Result, Tier, TierCatalogue, UseCase};

use crate::boundary::{boundary, catch_panic_or};
use crate::error::speech_error;
use crate::getters::{array, c_string, create, string, with};
use crate::handle::{self, handle_type};
use crate::pointers::{Array, Output, Text, invalid};
use crate::status::Status;

/// A latency tier: how much audio lookahead an encoder may use before it commits to text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_tier {
    /// 80 ms of lookahead.
    SPEECH_TIER_ULTRA = 1,
    /// 320 ms of lookahead.
    SPEECH_TIER_TURBO = 2,
    /// 560 ms of lookahead; the default.
    SPEECH_TIER_STANDARD = 3,
    /// 1.12 s of lookahead.
    SPEECH_TIER_ECONOMY = 4,
}

/// A [`speech_tier`] as passed by C: any number is possible.
pub type TierNumber = i32;

/// The use that a tier is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum speech_use_case {
    /// A person waits in mid-sentence: live captions, a voice agent, interpreting.
    SPEECH_USE_CASE_MID_SENTENCE = 1,
    /// A person waits for a whole utterance: voice search, dictation.
    SPEECH_USE_CASE_WHOLE_UTTERANCE = 2,
    /// Nothing waits: recorded calls, archives, subtitles.
    SPEECH_USE_CASE_NOTHING_WAITS = 3,
    /// Anything else.
    SPEECH_USE_CASE_OTHER = 4,
}

/// A [`speech_use_case`] as passed by C: any number is possible.
pub type UseCaseNumber = i32;

const TIERS: [(speech_tier, Tier); 4] = [
    (speech_tier::SPEECH_TIER_ULTRA, Tier::Ultra),
    (speech_tier::SPEECH_TIER_TURBO, Tier::Turbo),
    (speech_tier::SPEECH_TIER_STANDARD, Tier::Standard),
    (speech_tier::SPEECH_TIER_ECONOMY, Tier::Economy),
];

const USE_CASES: [(speech_use_case, UseCase); 4] = [
    (speech_use_case::SPEECH_USE_CASE_MID_SENTENCE, UseCase::MidSentence),
    (speech_use_case::SPEECH_USE_CASE_WHOLE_UTTERANCE, UseCase::WholeUtterance),
    (speech_use_case::SPEECH_USE_CASE_NOTHING_WAITS, UseCase::NothingWaits),
    (speech_use_case::SPEECH_USE_CASE_OTHER, UseCase::Other),
];

fn tier(number: TierNumber) -> Result<Tier> {
    let found = TIERS.iter().find(|(tier, _)| *tier as TierNumber == number);
    found
        .map(|(_, tier)| *tier)
        .ok_or_else(|| Error::new(ErrorKind::InvalidTier, format!("tier {number} does not exist")))
}

/// The number of a tier; a test detects a tier without one.
fn tier_number(tier: Tier) -> TierNumber {
    let found = TIERS.iter().find(|(_, known)| *known == tier);
    found.map_or(0, |(number, _)| *number as TierNumber)
}

fn name(tier: Tier) -> &'static CStr {
    match tier {
        Tier::Ultra => c"ultra",
        Tier::Turbo => c"turbo",
        Tier::Standard => c"standard",
        Tier::Economy => c"economy",
        _ => c"",
    }
}

/// An entry of a deployment's catalog of tiers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct speech_tier_entry {
    /// The tier.
    pub tier: TierNumber,
    /// The price in millionths of a US dollar per second of audio.
    pub rate_micros: u32,
    /// The price in US dollars per second of audio.
    pub rate_usd_per_second: f64,
    /// The lookahead: the latency without network time and the client's frame length.
    pub latency_ms: u32,
    /// The left context of `att_context_size`, in encoder frames of 80 ms.
    pub left_context: u32,
    /// The right context of `att_context_size`, in encoder frames of 80 ms.
    pub right_context: u32,
    /// Whether this deployment can run the tier.
    pub available: bool,
}

/// The tiers, and which of them one deployment can run. Immutable.
pub struct speech_tiers(());
handle_type!(speech_tiers, TiersObject, "tier catalogue");

/// The catalog, with the data that C reads.
pub(crate) struct TiersObject {
    catalogue: TierCatalogue,
    entries: Vec<speech_tier_entry>,
    /// The tiers for each of `USE_CASES`.
    ranked: [Vec<TierNumber>; USE_CASES.len()],
    json: CString,
}

impl TiersObject {
    fn new(contexts: &[[u32; 2]]) -> Self {
        let catalogue = TierCatalogue::new(contexts.iter().copied());
        let entries = Tier::ALL.iter().zip(catalogue.entries()).map(|(tier, entry)| {
            let [left_context, right_context] = tier.att_context_size();
            speech_tier_entry {
                tier: tier_number(*tier),
                rate_micros: entry.rate_micros,
                rate_usd_per_second: entry.rate_usd_per_second,
                latency_ms: entry.latency_ms,
                left_context,
                right_context,
                available: entry.available,
            }
        });
        Self {
            entries: entries.collect(),
            ranked: USE_CASES.map(|(_, use_case)| {
                catalogue.ranked_for(use_case).into_iter().map(tier_number).collect()
            }),
            json: c_string(&catalogue.to_json()),
            catalogue,
        }
    }
}

/// Makes the catalog of a deployment that can run these `att_context_size` settings: `count`
/// pairs of left and right context in encoder frames, as an array of 2 x `count` integers. Settings
/// that no tier uses are ignored. (NULL, 0) is a deployment that can run none.
///
/// `tiers` receives a new object: free it with speech_tiers_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_tiers_new(
    contexts: Array<'_, u32>,
    count: usize,
    tiers: Output<'_, *mut speech_tiers>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(tiers, "tiers", error, || {
        // An impossible length is rejected as such.
        let length = count.saturating_mul(2);
        // SAFETY: `contexts` has `count` pairs (the header's contract).
        let contexts = unsafe { contexts.read(length, "contexts") }?;
        Ok(TiersObject::new(contexts.as_chunks().0))
    })
}

/// The priced tiers; some of them may not be available.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_entries(
    tiers: *const speech_tiers,
    count: Output<'_, usize>,
) -> *const speech_tier_entry {
    array(tiers, count, |tiers| &tiers.entries)
}

/// The available tiers, the most suitable for a use case first, from which a client chooses in
/// advance. Empty for an unknown use case.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_ranked(
    tiers: *const speech_tiers,
    use_case: UseCaseNumber,
    count: Output<'_, usize>,
) -> *const TierNumber {
    let known = USE_CASES.iter().position(|(number, _)| *number as UseCaseNumber == use_case);
    array(tiers, count, |tiers| known.map_or(&[][..], |index| &tiers.ranked[index]))
}

/// The catalog as JSON, for a service's response.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_json(tiers: *const speech_tiers) -> *const c_char {
    string(tiers, |tiers| &tiers.json)
}

/// The tier with the name given in a request. Never returns another tier.
///
/// Fails with SPEECH_INVALID_TIER if the name is unknown or the tier is not available here; the
/// message names the tier.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_resolve(
    tiers: *const speech_tiers,
    name: Text<'_>,
    tier: Output<'_, TierNumber>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(tiers, error, |tiers| {
        let output = tier.required("tier")?;
        let name = name.read("name")?;
        output.write(tier_number(tiers.catalogue.resolve(name)?));
        Ok(())
    })
}

/// Frees a catalog with its arrays and its JSON.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_free(tiers: *mut speech_tiers) {
    handle::free(tiers);
}

/// The tier of a request that names none, whether or not it is available.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tier_default() -> TierNumber {
    tier_number(Tier::default())
}

/// The name of a tier as used in requests, such as "turbo", and NULL for an unknown number. The
/// string is static.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tier_name(tier: TierNumber) -> *const c_char {
    catch_panic_or(ptr::null(), || self::tier(tier).map_or(ptr::null(), |tier| name(tier).as_ptr()))
}

/// The price of `nanoseconds` of audio in a tier, in millionths of a US dollar, before any rebate:
/// exact, and rounded up to a whole micro-dollar once, at the end. Charge a whole recording at
/// once, not its parts.
///
/// Fails with SPEECH_INVALID_TIER for an unknown tier.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tier_charge(
    tier: TierNumber,
    nanoseconds: u64,
    micros: Output<'_, u64>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let tier = self::tier(tier)?;
        let charge = tier.charge(Duration::from_nanos(nanoseconds));
        micros.required("micros")?.write(whole(charge)?);
        Ok(())
    })
}

/// As speech_tier_charge(), for a number of samples at a sample rate in hertz, whose duration need
/// not be a whole number of nanoseconds.
///
/// Fails with SPEECH_INVALID_TIER for an unknown tier, and with SPEECH_INVALID_REQUEST if the
/// sample rate is 0 or the charge exceeds 64 bits.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tier_charge_samples(
    tier: TierNumber,
    samples: u64,
    sample_rate: u32,
    micros: Output<'_, u64>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let tier = self::tier(tier)?;
        let rate =
            NonZeroU32::new(sample_rate).ok_or_else(|| invalid("the sample rate is 0".into()))?;
        let charge = tier.charge_samples(samples, rate);
        micros.required("micros")?.write(whole(charge)?);
        Ok(())
    })
}

fn whole(micros: u128) -> Result<u64> {
    micros.try_into().map_err(|_| invalid("the charge does not fit 64 bits".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tier_of_the_core_has_its_number() {
        assert_eq!(TIERS.map(|(_, tier)| tier), Tier::ALL);
        for (number, tier) in TIERS {
            assert_eq!(tier_number(tier), number as TierNumber);
            assert_eq!(super::tier(number as TierNumber).unwrap(), tier);
            assert_eq!(name(tier).to_str(), Ok(tier.as_str()));
        }
        for number in [0, 5, -1] {
            assert_eq!(super::tier(number).unwrap_err().kind(), ErrorKind::InvalidTier);
        }
    }
}
