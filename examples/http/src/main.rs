//! The three routes of the contract in one file to copy: `POST /v1/speech`, `GET /v1/speech/voices`
//! and `GET /v1/tiers`, with API keys and the error envelope.
//!
//! It serves plain HTTP/1.1: put a TLS proxy in front of it. `service/` is the complete service.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program: it has no other output")]

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use anyhow::{Context, bail};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use clap::Parser;
use sha2::{Digest, Sha256};
use speech_core::{
    CancelToken, Engine, Error, ErrorKind, Format, Request, RequestId, TierCatalogue,
};
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_stream::Stream;

/// The largest body in bytes: a thousand characters, all of them escaped, and a margin.
const MAX_BODY: usize = 64 << 10;
/// The number of speech requests in progress. One more is rejected as `overloaded`.
const MAX_REQUESTS: usize = 64;
/// The time limit for receiving a body.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// The time limit for a client that reads nothing from a stream.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const X_SAMPLE_RATE: HeaderName = HeaderName::from_static("x-sample-rate");
const CHARACTERS: HeaderName = HeaderName::from_static("x-characters");

/// The /v1 speech routes over libspeech. SPEECH_BUNDLE names the voices.
#[derive(Parser)]
struct Options {
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// File with a line for each key: the account and the SHA-256 of the key in hexadecimal; `#` begins a comment
    #[arg(long, value_name = "FILE")]
    keys: PathBuf,
    /// A context setting that the audio-to-text encoder can run, such as 70,6; repeatable
    #[arg(long, value_name = "LEFT,RIGHT", value_parser = context)]
    contexts: Vec<[u32; 2]>,
}

fn context(text: &str) -> anyhow::Result<[u32; 2]> {
    let (left, right) = text.split_once(',').context("two whole numbers, such as 70,6")?;
    Ok([left.trim().parse()?, right.trim().parse()?])
}

/// The state shared by all requests.
struct Service {
    engine: Engine,
    /// Accounts by the SHA-256 of their keys in hexadecimal. The time of a look-up reveals nothing
    /// about a key, because an attacker cannot choose its hash.
    accounts: HashMap<String, String>,
    tiers: TierCatalogue,
    places: Arc<Semaphore>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let Options { listen, keys, contexts } = Options::parse();
    let service = Arc::new(Service {
        engine: spawn_blocking(Engine::load).await??,
        accounts: read_keys(&keys).with_context(|| keys.display().to_string())?,
        tiers: TierCatalogue::new(contexts),
        places: Arc::new(Semaphore::new(MAX_REQUESTS)),
    });
    let router = Router::new()
        .route("/v1/speech", post(speak))
        .route("/v1/speech/voices", get(voices))
        .route("/v1/tiers", get(tiers))
        .fallback(async || refusal(ErrorKind::NotFound, "unknown path"))
        .method_not_allowed_fallback(async || {
            refusal(ErrorKind::MethodNotAllowed, "this path does not support this method")
        })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(service);
    let listener = TcpListener::bind(listen).await.with_context(|| listen.to_string())?;
    println!("listening on http://{}", listener.local_addr()?);
    let interrupted = async { drop(tokio::signal::ctrl_c().await) };
    Ok(axum::serve(listener, router).with_graceful_shutdown(interrupted).await?)
}

fn read_keys(path: &Path) -> anyhow::Result<HashMap<String, String>> {
    let mut accounts = HashMap::new();
    for (number, line) in (1..).zip(std::fs::read_to_string(path)?.lines()) {
        let words: Vec<_> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        match words[..] {
            [] => {}
            [account, hash] if hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
                accounts.insert(hash.to_ascii_lowercase(), account.to_owned());
            }
            _ => bail!("line {number} is not an account and the SHA-256 of a key"),
        }
    }
    Ok(accounts)
}

/// `POST /v1/speech`.
async fn speak(
    State(service): State<Arc<Service>>,
    request: HttpRequest,
) -> Result<Response, Refusal> {
    let account = service.authenticate(request.headers())?;
    let (request, format) = Request::from_json(&read_json(request).await?)?;
    let request = service.engine.validate(request)?;
    request.check_format(format)?;
    let (id, characters) = (request.request_id(), request.characters());
    let (sample_rate, encoding) = (request.sample_rate(), request.encoding());
    let place = Arc::clone(&service.places).try_acquire_owned().map_err(|_| {
        let message = "as many requests as can be are being answered";
        Error::new(ErrorKind::Overloaded, message).with_request_id(id)
    })?;
    let (engine, request) = (service.engine.clone(), Request::from(request));
    let body = match format {
        Format::Wav => whole(engine, request, place).await?,
        _ => streamed(engine, request, place).await?,
    };
    // The usage record of the account. Speech is free during the preview, so nothing is charged.
    eprintln!("{id} {account}: {characters} characters");
    let headers = [
        (header::CONTENT_TYPE, format.content_type(encoding).to_owned()),
        (REQUEST_ID, id.to_string()),
        (X_SAMPLE_RATE, sample_rate.to_string()),
        (CHARACTERS, characters.to_string()),
    ];
    Ok((headers, body).into_response())
}

