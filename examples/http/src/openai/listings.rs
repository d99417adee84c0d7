//! `GET /v1/models`, and the voices as programs ask for them that let people choose one.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use speech_core::Voice;

use super::refusal::Refusal;
use crate::service::Service;

/// The names that the one model answers to: its own, and those of OpenAI's models for speech.
const MODELS: [&str; 5] =
    ["libspeech", "tts-1", "tts-1-hd", "gpt-4o-mini-tts", "gpt-4o-mini-tts-2025-12-15"];

#[derive(Serialize)]
struct Model {
    id: &'static str,
    object: &'static str,
    /// Seconds since 1970: none is made here, so there is no time to tell.
    created: u64,
    owned_by: &'static str,
}

#[derive(Serialize)]
struct Models {
    object: &'static str,
    data: Vec<Model>,
}

#[derive(Serialize)]
struct Voices {
    voices: Vec<VoiceName>,
}

#[derive(Serialize)]
struct VoiceName {
    id: &'static str,
    name: &'static str,
}

/// The model of this name.
pub(crate) fn find(name: &str) -> Result<&'static str, Refusal> {
    MODELS.into_iter().find(|id| *id == name).ok_or_else(|| Refusal::of_model(name))
}

fn described(id: &'static str) -> Model {
    Model { id, object: "model", created: 0, owned_by: "libspeech" }
}

fn json(value: &impl Serialize) -> Response {
    let json = serde_json::to_vec(value).expect("numbers and strings always serialize");
    ([(header::CONTENT_TYPE, "application/json")], json).into_response()
}

/// `GET /v1/models`.
pub(crate) async fn models(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    service.keys.authenticate(&headers)?;
    Ok(json(&Models { object: "list", data: MODELS.map(described).into() }))
}

/// `GET /v1/models/{id}`.
pub(crate) async fn model(
    State(service): State<Arc<Service>>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    service.keys.authenticate(&headers)?;
    // A name that is no text is that of no model.
    let Path(id) = id.unwrap_or_else(|_| Path(char::REPLACEMENT_CHARACTER.into()));
    find(&id).map(|id| json(&described(id)))
}

/// `GET /v1/audio/voices`, which OpenAI does not have: Open WebUI asks for it, without a key.
pub(crate) async fn voices() -> Response {
    let name = |voice: Voice| VoiceName { id: voice.as_str(), name: voice.name() };
    json(&Voices { voices: Voice::ALL.map(name).into() })
}
