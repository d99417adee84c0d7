//! Logs and metrics for the operator. Neither contains input text.

use std::net::Ipv6Addr;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use speech_core::{ErrorKind, RequestId};

use crate::bucket::Bucket;
use crate::error_response::ErrorResponse;
use crate::job::CHARACTERS;
use crate::service::Service;
use crate::usage::Outcome;

/// The identifier of a response, which is also in its log line and its record.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The buckets of the histogram, in seconds.
const BUCKETS: [f64; 12] = [0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 2.0, 5.0, 10.0, 30.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResponseLabels {
    path: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

/// The metrics, and the limit of the log.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    answers: Family<ResponseLabels, Counter>,
    spoken: Family<OutcomeLabels, Counter>,
    characters: Counter,
    audio: Counter<f64, AtomicU64>,
    first_audio: Histogram,
    /// Requests for speech that are being answered.
    pub(crate) in_progress: Gauge,
    /// Live sessions that are open.
    pub(crate) sessions: Gauge,
    /// As [`Admission::demand`](crate::admission::Admission::demand), and whether requests can be
    /// recorded.
    demand: [Gauge; 3],
    wait: Gauge<f64, AtomicU64>,
    ledger_up: Gauge,
    pub(crate) lines: Lines,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("speech_http");
        let answers = Family::default();
        let spoken = Family::default();
        let (characters, audio) = (Counter::default(), Counter::default());
        let (in_progress, sessions) = (Gauge::default(), Gauge::default());
        let first_audio = Histogram::new(BUCKETS);
        registry.register("answers", "Responses by path and status", answers.clone());
        registry.register("speech", "Speech requests by outcome", spoken.clone());
        let about = "Charged characters, also of requests whose client disconnected";
        registry.register("characters", about, characters.clone());
        let about = "Computed audio";
        registry.register_with_unit("audio", about, Unit::Seconds, audio.clone());
        let about = "Time from a request to its first audio";
        registry.register_with_unit("first_audio", about, Unit::Seconds, first_audio.clone());
        let about = "Speech requests in progress";
        registry.register("in_progress", about, in_progress.clone());
        registry.register("live_sessions", "Open live sessions", sessions.clone());
        let demand: [Gauge; 3] = Default::default();
        for (gauge, (name, about)) in demand.iter().zip([
            ("slots", "Sentences that are computed at once at most"),
            ("busy_slots", "Sentences in progress"),
            ("demand_sentences", "Sentences in progress and waiting"),
        ]) {
            registry.register(name, about, gauge.clone());
        }
        let (wait, ledger_up) = (Gauge::default(), Gauge::default());
        let about = "The estimated wait of a request that arrives now";
        registry.register_with_unit("predicted_wait", about, Unit::Seconds, wait.clone());
        let about = "Whether requests can be recorded: 1 or 0";
        registry.register("ledger_up", about, ledger_up.clone());
        let lines = Lines::new();
        Self {
            registry,
            answers,
            spoken,
            characters,
            audio,
            first_audio,
            in_progress,
            sessions,
            demand,
            wait,
            ledger_up,
            lines,
        }
    }

    /// Counts a request by its outcome, and the characters that it costs.
    pub(crate) fn ended(&self, outcome: Outcome, characters: usize) {
        self.spoken.get_or_create(&OutcomeLabels { outcome: outcome.as_str() }).inc();
        self.characters.inc_by(characters as u64);
    }

    pub(crate) fn heard(&self, seconds: f64) {
        self.audio.inc_by(seconds);
    }

    pub(crate) fn first_audio(&self, asked: Instant) {
        self.first_audio.observe(asked.elapsed().as_secs_f64());
    }
}

/// `/metrics`: all metrics in the OpenMetrics format.
pub(crate) async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let (demand, wait) = service.admission.demand();
    for (gauge, count) in service.metrics.demand.iter().zip(demand) {
        gauge.set(i64::try_from(count).unwrap_or(i64::MAX));
    }
    service.metrics.wait.set(wait.as_secs_f64());
    service.metrics.ledger_up.set(service.usage.can_write().into());
    let mut body = String::new();
    if let Err(error) = text::encode(&mut body, &service.metrics.registry) {
        tracing::error!(%error, "cannot encode the metrics");
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

/// The error in how a request names its host (RFC 9112, section 3.2).
fn fault_of_host(request: &Request) -> Option<&'static str> {
    let mut hosts = request.headers().get_all(header::HOST).into_iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if request.version() < Version::HTTP_11 => None,
        (None, _) => Some("the header Host is missing"),
        (Some(_), Some(_)) => Some("the header Host occurs more than once"),
        (Some(host), None) => (!names_host(host)).then_some("the header Host names no host"),
    }
}

