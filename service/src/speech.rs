//! `POST /v1/speech`.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request as HttpRequest, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use speech_core::{CancelToken, Error, ErrorKind, Format, Request, ValidRequest};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use crate::admission::{Demand, Place};
use crate::delivery::{Delivery, Lines, Pcm, Wav};
use crate::error_response::ErrorResponse;
use crate::idempotency::{Claim, Keyed};
use crate::job::Job;
use crate::keys::Account;
use crate::lexicons;
use crate::lines::{self, SpeechLines};
use crate::openapi::{Audio, ErrorEnvelope, SpeechRequest};
use crate::permits::Permits;
use crate::script::{Script, Source};
use crate::service::{MAX_BODY, Service};
use crate::sound::{IN_LINES, OF_A_STREAM, weight};
use crate::usage::{Entry, Outcome};

/// The longest body that a thread of the runtime parses, in bytes: it takes microseconds.
const SHORT_BODY: usize = 4 << 10;

/// Speaks a text.
#[utoipa::path(
    post,
    path = "/v1/speech",
    tag = "speech",
    summary = "Speaks a text",
    security(("key" = [])),
    request_body = SpeechRequest,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible characters. A request that is repeated with the same \
            key within a day, at most five times, gets a response again and is charged once."),
    ),
    responses(
        (status = 200, description = "Mono audio, by default 16-bit PCM at 22,050 Hz. A stream that ends early, without the last chunk of HTTP, \
            has failed. With `Accept: application/x-ndjson`, lines of JSON with audio and timestamps.",
            content((Audio = "audio/wav"), (Audio = "audio/L16"), (Audio = "audio/PCMU"), (Audio = "audio/PCMA"),
                (Audio = "application/octet-stream"), (SpeechLines = "application/x-ndjson")),
            headers(
                ("X-Request-Id" = String, description = "The identifier of the request"),
                ("X-Sample-Rate" = u32, description = "The sample rate in hertz, 22050 by default"),
                ("X-Characters" = u32, description = "The metered quantity"),
                ("Server-Timing" = String, description = "`first-audio`, in milliseconds"),
                ("Idempotency-Replayed" = String, description = "`true` if this repeats an earlier request with the same \
                    `Idempotency-Key`; `X-Request-Id` then names the first request"),
            )),
        (status = 400, description = "`empty_text`, `text_too_long` or `invalid_request`", body = ErrorEnvelope),
        (status = 401, description = "`unauthorized`", body = ErrorEnvelope,
            headers(("WWW-Authenticate" = String, description = "Bearer"))),
        (status = 404, description = "`not_found`: an unknown lexicon, or an unknown version of one", body = ErrorEnvelope),
        (status = 413, description = "`request_too_large`", body = ErrorEnvelope),
        (status = 415, description = "`unsupported_media_type`", body = ErrorEnvelope),
        (status = 422, description = "`invalid_request`: the `Idempotency-Key` was used for another request, or too often",
            body = ErrorEnvelope),
        (status = 429, description = "`overloaded`: the account has reached its limit of concurrent requests, or of characters per day",
            body = ErrorEnvelope, headers(("Retry-After" = u32, description = "Seconds to wait before the next attempt"))),
        (status = 500, description = "`model_error` or `internal`", body = ErrorEnvelope),
        (status = 503, description = "`overloaded`", body = ErrorEnvelope,
            headers(("Retry-After" = u32, description = "Seconds to wait before the next attempt"))),
    ),
)]
pub(crate) async fn speak(
    State(service): State<Arc<Service>>,
    request: HttpRequest,
) -> Result<Response, ErrorResponse> {
    let asked = Instant::now();
    let account =
        service.keys.authenticate(request.headers()).map_err(ErrorResponse::with_body_unread)?;
    match accept(&service, &account, request).await {
        Ok(Accepted { request, format, as_lines, demand, place, lexicons, claim }) => {
            let content_type = format.content_type(request.encoding());
            let content_type = if as_lines { lines::CONTENT_TYPE } else { content_type };
            let sample_rate = request.sample_rate();
            let delivery = delivery(&request, format, as_lines);
            let script = Script::new(&request, lexicons);
            let cancel = CancelToken::new();
            let job = Job::new(service, account, script, claim, demand, cancel, asked);
            let answer = job.answer(place, Source::Request(Box::new(request)), delivery).await?;
            Ok(answer.respond(content_type, sample_rate, Body::new))
        }
        Err(refusal) => {
            record_refusal(&service, account, &refusal).await?;
            Err(refusal)
        }
    }
}

