//! The latency tiers of the audio-to-text side, by their names.

use std::num::NonZeroU32;
use std::time::Duration;

use napi::bindgen_prelude::BigInt;
use napi::{Error, Result, Status};
use napi_derive::napi;
use speech_core::{Tier, TierCatalogue, UseCase};

use crate::failure::{Outcome, outcome};

/// What a tier is.
#[napi(object, object_from_js = false)]
pub struct TierRow {
    /// What requests name.
    pub name: &'static str,
    /// The encoder's attention context in frames of 80 ms: left, right.
    pub att_context_size: Vec<u32>,
    /// Millionths of a US dollar for a second of audio.
    pub rate_micros: u32,
    /// The lookahead in milliseconds.
    pub latency_ms: u32,
}

/// Every tier.
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

/// The catalogue of a deployment that can run these context settings, pairs one after another, as JSON.
#[napi]
pub fn tiers(contexts: Vec<u32>) -> String {
    catalogue(&contexts).to_json()
}

/// The tier of a name, if the deployment can run it.
#[napi]
pub fn resolve_tier(contexts: Vec<u32>, name: String) -> Outcome<&'static str> {
    outcome(catalogue(&contexts).resolve(&name).map(Tier::as_str))
}

/// The tiers that the deployment can run, the most suitable for a use first.
#[napi]
pub fn rank_tiers(contexts: Vec<u32>, usage: String) -> Result<Vec<&'static str>> {
    let usage = match &*usage {
        "midSentence" => UseCase::MidSentence,
        "wholeUtterance" => UseCase::WholeUtterance,
        "nothingWaits" => UseCase::NothingWaits,
        "other" => UseCase::Other,
        _ => return Err(unknown("use", &usage)),
    };
    Ok(catalogue(&contexts).ranked_for(usage).into_iter().map(Tier::as_str).collect())
}

/// What so many seconds and nanoseconds cost, in millionths of a US dollar.
#[napi]
pub fn charge(tier: String, seconds: BigInt, nanoseconds: u32) -> Result<BigInt> {
    Ok(named(&tier)?.charge(Duration::new(seconds.get_u64().1, nanoseconds)).into())
}

/// What so many samples cost, in millionths of a US dollar.
#[napi]
pub fn charge_samples(tier: String, samples: BigInt, sample_rate: u32) -> Result<BigInt> {
    let rate = NonZeroU32::new(sample_rate).ok_or_else(|| unknown("sample rate", "0"))?;
    Ok(named(&tier)?.charge_samples(samples.get_u64().1, rate).into())
}

fn catalogue(contexts: &[u32]) -> TierCatalogue {
    TierCatalogue::new(contexts.as_chunks().0.iter().copied())
}

fn named(name: &str) -> Result<Tier> {
    let known = Tier::ALL.into_iter().find(|tier| tier.as_str() == name);
    known.ok_or_else(|| unknown("tier", name))
}

/// The package checks what it hands over.
fn unknown(what: &str, name: &str) -> Error {
    Error::new(Status::InvalidArg, format!("unknown {what} {name:?}"))
}
