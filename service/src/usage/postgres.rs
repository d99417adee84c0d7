//! The ledger in Postgres, which replicas of the service share.
//!
//! A transaction first locks the accounts of its changes, in one order for all replicas. So nobody
//! waits in a circle, and the limit of a day and an `Idempotency-Key` are checked one change after
//! the other. If the connection breaks during `COMMIT`, the changes may be there or not. They are
//! sent again then, because a repeated change has no effect.
//!
//! Each process is an instance with a heartbeat, by the clock of the database. Open requests of an
//! instance without one are `interrupted`. The instance may still record their true outcome.

use std::cell::Cell;
use std::env::VarError;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use futures_util::future::try_join_all;
use jiff::Timestamp;
use rustls::{ClientConfig, RootCertStore};
use sha2::{Digest, Sha256};
use speech_core::{ErrorKind, RequestId};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::config::Host;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, IsolationLevel, NoTls, Socket, Transaction};
use tokio_postgres_rustls_improved::MakeRustlsConnect;

use super::reader::{TOTALS, Total};
use super::{
    Answer, BUSY_TIMEOUT, Change, DELETED, Entry, Found, Ledger, Outcome, PendingChange, Refused,
    SUMMED, check_version, counted,
};
use crate::keys::Account;
use crate::text_file;

/// The timeout of a connection to one host, unless the address sets another.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause between two attempts to commit.
const PAUSE: Duration = Duration::from_millis(100);
/// The period of heartbeats.
const BEAT: Duration = Duration::from_secs(2);
/// How long an instance without a heartbeat may be away before its requests are `interrupted`.
const LEASE_SECONDS: f64 = 60.0;
/// The most queries that are sent before the first answer is read.
const PIPELINED: usize = 30;

/// The version of the schema.
const VERSION: i64 = 1;

/// Guards the creation of the schema: `libspeec` in ASCII.
const SCHEMA_LOCK: i64 = 0x6c69_6273_7065_6563;

