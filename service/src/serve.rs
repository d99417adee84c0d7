//! `speech-http serve`.

use std::env::VarError;
use std::io::{IsTerminal, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use jiff::Timestamp;
use speech_core::Engine;
use tracing::level_filters::LevelFilter;
use tracing_log::{AsLog, LogTracer};
use tracing_subscriber::EnvFilter;

use crate::admission::{Admission, Limits};
use crate::allowance::Allowance;
use crate::connection::{self, Listener};
use crate::cross_origin::Origin;
use crate::idempotency::{self, UsedKeys};
use crate::keys::{Keys, NewKey};
use crate::lexicons::Lexicons;
use crate::live::{self, Dialects, Live};
use crate::openai::{Ffmpeg, OpenAi};
use crate::queue::Queue;
use crate::service::{Service, router};
use crate::shutdown::Phase;
use crate::tiers::TierArgs;
use crate::usage::{self, Record, RecordArgs, Usage};

/// On the measured machines, more concurrent sentences did not increase the throughput.
const MAX_DEFAULT_CONCURRENCY: usize = 8;

#[derive(clap::Args)]
pub(crate) struct Serve {
    /// Address to listen on, with plain HTTP; use a TLS proxy in front of it
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The voice bundle [default: $SPEECH_BUNDLE, or the bundle made by `cargo xtask bundle`]
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
    /// Map the bundle into memory, so that processes share it, instead of reading it [default: true on Windows, else false]
    #[arg(long, value_name = "BOOL")]
    map_bundle: Option<bool>,
    /// The key file of `key new`; the service reads it again when it changes. $SPEECH_HTTP_KEYS may contain more keys
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Print a temporary key for the account `demo`
    #[arg(long)]
    demo: bool,
    /// The folder of lexicons: FOLDER/ACCOUNT/NAME.pls and .tsv for requests of the account, and FOLDER/_all for every request. The service
    /// reads changed files again
    #[arg(long, value_name = "FOLDER")]
    lexicons: Option<PathBuf>,
    /// Size of the cache of sentences in bytes, with K, M or G: 256M hold 46 minutes of audio. Accounts do not share sentences. 0 turns the
    /// cache off
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "0")]
    cache: usize,
    /// Share the cache among all accounts. A fast response then reveals what other accounts spoke
    #[arg(long, requires = "cache")]
    cache_shared: bool,
    #[command(flatten)]
    record: RecordArgs,
    /// Sentences computed concurrently [default: the number of cores, at most 8]
    #[arg(long, value_name = "N")]
    max_concurrency: Option<usize>,
    /// Threads that compute one sentence
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Concurrent speech requests; more are `overloaded`
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=256))]
    requests: u16,
    /// Maximum estimated wait for queued requests before the first sentence of a request is computed, in seconds; with a longer wait, the
    /// request is `overloaded`, with a `Retry-After`
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(..=3600))]
    max_wait: u64,
    /// Concurrent speech requests of one account [default: three times as many as it leaves to others: three quarters of --requests for
    /// a single account]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    requests_per_account: Option<u16>,
    /// Maximum audio held for all clients together, in seconds of 44 KB; an account has at most three times as much as it leaves to others.
    /// Requests over the limit are `overloaded`
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u32).range(300..=1_000_000))]
    max_sound: u32,
    /// Open connections, up to 155 KB each, or 215 KB with --openai; more clients wait until a connection closes
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_connections: u32,
    /// Open live sessions (`/v1/speech/live`); each has a connection
    #[arg(long, value_name = "N", default_value_t = 256)]
    live_sessions: u16,
    /// Open live sessions of one account [default: three times as many as it leaves to others]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    live_sessions_per_account: Option<u16>,
    /// Seconds without text and audio after which a live session is closed
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    live_idle: u64,
    /// Maximum duration of a live session in seconds; its client can then reconnect to another replica
    #[arg(long, value_name = "SECONDS", default_value_t = 7200, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    live_session: u64,
    /// Characters of one account per day, in UTC [default: unlimited]
    #[arg(long, value_name = "N")]
    characters_per_day: Option<u64>,
    /// Timeout in seconds for the head of a request, for its body, and for the first message of a live session
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    read_timeout: u64,
    /// Timeout in seconds for a client that does not read its response
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    write_timeout: u64,
    /// Seconds in which the service still accepts requests after a termination signal, while `/readyz` is 503, so that a load balancer
    /// notices
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=86_400))]
    drain: u64,
    /// Seconds to complete speech in progress after a termination signal
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(..=86_400))]
    grace: u64,
    /// An origin whose pages may call the service and open live sessions, such as `https://example.com`, or `*` for all; repeatable
    /// [default: none]
    #[arg(long, value_name = "ORIGIN")]
    cors_origin: Vec<Origin>,
    /// Write logs as JSON lines. $RUST_LOG filters logs
    #[arg(long)]
    json_logs: bool,
    /// Add OpenAI's routes: /v1/audio/speech and /v1/models
    #[arg(long)]
    openai: bool,
    /// The ffmpeg program that encodes mp3 and aac for OpenAI's routes
    #[arg(long, value_name = "PROGRAM", default_value = "ffmpeg", requires = "openai")]
    ffmpeg: PathBuf,
    #[command(flatten)]
    dialects: Dialects,
    #[command(flatten)]
    tiers: TierArgs,
}

