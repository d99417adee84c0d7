//! `GET /v1/models`, and the voices for programs that let people choose one.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use speech_core::{Quality, Voice};

use super::refusal::Refusal;
use crate::service::Service;

/// The qualities by the names of models: our own names, and OpenAI's models for speech.
const MODELS: [(&str, Quality); 7] = [
    ("libspeech", Quality::Auto),
    ("libspeech-fast", Quality::Fast),
    ("libspeech-light", Quality::Light),
    ("tts-1", Quality::Auto),
    ("tts-1-hd", Quality::Auto),
    ("gpt-4o-mini-tts", Quality::Auto),
    ("gpt-4o-mini-tts-2025-12-15", Quality::Auto),
];

#[derive(Serialize)]
struct Model {
    id: &'static str,
    object: &'static str,
    /// Seconds since 1970. Our models have no date.
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

/// The model with this name, and its quality.
pub(crate) fn find(name: &str) -> Result<(&'static str, Quality), Refusal> {
    MODELS.into_iter().find(|(id, _)| *id == name).ok_or_else(|| Refusal::of_model(name))
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
    Ok(json(&Models { object: "list", data: MODELS.map(|(id, _)| described(id)).into() }))
}

/// `GET /v1/models/{id}`.
pub(crate) async fn model(
    State(service): State<Arc<Service>>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    service.keys.authenticate(&headers)?;
    // A name that is not UTF-8 is that of no model.
    let Path(id) = id.unwrap_or_else(|_| Path(char::REPLACEMENT_CHARACTER.into()));
    find(&id).map(|(id, _)| json(&described(id)))
}

/// `GET /v1/audio/voices`, which OpenAI lacks: Open WebUI calls it, without a key.
pub(crate) async fn voices() -> Response {
    let name = |voice: Voice| VoiceName { id: voice.as_str(), name: voice.name() };
    json(&Voices { voices: Voice::ALL.map(name).into() })
}