/// The statements that create the schema.
pub(crate) const SCHEMA: &str = "\
CREATE SCHEMA IF NOT EXISTS speech_http;
CREATE TABLE speech_http.version (version bigint NOT NULL);
INSERT INTO speech_http.version VALUES (1);
CREATE TABLE speech_http.instances (
    instance text PRIMARY KEY,
    seen timestamptz NOT NULL
);
CREATE TABLE speech_http.requests (
    request_id text PRIMARY KEY,
    account text NOT NULL,
    voice text,
    language text,
    characters bigint NOT NULL CHECK (characters >= 0),
    charge_micros bigint NOT NULL,
    outcome text NOT NULL,
    started_ms bigint NOT NULL,
    ended_ms bigint,
    requests bigint NOT NULL,
    session text,
    lexicons text,
    idempotency_key bytea,
    fingerprint bytea,
    instance text NOT NULL
);
CREATE INDEX requests_of_account ON speech_http.requests (account, started_ms);
CREATE INDEX refusals ON speech_http.requests (account, outcome, started_ms) WHERE voice IS NULL;
CREATE INDEX open_requests ON speech_http.requests (instance) WHERE outcome = 'started';
CREATE INDEX keys ON speech_http.requests (account, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE TABLE speech_http.spoken (
    account text,
    day bigint,
    characters bigint NOT NULL CHECK (characters >= 0),
    PRIMARY KEY (account, day)
);
";

/// The settings of a connection. A replica that vanishes must not keep its locks.
const SETTINGS: &str = "
    SET search_path = speech_http;
    SET statement_timeout = '4s';
    SET idle_in_transaction_session_timeout = '5s';
    SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') = 'off';";

/// Counts the characters $4 of the request $1, and inserts its row.
const BEGIN: &str = "
    WITH clock AS (SELECT floor(extract(epoch FROM now()) * 1000)::bigint AS ms),
    known AS (SELECT FROM requests WHERE request_id = $1),
    taken AS (
        SELECT FROM requests, clock WHERE account = $2 AND idempotency_key = $9
        AND characters > 0 AND started_ms > ms - 86400000),
    counted AS (
        INSERT INTO spoken AS s SELECT $2, ms / 86400000, $4 FROM clock
        WHERE NOT EXISTS (SELECT FROM known) AND NOT EXISTS (SELECT FROM taken) AND $4 <= $11
        ON CONFLICT (account, day) DO UPDATE SET characters = s.characters + $4
        WHERE s.characters + $4 <= $11 RETURNING day),
    begun AS (
        INSERT INTO requests SELECT $1, $2, $5, $6, $4, 0, 'started', ms, NULL, 1, $7, $8, $9, $10, $3
        FROM clock, counted RETURNING 1)
    SELECT CASE WHEN EXISTS (SELECT FROM begun) THEN 'done' WHEN EXISTS (SELECT FROM known) THEN 'known'
        WHEN EXISTS (SELECT FROM taken) THEN 'taken' ELSE 'exhausted' END,
        coalesce((SELECT characters FROM spoken, clock WHERE account = $2 AND day = ms / 86400000), 0)";

/// Raises the characters of the turn $1 to $4.
const RAISE: &str = "
    WITH old AS (
        SELECT characters, started_ms / 86400000 AS day FROM requests
        WHERE request_id = $1 AND instance = $3),
    counted AS (
        UPDATE spoken s SET characters = s.characters + greatest($4 - old.characters, 0) FROM old
        WHERE s.account = $2 AND s.day = old.day AND s.characters + $4 - old.characters <= $5
        RETURNING 1),
    raised AS (
        UPDATE requests SET characters = greatest(characters, $4), outcome = 'started', ended_ms = NULL
        FROM counted WHERE request_id = $1 RETURNING 1)
    SELECT CASE WHEN EXISTS (SELECT FROM raised) THEN 'done' WHEN EXISTS (SELECT FROM old) THEN 'exhausted'
        ELSE 'missing' END,
        coalesce((SELECT s.characters FROM spoken s, old WHERE s.account = $2 AND s.day = old.day), 0)";

/// Sets the outcome $5 of the request $1. The answer of another replica can only replace an outcome
/// that is not charged, and then needs room in the day. It is charged once, so nothing changes if
/// another request has the key by now.
const END: &str = "
    WITH old AS (
        SELECT characters, outcome, started_ms / 86400000 AS day FROM requests r
        WHERE request_id = $1 AND (instance = $3 OR $6 AND NOT (outcome = ANY ($8)))
        AND (characters > 0 OR NOT EXISTS (
            SELECT FROM requests o WHERE o.account = $2 AND o.idempotency_key = r.idempotency_key
            AND o.characters > 0))),
    counted AS (
        UPDATE spoken s SET characters = s.characters + $4 - old.characters FROM old
        WHERE s.account = $2 AND s.day = old.day AND (outcome IN ('started', 'interrupted')
            OR $4 <= old.characters OR s.characters + $4 - old.characters <= $7) RETURNING 1),
    ended AS (
        UPDATE requests SET outcome = $5, ended_ms = floor(extract(epoch FROM now()) * 1000)::bigint,
            characters = $4, instance = $3
        FROM counted WHERE request_id = $1 RETURNING 1)
    SELECT CASE WHEN EXISTS (SELECT FROM old) AND NOT EXISTS (SELECT FROM ended) THEN 'exhausted'
        ELSE 'done' END,
        coalesce((SELECT s.characters FROM spoken s, old WHERE s.account = $2 AND s.day = old.day), 0)";

/// Counts a refusal in the row of another one of this instance and minute, or inserts a row.
const REFUSE: &str = "
    WITH clock AS (SELECT floor(extract(epoch FROM now()) * 1000)::bigint AS ms),
    summed AS (
        UPDATE requests SET requests = requests + 1, ended_ms = ms FROM clock WHERE request_id = (
            SELECT request_id FROM requests, clock WHERE voice IS NULL AND account = $2 AND outcome = $4
            AND instance = $3 AND started_ms >= ms - ms % $6 AND characters = 0 LIMIT 1)
        RETURNING 1),
    inserted AS (
        INSERT INTO requests
        SELECT $1, $2, NULL, NULL, 0, 0, $4, ms, ms, 1, $5, NULL, NULL, NULL, $3
        FROM clock WHERE NOT EXISTS (SELECT FROM summed))
    SELECT 'done', 0::bigint";

/// Finds the charged request of the account $1 with the key $2.
const FIND: &str = "
    SELECT request_id, fingerprint, started_ms, outcome = ANY ($3) FROM requests
    WHERE account = $1 AND idempotency_key = $2 AND characters > 0
    AND started_ms > extract(epoch FROM now()) * 1000 - 86400000";

const HEARTBEAT: &str = "
    INSERT INTO instances VALUES ($1, now()) ON CONFLICT (instance) DO UPDATE SET seen = now()";

/// Marks open requests of instances without a heartbeat. Locked rows belong to one that is back.
pub(super) const SWEEP: &str = "
    UPDATE requests SET outcome = 'interrupted', ended_ms = floor(extract(epoch FROM now()) * 1000)::bigint
    WHERE request_id IN (
        SELECT request_id FROM requests r WHERE outcome = 'started' AND NOT EXISTS (
            SELECT FROM instances i
            WHERE i.instance = r.instance AND seen > now() - make_interval(secs => $1))
        FOR UPDATE SKIP LOCKED)";

/// The outcomes that are charged and that no other outcome replaces.
const FINAL: [&str; 4] = [
    Outcome::Complete.as_str(),
    Outcome::Disconnected.as_str(),
    Outcome::Stopped.as_str(),
    Outcome::TooMuchSpeech.as_str(),
];

/// The address of a database.
#[derive(Clone)]
pub(crate) struct Server {
    config: Config,
    /// The file with the password.
    password: Option<PathBuf>,
}

impl Server {
    /// # Errors
    ///
    /// An invalid address, or one with a password. No message has a part of the address.
    pub(super) fn new(url: &str, password: Option<PathBuf>) -> anyhow::Result<Self> {
        let parsed = url.parse::<Config>();
        let mut config =
            parsed.map_err(|_| anyhow!("the address of --usage is no postgres:// address"))?;
        if config.get_password().is_some() {
            bail!(
                "the address of --usage has a password, which lists of processes show: set \
                 PGPASSWORD or --usage-password instead"
            );
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("speech-http");
        }
        config.tcp_user_timeout(BUSY_TIMEOUT);
        Ok(Self { config, password })
    }

    async fn connect(&self) -> anyhow::Result<Client> {
        let mut config = self.config.clone();
        match (&self.password, std::env::var("PGPASSWORD")) {
            (Some(path), _) => {
                let password = text_file::read(path).with_context(|| path.display().to_string())?;
                config.password(password.trim_end_matches(['\r', '\n']));
            }
            (None, Ok(password)) => drop(config.password(password)),
            (None, Err(VarError::NotPresent)) => {}
            (None, Err(VarError::NotUnicode(_))) => bail!("PGPASSWORD is not UTF-8"),
        }
        // A Unix socket has no name for a certificate.
        let has_tcp = config.get_hosts().iter().any(|host| matches!(host, Host::Tcp(_)));
        let client =
            if has_tcp { open(&config, tls()?).await? } else { open(&config, NoTls).await? };
        client.batch_execute(SETTINGS).await?;
        Ok(client)
    }
}

async fn open<T>(config: &Config, tls: T) -> anyhow::Result<Client>
where
    T: MakeTlsConnect<Socket, Stream: Send + 'static>,
{
    let (client, connection) = config.connect(tls).await?;
    // The client notices its end.
    tokio::spawn(async move { drop(connection.await) });
    Ok(client)
}

/// TLS that verifies certificates with those of the system, or of $SSL_CERT_FILE.
fn tls() -> anyhow::Result<MakeRustlsConnect> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider);
    let config = config.with_safe_default_protocol_versions()?.with_root_certificates(roots);
    Ok(MakeRustlsConnect::new(config.with_no_client_auth()))
}