/// Whether a value is a host, perhaps with a port. The addresses of this service have no empty host
/// (RFC 9110, section 4.2.1).
fn names_host(value: &HeaderValue) -> bool {
    let Ok(authority) = Authority::try_from(value.as_bytes()) else { return false };
    let host = authority.host();
    let is_host = match host.strip_prefix('[').and_then(|address| address.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty(),
    };
    // A part before the host, as in `user@host`, is not allowed in this header.
    is_host
        && authority.as_str().strip_prefix(host).is_some_and(|port| {
            let digits = port.strip_prefix(':').unwrap_or(port);
            port.is_empty() || digits.is_empty() || digits.parse::<u16>().is_ok()
        })
}

/// A method for messages and logs: clients may send any name.
pub(crate) fn shown(method: &Method) -> String {
    method.as_str().chars().take(20).collect()
}

/// The limit of log lines for responses that cost the client nothing: a token bucket. Without it
/// they would fill the disk.
#[derive(Debug)]
pub(crate) struct Lines(Mutex<Logged>);

#[derive(Debug)]
struct Logged {
    bucket: Bucket,
    at: Instant,
    /// Lines that were omitted since the last one.
    omitted: u64,
}

impl Lines {
    const AT_ONCE: f64 = 1000.0;
    const A_SECOND: f64 = 10.0;

    fn new() -> Self {
        let bucket = Bucket::new(Self::A_SECOND, Self::AT_ONCE);
        Self(Mutex::new(Logged { bucket, at: Instant::now(), omitted: 0 }))
    }

    /// Whether a line may be logged now. Logs the number of lines that were omitted before it.
    pub(crate) fn take(&self, now: Instant) -> bool {
        let mut logged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let since = now.saturating_duration_since(logged.at);
        logged.at = logged.at.max(now);
        if !logged.bucket.take(since, 1.0) {
            logged.omitted += 1;
            return false;
        }
        if logged.omitted > 0 {
            tracing::warn!(
                answers = std::mem::take(&mut logged.omitted),
                "responses over the limit were not logged"
            );
        }
        true
    }
}

/// Identifies, counts and logs every response.
pub(crate) async fn record(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    let asked = Instant::now();
    let method = shown(request.method());
    // Not the path of the request: a label must have a limited number of values.
    let path =
        request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let mut response = match fault_of_host(&request) {
        None => next.run(request).await,
        Some(fault) => {
            ErrorResponse::new(ErrorKind::InvalidRequest, fault).with_body_unread().into_response()
        }
    };
    let id = response.headers_mut().entry(REQUEST_ID);
    let id =
        id.or_insert_with(|| RequestId::new().to_string().parse().expect("it is ASCII")).clone();
    let status = response.status().as_u16();
    // Speech is always logged.
    if response.headers().contains_key(CHARACTERS) || service.metrics.lines.take(asked) {
        tracing::info!(
            request_id = id.to_str().unwrap_or_default(),
            method,
            path,
            status,
            ms = asked.elapsed().as_millis() as u64,
            "answered"
        );
    }
    service.metrics.answers.get_or_create(&ResponseLabels { path, status }).inc();
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_flood_of_answers_is_logged_in_part() {
        let (lines, now) = (Lines::new(), Instant::now());
        assert_eq!((0..5000).filter(|_| lines.take(now)).count(), 1000);
        let later = now + Duration::from_secs(3);
        let taken = (0..5000).filter(|_| lines.take(later)).count();
        assert!((30..=31).contains(&taken), "{taken}");
        let rested = later + Duration::from_secs(86_400);
        assert_eq!((0..5000).filter(|_| lines.take(rested)).count(), 1000);
    }
}
