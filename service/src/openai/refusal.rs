//! Error responses in the shape that OpenAI's clients read.

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use speech_core::{Error, ErrorKind};

use crate::error_response::ErrorResponse;

/// The error response of a handler.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) response: ErrorResponse,
    /// The field of the request that is wrong.
    param: Option<&'static str>,
    code: Option<&'static str>,
}

#[derive(Serialize)]
struct Envelope<'a> {
    error: Fields<'a>,
}

#[derive(Serialize)]
struct Fields<'a> {
    message: &'a str,
    r#type: &'a str,
    param: Option<&'a str>,
    code: Option<&'a str>,
}

impl Refusal {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        ErrorResponse::new(kind, message).into()
    }

    /// The error for a field of the request.
    pub(crate) fn of_field(
        param: &'static str,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            param: Some(param),
            code: Some(code),
            ..Self::new(ErrorKind::InvalidRequest, message)
        }
    }

    /// The error for an unknown model.
    pub(crate) fn of_model(name: &str) -> Self {
        let message = format!("The model {} does not exist.", quoted(name));
        let (param, code) = (Some("model"), Some("model_not_found"));
        Self { param, code, ..Self::new(ErrorKind::NotFound, message) }
    }
}

/// A value of the request for a message, cut if it is long.
pub(crate) fn quoted(value: &str) -> String {
    let start: String = value.chars().take(40).collect();
    let cut = if start.len() < value.len() { "…" } else { "" };
    format!("'{}{cut}'", start.escape_debug())
}

impl From<ErrorResponse> for Refusal {
    fn from(response: ErrorResponse) -> Self {
        Self { response, param: None, code: None }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        ErrorResponse::from(error).into()
    }
}

/// OpenAI's type for a status, and the code if there is no more specific one.
fn type_and_code(status: StatusCode, kind: ErrorKind) -> (&'static str, &'static str) {
    match status {
        StatusCode::UNAUTHORIZED => ("invalid_request_error", "invalid_api_key"),
        StatusCode::TOO_MANY_REQUESTS => ("requests", "rate_limit_exceeded"),
        _ if status.is_server_error() => ("server_error", kind.as_str()),
        _ => ("invalid_request_error", kind.as_str()),
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self { response, param, code } = self;
        let error = response.error.clone();
        let mut response = response.into_response();
        let (r#type, default) = type_and_code(response.status(), error.kind());
        let code = Some(code.unwrap_or(default));
        let envelope = Envelope { error: Fields { message: error.message(), r#type, param, code } };
        let json = serde_json::to_vec(&envelope).expect("strings always serialize");
        *response.body_mut() = Body::from(json);
        response
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::body::to_bytes;
    use serde_json::{Value, json};

    use super::*;

    async fn shown(refusal: Refusal) -> (u16, Value) {
        let response = refusal.into_response();
        assert!(response.headers().contains_key("x-request-id"));
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), 1000).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn refusals_have_openais_shape() {
        let overloaded =
            || ErrorResponse::new(ErrorKind::Overloaded, "m").with_retry_after(Duration::ZERO);
        for (refusal, status, kind, param, code) in [
            (
                Refusal::of_field("speed", "invalid_type", "m"),
                400,
                "invalid_request_error",
                json!("speed"),
                "invalid_type",
            ),
            (
                Refusal::new(ErrorKind::Unauthorized, "m"),
                401,
                "invalid_request_error",
                Value::Null,
                "invalid_api_key",
            ),
            (
                Refusal::new(ErrorKind::UnsupportedMediaType, "m"),
                415,
                "invalid_request_error",
                Value::Null,
                "unsupported_media_type",
            ),
            (
                overloaded().of_the_account().into(),
                429,
                "requests",
                Value::Null,
                "rate_limit_exceeded",
            ),
            (overloaded().into(), 503, "server_error", Value::Null, "overloaded"),
            (Refusal::new(ErrorKind::Internal, "m"), 500, "server_error", Value::Null, "internal"),
        ] {
            let expected =
                json!({"error": {"message": "m", "type": kind, "param": param, "code": code}});
            assert_eq!(shown(refusal).await, (status, expected));
        }
        let (status, body) = shown(Refusal::of_model(&"x".repeat(99))).await;
        assert_eq!((status, &body["error"]["code"]), (404, &json!("model_not_found")));
        assert!(body["error"]["message"].as_str().unwrap().len() < 90);
    }
}
