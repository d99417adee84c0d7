//! The latency tiers of the audio-to-text side.

use std::ffi::{CStr, CString, c_char};
use std::num::NonZeroU32;
use std::time::Duration;

use speech_core::{Error, ErrorKind, Result, Tier, TierCatalogue, TierEntry, UseCase};

use crate::boundary::boundary;
use crate::error::speech_error;
use crate::getters::{at, c_string, create, get, try_get, with};
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

/// A [`speech_tier`] as it crosses the boundary: any number may.
pub type TierNumber = i32;

/// What waits for the text, which is what a tier is chosen by.
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

/// A [`speech_use_case`] as it crosses the boundary: any number may.
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

fn tier_number(tier: Tier) -> Result<TierNumber> {
    let found = TIERS.iter().find(|(_, known)| *known == tier);
    let unknown = || Error::new(ErrorKind::Internal, "a tier has no number");
    found.map(|(number, _)| *number as TierNumber).ok_or_else(unknown)
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

fn use_case(number: UseCaseNumber) -> Result<UseCase> {
    let found = USE_CASES.iter().find(|(known, _)| *known as UseCaseNumber == number);
    found.map(|(_, use_case)| *use_case).ok_or_else(|| invalid(format!("no use case {number}")))
}

/// The tiers of one deployment, and which of them it can run. It does not change, so any number of threads
/// may read it; what its functions point at belongs to it.
pub struct speech_tiers(());
handle_type!(speech_tiers, TiersObject, "tier catalogue");

/// The catalogue, with its JSON as a C string.
pub(crate) struct TiersObject {
    catalogue: TierCatalogue,
    json: CString,
}

/// Makes the catalogue of a deployment that can run these settings of `att_context_size`: `count` pairs of
/// left and right context, in encoder frames, so an array of 2 x `count` integers. A setting that no tier
/// uses changes nothing. (NULL, 0) is a deployment that can run none.
///
/// `tiers` receives a new object: free it with speech_tiers_free(). Threads: any. Fails with
/// SPEECH_INVALID_REQUEST if `contexts` or `tiers` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_tiers_new(
    contexts: Array<'_, u32>,
    count: usize,
    tiers: Output<'_, *mut speech_tiers>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    create(tiers, "tiers", error, || {
        // A length that is no length at all is refused as such.
        let length = count.saturating_mul(2);
        // SAFETY: `contexts` has `count` pairs, as the header says.
        let contexts = unsafe { contexts.read(length, "contexts") }?;
        let catalogue = TierCatalogue::new(contexts.as_chunks().0.iter().copied());
        let json = c_string(&catalogue.to_json());
        Ok(TiersObject { catalogue, json })
    })
}

/// The number of tiers that are priced; not all of them may be available.
///
/// Threads: any. Fails if the catalogue is not live or `count` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_count(
    tiers: *const speech_tiers,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(tiers, count, "count", error, |tiers| tiers.catalogue.entries().len())
}

/// An entry of the catalogue: the tier, millionths of a US dollar and US dollars for a second of audio, the
/// lookahead in milliseconds, and whether this deployment can run it. Each of the five outputs may be NULL.
///
/// Threads: any. Fails if the catalogue is not live, or the index is not under speech_tiers_count().
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_get(
    tiers: *const speech_tiers,
    index: usize,
    tier: Output<'_, TierNumber>,
    rate_micros: Output<'_, u32>,
    rate_usd_per_second: Output<'_, f64>,
    latency_ms: Output<'_, u32>,
    available: Output<'_, bool>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(tiers, error, |tiers| {
        let entry: TierEntry = *at(&tiers.catalogue.entries(), index, "tier")?;
        tier.write(tier_number(Tier::ALL[index])?);
        rate_micros.write(entry.rate_micros);
        rate_usd_per_second.write(entry.rate_usd_per_second);
        latency_ms.write(entry.latency_ms);
        available.write(entry.available);
        Ok(())
    })
}

/// The tier of a request that names none, whether it is available or not.
///
/// Threads: any. Fails if the catalogue is not live or `tier` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_default(
    tiers: *const speech_tiers,
    tier: Output<'_, TierNumber>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    try_get(tiers, tier, "tier", error, |_| tier_number(Tier::default()))
}

/// The catalogue as the contract's JSON. It belongs to the catalogue.
///
/// Threads: any. Fails if the catalogue is not live or `json` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_json(
    tiers: *const speech_tiers,
    json: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    get(tiers, json, "json", error, |tiers| tiers.json.as_ptr())
}

