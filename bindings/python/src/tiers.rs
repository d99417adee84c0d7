//! The latency tiers of the audio-to-text side, by name.

use std::num::NonZeroU32;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use speech_core::{Result, Tier, TierCatalogue, UseCase};

use crate::error;

/// The table of tiers: name, attention context, millionths of a US dollar per second, lookahead in
/// milliseconds.
pub(crate) fn table(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let row = |tier: Tier| {
        let [left, right] = tier.att_context_size();
        let lookahead = tier.lookahead().as_millis() as u64;
        (tier.as_str(), (left, right), tier.rate_micros(), lookahead)
    };
    PyTuple::new(py, Tier::ALL.map(row))
}

/// The catalog of a deployment that can run these context settings, as JSON.
#[pyfunction]
pub(crate) fn tiers(contexts: Vec<[u32; 2]>) -> String {
    TierCatalogue::new(contexts).to_json()
}

/// The tier with a name, if the deployment can run it.
#[pyfunction]
pub(crate) fn resolve_tier(contexts: Vec<[u32; 2]>, name: &str) -> PyResult<&'static str> {
    TierCatalogue::new(contexts).resolve(name).map(Tier::as_str).map_err(error::to_pyerr)
}

/// The tiers that the deployment can run, the most suitable for a use case first.
#[pyfunction]
pub(crate) fn rank_tiers(contexts: Vec<[u32; 2]>, use_case: &str) -> PyResult<Vec<&'static str>> {
    let use_case: UseCase = use_case.parse().map_err(error::to_pyerr)?;
    Ok(TierCatalogue::new(contexts).ranked_for(use_case).into_iter().map(Tier::as_str).collect())
}

/// The price of a duration in seconds and nanoseconds, in millionths of a US dollar.
#[pyfunction]
pub(crate) fn charge(tier: &str, seconds: u64, nanoseconds: u32) -> PyResult<u128> {
    let tier: Result<Tier> = tier.parse();
    tier.map(|tier| tier.charge(Duration::new(seconds, nanoseconds))).map_err(error::to_pyerr)
}

/// The price of a number of samples, in millionths of a US dollar.
#[pyfunction]
pub(crate) fn charge_samples(tier: &str, samples: u64, sample_rate: NonZeroU32) -> PyResult<u128> {
    let tier: Result<Tier> = tier.parse();
    tier.map(|tier| tier.charge_samples(samples, sample_rate)).map_err(error::to_pyerr)
}
