//! `POST /v1/speech`.
//!
//! A blocking thread synthesizes each request and sends each part of the body once the one before was taken. The response
//! begins with the first audio, so a failure before that has an error response; a later failure aborts the body.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::admission::Place;
use crate::error_response::ErrorResponse;
use crate::keys::Account;
use crate::lines::{self, Events, Lines, SpeechLines};
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
        (status = 200, description = "16-bit mono PCM at 22,050 Hz. A stream that breaks off has failed. \
            With `Accept: application/x-ndjson` it comes as lines of JSON, with what is heard when.",
            content((Audio = "audio/wav"), (Audio = "audio/L16"), (SpeechLines = "application/x-ndjson")),
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
        (status = 429, description = "`overloaded`: the account has no more requests at once, or characters today",
            body = ErrorEnvelope, headers(("Retry-After" = u32, description = "Seconds after which to come back"))),
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
    let as_lines = lines::are_wanted(request.headers());
    match accept(&service, &account, request).await {
        Ok((request, place)) => {
            let job = Job {
                service,
                account,
                request,
                as_lines,
                cancel: CancelToken::new(),
                asked,
                waited_too_long: Arc::default(),
            };
            job.respond(place).await
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
    account: &Account,
    request: HttpRequest,
) -> Result<(ValidRequest, Place), ErrorResponse> {
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
    let body = timeout(service.body_timeout, Bytes::from_request(request, &()));
    let body = body.await.map_err(|_| late())?.map_err(body_error)?;
    let request = Request::from_json(&body)?.validate()?;
    request.check_format()?;
    let place = service.admission.admit(account, request.characters())?;
    Ok((request, place))
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
    /// Whether the sound comes as lines of JSON.
    as_lines: bool,
    cancel: CancelToken,
    asked: Instant,
    /// Whether it was cancelled because the engine did not begin with it in time.
    waited_too_long: Arc<AtomicBool>,
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
    WaitedTooLong,
    Disconnected,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        if error.kind() == ErrorKind::Cancelled { Self::Disconnected } else { Self::Failed(error) }
    }
}

/// The response while it is made: its head, then its body.
struct Sink {
    head: Option<oneshot::Sender<Result<Head, ErrorResponse>>>,
    parts: mpsc::Sender<Part>,
}

impl Job {
    async fn respond(self, place: Place) -> Result<Response, ErrorResponse> {
        let (content_type, asked) = (self.content_type(), self.asked);
        let (deadline, give_up) = (self.service.admission.longest_wait(), self.give_up(&place));
        let cancel = CancelOnDrop(self.cancel.clone());
        let (head, mut head_ready) = oneshot::channel();
        let (parts, received) = mpsc::channel(1);
        tokio::task::spawn_blocking(move || self.run(place, Sink { head: Some(head), parts }));
        let head = match timeout(deadline, &mut head_ready).await {
            Ok(head) => head,
            Err(_) => {
                give_up();
                head_ready.await
            }
        };
        let head = head.map_err(|_| failed())??;
        let timing = format!("first-audio;dur={:.1}", asked.elapsed().as_secs_f64() * 1e3);
        let mut response = (
            [
                (header::CONTENT_TYPE, content_type.to_owned()),
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

    fn content_type(&self) -> &'static str {
        if self.as_lines { lines::CONTENT_TYPE } else { self.request.format().content_type() }
    }

    /// Cancels the request, if the engine has not begun with it.
    fn give_up(&self, place: &Place) -> impl FnOnce() + use<> {
        let (admission, id) = (Arc::clone(&self.service.admission), place.id());
        let (cancel, waited_too_long) = (self.cancel.clone(), Arc::clone(&self.waited_too_long));
        move || {
            if admission.is_waiting(id) {
                waited_too_long.store(true, Ordering::Release);
                cancel.cancel();
            }
        }
    }

    /// Synthesizes, on a blocking thread.
    fn run(self, place: Place, mut sink: Sink) {
        self.service.metrics.in_progress.inc();
        let result = self.synthesize(place, &mut sink);
        self.service.metrics.in_progress.dec();
        match result {
            Ok(()) | Err(Stop::Disconnected) => {}
            Err(Stop::Failed(error) | Stop::Unrecorded(error)) => sink.fail(error.into()),
            Err(Stop::WaitedTooLong) => {
                let refusal = self.service.admission.waited_too_long(&self.account);
                sink.fail(refusal.with_request_id(self.request.request_id()));
            }
        }
    }

    fn synthesize(&self, mut place: Place, sink: &mut Sink) -> Result<(), Stop> {
        let stream = self.service.engine.stream_with(self.request.clone(), &self.cancel)?;
        let (id, characters) = (stream.request_id(), stream.characters());
        place.read(characters, stream.sentences_left());
        self.service.metrics.began(characters);
        let mut result = catch_unwind(AssertUnwindSafe(|| self.sentences(stream, &place, sink)))
            .unwrap_or_else(|_| Err(Stop::Failed(failed().with_request_id(id))));
        if let Err(Stop::Disconnected) = result
            && self.waited_too_long.load(Ordering::Acquire)
        {
            result = Err(Stop::WaitedTooLong);
        }
        if let Err(Stop::Failed(_) | Stop::Unrecorded(_) | Stop::WaitedTooLong) = result {
            place.take_back();
        }
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
        let mut rest = Bytes::from(result?);
        if !rest.is_empty() {
            sink.begin(Head { id, characters, bytes: Some(rest.len()) })?;
        }
        let last = rest.split_off(rest.len().saturating_sub(MAX_PART));
        sink.send(rest)?;
        drop(place);
        sink.send(last)?;
        // A client that knows the length may disconnect after the last byte.
        let _ = sink.give(Part::End);
        Ok(())
    }

    /// Synthesizes all sentences, and sends them as they come. Gives back what must not be sent before the outcome is
    /// recorded: a file, and the line that says that all is there.
    fn sentences(
        &self,
        mut stream: Stream,
        place: &Place,
        sink: &mut Sink,
    ) -> Result<Vec<u8>, Stop> {
        let (id, characters) = (stream.request_id(), stream.characters());
        // The request is recorded while the first sentence is computed.
        let mut recorded = Some(self.record(&stream));
        let (mut samples, mut events) = (Vec::new(), Events::default());
        let lines = self.as_lines.then(|| Lines(self.request.text()));
        let is_file = self.request.format() == Format::Wav;
        while stream.sentences_left() > 0 {
            place.ask();
            let left = stream.sentences_left();
            let Some(chunk) = stream.next().transpose()? else { break };
            if stream.sentences_left() < left {
                place.give(self.request.text()[chunk.span.clone()].chars().count());
            }
            if let Some(recorded) = recorded.take() {
                Handle::current().block_on(recorded.wait()).map_err(Stop::Unrecorded)?;
                self.service.metrics.first_audio(self.asked);
                if !is_file {
                    sink.begin(Head { id, characters, bytes: None })?;
                }
            }
            self.service.metrics.heard(chunk.samples.len());
            if let Some(lines) = lines {
                lines.add(&chunk, &mut events);
            }
            if is_file {
                samples.extend(chunk.samples);
            } else {
                let pcm = chunk.to_pcm();
                let part = match lines {
                    Some(lines) => lines.line(&pcm, std::mem::take(&mut events)),
                    None => pcm,
                };
                sink.send(part.into())?;
            }
        }
        let file = if is_file { speech_core::wav(&samples) } else { Vec::new() };
        let Some(lines) = lines else { return Ok(file) };
        let whole = if is_file { lines.line(&file, events) } else { Vec::new() };
        Ok([whole, lines.end(stream.diagnostics())].concat())
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
            Self::WaitedTooLong => Outcome::Failed(ErrorKind::Overloaded),
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
    fn fail(self, response: ErrorResponse) {
        match self.head {
            // A client that has disconnected gets no response.
            Some(waiting) => drop(waiting.send(Err(response))),
            None => {
                let error = response.error;
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

#[cfg(test)]
mod tests {
    use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
    use speech_core::{Engine, TierCatalogue};
    use tower::ServiceExt;

    use super::*;
    use crate::admission::{Admission, Limits};
    use crate::keys::{Keys, NewKey};
    use crate::queue::Queue;
    use crate::service::router;
    use crate::usage::{self, Usage};

    /// The wait was thought to be short, and was not.
    #[tokio::test]
    async fn a_request_that_the_engine_does_not_begin_with_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        speech_tests::fake_model::write(dir.path()).unwrap();
        let record = dir.path().join("usage.db");
        let key = NewKey::generate("a").unwrap();
        let wait = std::time::Duration::ZERO;
        let limits = Limits { requests: 9, requests_per_account: 9, wait };
        let service = Arc::new(Service::new(
            Engine::builder().bundle(dir.path()).load().unwrap(),
            Arc::new(Keys::read(None, &key.line).unwrap()),
            Usage::open(&record).unwrap(),
            TierCatalogue::new([]),
            Admission::new(limits, Queue::new(1, f64::INFINITY), None),
            std::time::Duration::from_secs(9),
        ));
        // A request that never comes to its end is before it.
        let ahead = service.admission.admit(&Account("b".into()), 1000).unwrap();
        let request = || {
            HttpRequest::post("/v1/speech")
                .header("Host", "test")
                .header(AUTHORIZATION, format!("Bearer {}", key.secret))
                .header(CONTENT_TYPE, "application/json")
                .body(Body::from("{\"text\": \"Hello.\"}"))
                .unwrap()
        };
        let app = router(Arc::clone(&service), &[]);
        let refused = app.clone().oneshot(request()).await.unwrap();
        assert_eq!(refused.status(), 503);
        assert_eq!(refused.headers()["retry-after"], "1");
        let id = refused.headers()[REQUEST_ID].to_str().unwrap().to_owned();
        let body = axum::body::to_bytes(refused.into_body(), 1000).await.unwrap();
        let error: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(
            (&error["error"]["type"], &error["error"]["request_id"]),
            (&"overloaded".into(), &id.into())
        );
        drop(ahead);
        assert_eq!(app.oneshot(request()).await.unwrap().status(), 200);
        let time = jiff::Timestamp::MIN..jiff::Timestamp::MAX;
        let totals = usage::totals(&record, "a", time).unwrap();
        let outcomes: Vec<_> = totals.iter().map(|it| (&*it.outcome, it.requests)).collect();
        assert_eq!(outcomes, [("complete", 1), ("overloaded", 1)]);
    }
}
