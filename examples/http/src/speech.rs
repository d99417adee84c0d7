//! `POST /v1/speech`.
//!
//! A blocking thread synthesizes each request and sends each part of the body once the one before was taken. The response
//! begins with the first audio, so a failure before that has an error response; a later failure aborts the body.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use speech_core::{
    CancelToken, Error, ErrorKind, Format, Request, RequestId, SAMPLE_RATE, Stream, ValidRequest,
};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::timeout;

use crate::error_response::ErrorResponse;
use crate::keys::Account;
use crate::openapi::{Audio, ErrorEnvelope, SpeechRequest};
use crate::service::{MAX_BODY, Service};
use crate::telemetry::REQUEST_ID;
use crate::usage::{Entry, Outcome, Recorded};

pub(crate) const SAMPLE_RATE_HEADER: HeaderName = HeaderName::from_static("x-sample-rate");
pub(crate) const CHARACTERS: HeaderName = HeaderName::from_static("x-characters");
pub(crate) const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The largest part of a body, in bytes.
const MAX_PART: usize = 64 << 10;

/// Speaks a text.
#[utoipa::path(
    post,
    path = "/v1/speech",
    tag = "speech",
    summary = "Speaks a text",
    security(("key" = [])),
    request_body = SpeechRequest,
    responses(
        (status = 200, description = "16-bit mono PCM at 22,050 Hz. A stream that breaks off has failed.",
            content((Audio = "audio/wav"), (Audio = "audio/L16")),
            headers(
                ("X-Request-Id" = String, description = "Names the request"),
                ("X-Sample-Rate" = u32, description = "22050"),
                ("X-Characters" = u32, description = "The metered quantity"),
                ("Server-Timing" = String, description = "`first-audio`, in milliseconds"),
            )),
        (status = 400, description = "`empty_text`, `text_too_long` or `invalid_request`", body = ErrorEnvelope),
        (status = 401, description = "`unauthorized`", body = ErrorEnvelope,
            headers(("WWW-Authenticate" = String, description = "Bearer"))),
        (status = 413, description = "`request_too_large`", body = ErrorEnvelope),
        (status = 415, description = "`unsupported_media_type`", body = ErrorEnvelope),
        (status = 500, description = "`model_error` or `internal`", body = ErrorEnvelope),
        (status = 503, description = "`overloaded`", body = ErrorEnvelope,
            headers(("Retry-After" = u32, description = "Seconds after which to come back"))),
    ),
)]
pub(crate) async fn speak(
    State(service): State<Arc<Service>>,
    request: HttpRequest,
) -> Result<Response, ErrorResponse> {
    let asked = Instant::now();
    let account =
        service.keys.authenticate(request.headers()).map_err(ErrorResponse::with_body_unread)?;
    match accept(&service, request).await {
        Ok((request, permit)) => {
            let job = Job {
                service,
                account,
                request,
                cancel: CancelToken::new(),
                asked,
                permit: Some(permit),
            };
            job.respond().await
        }
        Err(response) => {
            let error = &response.error;
            service.metrics.ended(Outcome::Failed(error.kind()));
            service.usage.refuse(refused(error, account), error.kind()).wait().await?;
            Err(response)
        }
    }
}

/// What is recorded of a request that is refused.
fn refused(error: &Error, account: Account) -> Entry {
    Entry { request_id: error.request_id(), account, voice: None, language: None, characters: 0 }
}

/// Reads and validates a request, and admits it.
async fn accept(
    service: &Service,
    request: HttpRequest,
) -> Result<(ValidRequest, OwnedSemaphorePermit), ErrorResponse> {
    if !is_json(request.headers()) {
        let message = "the body must be JSON: send Content-Type: application/json";
        let error = ErrorResponse::new(ErrorKind::UnsupportedMediaType, message);
        return Err(error.with_body_unread());
    }
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > MAX_BODY as u64) {
        return Err(too_large().with_body_unread());
    }
    let late = || ErrorResponse::new(ErrorKind::InvalidRequest, "the body did not arrive in time");
    let body = timeout(service.limits.body, Bytes::from_request(request, &()));
    let body = body.await.map_err(|_| late())?.map_err(body_error)?;
    let request = Request::from_json(&body)?.validate()?;
    request.check_format()?;
    Ok((request, service.admit()?))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind =
        headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn body_error(rejection: BytesRejection) -> ErrorResponse {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return too_large().with_body_unread();
    }
    ErrorResponse::new(ErrorKind::InvalidRequest, "the body broke off")
}

