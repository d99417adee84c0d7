//! The service: its state and its routes.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse};
use axum::routing::{get, post};
use axum::{Router, middleware};
use jiff::Timestamp;
use speech_core::{Engine, RequestId, TierCatalogue};
use tower_http::catch_panic::CatchPanicLayer;

use crate::admission::{Admission, Demand, Place};
use crate::cross_origin::{self, Origin};
use crate::error_response::{self, ErrorResponse};
use crate::idempotency::{Claim, Keyed, UsedKeys};
use crate::keys::{Account, Keys};
use crate::lexicons::Lexicons;
use crate::live::{self, Live};
use crate::openai::{self, OpenAi};
use crate::permits::Permits;
use crate::shutdown::{Phase, Shutdown};
use crate::telemetry::{self, Metrics};
use crate::usage::Usage;
use crate::{listings, openapi, speech};

/// The largest body: a thousand escaped characters, the most pronunciations, and some room.
pub(crate) const MAX_BODY: usize = 64 << 10;

/// The state that all requests share.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) engine: Engine,
    pub(crate) keys: Arc<Keys>,
    pub(crate) usage: Usage,
    pub(crate) tiers: TierCatalogue,
    pub(crate) metrics: Metrics,
    pub(crate) admission: Arc<Admission>,
    /// The time for a body to arrive.
    pub(crate) body_timeout: Duration,
    pub(crate) live: Live,
    /// Limits how many threads parse pronunciations.
    pub(crate) checks: Permits,
    /// None if OpenAI's routes are off.
    pub(crate) openai: Option<OpenAi>,
    pub(crate) lexicons: Arc<Lexicons>,
    keys_used: Arc<UsedKeys>,
    pub(crate) shutdown: Shutdown,
}

impl Service {
    pub(crate) fn new(
        engine: Engine,
        keys: Arc<Keys>,
        usage: Usage,
        tiers: TierCatalogue,
        admission: Admission,
        body_timeout: Duration,
        live: Live,
    ) -> Self {
        let (metrics, admission) = (Metrics::new(), Arc::new(admission));
        let shutdown = Shutdown::new();
        Self {
            engine,
            keys,
            usage,
            tiers,
            metrics,
            admission,
            body_timeout,
            live,
            checks: Permits::new(1),
            openai: None,
            lexicons: Arc::default(),
            keys_used: Arc::default(),
            shutdown,
        }
    }

    /// Adds OpenAI's routes, lexicons, and the `Idempotency-Key`s of earlier requests.
    pub(crate) fn with(
        self,
        openai: Option<OpenAi>,
        lexicons: Lexicons,
        keys_used: UsedKeys,
    ) -> Self {
        let (lexicons, keys_used) = (Arc::new(lexicons), Arc::new(keys_used));
        Self { openai, lexicons, keys_used, ..self }
    }

    /// Admits a request with a new identifier, and perhaps an `Idempotency-Key`. The characters of
    /// a repetition do not count again.
    ///
    /// # Errors
    ///
    /// As [`Usage::check`], [`UsedKeys::begin`] and [`Admission::admit`].
    pub(crate) async fn admit(
        &self,
        account: &Account,
        keyed: Option<Keyed>,
        id: RequestId,
        demand: Demand,
    ) -> Result<(Place, Option<Claim>), ErrorResponse> {
        self.usage.check(id)?;
        if let Some(keyed) = keyed.as_ref().filter(|_| self.usage.is_shared) {
            let found = self.usage.find(account, keyed.key, id).await?;
            self.keys_used.learn(account, keyed, found);
        }
        let claim = keyed.map(|keyed| self.keys_used.begin(account, keyed, id, Timestamp::now()));
        let claim = claim.transpose()?;
        let is_repeat = claim.as_ref().is_some_and(|claim| claim.is_repeat);
        let characters = if is_repeat { 0 } else { demand.characters };
        let place = self.admission.admit(account, Demand { characters, ..demand })?;
        Ok((place, claim))
    }

    /// The engine handle of an account: accounts take turns.
    pub(crate) fn engine_of(&self, account: &Account) -> Engine {
        self.engine.tenant(account)
    }
}

/// The routes. Pages of the given origins may call them.
pub(crate) fn router(service: Arc<Service>, origins: &[Origin]) -> Router {
    let speech = post(speech::speak);
    let router = Router::new()
        .route("/v1/speech", speech)
        .route("/v1/speech/live", get(live::connect))
        .route("/v1/speech/voices", get(listings::voices))
        .route("/v1/tiers", get(listings::tiers))
        .route("/", get(page))
        .route("/openapi.json", get(openapi::serve))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(telemetry::metrics));
    let router = if service.live.dialects.cartesia {
        router.route("/tts/websocket", get(live::connect_cartesia))
    } else {
        router
    };
    let router = if service.live.dialects.jambonz {
        router.route("/v1/speech/jambonz", get(live::connect_jambonz))
    } else {
        router
    };
    let router = if service.openai.is_some() { router.merge(openai::routes()) } else { router };
    let router = router
        .fallback(error_response::not_found)
        .method_not_allowed_fallback(error_response::method_not_allowed);
    let router =
        if origins.is_empty() { router } else { router.layer(cross_origin::layer(origins)) };
    router
        .layer(CatchPanicLayer::custom(error_response::panicked))
        .layer(middleware::from_fn_with_state(Arc::clone(&service), telemetry::record))
        .with_state(service)
}

async fn ready(State(service): State<Arc<Service>>) -> (StatusCode, &'static str) {
    if service.shutdown.phase() != Phase::Serving {
        (StatusCode::SERVICE_UNAVAILABLE, "leaving\n")
    } else if !service.usage.can_write() {
        (StatusCode::SERVICE_UNAVAILABLE, "requests cannot be recorded\n")
    } else {
        (StatusCode::OK, "ready\n")
    }
}

/// The demo page, which loads nothing from other hosts.
async fn page() -> impl IntoResponse {
    let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; \
                  img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(include_str!("page.html")))
}