/// The tier of a name that a request gives. It never answers with another tier.
///
/// Threads: any. Fails with SPEECH_INVALID_TIER if the name is unknown or the tier is not available here (the
/// message names it), and with SPEECH_INVALID_REQUEST if `name` is NULL or not UTF-8.
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
        output.write(tier_number(tiers.catalogue.resolve(name)?)?);
        Ok(())
    })
}

/// The tiers that are available, the most suitable for a use case first: for a client's own choice, in advance.
///
/// `ranked` may be NULL if `capacity` is 0, else it has room for so many tiers. `count` receives how many there are;
/// no more than `capacity` are written. Threads: any. Fails with SPEECH_INVALID_REQUEST if the catalogue is
/// not live or there is no such use case.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn speech_tiers_ranked(
    tiers: *const speech_tiers,
    use_case: UseCaseNumber,
    ranked: Output<'_, TierNumber>,
    capacity: usize,
    count: Output<'_, usize>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(tiers, error, |tiers| {
        let count = count.required("count")?;
        let found = tiers.catalogue.ranked_for(self::use_case(use_case)?);
        let written = found.iter().take(capacity).map(|tier| tier_number(*tier));
        let written = written.collect::<Result<Vec<_>>>()?;
        // SAFETY: `ranked` has room for `capacity` tiers, as the header says, and there are no more here.
        unsafe { ranked.write_all(&written, "ranked") }?;
        count.write(found.len());
        Ok(())
    })
}

/// Frees a catalogue and its JSON. NULL, and a catalogue that was freed before, do nothing.
///
/// Threads: any; but nobody may still read what its functions point at.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tiers_free(tiers: *mut speech_tiers) {
    handle::free(tiers);
}

/// The name of a tier as requests give it, such as `turbo`. It is the library's own and stays valid.
///
/// Threads: any. Fails with SPEECH_INVALID_TIER if there is no such tier.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tier_name(
    tier: TierNumber,
    name: Output<'_, *const c_char>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let tier = self::tier(tier)?;
        name.required("name")?.write(self::name(tier).as_ptr());
        Ok(())
    })
}

/// The left and the right context of a tier, in encoder frames of 80 ms. Each of the two outputs may be NULL.
///
/// Threads: any. Fails with SPEECH_INVALID_TIER if there is no such tier.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tier_att_context_size(
    tier: TierNumber,
    left: Output<'_, u32>,
    right: Output<'_, u32>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let tier = self::tier(tier)?;
        let [left_frames, right_frames] = tier.att_context_size();
        left.write(left_frames);
        right.write(right_frames);
        Ok(())
    })
}

/// The lookahead of a tier in milliseconds: its latency, without network time and the frame length of the
/// client.
///
/// Threads: any. Fails with SPEECH_INVALID_TIER if there is no such tier.
#[unsafe(no_mangle)]
pub extern "C" fn speech_tier_lookahead_ms(
    tier: TierNumber,
    milliseconds: Output<'_, u32>,
    error: Output<'_, *mut speech_error>,
) -> Status {
    boundary(error, || {
        let tier = self::tier(tier)?;
        let lookahead = u32::try_from(tier.lookahead().as_millis()).unwrap_or(u32::MAX);
        milliseconds.required("milliseconds")?.write(lookahead);
        Ok(())
    })
}

/// What `nanoseconds` of audio cost in a tier, in millionths of a US dollar, before any rebate: exact, and
/// rounded up to a whole one once, at the end. Charge a whole recording at once, not its pieces.
///
/// Threads: any. Fails with SPEECH_INVALID_TIER if there is no such tier.
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

/// As speech_tier_charge(), for a number of samples at a sample rate in hertz, which need not make a whole
/// number of nanoseconds.
///
/// Threads: any. Fails with SPEECH_INVALID_TIER if there is no such tier, and with SPEECH_INVALID_REQUEST if the
/// sample rate is 0 or the charge does not fit 64 bits.
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
            assert_eq!(tier_number(tier).unwrap(), number as TierNumber);
            assert_eq!(super::tier(number as TierNumber).unwrap(), tier);
            assert_eq!(name(tier).to_str(), Ok(tier.as_str()));
        }
        for number in [0, 5, -1] {
            assert_eq!(super::tier(number).unwrap_err().kind(), ErrorKind::InvalidTier);
        }
        assert_eq!(use_case(9).unwrap_err().kind(), ErrorKind::InvalidRequest);
    }
}
