//! The voices and languages.

use napi_derive::napi;

/// The voices listing of the contract, as JSON.
#[napi]
pub fn voices() -> String {
    speech_core::voices().to_json()
}
