//! The voices and languages.

use napi_derive::napi;

/// The list of voices, as JSON for a service's response.
#[napi]
pub fn voices() -> String {
    speech_core::voices().to_json()
}