/// The resources of a request. A file is held as a whole; if it is longer than expected, its hold
/// grows.
fn demand(request: &ValidRequest, format: Format, as_lines: bool) -> Demand {
    let (characters, seconds) = (request.characters(), request.expected_seconds());
    let copies = match format {
        Format::Wav if as_lines => IN_LINES,
        Format::Wav => 1.0,
        _ => 0.0,
    };
    let weight = weight(request.sample_rate(), request.encoding());
    let held_at_least = weight * (OF_A_STREAM + copies * request.pause_seconds());
    Demand { characters, seconds, held: held_at_least + weight * copies * seconds, held_at_least }
}

/// The delivery of the audio of a request.
fn delivery(request: &ValidRequest, format: Format, as_lines: bool) -> Box<dyn Delivery> {
    let sound: Box<dyn Delivery> = match format {
        Format::Wav => Box::new(Wav::new(request.sample_rate(), request.encoding())),
        _ => Box::new(Pcm),
    };
    if as_lines { Box::new(Lines::new(request.text(), sound)) } else { sound }
}

/// Records and counts a rejected request, whether or not its client still waits.
pub(crate) async fn record_refusal(
    service: &Arc<Service>,
    account: Account,
    ErrorResponse { error, .. }: &ErrorResponse,
) -> Result<(), ErrorResponse> {
    let (service, refused, kind) = (Arc::clone(service), refused(error, account), error.kind());
    let recorded = tokio::spawn(async move {
        let recorded = service.usage.refuse(refused, kind).wait().await;
        let recorded = recorded.map_err(ErrorResponse::from);
        // If the rejection cannot be recorded, the response is that error.
        let answered = recorded.as_ref().err().map_or(kind, |refusal| refusal.error.kind());
        service.metrics.ended(Outcome::Failed(answered), 0);
        recorded
    });
    recorded.await.map_err(|_| ErrorResponse::new(ErrorKind::Internal, "the record broke off"))?
}

/// The record of a rejected request.
fn refused(error: &Error, account: Account) -> Entry {
    Entry {
        request_id: error.request_id(),
        account,
        voice: None,
        language: None,
        characters: 0,
        lexicons: None,
        keyed: None,
        session: None,
    }
}

/// A request that was admitted.
struct Accepted {
    request: ValidRequest,
    format: Format,
    /// Whether the client wants lines of JSON.
    as_lines: bool,
    demand: Demand,
    place: Place,
    /// The names and versions of the lexicons, for the record.
    lexicons: Option<String>,
    claim: Option<Claim>,
}

/// Reads and validates a request, and admits it.
async fn accept(
    service: &Service,
    account: &Account,
    request: HttpRequest,
) -> Result<Accepted, ErrorResponse> {
    let headers = request.headers().clone();
    let body = read_json(service, request, MAX_BODY).await?;
    let (body, parsed) = parse(&service.checks, account, body, Request::from_json).await;
    let (request, format) = parsed?;
    let chosen = service.lexicons.choose(account, &lexicons::names(&body)?)?;
    let mut request = service.engine.validate(chosen.add_to(request))?;
    request.check_format(format)?;
    let content_type = format.content_type(request.encoding());
    let as_lines = lines::are_wanted(&headers, content_type);
    let accept = if as_lines { lines::CONTENT_TYPE } else { content_type };
    let keyed = Keyed::of(&headers, "/v1/speech", accept, &body)?;
    let demand = demand(&request, format, as_lines);
    let (place, claim) = service.admit(account, keyed, request.request_id(), demand).await?;
    if let Some(claim) = claim.as_ref().filter(|claim| claim.is_repeat) {
        request = service.engine.validate(Request::from(request).request_id(claim.id))?;
    }
    let lexicons = chosen.recorded();
    Ok(Accepted { request, format, as_lines, demand, place, lexicons, claim })
}