/// One file, after the whole text is computed.
async fn whole(
    engine: Engine,
    request: Request,
    place: OwnedSemaphorePermit,
) -> Result<Body, Error> {
    let cancel = CancelOnDrop(CancelToken::new());
    let request = request.cancel_token(&cancel.0);
    let speech = spawn_blocking(move || {
        let _place = place;
        engine.synthesize(request)
    });
    Ok(speech.await.map_err(|_| broken_off())??.to_wav().into())
}

/// The audio of each sentence as it is computed. An error before the first sentence is an error
/// response; a later one aborts the body.
async fn streamed(
    engine: Engine,
    request: Request,
    place: OwnedSemaphorePermit,
) -> Result<Body, Error> {
    let cancel = CancelOnDrop(CancelToken::new());
    let request = request.cancel_token(&cancel.0);
    let (sender, mut parts) = mpsc::channel(1);
    let runtime = Handle::current();
    spawn_blocking(move || {
        let _place = place;
        // False if the client has disconnected, or reads nothing.
        let send = |part| {
            matches!(runtime.block_on(timeout(WRITE_TIMEOUT, sender.send(part))), Ok(Ok(())))
        };
        let chunks = match engine.stream(request) {
            Ok(chunks) => chunks,
            Err(error) => {
                send(Err(error));
                return;
            }
        };
        for chunk in chunks {
            if !send(chunk.map(|chunk| Part::Sound(chunk.to_bytes().into()))) {
                return;
            }
        }
        send(Ok(Part::End));
    });
    let first = parts.recv().await.ok_or_else(broken_off)??;
    Ok(Body::from_stream(Parts { first: Some(first), parts, _cancel: cancel }))
}

enum Part {
    Sound(Bytes),
    /// A body that ends without it was aborted.
    End,
}

/// The body of a stream.
struct Parts {
    first: Option<Part>,
    parts: mpsc::Receiver<Result<Part, Error>>,
    _cancel: CancelOnDrop,
}

impl Stream for Parts {
    type Item = Result<Bytes, Error>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut TaskContext<'_>,
    ) -> Poll<Option<Self::Item>> {
        let next = match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => self.parts.poll_recv(context),
        };
        next.map(|part| match part {
            Some(Ok(Part::Sound(bytes))) => Some(Ok(bytes)),
            Some(Ok(Part::End)) => None,
            Some(Err(error)) => Some(Err(error)),
            None => Some(Err(broken_off())),
        })
    }
}

/// Cancels a request when its response is dropped.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn broken_off() -> Error {
    Error::new(ErrorKind::Internal, "the synthesis broke off")
}

/// `GET /v1/speech/voices`, which needs no key.
async fn voices() -> Response {
    json(RequestId::new(), speech_core::voices().to_json())
}

/// `GET /v1/tiers`.
async fn tiers(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    service.authenticate(&headers)?;
    Ok(json(RequestId::new(), service.tiers.to_json()))
}

fn json(id: RequestId, body: String) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "application/json".to_owned()), (REQUEST_ID, id.to_string())];
    (headers, body).into_response()
}

impl Service {
    /// The account of the API key of a request.
    fn authenticate(&self, headers: &HeaderMap) -> Result<&str, Error> {
        let refused = |message| Error::new(ErrorKind::Unauthorized, message);
        let value = only(headers, header::AUTHORIZATION).and_then(|value| value.split_once(' '));
        let key = value.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let (_, key) = key
            .ok_or_else(|| refused("send one header with an API key: Authorization: Bearer KEY"))?;
        let hash =
            Sha256::digest(key.trim()).iter().map(|b| format!("{b:02x}")).collect::<String>();
        self.accounts.get(&hash).map(String::as_str).ok_or_else(|| refused("unknown API key"))
    }
}

/// The body of a request, which must be JSON.
async fn read_json(request: HttpRequest) -> Result<Bytes, Error> {
    let kind = only(request.headers(), header::CONTENT_TYPE).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let mut encodings = request.headers().get_all(header::CONTENT_ENCODING).into_iter();
    if !kind.eq_ignore_ascii_case("application/json") || encodings.any(|it| it != "identity") {
        let message = "send the body uncompressed, with one header Content-Type: application/json";
        return Err(Error::new(ErrorKind::UnsupportedMediaType, message));
    }
    match timeout(READ_TIMEOUT, Bytes::from_request(request, &())).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let message = format!("the body is over {MAX_BODY} bytes");
            Err(Error::new(ErrorKind::RequestTooLarge, message))
        }
        Ok(Err(_)) => Err(Error::invalid_request("the body broke off")),
        Err(_) => Err(Error::invalid_request("the body did not arrive in time")),
    }
}

/// The only header with a name. Duplicates are rejected: a proxy and this service might read
/// different ones.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).into_iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    value.to_str().ok()
}

/// An error as a response: the contract's envelope and status.
struct Refusal(Error);

fn refusal(kind: ErrorKind, message: &str) -> Refusal {
    Refusal(Error::new(kind, message))
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self(error) = self;
        let status =
            error.kind().http_status().and_then(|status| StatusCode::from_u16(status).ok());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            eprintln!("{}: {error}", error.request_id());
        }
        let answer = (status, json(error.request_id(), error.to_json()));
        match error.kind() {
            ErrorKind::Unauthorized => {
                ([(header::WWW_AUTHENTICATE, "Bearer")], answer).into_response()
            }
            ErrorKind::Overloaded => ([(header::RETRY_AFTER, "1")], answer).into_response(),
            _ => answer.into_response(),
        }
    }
}
