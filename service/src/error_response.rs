//! Error responses in the contract's envelope.

use std::any::Any;
use std::error::Error as _;
use std::time::Duration;

use axum::extract::OriginalUri;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use speech_core::{Error, ErrorKind, RequestId};

use crate::telemetry::{REQUEST_ID, shown};

/// The error response of a handler.
#[derive(Debug)]
pub(crate) struct ErrorResponse {
    pub(crate) error: Error,
    /// Whether the client may still be sending a body that nobody reads.
    body_unread: bool,
    /// When an overloaded service should have room again.
    retry_after: Duration,
    /// Whether the account is overloaded, and not the service.
    of_the_account: bool,
    /// Whether the request is well-formed but conflicts with an earlier one.
    unprocessable: bool,
}

impl ErrorResponse {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error::new(kind, message).into()
    }

    /// Closes the connection after this response: the body was not read, so the next request cannot
    /// be found.
    pub(crate) fn with_body_unread(self) -> Self {
        Self { body_unread: true, ..self }
    }

    pub(crate) fn with_request_id(self, id: RequestId) -> Self {
        Self { error: self.error.with_request_id(id), ..self }
    }

    pub(crate) fn with_retry_after(self, retry_after: Duration) -> Self {
        Self { retry_after, ..self }
    }

    /// Makes the status 422: the request conflicts with an earlier one.
    pub(crate) fn unprocessable(self) -> Self {
        Self { unprocessable: true, ..self }
    }

    /// Makes the status 429: other accounts would be answered.
    pub(crate) fn of_the_account(self) -> Self {
        Self { of_the_account: true, ..self }
    }

    /// Whether the load of this account is the reason, and not that of others.
    pub(crate) fn is_for_the_account(&self) -> bool {
        self.of_the_account || self.error.kind() != ErrorKind::Overloaded
    }

    /// The whole seconds after which to retry, rounded up.
    pub(crate) fn seconds_until_retry(&self) -> Option<u64> {
        let seconds = self.retry_after.as_secs_f64().ceil().max(1.0) as u64;
        (self.error.kind() == ErrorKind::Overloaded).then_some(seconds)
    }

    fn status(&self) -> StatusCode {
        if self.of_the_account {
            return StatusCode::TOO_MANY_REQUESTS;
        }
        if self.unprocessable {
            return StatusCode::UNPROCESSABLE_ENTITY;
        }
        let status = self.error.kind().http_status();
        let status = status.and_then(|status| StatusCode::from_u16(status).ok());
        status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<Error> for ErrorResponse {
    fn from(error: Error) -> Self {
        Self {
            error,
            body_unread: false,
            retry_after: Duration::ZERO,
            of_the_account: false,
            unprocessable: false,
        }
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let (status, retry_after) = (self.status(), self.seconds_until_retry());
        let Self { error, body_unread, .. } = self;
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            let cause = error.source().map(ToString::to_string).unwrap_or_default();
            tracing::error!(request_id = %error.request_id(), kind = %error.kind(), %error, cause, "failed");
        }
        let mut response = (
            status,
            [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")],
            error.to_json(),
        )
            .into_response();
        let id = error.request_id().to_string().parse().expect("an identifier is ASCII");
        response.headers_mut().insert(REQUEST_ID, id);
        if body_unread {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        if error.kind() == ErrorKind::Unauthorized {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// The response for an unknown path.
pub(crate) async fn not_found(OriginalUri(uri): OriginalUri) -> ErrorResponse {
    let path: String = uri.path().chars().take(100).collect();
    ErrorResponse::new(ErrorKind::NotFound, format!("unknown path {path:?}"))
}

/// The response for a path that does not support the method. The router adds `Allow`.
pub(crate) async fn method_not_allowed(method: Method) -> ErrorResponse {
    let method = shown(&method);
    ErrorResponse::new(ErrorKind::MethodNotAllowed, format!("this path does not support {method}"))
}

/// The response for a panic of a handler, which the hook has logged.
pub(crate) fn panicked(_: Box<dyn Any + Send>) -> Response {
    ErrorResponse::new(ErrorKind::Internal, "the service failed").into_response()
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use axum::routing::get;
    use tower::ServiceExt;
    use tower_http::catch_panic::CatchPanicLayer;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_refused_as_all_else_is() {
        let broken = get(|| async {
            if true {
                panic!("a test panics")
            }
        });
        let app = Router::new().route("/", broken).layer(CatchPanicLayer::custom(panicked));
        let response = app.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), 500);
        let id = response.headers()[REQUEST_ID].to_str().unwrap().to_owned();
        let body = to_bytes(response.into_body(), 1000).await.unwrap();
        let message = "the service failed";
        let expected = format!(
            r#"{{"error":{{"type":"internal","message":"{message}","request_id":"{id}"}}}}"#
        );
        assert_eq!(body, expected);
    }
}
