//! What there is to choose from: voices and tiers.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use crate::error_response::ErrorResponse;
use crate::openapi::{ErrorEnvelope, TierCatalogue, VoiceListing};
use crate::service::Service;

fn json(body: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// `GET /v1/speech/voices`, which needs no key.
#[utoipa::path(
    get,
    path = "/v1/speech/voices",
    tag = "speech",
    summary = "The voices and the languages",
    responses((status = 200, description = "The voices and the languages", body = VoiceListing)),
)]
pub(crate) async fn voices() -> Response {
    json(speech_core::voices().to_json())
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
