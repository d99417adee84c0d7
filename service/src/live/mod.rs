//! `GET /v1/speech/live`: a WebSocket that takes text while it is written, and returns its speech.
//!
//! A session (`session`) is one socket. It reads messages (`message`), keeps the order of the
//! turns, and writes their events and audio (`wire`). A turn is a live text of the library. A task
//! (`turn`) speaks and records the turn at the front of the queue, sentence by sentence, while its audio
//! is not too far ahead of playback (`pace`). Each step needs a thread of the runtime, and sessions
//! share a few of them (`crate::permits`). A session that waits for text or for its client has no thread.

mod cartesia;
mod dialect;
mod event;
mod frames;
mod jambonz;
mod message;
mod pace;
mod session;
mod sessions;
mod settings;
mod text;
mod turn;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use speech_core::{ErrorKind, RequestId};

use self::cartesia::Cartesia;
use self::dialect::{Dialect, Translated};
use self::jambonz::Jambonz;
use self::message::{MAX_MESSAGE, Message};
use self::session::Session;
use self::sessions::{Full, Sessions};
use self::settings::{Changes, Settings};
use crate::connection::Upgrade;
use crate::cross_origin::Origin;
use crate::error_response::ErrorResponse;
use crate::keys::{self, ShownKey};
use crate::permits::Permits;
use crate::service::Service;
use crate::speech::record_refusal;
use crate::telemetry::REQUEST_ID;

/// The subprotocol that a client may request.
const PROTOCOL: &str = "speech.live.v1";

/// The prefix of a subprotocol that contains a key: pages in browsers cannot set headers.
const KEY_PREFIX: &str = "key.";

/// The size of a socket's read buffer in bytes: messages are short.
const READ_BUFFER: usize = 4 << 10;

/// The `Retry-After` of a rejected session.
const RETRY: Duration = Duration::from_secs(5);

/// The limits of sessions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) sessions: usize,
    /// The maximum for one account. `None`: three times what the account leaves free.
    pub(crate) sessions_per_account: Option<usize>,
    /// The maximum time without text and audio.
    pub(crate) idle: Duration,
    /// The maximum duration of a session.
    pub(crate) session: Duration,
    /// The timeout for the first message of the client.
    pub(crate) start: Duration,
    /// The interval between two pings.
    pub(crate) ping: Duration,
    /// The timeout for a client that sends nothing, not even pongs.
    pub(crate) silence: Duration,
    /// The timeout for a client that reads nothing of the data that waits for it.
    pub(crate) write: Duration,
    /// The time in which a session over its maximum duration completes its turns.
    pub(crate) grace: Duration,
}

/// The state that the live sessions share.
#[derive(Debug)]
pub(crate) struct Live {
    limits: Limits,
    sessions: Sessions,
    permits: Permits,
    /// The origins whose pages may open a session.
    origins: Vec<Origin>,
    pub(crate) dialects: Dialects,
}

/// The supported protocols of other services.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Dialects {
    /// Add the WebSocket of Cartesia: /tts/websocket
    #[arg(long)]
    pub(crate) cartesia: bool,
    /// Add a custom speech vendor for jambonz: /v1/speech/jambonz
    #[arg(long)]
    pub(crate) jambonz: bool,
}

impl Live {
    /// Shares permits for an engine with this concurrency.
    pub(crate) fn new(limits: Limits, max_concurrency: usize, origins: Vec<Origin>) -> Self {
        let sessions = Sessions::new(limits.sessions, limits.sessions_per_account);
        // All permits but one are for sentences that the engine computes; one reads the next text.
        let permits = Permits::new(max_concurrency + 1);
        Self { limits, sessions, permits, origins, dialects: Dialects::default() }
    }

    pub(crate) fn with_dialects(self, dialects: Dialects) -> Self {
        Self { dialects, ..self }
    }
}

/// Parses a message of a client, for the fuzz target. Returns the bytes of a frame and of the
/// longest audio message with its settings.
pub(crate) fn read_message(json: &str) -> Option<(usize, usize)> {
    let mut settings = Settings::default();
    if let Message::Start(changes) | Message::Settings(changes) = Message::read(json).ok()? {
        settings.change(&changes, true).ok()?;
    }
    Some((settings.sound.frame_bytes(), settings.sound.message_bytes()))
}

