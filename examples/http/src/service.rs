//! The service: what it is made of, and where its paths lead.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse};
use axum::routing::{get, post};
use axum::{Router, middleware};
use speech_core::{Engine, ErrorKind, TierCatalogue};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::keys::Keys;
use crate::observe::{self, Metrics, REQUEST_ID};
use crate::refusal::{self, Refusal};
use crate::usage::Usage;
use crate::{listings, openapi, speech};

/// The largest body: a thousand characters, all of them escaped, and room to spare.
pub(crate) const MAX_BODY: usize = 64 << 10;

/// All that an answer needs.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) engine: Engine,
    pub(crate) keys: Arc<Keys>,
    pub(crate) usage: Usage,
    pub(crate) tiers: TierCatalogue,
    pub(crate) metrics: Metrics,
    pub(crate) limits: Limits,
    places: Arc<Semaphore>,
    leaving: AtomicBool,
}

/// What a client may take.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Requests for speech at once, those that wait for the engine among them.
    pub(crate) requests: usize,
    /// For a body to arrive.
    pub(crate) body: Duration,
}

impl Service {
    pub(crate) fn new(
        engine: Engine,
        keys: Arc<Keys>,
        usage: Usage,
        tiers: TierCatalogue,
        limits: Limits,
    ) -> Self {
        let places = Arc::new(Semaphore::new(limits.requests));
        let leaving = AtomicBool::new(false);
        Self { engine, keys, usage, tiers, metrics: Metrics::new(), limits, places, leaving }
    }

    /// A place among the requests that are answered at once.
    ///
    /// # Errors
    ///
    /// `overloaded`.
    pub(crate) fn enter(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let full =
            || Refusal::new(ErrorKind::Overloaded, "too many requests are waiting: try again soon");
        Arc::clone(&self.places).try_acquire_owned().map_err(|_| full())
    }

    /// From now on the service says that it is not ready.
    pub(crate) fn leave(&self) {
        self.leaving.store(true, Ordering::Relaxed);
    }

    /// Waits until no request is being answered.
    pub(crate) async fn idle(&self) {
        let all = u32::try_from(self.limits.requests).unwrap_or(u32::MAX);
        drop(self.places.acquire_many(all).await);
    }
}

/// The paths. Other sites' pages may call them if their origin is given.
pub(crate) fn router(service: Arc<Service>, origins: Vec<HeaderValue>) -> Router {
    let speech = post(speech::speak).layer(DefaultBodyLimit::max(MAX_BODY));
    let router = Router::new()
        .route("/v1/speech", speech)
        .route("/v1/speech/voices", get(listings::voices))
        .route("/v1/tiers", get(listings::tiers))
        .route("/", get(page))
        .route("/openapi.json", get(openapi::serve))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(observe::metrics))
        .fallback(refusal::not_found)
        .method_not_allowed_fallback(refusal::method_not_allowed);
    let router = if origins.is_empty() { router } else { router.layer(cross_origin(origins)) };
    router
        .layer(CatchPanicLayer::custom(refusal::panicked))
        .layer(middleware::from_fn_with_state(Arc::clone(&service), observe::watch))
        .with_state(service)
}

fn cross_origin(origins: Vec<HeaderValue>) -> CorsLayer {
    let told = [REQUEST_ID, speech::SAMPLE_RATE_HEADER, speech::CHARACTERS, speech::SERVER_TIMING];
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers(told)
}

async fn ready(State(service): State<Arc<Service>>) -> (StatusCode, &'static str) {
    if service.leaving.load(Ordering::Relaxed) {
        (StatusCode::SERVICE_UNAVAILABLE, "leaving\n")
    } else {
        (StatusCode::OK, "ready\n")
    }
}

/// The page for people, which loads nothing from anywhere else.
async fn page() -> impl IntoResponse {
    let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; \
                  img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(include_str!("page.html")))
}