/// The totals of an account in a period.
pub(super) fn totals(
    server: &Server,
    account: &str,
    time: Range<Timestamp>,
) -> anyhow::Result<Vec<Total>> {
    let span = [time.start, time.end].map(Timestamp::as_millisecond);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let rows = runtime.block_on(async {
        let client = server.connect().await?;
        let values = [
            (&account as &(dyn ToSql + Sync), Type::TEXT),
            (&span[0], Type::INT8),
            (&span[1], Type::INT8),
        ];
        Ok::<_, anyhow::Error>(client.query_typed(TOTALS, &values).await?)
    })?;
    let total = |row: &tokio_postgres::Row| {
        Ok(Total {
            outcome: row.try_get(0)?,
            voice: row.try_get(1)?,
            language: row.try_get(2)?,
            requests: row.try_get(3)?,
            characters: row.try_get(4)?,
            charge_micros: row.try_get(5)?,
        })
    };
    rows.iter().map(total).collect()
}

/// The ledger of one instance.
pub(super) struct Postgres {
    runtime: Runtime,
    shared: Shared,
    client: Option<Client>,
    /// Whether the last attempt to write succeeded.
    is_up: bool,
    last_beat: Option<Instant>,
    /// Requests whose callers were told that they are not recorded, though they may be.
    unsure: Vec<Change>,
}

