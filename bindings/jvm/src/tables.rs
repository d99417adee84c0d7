//! Data that needs no engine: the voices, the core's table of errors, and the latency tiers of
//! the audio-to-text service, by name.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;
use speech_core::{Advice, Error, ErrorDetail, ErrorKind, Result, Tier, TierCatalogue, UseCase};

use crate::wire::encode;

/// The list of voices: its fields, and as JSON for a service's response.
pub(crate) fn voices() -> Vec<u8> {
    let listing = speech_core::voices();
    encode(&WithJson { json: listing.to_json(), fields: listing })
}

/// The catalog of a deployment that can run these attention contexts: its fields, and as JSON.
pub(crate) fn tiers(contexts: Vec<[u32; 2]>) -> Vec<u8> {
    let catalogue = TierCatalogue::new(contexts);
    let fields = json!({ "tiers": catalogue.entries(), "default": Tier::default() });
    encode(&WithJson { json: catalogue.to_json(), fields })
}

/// The fields of a value, and the same value as JSON text in the field `json`.
#[derive(Serialize)]
struct WithJson<T> {
    json: String,
    #[serde(flatten)]
    fields: T,
}

/// The version of the library.
pub(crate) fn version() -> Vec<u8> {
    encode(&json!({ "version": env!("CARGO_PKG_VERSION") }))
}

/// The kinds of errors, the names of all details, and the keys of all advice.
pub(crate) fn errors() -> Vec<u8> {
    let kind = |kind: &ErrorKind| {
        json!({
            "kind": kind.as_str(),
            "is_retryable": kind.is_retryable(),
            "http_status": kind.http_status().unwrap_or_default(),
        })
    };
    encode(&json!({
        "kinds": ErrorKind::ALL.iter().map(kind).collect::<Vec<_>>(),
        "details": ErrorDetail::ALL.iter().map(|detail| detail.as_str()).collect::<Vec<_>>(),
        "advice": Advice::ALL.iter().map(|advice| advice.as_str()).collect::<Vec<_>>(),
    }))
}

/// The tier with this name, if a deployment with these attention contexts can run it.
pub(crate) fn resolve_tier(contexts: Vec<[u32; 2]>, name: &str) -> Result<Vec<u8>> {
    let tier = TierCatalogue::new(contexts).resolve(name)?;
    Ok(encode(&json!({ "tier": tier })))
}

/// The available tiers, the most suitable for a use case first.
pub(crate) fn rank_tiers(contexts: Vec<[u32; 2]>, use_case: &str) -> Result<Vec<u8>> {
    let use_case: UseCase = use_case.parse()?;
    Ok(encode(&json!({ "tiers": TierCatalogue::new(contexts).ranked_for(use_case) })))
}

/// The price of a duration.
pub(crate) fn charge(tier: &str, seconds: i64, nanoseconds: i64) -> Result<Vec<u8>> {
    let tier: Tier = tier.parse()?;
    let negative = |_| invalid("a duration must not be negative");
    let seconds = u64::try_from(seconds).map_err(negative)?;
    let nanoseconds = u32::try_from(nanoseconds).map_err(negative)?;
    if nanoseconds >= 1_000_000_000 {
        return Err(invalid("nanoseconds must be under 1,000,000,000"));
    }
    micros(tier.charge(Duration::new(seconds, nanoseconds)))
}

/// The price of a number of samples.
pub(crate) fn charge_samples(tier: &str, samples: i64, sample_rate: i64) -> Result<Vec<u8>> {
    let tier: Tier = tier.parse()?;
    let samples = u64::try_from(samples).map_err(|_| invalid("samples must not be negative"))?;
    let rate = u32::try_from(sample_rate).ok().and_then(NonZeroU32::new);
    let rate = rate.ok_or_else(|| invalid("sampleRate must be a whole number of at least 1"))?;
    micros(tier.charge_samples(samples, rate))
}

/// A charge in millionths of a US dollar.
fn micros(charge: u128) -> Result<Vec<u8>> {
    let charge = i64::try_from(charge).map_err(|_| invalid("the charge is too large"))?;
    Ok(encode(&json!({ "micros": charge })))
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidRequest, message)
}
