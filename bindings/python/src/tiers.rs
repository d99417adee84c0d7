//! The latency tiers of the audio-to-text side, by their names.

use std::num::NonZeroU32;
use std::time::Duration;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use speech_core::{Tier, TierCatalogue, UseCase};

use crate::error;

/// What each tier is: name, attention context, millionths of a US dollar a second, lookahead in milliseconds.
pub(crate) fn table(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let row = |tier: Tier| {
        let [left, right] = tier.att_context_size();
        let lookahead = tier.lookahead().as_millis() as u64;
        (tier.as_str(), (left, right), tier.rate_micros(), lookahead)
    };
    PyTuple::new(py, Tier::ALL.map(row))
}

/// The catalogue of a deployment that can run these context settings, as JSON.
#[pyfunction]
pub(crate) fn tiers(contexts: Vec<[u32; 2]>) -> String {
    TierCatalogue::new(contexts).to_json()
}

/// The tier of a name, if the deployment can run it.
#[pyfunction]
pub(crate) fn resolve_tier(contexts: Vec<[u32; 2]>, name: &str) -> PyResult<&'static str> {
    TierCatalogue::new(contexts).resolve(name).map(Tier::as_str).map_err(error::raised)
}

/// The tiers that the deployment can run, the most suitable for a use first.
#[pyfunction]
pub(crate) fn rank_tiers(contexts: Vec<[u32; 2]>, usage: &str) -> PyResult<Vec<&'static str>> {
    let usage = match usage {
        "mid_sentence" => UseCase::MidSentence,
        "whole_utterance" => UseCase::WholeUtterance,
        "nothing_waits" => UseCase::NothingWaits,
        "other" => UseCase::Other,
        _ => return Err(PyKeyError::new_err(usage.to_owned())),
    };
    Ok(TierCatalogue::new(contexts).ranked_for(usage).into_iter().map(Tier::as_str).collect())
}

/// What so many seconds and nanoseconds cost, in millionths of a US dollar.
#[pyfunction]
pub(crate) fn charge(tier: &str, seconds: u64, nanoseconds: u32) -> PyResult<u128> {
    Ok(named(tier)?.charge(Duration::new(seconds, nanoseconds)))
}

/// What so many samples cost, in millionths of a US dollar.
#[pyfunction]
pub(crate) fn charge_samples(tier: &str, samples: u64, sample_rate: NonZeroU32) -> PyResult<u128> {
    Ok(named(tier)?.charge_samples(samples, sample_rate))
}

fn named(name: &str) -> PyResult<Tier> {
    let known = Tier::ALL.into_iter().find(|tier| tier.as_str() == name);
    known.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
}