/// The part of the ledger that a transaction reads.
struct Shared {
    server: Server,
    instance: String,
    characters_per_day: i64,
    lease_seconds: f64,
}

impl Postgres {
    /// Connects, and creates the schema if there is none.
    pub(super) fn open(server: &Server, characters_per_day: Option<u64>) -> anyhow::Result<Self> {
        let limit = characters_per_day.map_or(i64::MAX, |it| i64::try_from(it).unwrap_or(i64::MAX));
        let shared = Shared {
            server: server.clone(),
            instance: RequestId::new().to_string(),
            characters_per_day: limit,
            lease_seconds: LEASE_SECONDS,
        };
        // One more thread notices at once when the connection ends.
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime
            .block_on(async {
                let prepared = async {
                    let mut client = shared.server.connect().await?;
                    prepare(&mut client).await.map(|()| client)
                };
                timeout(BUSY_TIMEOUT, prepared).await
            })
            .map_err(|_| anyhow!("it does not answer"))
            .flatten()
            .context("the Postgres database of --usage")?;
        let (client, unsure) = (Some(client), Vec::new());
        let mut ledger = Self { runtime, shared, client, is_up: true, last_beat: None, unsure };
        ledger.check()?;
        Ok(ledger)
    }

    /// Connects if necessary, and sends a heartbeat if one is due.
    async fn client<'a>(
        shared: &Shared,
        client: &'a mut Option<Client>,
        last_beat: &mut Option<Instant>,
    ) -> anyhow::Result<&'a mut Client> {
        if client.as_ref().is_none_or(Client::is_closed) {
            *client = Some(shared.server.connect().await?);
        }
        let client = client.as_mut().context("there is no connection")?;
        if last_beat.is_none_or(|last| last.elapsed() >= BEAT) {
            client.query_typed(HEARTBEAT, &[(&shared.instance, Type::TEXT)]).await?;
            client.query_typed(SWEEP, &[(&shared.lease_seconds, Type::FLOAT8)]).await?;
            *last_beat = Some(Instant::now());
        }
        Ok(client)
    }

    /// Makes one attempt to commit changes. Sets `is_open` while their fate is open.
    fn attempt(
        &mut self,
        changes: &[PendingChange],
        is_again: bool,
        is_open: &Cell<bool>,
    ) -> anyhow::Result<Vec<Answer>> {
        let Self { runtime, shared, client, last_beat, unsure, .. } = self;
        let changes: Vec<_> = changes.iter().map(|PendingChange(change, ..)| change).collect();
        let committed = async {
            let client = Self::client(shared, client, last_beat).await?;
            if changes.is_empty() && unsure.is_empty() {
                return Ok(Vec::new());
            }
            let transaction = client.build_transaction();
            let transaction =
                transaction.isolation_level(IsolationLevel::ReadCommitted).start().await?;
            shared.lock(&transaction, changes.iter().copied().chain(&*unsure)).await?;
            shared.apply(&transaction, &unsure.iter().collect::<Vec<_>>(), true).await?;
            let answers = shared.apply(&transaction, &changes, is_again).await?;
            is_open.set(true);
            transaction.commit().await?;
            Ok(answers)
        };
        let answers = runtime
            .block_on(async { timeout(BUSY_TIMEOUT, committed).await })
            .map_err(|_| anyhow!("Postgres does not answer"))
            .flatten();
        match &answers {
            Ok(_) => self.unsure.clear(),
            // What was sent may still be on its way.
            Err(_) => self.client = None,
        }
        answers
    }
}

impl Ledger for Postgres {
    fn check(&mut self) -> anyhow::Result<()> {
        if self.client.as_ref().is_none_or(Client::is_closed) || !self.unsure.is_empty() {
            bail!("the connection has ended");
        }
        if self.last_beat.is_some_and(|last| last.elapsed() < BEAT) {
            return Ok(());
        }
        self.commit(&[]).map(drop)
    }