/// Opens a session.
pub(crate) async fn connect(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Result<Response, ErrorResponse> {
    enter(&service, request.into_parts().0, None).await
}

/// Opens a session for a client of Cartesia.
pub(crate) async fn connect_cartesia(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Result<Response, ErrorResponse> {
    let (mut parts, _) = request.into_parts();
    cartesia::take_key(&mut parts);
    enter(&service, parts, Some(Box::new(Cartesia::default()))).await
}

/// Opens a session for jambonz.
pub(crate) async fn connect_jambonz(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Result<Response, ErrorResponse> {
    let (parts, _) = request.into_parts();
    let jambonz = Jambonz::of_query(parts.uri.query().unwrap_or_default())?;
    enter(&service, parts, Some(Box::new(jambonz))).await
}

async fn enter(
    service: &Arc<Service>,
    mut parts: Parts,
    dialect: Option<Box<dyn Dialect + Send>>,
) -> Result<Response, ErrorResponse> {
    let key = authenticate(service, &parts.headers)?;
    let account = key.account.clone();
    match open(service, key, &mut parts, dialect).await {
        Ok(response) => Ok(response),
        Err(refusal) => {
            record_refusal(service, account, &refusal).await?;
            Err(refusal)
        }
    }
}

/// The key of a request for a session.
fn authenticate(service: &Service, headers: &HeaderMap) -> Result<ShownKey, ErrorResponse> {
    let key = match protocols(headers).find_map(|name| name.strip_prefix(KEY_PREFIX)) {
        Some(key) if !headers.contains_key(header::AUTHORIZATION) => key,
        _ => keys::key_of(headers)?,
    };
    let key = service.keys.show(key)?;
    if !is_allowed(&service.live.origins, headers) {
        let message = "pages of this origin may not open a session";
        return Err(ErrorResponse::new(ErrorKind::Unauthorized, message));
    }
    Ok(key)
}

/// The subprotocols that a client offers.
fn protocols(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).into_iter();
    values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).map(str::trim)
}

/// Whether a page may open a session: only pages of the service itself and of allowed origins.
/// Browsers open sockets for any page and send its origin. Other clients send none.
fn is_allowed(origins: &[Origin], headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let is_named =
        origins.iter().any(|it| matches!(it, Origin::Any) || *it == Origin::Of(origin.clone()));
    // The schemes may differ because a proxy may terminate TLS.
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_own = origin.to_str().ok().and_then(|origin| origin.split_once("://")?.1.into());
    is_named || host.is_some() && host == is_own
}

async fn open(
    service: &Arc<Service>,
    key: ShownKey,
    parts: &mut Parts,
    dialect: Option<Box<dyn Dialect + Send>>,
) -> Result<Response, ErrorResponse> {
    let account = &key.account;
    let invalid = |message: String| ErrorResponse::new(ErrorKind::InvalidRequest, message);
    let upgrade = WebSocketUpgrade::from_request_parts(parts, &()).await;
    let upgrade = upgrade.map_err(|rejection| {
        invalid(format!("this path speaks WebSocket: {}", rejection.body_text()))
    })?;
    let mut settings = Settings::default();
    settings.change(&Changes::of_query(parts.uri.query().unwrap_or_default())?, true)?;
    settings.check(service, account)?;
    service.usage.check(RequestId::new())?;
    service.admission.check_day(account)?;
    let place = service.live.sessions.open(account).map_err(|full| {
        let (message, is_of_account) = match full {
            Full::Everybody => ("too many sessions are open: try again later", false),
            Full::Account => ("this account has as many sessions as it may have", true),
        };
        let refusal = ErrorResponse::new(ErrorKind::Overloaded, message).with_retry_after(RETRY);
        if is_of_account { refusal.of_the_account() } else { refusal }
    })?;
    let id = RequestId::new();
    let session_of = Arc::clone(service);
    if let Some(upgrade) = parts.extensions.get::<Upgrade>() {
        upgrade.begin();
    }
    let shutdown = service.shutdown.follow();
    let upgrade = upgrade
        .protocols([PROTOCOL])
        .read_buffer_size(READ_BUFFER)
        // Each message is passed to the system at once.
        .write_buffer_size(0)
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE);
    let mut response = upgrade.on_upgrade(move |socket: WebSocket| async move {
        let _place = place;
        match dialect {
            None => Session::new(session_of, key, id, settings, socket).run(shutdown).await,
            Some(dialect) => {
                let socket = Translated::new(socket, dialect);
                let session = Session::new(session_of, key, id, settings, socket);
                session.with_dialect().run(shutdown).await;
            }
        }
    });
    let name = id.to_string().parse().expect("an identifier is ASCII");
    response.headers_mut().insert(REQUEST_ID, name);
    Ok(response)
}

/// For tests of other routes.
#[cfg(test)]
pub(crate) fn no_sessions() -> Live {
    let (never, sessions_per_account) = (Duration::MAX, None);
    let limits = Limits {
        sessions: 0,
        sessions_per_account,
        idle: never,
        session: never,
        start: never,
        ping: never,
        silence: never,
        write: never,
        grace: never,
    };
    Live::new(limits, 1, Vec::new())
}