fn too_large() -> ErrorResponse {
    let message = format!("the body is over {MAX_BODY} bytes");
    ErrorResponse::new(ErrorKind::RequestTooLarge, message)
}

/// A request that was admitted.
struct Job {
    service: Arc<Service>,
    account: Account,
    request: ValidRequest,
    cancel: CancelToken,
    asked: Instant,
    /// Held until the client has all but the last part of the body, or has disconnected.
    permit: Option<OwnedSemaphorePermit>,
}

/// What the head of the response says, known with the first audio.
struct Head {
    id: RequestId,
    characters: usize,
    /// The length of the body, where it is known.
    bytes: Option<usize>,
}

/// A part of a body.
enum Part {
    Bytes(Bytes),
    /// The body is complete: one that ends without this was aborted.
    End,
}

/// Why a synthesis ended early.
enum Stop {
    /// It could not be recorded that it began. So it has no outcome to be recorded either.
    Unrecorded(Error),
    Failed(Error),
    Disconnected,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        if error.kind() == ErrorKind::Cancelled { Self::Disconnected } else { Self::Failed(error) }
    }
}

/// The response while it is made: its head, then its body.
struct Sink {
    head: Option<oneshot::Sender<Result<Head, Error>>>,
    parts: mpsc::Sender<Part>,
}

impl Job {
    async fn respond(self) -> Result<Response, ErrorResponse> {
        let (format, asked) = (self.request.format(), self.asked);
        let cancel = CancelOnDrop(self.cancel.clone());
        let (head, head_ready) = oneshot::channel();
        let (parts, received) = mpsc::channel(1);
        tokio::task::spawn_blocking(move || self.run(Sink { head: Some(head), parts }));
        let head = head_ready.await.map_err(|_| failed())??;
        let timing = format!("first-audio;dur={:.1}", asked.elapsed().as_secs_f64() * 1e3);
        let mut response = (
            [
                (header::CONTENT_TYPE, format.content_type().to_owned()),
                (header::CACHE_CONTROL, "no-store".to_owned()),
                (REQUEST_ID, head.id.to_string()),
                (SAMPLE_RATE_HEADER, SAMPLE_RATE.to_string()),
                (CHARACTERS, head.characters.to_string()),
                (SERVER_TIMING, timing),
            ],
            Body::from_stream(Parts { received, ended: false, _cancel: cancel }),
        )
            .into_response();
        if let Some(bytes) = head.bytes {
            response.headers_mut().insert(header::CONTENT_LENGTH, bytes.into());
        }
        Ok(response)
    }

    /// Synthesizes, on a blocking thread.
    fn run(mut self, mut sink: Sink) {
        self.service.metrics.in_progress.inc();
        let result = self.synthesize(&mut sink);
        self.service.metrics.in_progress.dec();
        if let Err(Stop::Failed(error) | Stop::Unrecorded(error)) = result {
            sink.fail(error);
        }
    }

    fn synthesize(&mut self, sink: &mut Sink) -> Result<(), Stop> {
        let stream = self.service.engine.stream_with(self.request.clone(), &self.cancel)?;
        let (id, characters) = (stream.request_id(), stream.characters());
        self.service.metrics.began(characters);
        let result = catch_unwind(AssertUnwindSafe(|| self.sentences(stream, sink)))
            .unwrap_or_else(|_| Err(Stop::Failed(failed().with_request_id(id))));
        let outcome = result.as_ref().map_or_else(Stop::outcome, |_| Outcome::Complete);
        self.service.metrics.ended(outcome);
        tracing::info!(
            request_id = %id,
            outcome = outcome.as_str(),
            characters,
            ms = self.asked.elapsed().as_millis() as u64,
            "ended"
        );
        if !matches!(result, Err(Stop::Unrecorded(_))) {
            Handle::current().block_on(self.service.usage.end(id, outcome))?;
        }
        // The end of the body is sent once the outcome is recorded: no client has a complete response that is not.
        let mut file = Bytes::from(result?);
        if !file.is_empty() {
            sink.begin(Head { id, characters, bytes: Some(file.len()) })?;
        }
        let last = file.split_off(file.len().saturating_sub(MAX_PART));
        sink.send(file)?;
        drop(self.permit.take());
        sink.send(last)?;
        // A client that knows the length may disconnect after the last byte.
        let _ = sink.give(Part::End);
        Ok(())
    }