    /// Tries for some seconds if the ledger was there before, so that a restart of it fails no
    /// request.
    fn commit(&mut self, changes: &[PendingChange]) -> anyhow::Result<Vec<Answer>> {
        let (began, is_open) = (Instant::now(), Cell::new(false));
        loop {
            let error = match self.attempt(changes, is_open.get(), &is_open) {
                Ok(answers) => {
                    self.is_up = true;
                    return Ok(answers);
                }
                Err(error) => error,
            };
            if !self.is_up || began.elapsed() + PAUSE >= BUSY_TIMEOUT {
                self.is_up = false;
                if is_open.get() {
                    self.unsure.extend(changes.iter().filter_map(|change| change.0.undone()));
                }
                return Err(error.context("the Postgres ledger"));
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Open requests are interrupted at once, and not after the lease.
        if let Some(client) = &self.client {
            let sql = "DELETE FROM instances WHERE instance = $1";
            let instance = [(&self.shared.instance as &(dyn ToSql + Sync), Type::TEXT)];
            let gone = client.query_typed(sql, &instance);
            let _ = self.runtime.block_on(async { timeout(CONNECT_TIMEOUT, gone).await });
        }
    }
}

impl Change {
    /// The account whose characters or keys the change affects.
    fn account(&self) -> Option<&Account> {
        match self {
            Self::Begin(entry) => Some(&entry.account),
            Self::Raise(account, ..) | Self::End(account, ..) => Some(account),
            Self::Refuse(..) | Self::Find(..) => None,
        }
    }

    /// The change that makes a beginning one without effect.
    fn undone(&self) -> Option<Self> {
        let Self::Begin(entry) = self else { return None };
        let failed = Outcome::Failed(ErrorKind::Overloaded);
        Some(Self::End(entry.account.clone(), entry.request_id, failed, 0))
    }
}

/// A value of a query, with its type.
type Value<'a> = (&'a (dyn ToSql + Sync), Type);

impl Shared {
    /// Locks the accounts of changes until the end of the transaction.
    async fn lock<'a>(
        &self,
        transaction: &Transaction<'_>,
        changes: impl Iterator<Item = &'a Change>,
    ) -> anyhow::Result<()> {
        let lock = |account: &Account| {
            let digest = Sha256::digest(account.0.as_bytes());
            i64::from_be_bytes(std::array::from_fn(|at| digest[at]))
        };
        let mut locks: Vec<_> = changes.filter_map(Change::account).map(lock).collect();
        locks.sort_unstable();
        locks.dedup();
        // The rows of the array are locked in their order.
        let sql = "SELECT pg_advisory_xact_lock(lock) FROM unnest($1) lock";
        transaction.query_typed(sql, &[(&locks, Type::INT8_ARRAY)]).await?;
        Ok(())
    }

    async fn apply(
        &self,
        transaction: &Transaction<'_>,
        changes: &[&Change],
        is_again: bool,
    ) -> anyhow::Result<Vec<Answer>> {
        let mut answers = Vec::with_capacity(changes.len());
        for changes in changes.chunks(PIPELINED) {
            let applied = changes.iter().map(|change| self.change(transaction, change, is_again));
            answers.extend(try_join_all(applied).await?);
        }
        // A request that is refused here has a record, too.
        for (change, answer) in changes.iter().zip(&answers) {
            if let (Change::Begin(entry), Err(Refused::Exhausted(_) | Refused::KeyInUse)) =
                (change, answer)
            {
                let outcome = Outcome::Failed(ErrorKind::Overloaded);
                self.refuse(transaction, entry, outcome).await?;
            }
        }
        Ok(answers)
    }

    async fn change(
        &self,
        transaction: &Transaction<'_>,
        change: &Change,
        is_again: bool,
    ) -> anyhow::Result<Answer> {
        let (status, spoken) = match change {
            Change::Begin(entry) => self.begin(transaction, entry).await?,
            Change::Raise(account, id, characters) => {
                let (id, characters) = (id.to_string(), counted(*characters));
                let values: [Value<'_>; 5] = [
                    (&id, Type::TEXT),
                    (&&*account.0, Type::TEXT),
                    (&self.instance, Type::TEXT),
                    (&characters, Type::INT8),
                    (&self.characters_per_day, Type::INT8),
                ];
                status(transaction, RAISE, &values).await?
            }
            Change::End(account, id, outcome, characters) => {
                let (id, characters) = (id.to_string(), counted(*characters));
                let values: [Value<'_>; 8] = [
                    (&id, Type::TEXT),
                    (&&*account.0, Type::TEXT),
                    (&self.instance, Type::TEXT),
                    (&characters, Type::INT8),
                    (&outcome.as_str(), Type::TEXT),
                    (&outcome.is_metered(), Type::BOOL),
                    (&self.characters_per_day, Type::INT8),
                    (&&FINAL[..], Type::TEXT_ARRAY),
                ];
                status(transaction, END, &values).await?
            }
            // Nobody knows whether it was counted before.
            Change::Refuse(..) if is_again => ("unsure".into(), 0),
            Change::Refuse(entry, outcome) => self.refuse(transaction, entry, *outcome).await?,
            Change::Find(account, key) => return find(transaction, account, key).await,
        };
        let left = self.characters_per_day.saturating_sub(spoken);
        Ok(match &*status {
            "done" => Ok(None),
            "known" if is_again => Ok(None),
            "taken" => Err(Refused::KeyInUse),
            "exhausted" => Err(Refused::Exhausted(u64::try_from(left).unwrap_or_default())),
            "missing" => Err(Refused::Failed(DELETED.into())),
            _ => Err(Refused::Failed("it may be recorded already".into())),
        })
    }