impl Serve {
    /// Runs the service until the system terminates it. Errors at the start are logged.
    pub(crate) fn run(&self) -> ExitCode {
        self.log();
        log_panics();
        limit_arenas();
        match self.serve() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                tracing::error!(error = format!("{error:#}"), "the service cannot run");
                ExitCode::FAILURE
            }
        }
    }

    fn serve(&self) -> anyhow::Result<()> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let max_concurrency = self.max_concurrency.unwrap_or(cores.min(MAX_DEFAULT_CONCURRENCY));
        let mut engine = Engine::builder().threads(self.threads).max_concurrency(max_concurrency);
        if let Some(bundle) = &self.bundle {
            engine = engine.bundle(bundle);
        }
        if let Some(map) = self.map_bundle {
            engine = engine.map_bundle(map);
        }
        engine = engine.cache(self.cache).share_cache(self.cache_shared);
        let (keys, demo) = self.keys()?;
        let lexicons = Lexicons::read(self.lexicons.clone()).context("cannot read the lexicons")?;
        let (tiers, record) = (self.tiers.catalogue()?, self.record.record()?);
        let engine = engine.load()?;
        engine.warm_up()?;
        let usage = Usage::open(&record, self.characters_per_day)?;
        // A shared ledger is asked for each key.
        let used = match &record {
            Record::File(path) => usage::keyed(path, Timestamp::now() - idempotency::KEPT)?,
            Record::Postgres(_) => Vec::new(),
        };
        let admission = self.admission(&record, Queue::new(max_concurrency, speed(&engine)?))?;
        let body_timeout = Duration::from_secs(self.read_timeout);
        let (keys, openai) = (Arc::new(keys), self.openai.then(|| self.openai()));
        let live = Live::new(self.live(), max_concurrency, self.cors_origin.clone())
            .with_dialects(self.dialects);
        let service = Service::new(engine, keys, usage, tiers, admission, body_timeout, live).with(
            openai,
            lexicons,
            UsedKeys::new(used),
        );
        let listener = TcpListener::bind(self.listen)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .with_context(|| format!("cannot listen on {}", self.listen))?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.answer(listener, Arc::new(service), demo.as_deref()))
    }

    fn admission(&self, record: &Record, queue: Queue) -> anyhow::Result<Admission> {
        let limits = Limits {
            requests: self.requests.into(),
            requests_per_account: self.requests_per_account.map(usize::from),
            wait: Duration::from_secs(self.max_wait),
            sound: self.max_sound.into(),
        };
        let allowance = |limit| match record {
            Record::File(path) => Allowance::open(path, limit, Timestamp::now()),
            Record::Postgres(_) => Ok(Allowance::of_shared(limit, Timestamp::now())),
        };
        let allowance = self.characters_per_day.map(allowance).transpose()?;
        Ok(Admission::new(limits, queue, allowance))
    }

    fn live(&self) -> live::Limits {
        live::Limits {
            sessions: self.live_sessions.into(),
            sessions_per_account: self.live_sessions_per_account.map(usize::from),
            idle: Duration::from_secs(self.live_idle),
            session: Duration::from_secs(self.live_session),
            start: Duration::from_secs(self.read_timeout),
            ping: PING_INTERVAL,
            silence: SILENCE_TIMEOUT,
            write: Duration::from_secs(self.write_timeout),
            grace: Duration::from_secs(self.grace),
        }
    }

    /// The number of connections that can be open.
    fn connections(&self) -> anyhow::Result<usize> {
        let encoders = if self.openai { usize::from(self.requests) } else { 0 };
        let own = OWN_DESCRIPTORS + encoders * DESCRIPTORS_OF_AN_ENCODER;
        Ok(connection::make_room(self.max_connections.try_into()?, own))
    }

    fn openai(&self) -> OpenAi {
        let ffmpeg = Ffmpeg::find(self.ffmpeg.clone());
        if ffmpeg.is_none() {
            tracing::warn!(program = %self.ffmpeg.display(), "ffmpeg was not found, so mp3 and aac are rejected");
        }
        OpenAi { ffmpeg }
    }

    fn log(&self) {
        let filter = EnvFilter::try_from_default_env();
        let is_ignored = filter.is_err() && std::env::var_os(EnvFilter::DEFAULT_ENV).is_some();
        let filter = filter.unwrap_or_else(|_| EnvFilter::new("info"));
        let logs = tracing_subscriber::fmt()
            // Those errors go to standard error too, which would panic in the logging code if it is
            // closed.
            .log_internal_errors(false)
            .with_env_filter(filter)
            .with_ansi(std::io::stderr().is_terminal())
            .with_writer(std::io::stderr);
        let set = if self.json_logs {
            tracing::subscriber::set_global_default(logs.json().finish())
        } else {
            tracing::subscriber::set_global_default(logs.finish())
        };
        set.expect("nothing else logs");
        let of_crates = LogTracer::builder()
            .with_max_level(LevelFilter::current().as_log())
            .ignore_all(WITH_TEXTS);
        of_crates.init().expect("nothing else logs");
        if is_ignored {
            tracing::warn!("RUST_LOG is invalid; using the level info");
        }
    }

    /// The keys, and the secret of the demonstration key.
    fn keys(&self) -> anyhow::Result<(Keys, Option<String>)> {
        let mut lines = match std::env::var("SPEECH_HTTP_KEYS") {
            Err(VarError::NotPresent) => String::new(),
            // The standard error message would repeat the value.
            lines => lines.ok().context("SPEECH_HTTP_KEYS is not UTF-8")?,
        };
        let demo = self.demo.then(|| NewKey::generate("demo")).transpose()?;
        if let Some(key) = &demo {
            lines = format!("{lines}\n{}", key.line);
        }
        let keys = Keys::read(self.keys.clone(), &lines).context("cannot read the keys")?;
        if keys.len() == 0 && self.keys.is_none() {
            bail!(
                "there are no API keys: use --keys FILE (`speech-http key new` makes keys), or --demo"
            );
        }
        Ok((keys, demo.map(|key| key.secret)))
    }

    async fn answer(
        &self,
        listener: TcpListener,
        service: Arc<Service>,
        demo: Option<&str>,
    ) -> anyhow::Result<()> {
        let address = listener.local_addr().context("the socket has no address")?;
        tokio::spawn(Arc::clone(&service.keys).follow());
        tokio::spawn(Arc::clone(&service.lexicons).follow());
        // Before the address is printed: a caller that reads it may terminate the service.
        let signals = Signals::new().context("cannot handle signals")?;
        let [drain, grace] = [self.drain, self.grace].map(Duration::from_secs);
        tokio::spawn(shut_down_on_signal(signals, Arc::clone(&service), drain, grace));
        let app = router(Arc::clone(&service), &self.cors_origin);
        let write_timeout = Duration::from_secs(self.write_timeout);
        let listener = Listener::new(listener, self.connections()?, write_timeout)
            .context("cannot accept connections")?;
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            // A client may close its sending side after the request, and still receives the
            // response.
            .half_close(true)
            // The maximum size of an incomplete head, and then of each read of a body.
            .max_buf_size(MAX_HEAD)
            .header_read_timeout(Duration::from_secs(self.read_timeout));
        // Clients that connect before the next line wait in the socket's queue.
        if let Err(error) = announce(address, demo) {
            tracing::warn!(%error, %address, "cannot print the address");
        }
        connection::answer_all(listener, &http, &app, &service.shutdown).await;
        // Interrupted requests still have to be recorded.
        if tokio::time::timeout(Duration::from_secs(5), service.admission.idle()).await.is_err() {
            tracing::warn!("some requests did not end in time");
        }
        Ok(())
    }
}

