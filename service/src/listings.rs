//! The listings of voices and tiers.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use speech_core::{Language, Quality, Voice};

use crate::error_response::ErrorResponse;
use crate::openapi::{ErrorEnvelope, TierCatalogue, VoiceListing};
use crate::service::Service;

fn json(body: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// The contract's listing, with the qualities of each voice in each language.
#[derive(Serialize)]
struct Voices {
    #[serde(flatten)]
    listing: speech_core::VoiceListing,
    qualities: BTreeMap<&'static str, BTreeMap<&'static str, Vec<Quality>>>,
}

/// `GET /v1/speech/voices`, which needs no key.
#[utoipa::path(
    get,
    path = "/v1/speech/voices",
    tag = "speech",
    summary = "The voices and the languages",
    responses((status = 200, description = "The voices and the languages", body = VoiceListing)),
)]
pub(crate) async fn voices(State(service): State<Arc<Service>>) -> Response {
    let of_voice = |voice: Voice| {
        let qualities = |language| service.engine.qualities(voice, language);
        Language::ALL.map(|language| (language.as_str(), qualities(language))).into()
    };
    let qualities = Voice::ALL.map(|voice| (voice.as_str(), of_voice(voice))).into();
    let voices = Voices { listing: speech_core::voices(), qualities };
    json(serde_json::to_string(&voices).expect("a listing always serializes"))
}

/// `GET /v1/tiers`.
#[utoipa::path(
    get,
    path = "/v1/tiers",
    tag = "tiers",
    summary = "The latency tiers of the audio-to-text side",
    security(("key" = [])),
    responses(
        (status = 200, description = "The catalogue", body = TierCatalogue),
        (status = 401, description = "`unauthorized`", body = ErrorEnvelope,
            headers(("WWW-Authenticate" = String, description = "Bearer"))),
    ),
)]
pub(crate) async fn tiers(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
) -> Result<Response, ErrorResponse> {
    service.keys.authenticate(&headers)?;
    Ok(json(service.tiers.to_json()))
}
