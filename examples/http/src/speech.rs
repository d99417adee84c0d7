//! `POST /v1/speech`.
//!
//! A request is spoken on a thread of its own, which hands over each piece when the one before was taken. The answer
//! begins with the first sound, so what fails before that is refused properly; what fails later breaks the answer off.

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

use crate::keys::Account;
use crate::observe::REQUEST_ID;
use crate::openapi::{Audio, ErrorEnvelope, SpeechRequest};
use crate::refusal::Refusal;
use crate::service::{MAX_BODY, Service};
use crate::usage::{Entry, Outcome, Recorded};

pub(crate) const SAMPLE_RATE_HEADER: HeaderName = HeaderName::from_static("x-sample-rate");
pub(crate) const CHARACTERS: HeaderName = HeaderName::from_static("x-characters");
pub(crate) const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The most bytes that are handed over at once.
const PIECE: usize = 64 << 10;

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
) -> Result<Response, Refusal> {
    let asked = Instant::now();
    let account = service.keys.authenticate(request.headers())?;
    match accept(&service, request).await {
        Ok((request, place)) => {
            let job = Job {
                service,
                account,
                request,
                cancel: CancelToken::new(),
                asked,
                place: Some(place),
            };
            job.answer().await
        }
        Err(Refusal(error)) => {
            service.metrics.ended(Outcome::Failed(error.kind()));
            service.usage.refuse(refused(&error, account), error.kind()).wait().await?;
            Err(error.into())
        }
    }
}

/// What is recorded of a request that is refused.
fn refused(error: &Error, account: Account) -> Entry {
    Entry { request_id: error.request_id(), account, voice: None, language: None, characters: 0 }
}

/// Reads a request that is within the rules, and finds it a place.
async fn accept(
    service: &Service,
    request: HttpRequest,
) -> Result<(ValidRequest, OwnedSemaphorePermit), Refusal> {
    if !is_json(request.headers()) {
        let message = "the body must be JSON: send Content-Type: application/json";
        return Err(Refusal::new(ErrorKind::UnsupportedMediaType, message));
    }
    let late = || Refusal::new(ErrorKind::InvalidRequest, "the body did not arrive in time");
    let body = timeout(service.limits.body, Bytes::from_request(request, &()));
    let body = body.await.map_err(|_| late())?.map_err(unread)?;
    let request = Request::from_json(&body)?.validate()?;
    request.check_format()?;
    Ok((request, service.enter()?))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind =
        headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn unread(rejection: BytesRejection) -> Refusal {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let message = format!("the body is over {MAX_BODY} bytes");
        return Refusal::new(ErrorKind::RequestTooLarge, message);
    }
    Refusal::new(ErrorKind::InvalidRequest, "the body broke off")
}

/// A request that will be spoken.
struct Job {
    service: Arc<Service>,
    account: Account,
    request: ValidRequest,
    cancel: CancelToken,
    asked: Instant,
    /// Held until the client has all of it but the last piece, or has left: with that it may ask again.
    place: Option<OwnedSemaphorePermit>,
}

/// What is known when the first sound is there.
struct Begun {
    id: RequestId,
    characters: usize,
    /// Of all of it, where that is known.
    bytes: Option<usize>,
}

/// Something of an answer.
enum Piece {
    Bytes(Bytes),
    /// There is no more. An answer without it has broken off.
    End,
}

/// Why nothing more is spoken.
enum Stop {
    Failed(Error),
    Left,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        if error.kind() == ErrorKind::Cancelled { Self::Left } else { Self::Failed(error) }
    }
}

/// Where the pieces of an answer go.
struct Answer {
    begun: Option<oneshot::Sender<Result<Begun, Error>>>,
    pieces: mpsc::Sender<Piece>,
}

impl Job {
    async fn answer(self) -> Result<Response, Refusal> {
        let (format, asked) = (self.request.format(), self.asked);
        let leaving = CancelOnDrop(self.cancel.clone());
        let (begun, begins) = oneshot::channel();
        let (pieces, taken) = mpsc::channel(1);
        tokio::task::spawn_blocking(move || self.run(Answer { begun: Some(begun), pieces }));
        let begun = begins.await.map_err(|_| failed())??;
        let timing = format!("first-audio;dur={:.1}", asked.elapsed().as_secs_f64() * 1e3);
        let mut response = (
            [
                (header::CONTENT_TYPE, format.content_type().to_owned()),
                (header::CACHE_CONTROL, "no-store".to_owned()),
                (REQUEST_ID, begun.id.to_string()),
                (SAMPLE_RATE_HEADER, SAMPLE_RATE.to_string()),
                (CHARACTERS, begun.characters.to_string()),
                (SERVER_TIMING, timing),
            ],
            Body::from_stream(Pieces { taken, ended: false, _leaving: leaving }),
        )
            .into_response();
        if let Some(bytes) = begun.bytes {
            response.headers_mut().insert(header::CONTENT_LENGTH, bytes.into());
        }
        Ok(response)
    }

