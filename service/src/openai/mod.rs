//! OpenAI's routes for speech, for existing OpenAI clients: `POST /v1/audio/speech`, and lists of
//! voices and models.
//!
//! `serve --openai` turns them on. They share the keys, the usage records and the limits of
//! `/v1/speech`. Requests, responses and errors have OpenAI's form.

mod encode;
mod events;
mod ffmpeg;
mod format;
mod listings;
mod refusal;
mod request;
mod speech;
mod voices;

use std::sync::Arc;

use axum::Router;
use axum::http::Method;
use axum::routing::{get, post};
use speech_core::ErrorKind;

pub(crate) use self::ffmpeg::Ffmpeg;
use self::refusal::Refusal;
use crate::service::Service;
use crate::telemetry::shown;

/// The maximum size of a body in bytes: the longest input and instructions, escaped, and a margin.
const MAX_BODY: usize = 128 << 10;

/// The state of these routes in addition to that of the service.
#[derive(Debug)]
pub(crate) struct OpenAi {
    /// None if ffmpeg is not installed.
    pub(crate) ffmpeg: Option<Ffmpeg>,
}

/// The routes.
pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/v1/audio/speech", post(speech::speak).fallback(method_not_allowed))
        .route("/v1/audio/voices", get(listings::voices).fallback(method_not_allowed))
        .route("/v1/models", get(listings::models).fallback(method_not_allowed))
        .route("/v1/models/{id}", get(listings::model).fallback(method_not_allowed))
}

async fn method_not_allowed(method: Method) -> Refusal {
    let method = shown(&method);
    Refusal::new(ErrorKind::MethodNotAllowed, format!("This path does not support {method}."))
}