/// Reads the body of a request, which must be declared as JSON, of at most so many bytes.
pub(crate) async fn read_json(
    service: &Service,
    request: HttpRequest,
    limit: usize,
) -> Result<Vec<u8>, ErrorResponse> {
    let headers = request.headers();
    let fault = if !is_json(headers) {
        Some("the body must be JSON: send one header, Content-Type: application/json")
    } else if is_encoded(headers) {
        Some("the body must be sent as it is, without a Content-Encoding")
    } else if is_transformed(headers) {
        Some("the body must be sent as it is, with no Transfer-Encoding but chunked")
    } else {
        None
    };
    if let Some(message) = fault {
        let error = ErrorResponse::new(ErrorKind::UnsupportedMediaType, message);
        return Err(error.with_body_unread());
    }
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit).with_body_unread());
    }
    let late = || ErrorResponse::new(ErrorKind::InvalidRequest, "the body did not arrive in time");
    timeout(service.body_timeout, collect(request.into_body(), limit)).await.map_err(|_| late())?
}

/// Reads a body into one buffer: to keep the pieces would take many times the memory if they are
/// small.
async fn collect(body: Body, limit: usize) -> Result<Vec<u8>, ErrorResponse> {
    let broken = |_| ErrorResponse::new(ErrorKind::InvalidRequest, "the body broke off");
    // A growing buffer would fragment the heap. Unwritten pages of this one take no memory.
    let (mut parts, mut bytes) = (body.into_data_stream(), Vec::with_capacity(limit));
    while let Some(part) = parts.next().await {
        let part = part.map_err(broken)?;
        if part.len() > limit - bytes.len() {
            return Err(too_large(limit).with_body_unread());
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

/// Parses a body. Pronunciations in a long one take milliseconds, so a blocking thread parses it.
/// Only one long body is parsed at a time, and accounts take turns.
pub(crate) async fn parse<T: Send + 'static>(
    permits: &Permits,
    account: &Account,
    body: Vec<u8>,
    parse: impl FnOnce(&[u8]) -> T + Send + 'static,
) -> (Vec<u8>, T) {
    let is_short = body.len() <= SHORT_BODY;
    let parse = move || {
        let parsed = parse(&body);
        (body, parsed)
    };
    if is_short {
        return parse();
    }
    let parsed = permits.acquire(account).await.run(parse);
    parsed.await.unwrap_or_else(|error| resume_unwind(error.into_panic()))
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut kinds = headers.get_all(header::CONTENT_TYPE).into_iter();
    // With two headers, a proxy and this service might each read another one.
    let (Some(kind), None) = (kinds.next(), kinds.next()) else { return false };
    let kind = kind.to_str().unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// Whether a body is compressed or otherwise encoded (RFC 9110, section 8.4).
fn is_encoded(headers: &HeaderMap) -> bool {
    let encodings = headers.get_all(header::CONTENT_ENCODING).into_iter();
    encodings.into_iter().any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// Whether a body has a transfer coding other than `chunked` (RFC 9112, section 6.1).
fn is_transformed(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).into_iter();
    codings.next().is_some_and(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"chunked"))
        || codings.next().is_some()
}

fn too_large(limit: usize) -> ErrorResponse {
    let message = format!("the body is over {limit} bytes");
    ErrorResponse::new(ErrorKind::RequestTooLarge, message)
}

#[cfg(test)]
mod tests {
    use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
    use speech_core::{Engine, TierCatalogue};
    use tower::ServiceExt;

    use super::*;
    use crate::admission::{Admission, Limits};
    use crate::keys::{Keys, NewKey};
    use crate::live;
    use crate::queue::Queue;
    use crate::service::router;
    use crate::telemetry::REQUEST_ID;
    use crate::usage::{Record, Usage};

    #[tokio::test]
    async fn a_long_body_is_parsed_off_the_runtime() {
        let (permits, account) = (Permits::new(1), Account("a".into()));
        let thread = |_: &[u8]| std::thread::current().id();
        for (bytes, is_here) in [(SHORT_BODY, true), (SHORT_BODY + 1, false)] {
            let (body, parsed) = parse(&permits, &account, vec![b' '; bytes], thread).await;
            assert_eq!((body.len(), parsed == thread(&body)), (bytes, is_here));
        }
    }

    /// The expected wait was short, and the real one is not.
    #[tokio::test]
    async fn a_request_that_the_engine_does_not_begin_with_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        speech_tests::fake_model::write(dir.path()).unwrap();
        let record = dir.path().join("usage.db");
        let key = NewKey::generate("a").unwrap();
        let wait = std::time::Duration::ZERO;
        let sound = 1e6;
        let limits = Limits { requests: 9, requests_per_account: None, wait, sound };
        let service = Arc::new(Service::new(
            Engine::builder().bundle(dir.path()).load().unwrap(),
            Arc::new(Keys::read(None, &key.line).unwrap()),
            Usage::open(&Record::File(record.clone()), None).unwrap(),
            TierCatalogue::new([]),
            Admission::new(limits, Queue::new(1, f64::INFINITY), None),
            std::time::Duration::from_secs(9),
            live::no_sessions(),
        ));
        // A request that never ends is first in the queue.
        let demand = Demand { characters: 1000, seconds: 70.0, held: 70.0, held_at_least: 0.0 };
        let ahead = service.admission.admit(&Account("b".into()), demand).unwrap();
        let request_with = |body: &'static str| {
            HttpRequest::post("/v1/speech")
                .header("Host", "test")
                .header(AUTHORIZATION, format!("Bearer {}", key.secret))
                .header(CONTENT_TYPE, "application/json")
                .body(Body::from(body))
                .unwrap()
        };
        let request = || request_with("{\"text\": \"Hello.\"}");
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
        // A request that waits for too long and cannot be recorded either: every other response has
        // a row.
        let other = rusqlite::Connection::open(&record).unwrap();
        let until_it_can_write = async |can: bool| {
            while service.usage.can_write() != can {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        };
        // A rejected request behaves the same.
        for request in [request(), request_with("{")] {
            until_it_can_write(true).await;
            other.execute_batch("BEGIN IMMEDIATE").unwrap();
            let released = async {
                until_it_can_write(false).await;
                other.execute_batch("ROLLBACK").unwrap();
            };
            let (unrecorded, ()) = tokio::join!(app.clone().oneshot(request), released);
            assert_eq!(unrecorded.unwrap().status(), 500);
        }
        drop(ahead);
        assert_eq!(app.clone().oneshot(request()).await.unwrap().status(), 200);
        let time = jiff::Timestamp::MIN..jiff::Timestamp::MAX;
        let totals = Record::File(record.clone()).totals("a", time).unwrap();
        let outcomes = totals.iter().map(|it| (&*it.outcome, it.requests, it.characters));
        let outcomes: Vec<_> = outcomes.collect();
        assert_eq!(outcomes, [("complete", 1, 6), ("overloaded", 1, 0)]);
        let metrics = HttpRequest::get("/metrics").header("Host", "test").body(Body::empty());
        let metrics = app.oneshot(metrics.unwrap()).await.unwrap().into_body();
        let metrics = axum::body::to_bytes(metrics, 100_000).await.unwrap();
        let metrics = str::from_utf8(&metrics).unwrap();
        assert!(metrics.contains("speech_http_characters_total 6\n"), "{metrics}");
        for (outcome, requests) in [("complete", 1), ("internal", 2), ("overloaded", 1)] {
            let line = format!("speech_http_speech_total{{outcome=\"{outcome}\"}} {requests}\n");
            assert!(metrics.contains(&line), "{outcome}: {metrics}");
        }
        assert!(!metrics.contains("invalid_request"), "{metrics}");
    }
}