/// The crates that log messages of live sessions, and their heads with keys.
const WITH_TEXTS: [&str; 2] = ["tungstenite", "tokio_tungstenite"];

/// Common proxies close connections that are silent for a minute.
const PING_INTERVAL: Duration = Duration::from_secs(20);
const SILENCE_TIMEOUT: Duration = Duration::from_secs(45);

/// The file descriptors that the service needs besides connections: for its files, the keys that it
/// reads again, signals and the runtime.
const OWN_DESCRIPTORS: usize = 32;

/// More than a running ffmpeg needs.
const DESCRIPTORS_OF_AN_ENCODER: usize = 8;

/// The maximum size of a request's head in bytes. A larger one is answered with 431.
const MAX_HEAD: usize = 32 << 10;

/// Limits the allocator of glibc to two arenas, instead of eight per core. An arena keeps most of
/// the memory that it ever had, and any thread may get its own.
fn limit_arenas() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two numbers and may be called at any time; arenas that exist are kept.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

/// Logs the location of a panic, and not its message, which may contain text.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a panic");
    }));
}

/// Parses a number of bytes, such as `256M`.
fn bytes(text: &str) -> anyhow::Result<usize> {
    let (number, shift) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(number) if text.ends_with('K') => (number, 10),
        Some(number) if text.ends_with('M') => (number, 20),
        Some(number) => (number, 30),
        None => (text, 0),
    };
    let number: usize =
        number.parse().context("must be a whole number of bytes, with an optional K, M or G")?;
    number.checked_mul(1 << shift).context("exceeds the address space of this machine")
}