    /// Synthesizes all sentences, and sends them as they come or returns them as one file.
    fn sentences(&self, stream: Stream, sink: &mut Sink) -> Result<Vec<u8>, Stop> {
        let (id, characters) = (stream.request_id(), stream.characters());
        // The request is recorded while the first sentence is computed.
        let mut recorded = Some(self.record(&stream));
        let mut samples = Vec::new();
        for chunk in stream {
            let chunk = chunk?;
            if let Some(recorded) = recorded.take() {
                Handle::current().block_on(recorded.wait()).map_err(Stop::Unrecorded)?;
                self.service.metrics.first_audio(self.asked);
                if self.request.format() == Format::Pcm {
                    sink.begin(Head { id, characters, bytes: None })?;
                }
            }
            self.service.metrics.heard(chunk.samples.len());
            match self.request.format() {
                Format::Pcm => sink.send(chunk.to_pcm().into())?,
                _ => samples.extend(chunk.samples),
            }
        }
        let file = self.request.format() == Format::Wav;
        Ok(if file { speech_core::wav(&samples) } else { Vec::new() })
    }

    fn record(&self, stream: &Stream) -> Recorded {
        self.service.usage.begin(Entry {
            request_id: stream.request_id(),
            account: self.account.clone(),
            voice: Some(self.request.voice().as_str()),
            language: Some(self.request.language().as_str()),
            characters: stream.characters(),
        })
    }
}

/// An internal error; the log has its cause.
fn failed() -> Error {
    Error::new(ErrorKind::Internal, "the synthesis failed")
}

impl Stop {
    fn outcome(&self) -> Outcome {
        match self {
            Self::Disconnected => Outcome::Disconnected,
            Self::Unrecorded(error) | Self::Failed(error) => Outcome::Failed(error.kind()),
        }
    }
}

impl Sink {
    fn begin(&mut self, head: Head) -> Result<(), Stop> {
        let Some(waiting) = self.head.take() else { return Ok(()) };
        waiting.send(Ok(head)).map_err(|_| Stop::Disconnected)
    }

    /// Sends an error response, or aborts the body that has begun.
    fn fail(self, error: Error) {
        match self.head {
            // A client that has disconnected gets no response.
            Some(waiting) => drop(waiting.send(Err(error))),
            None => {
                tracing::error!(request_id = %error.request_id(), kind = %error.kind(), %error, "broke off");
            }
        }
    }

    fn send(&self, mut bytes: Bytes) -> Result<(), Stop> {
        while !bytes.is_empty() {
            let part = bytes.split_to(MAX_PART.min(bytes.len()));
            self.give(Part::Bytes(part))?;
        }
        Ok(())
    }

    /// Waits until the connection takes the part.
    fn give(&self, part: Part) -> Result<(), Stop> {
        self.parts.blocking_send(part).map_err(|_| Stop::Disconnected)
    }
}

/// Cancels the synthesis when the response is dropped.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The body of a response.
struct Parts {
    received: mpsc::Receiver<Part>,
    ended: bool,
    _cancel: CancelOnDrop,
}

impl tokio_stream::Stream for Parts {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let part = ready!(self.received.poll_recv(context));
        self.ended = !matches!(part, Some(Part::Bytes(_)));
        Poll::Ready(match part {
            Some(Part::Bytes(bytes)) => Some(Ok(bytes)),
            Some(Part::End) => None,
            // The client must see that the body is incomplete.
            None => Some(Err(io::Error::other("the synthesis failed"))),
        })
    }
}
