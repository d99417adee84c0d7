//! The latency tiers of the audio-to-text service, by name.

use std::num::NonZeroU32;
use std::time::Duration;

use napi::bindgen_prelude::BigInt;
use napi::{Result, Status};
use napi_derive::napi;
use speech_core::{Tier, TierCatalogue, UseCase};

use crate::error::{JsResult, into_js};

/// A row of the core's table of tiers.
#[napi(object, object_from_js = false)]
pub struct TierRow {
    /// Its name, such as `standard`.
    pub name: &'static str,
    /// The encoder's attention context, left and right, in frames of 80 ms.
    pub att_context_size: Vec<u32>,
    /// The price of a second of audio, in millionths of a US dollar.
    pub rate_micros: u32,
    /// The lookahead in milliseconds.
    pub latency_ms: u32,
}

/// The core's table of tiers.
#[napi]
pub fn tier_table() -> Vec<TierRow> {
    let row = |tier: Tier| TierRow {
        name: tier.as_str(),
        att_context_size: tier.att_context_size().into(),
        rate_micros: tier.rate_micros(),
        latency_ms: tier.lookahead().as_millis() as u32,
    };
    Tier::ALL.map(row).into()
}

/// The catalog of a deployment, as JSON. `contexts` lists the attention contexts that it can run,
/// two elements each.
#[napi]
pub fn tiers(contexts: Vec<u32>) -> String {
    catalogue(&contexts).to_json()
}

/// The tier with this name, if the deployment can run it.
#[napi]
pub fn resolve_tier(contexts: Vec<u32>, name: String) -> JsResult<&'static str> {
    into_js(catalogue(&contexts).resolve(&name).map(Tier::as_str))
}

/// The available tiers, the most suitable for a use case first.
#[napi]
pub fn rank_tiers(contexts: Vec<u32>, use_case: String) -> Result<Vec<&'static str>> {
    let use_case: UseCase = use_case.parse().map_err(invalid_argument)?;
    Ok(catalogue(&contexts).ranked_for(use_case).into_iter().map(Tier::as_str).collect())
}

/// The price of a duration, in millionths of a US dollar.
#[napi]
pub fn charge(tier: String, seconds: BigInt, nanoseconds: u32) -> Result<BigInt> {
    let tier: Tier = tier.parse().map_err(invalid_argument)?;
    Ok(tier.charge(Duration::new(seconds.get_u64().1, nanoseconds)).into())
}

/// The price of a number of samples at a sample rate in hertz, in millionths of a US dollar.
#[napi]
pub fn charge_samples(tier: String, samples: BigInt, sample_rate: u32) -> Result<BigInt> {
    let tier: Tier = tier.parse().map_err(invalid_argument)?;
    let rate =
        NonZeroU32::new(sample_rate).ok_or_else(|| invalid_argument("a sample rate of 0"))?;
    Ok(tier.charge_samples(samples.get_u64().1, rate).into())
}

fn catalogue(contexts: &[u32]) -> TierCatalogue {
    TierCatalogue::new(contexts.as_chunks().0.iter().copied())
}

/// An argument that the package should already have rejected.
fn invalid_argument(message: impl ToString) -> napi::Error {
    napi::Error::new(Status::InvalidArg, message.to_string())
}