/// Measures the speed of one sentence in seconds of audio per second. Requests correct it later.
fn speed(engine: &Engine) -> anyhow::Result<f64> {
    const TEXT: &str = "How fast it is on this machine shows as soon as it speaks a sentence.";
    let began = Instant::now();
    let sound = engine.synthesize(TEXT)?.seconds();
    let speed = sound / began.elapsed().as_secs_f64();
    tracing::info!(
        sound_per_second = (speed * 10.0).round() / 10.0,
        "measured the speed of one sentence"
    );
    Ok(speed)
}

/// Prints the address and a command to try the service.
fn announce(address: SocketAddr, demo: Option<&str>) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "listening on http://{address}")?;
    if let Some(key) = demo {
        writeln!(
            out,
            "\n  curl http://{address}/v1/speech -H 'Authorization: Bearer {key}' \\\n    \
             -H 'Content-Type: application/json' -d '{{\"text\": \"Hello, world.\"}}' -o hello.wav\n\n\
             or open http://{address}/ and give it the key {key}"
        )?;
    }
    out.flush()
}

/// Shuts the service down on the first signal, and at once on the second.
async fn shut_down_on_signal(
    mut signals: Signals,
    service: Arc<Service>,
    drain: Duration,
    grace: Duration,
) {
    signals.next().await;
    tracing::info!("finishing the requests in progress; a second signal ends the service at once");
    let shutdown = &service.shutdown;
    shutdown.set(Phase::Draining);
    let finished = async {
        tokio::time::sleep(drain).await;
        shutdown.set(Phase::Finishing(Instant::now() + grace));
        tokio::time::sleep(grace).await;
    };
    tokio::select! { () = signals.next() => {}, () = finished => {} }
    shutdown.set(Phase::Ended);
}

/// The termination signals: SIGINT and SIGTERM, or Ctrl-C.
#[cfg(unix)]
struct Signals([tokio::signal::unix::Signal; 2]);

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self([signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]))
    }

    async fn next(&mut self) {
        let [interrupt, terminate] = &mut self.0;
        tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        // An error means that the handler could not be registered.
        let _ = tokio::signal::ctrl_c().await;
    }
}