    async fn begin(
        &self,
        transaction: &Transaction<'_>,
        entry: &Entry,
    ) -> anyhow::Result<(String, i64)> {
        let id = entry.request_id.to_string();
        let session = entry.session.map(|session| session.to_string());
        let key = entry.keyed.as_ref().map(|keyed| &keyed.key[..]);
        let fingerprint = entry.keyed.as_ref().map(|keyed| &keyed.fingerprint[..]);
        let values: [Value<'_>; 11] = [
            (&id, Type::TEXT),
            (&&*entry.account.0, Type::TEXT),
            (&self.instance, Type::TEXT),
            (&counted(entry.characters), Type::INT8),
            (&entry.voice, Type::TEXT),
            (&entry.language, Type::TEXT),
            (&session, Type::TEXT),
            (&entry.lexicons, Type::TEXT),
            (&key, Type::BYTEA),
            (&fingerprint, Type::BYTEA),
            (&self.characters_per_day, Type::INT8),
        ];
        status(transaction, BEGIN, &values).await
    }

    async fn refuse(
        &self,
        transaction: &Transaction<'_>,
        entry: &Entry,
        outcome: Outcome,
    ) -> anyhow::Result<(String, i64)> {
        let (id, outcome) = (entry.request_id.to_string(), outcome.as_str());
        let session = entry.session.map(|session| session.to_string());
        let values: [Value<'_>; 6] = [
            (&id, Type::TEXT),
            (&&*entry.account.0, Type::TEXT),
            (&self.instance, Type::TEXT),
            (&outcome, Type::TEXT),
            (&session, Type::TEXT),
            (&SUMMED, Type::INT8),
        ];
        status(transaction, REFUSE, &values).await
    }
}

/// The result of a change, and the characters of the account on its day before the change.
async fn status(
    transaction: &Transaction<'_>,
    sql: &str,
    values: &[Value<'_>],
) -> anyhow::Result<(String, i64)> {
    let row = transaction.query_typed_one(sql, values).await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}

async fn find(
    transaction: &Transaction<'_>,
    account: &Account,
    key: &[u8; 32],
) -> anyhow::Result<Answer> {
    let values: [Value<'_>; 3] =
        [(&&*account.0, Type::TEXT), (&&key[..], Type::BYTEA), (&&FINAL[..], Type::TEXT_ARRAY)];
    let Some(row) = transaction.query_typed_opt(FIND, &values).await? else {
        return Ok(Ok(None));
    };
    let (id, at): (String, i64) = (row.try_get(0)?, row.try_get(2)?);
    let fingerprint: &[u8] = row.try_get(1)?;
    Ok(Ok(Some(Found {
        id: id.parse()?,
        fingerprint: fingerprint.try_into()?,
        at: Timestamp::from_millisecond(at)?,
        is_final: row.try_get(3)?,
    })))
}

/// Creates the schema, or checks the version of the one that is there.
async fn prepare(client: &mut Client) -> anyhow::Result<()> {
    let transaction = client.transaction().await?;
    let lock = [(&SCHEMA_LOCK as &(dyn ToSql + Sync), Type::INT8)];
    transaction.query_typed("SELECT pg_advisory_xact_lock($1)", &lock).await?;
    let sql = "SELECT to_regclass('speech_http.version') IS NOT NULL";
    if !transaction.query_typed_one(sql, &[]).await?.try_get::<_, bool>(0)? {
        transaction.batch_execute(SCHEMA).await.context("its schema cannot be created")?;
    }
    let version = transaction.query_typed_one("SELECT version FROM version", &[]).await?;
    let version: i64 = version.try_get(0)?;
    check_version(version, &[VERSION])?;
    Ok(transaction.commit().await?)
}