    /// Speaks, on a thread that may wait.
    fn run(mut self, mut answer: Answer) {
        self.service.metrics.in_progress.inc();
        let spoken = self.speak(&mut answer);
        self.service.metrics.in_progress.dec();
        if let Err(Stop::Failed(error)) = spoken {
            answer.fail(error);
        }
    }

    fn speak(&mut self, answer: &mut Answer) -> Result<(), Stop> {
        let stream = self.service.engine.stream_with(self.request.clone(), &self.cancel)?;
        let (id, characters) = (stream.request_id(), stream.characters());
        self.service.metrics.began(characters);
        let spoken = catch_unwind(AssertUnwindSafe(|| self.sentences(stream, answer)))
            .unwrap_or_else(|_| Err(Stop::Failed(failed().with_request_id(id))));
        let outcome = spoken.as_ref().map_or_else(Stop::outcome, |_| Outcome::Complete);
        self.service.metrics.ended(outcome);
        Handle::current().block_on(self.service.usage.end(id, outcome).wait())?;
        // What is left to send goes when its outcome is recorded: nobody has a whole answer that is not.
        let mut file = Bytes::from(spoken?);
        if !file.is_empty() {
            answer.begin(Begun { id, characters, bytes: Some(file.len()) })?;
        }
        let last = file.split_off(file.len().saturating_sub(PIECE));
        answer.send(file)?;
        drop(self.place.take());
        answer.send(last)?;
        // Who knew the length may have left with the last byte.
        let _ = answer.give(Piece::End);
        Ok(())
    }

    /// Speaks and sends all sentences; of a file they come back.
    fn sentences(&self, stream: Stream, answer: &mut Answer) -> Result<Vec<u8>, Stop> {
        let (id, characters) = (stream.request_id(), stream.characters());
        // It is recorded while the first sentence is spoken.
        let mut recorded = Some(self.record(&stream));
        let mut samples = Vec::new();
        for chunk in stream {
            let chunk = chunk?;
            if let Some(recorded) = recorded.take() {
                Handle::current().block_on(recorded.wait())?;
                self.service.metrics.first_audio(self.asked);
                if self.request.format() == Format::Pcm {
                    answer.begin(Begun { id, characters, bytes: None })?;
                }
            }
            self.service.metrics.heard(chunk.samples.len());
            match self.request.format() {
                Format::Pcm => answer.send(chunk.to_pcm().into())?,
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

/// A fault of our own, which the log tells more of.
fn failed() -> Error {
    Error::new(ErrorKind::Internal, "the synthesis failed")
}

impl Stop {
    fn outcome(&self) -> Outcome {
        match self {
            Self::Left => Outcome::Left,
            Self::Failed(error) => Outcome::Failed(error.kind()),
        }
    }
}

impl Answer {
    fn begin(&mut self, begun: Begun) -> Result<(), Stop> {
        let Some(waiting) = self.begun.take() else { return Ok(()) };
        waiting.send(Ok(begun)).map_err(|_| Stop::Left)
    }

    /// Refuses the request, or breaks off the answer that it has begun.
    fn fail(self, error: Error) {
        match self.begun {
            // Who has left needs no answer.
            Some(waiting) => drop(waiting.send(Err(error))),
            None => {
                tracing::error!(request_id = %error.request_id(), kind = %error.kind(), %error, "broke off");
            }
        }
    }

    fn send(&self, mut bytes: Bytes) -> Result<(), Stop> {
        while !bytes.is_empty() {
            let piece = bytes.split_to(PIECE.min(bytes.len()));
            self.give(Piece::Bytes(piece))?;
        }
        Ok(())
    }

    /// Waits until the client takes it.
    fn give(&self, piece: Piece) -> Result<(), Stop> {
        self.pieces.blocking_send(piece).map_err(|_| Stop::Left)
    }
}

/// The synthesis ends when nobody listens any more.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The body of an answer.
struct Pieces {
    taken: mpsc::Receiver<Piece>,
    ended: bool,
    _leaving: CancelOnDrop,
}

impl tokio_stream::Stream for Pieces {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let piece = ready!(self.taken.poll_recv(context));
        self.ended = !matches!(piece, Some(Piece::Bytes(_)));
        Poll::Ready(match piece {
            Some(Piece::Bytes(bytes)) => Some(Ok(bytes)),
            Some(Piece::End) => None,
            // The client must not take what it has for all.
            None => Some(Err(io::Error::other("the synthesis failed"))),
        })
    }
}
