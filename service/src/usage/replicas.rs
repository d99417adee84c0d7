//! Replicas that share a ledger in Postgres: what they promise when they race, and when connections
//! or the server end at any moment.
//!
//! $SPEECH_LEDGER_CUTS makes the test longer, and $SPEECH_LEDGER_SEED changes it.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

pub(super) use self::cluster::Cluster;
use super::postgres::{SWEEP, Server};
use super::tests::{entry, outcomes_of};
use super::*;

#[path = "../../tests/postgres/mod.rs"]
#[expect(dead_code, reason = "TLS and its address are tested with the whole program")]
mod cluster;

/// The record at an address that needs no password.
pub(super) fn record(url: &str) -> Record {
    Record::Postgres(Box::new(Server::new(url, None).unwrap()))
}

fn open(cluster: &Cluster, characters_per_day: Option<u64>) -> Usage {
    Usage::open(&record(&cluster.url()), characters_per_day).unwrap()
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |it| it.parse().unwrap())
}

/// Runs the query of docs/scale.md for days whose count differs from the sum of their requests.
fn assert_sums(cluster: &Cluster) {
    let page = speech_tests::pages::one("docs/scale.md");
    let queries = page.blocks("sql");
    assert_eq!(queries.len(), 1);
    assert_eq!(cluster.query(queries[0]), [""; 0]);
}

#[test]
fn an_address_with_a_password_is_refused_and_never_shown() {
    for url in ["postgres://me:hunter2@host/db", "postgresql://me@host/db?password=hunter2"] {
        let error = format!("{:#}", Server::new(url, None).err().unwrap());
        assert!(error.contains("PGPASSWORD") && !error.contains("hunter2"), "{error}");
    }
    let error =
        format!("{:#}", Server::new("postgres://me:hunter2@host:x/db", None).err().unwrap());
    assert!(!error.contains("hunter2"), "{error}");
}

#[test]
#[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
fn replicas_that_start_at_once_make_one_schema() {
    let cluster = Cluster::start();
    thread::scope(|scope| {
        let replicas = [(); 8].map(|()| scope.spawn(|| open(&cluster, None)));
        for replica in replicas {
            replica.join().unwrap();
        }
    });
    assert_eq!(cluster.query("SELECT version FROM version"), ["1"]);
    cluster.query("UPDATE version SET version = 9");
    let error = Usage::open(&record(&cluster.url()), None).unwrap_err();
    assert!(format!("{error:#}").contains("version 9"), "{error:#}");
}

/// Replicas charge eight clients of one account for no more characters than a day has.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
async fn the_limit_of_a_day_is_never_passed() {
    let cluster = Cluster::start();
    let replicas: Arc<[Usage]> = [(); 3].map(|()| open(&cluster, Some(100))).into();
    let clients = (0..8_usize).map(|client| {
        let replicas = Arc::clone(&replicas);
        tokio::spawn(async move {
            let mut charged = 0;
            for n in 0..20 {
                let usage = &replicas[(client + n) % 3];
                let request = Entry { characters: 7, ..entry("a") };
                match usage.begin(request.clone()).wait().await {
                    Ok(()) => {
                        let is_failed = (client + n) % 2 == 0;
                        let failed = Outcome::Failed(ErrorKind::Internal);
                        let outcome = if is_failed { failed } else { Outcome::Complete };
                        usage.end(&request.account, request.request_id, outcome, 7).await.unwrap();
                        charged += usize::from(!is_failed);
                    }
                    Err(Unrecorded { why: Refused::Exhausted(left), .. }) => assert!(left < 7),
                    Err(other) => panic!("{other:?}"),
                }
            }
            charged
        })
    });
    let mut charged = 0;
    for client in clients.collect::<Vec<_>>() {
        charged += client.await.unwrap();
    }
    // 14 times 7 are 98.
    assert_eq!(charged, 14);
    assert_eq!(cluster.query("SELECT characters FROM spoken"), ["98"]);
    assert_sums(&cluster);
    // What one replica counts, a turn at another cannot have.
    let turn = Entry { characters: 0, session: Some(RequestId::new()), ..entry("a") };
    replicas[0].begin(turn.clone()).wait().await.unwrap();
    let raise = |characters| replicas[0].raise(&turn.account, turn.request_id, characters).wait();
    raise(2).await.unwrap();
    assert_eq!(raise(3).await.unwrap_err().why, Refused::Exhausted(0));
    let all = outcomes_of(&record(&cluster.url()), "a");
    let requests: i64 = all.iter().map(|(_, requests, _)| requests).sum();
    assert_eq!(requests, 8 * 20 + 1, "{all:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
async fn two_writers_of_many_accounts_never_wait_in_a_circle() {
    let cluster = Cluster::start();
    let replicas: Arc<[Usage]> = [(); 2].map(|()| open(&cluster, Some(1_000_000))).into();
    let clients = (0..64_usize).map(|client| {
        let replicas = Arc::clone(&replicas);
        tokio::spawn(async move {
            for n in 0..40 {
                let usage = &replicas[client % 2];
                let request = entry(&format!("{}", (client * 7 + n * 13) % 50));
                usage.begin(request.clone()).wait().await.unwrap();
                let (id, outcome) = (request.request_id, Outcome::Complete);
                usage.end(&request.account, id, outcome, 6).await.unwrap();
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
    drop(replicas);
    let deadlocks = "SELECT sum(deadlocks) FROM pg_stat_database";
    assert_eq!(cluster.query(deadlocks), ["0"]);
    assert_eq!(cluster.query("SELECT count(*) FROM requests WHERE outcome = 'complete'"), ["2560"]);
    assert_sums(&cluster);
}

/// Any order of the ends of a request and its repetition by another replica charges once.
#[tokio::test]
#[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
async fn a_key_is_charged_once_by_all_replicas() {
    let cluster = Cluster::start();
    let (one, two) = (open(&cluster, Some(1000)), open(&cluster, Some(1000)));
    let account = Account("a".into());
    let failed = Outcome::Failed(ErrorKind::Internal);
    for (first, repeated, is_first_first, outcome) in [
        (Outcome::Complete, Outcome::Complete, true, "complete"),
        (Outcome::Complete, failed, true, "complete"),
        (Outcome::Complete, failed, false, "complete"),
        (failed, Outcome::Complete, true, "complete"),
        (failed, Outcome::Complete, false, "complete"),
        (failed, failed, true, "internal"),
        (failed, failed, false, "internal"),
    ] {
        let about = format!("{first:?} {repeated:?} {is_first_first}");
        let key = rand_key();
        let keyed = Some(Keyed { key, fingerprint: [7; 32] });
        let (request, other) = (Entry { keyed, ..entry("a") }, Entry { keyed, ..entry("a") });
        let id = request.request_id;
        assert_eq!(two.find(&account, key, id).await.unwrap(), None);
        one.begin(request.clone()).wait().await.unwrap();
        let found = two.find(&account, key, id).await.unwrap().unwrap();
        assert_eq!((found.id, found.fingerprint, found.is_final), (id, [7; 32], false));
        let in_use = two.begin(other.clone()).wait().await.unwrap_err();
        assert_eq!(in_use.why, Refused::KeyInUse);
        let mut ends = [(&one, first), (&two, repeated)];
        if !is_first_first {
            ends.reverse();
        }
        for (usage, outcome) in ends {
            usage.end(&account, id, outcome, 6).await.unwrap();
        }
        let row = format!("SELECT outcome, characters FROM requests WHERE request_id = '{id}'");
        let characters = if outcome == "complete" { 6 } else { 0 };
        assert_eq!(cluster.query(&row), [format!("{outcome}\t{characters}")], "{about}");
        assert_sums(&cluster);
        // The key is free again if nobody was charged.
        let found = two.find(&account, key, id).await.unwrap();
        assert_eq!(found.map(|found| found.is_final), (characters > 0).then_some(true), "{about}");
        let again = Entry { request_id: RequestId::new(), ..other };
        assert_eq!(two.begin(again.clone()).wait().await.is_ok(), characters == 0, "{about}");
        if characters == 0 {
            // The late end of a repetition does not charge the key a second time.
            two.end(&account, id, Outcome::Complete, 6).await.unwrap();
            assert_eq!(cluster.query(&row), [format!("{outcome}\t0")], "{about}");
            two.end(&account, again.request_id, failed, 6).await.unwrap();
        }
    }
}

fn rand_key() -> Hash {
    let mut key = [0; 32];
    getrandom::fill(&mut key).unwrap();
    key
}

/// The open requests of a replica without a heartbeat are interrupted, until it is back.
#[tokio::test]
#[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
async fn a_replica_that_was_away_still_records_the_true_outcome() {
    let cluster = Cluster::start();
    let away = open(&cluster, None);
    let (request, turn) = (entry("a"), entry("b"));
    for entry in [&request, &turn] {
        away.begin(entry.clone()).wait().await.unwrap();
    }
    // In one transaction, so that no heartbeat comes between.
    let sweep = SWEEP.replace("$1", "60");
    cluster.query(&format!("UPDATE instances SET seen = now() - interval '61 s'; {sweep}"));
    let other = open(&cluster, None);
    let outcome = |account: &str| outcomes_of(&record(&cluster.url()), account)[0].0.clone();
    assert_eq!([outcome("a"), outcome("b")], ["interrupted"; 2]);
    // Another replica cannot say that it failed.
    let failed = Outcome::Failed(ErrorKind::Internal);
    other.end(&request.account, request.request_id, failed, 6).await.unwrap();
    assert_eq!(outcome("a"), "interrupted");
    away.end(&request.account, request.request_id, Outcome::Complete, 6).await.unwrap();
    away.raise(&turn.account, turn.request_id, 9).wait().await.unwrap();
    assert_eq!([outcome("a"), outcome("b")], ["complete", "started"]);
    assert_sums(&cluster);
}

/// A short restart fails nothing. In a long one requests are refused, and outcomes wait.
#[tokio::test]
#[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
async fn a_server_that_was_away_has_every_outcome() {
    let mut cluster = Cluster::start();
    let usage = open(&cluster, None);
    let request = entry("a");
    usage.begin(request.clone()).wait().await.unwrap();
    cluster.stop();
    cluster.start_again();
    usage.begin(entry("b")).wait().await.unwrap();
    cluster.stop();
    let begin = Instant::now();
    let refusal = ErrorResponse::from(usage.begin(entry("c")).wait().await.unwrap_err());
    assert_eq!(refusal.error.kind(), ErrorKind::Overloaded);
    assert_eq!(refusal.seconds_until_retry(), Some(1));
    assert!(begin.elapsed() < 3 * BUSY_TIMEOUT, "{:?}", begin.elapsed());
    assert!(!usage.can_write());
    let unrecorded = usage.check(RequestId::new()).unwrap_err();
    assert!(matches!(unrecorded.why, Refused::Failed(_)));
    let ended = usage.end(&request.account, request.request_id, Outcome::Complete, 6);
    let started = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        cluster.start_again();
    };
    tokio::join!(ended, started).0.unwrap();
    assert!(usage.can_write());
    usage.begin(entry("d")).wait().await.unwrap();
    let outcome = |account: &str| outcomes_of(&record(&cluster.url()), account);
    assert_eq!(outcome("a"), [("complete".into(), 1, 6)]);
    assert_eq!(outcome("c"), []);
    assert_eq!(outcome("d"), [("started".into(), 1, 6)]);
}

/// A proxy in front of Postgres that cuts connections around commits.
struct Proxy {
    address: SocketAddr,
    cuts: Arc<AtomicUsize>,
    /// Until when all connections are refused.
    outage: Arc<Mutex<Option<Instant>>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    None,
    /// The server does not get the commit.
    Before,
    /// The server gets the commit, and its answer goes nowhere.
    During,
    /// The answer is on its way, and is dropped.
    After,
}

impl Proxy {
    fn start(cluster: &Cluster, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (cuts, outage) =
            (Arc::<AtomicUsize>::default(), Arc::<Mutex<Option<Instant>>>::default());
        let (counted, out, upstream) = (Arc::clone(&cuts), Arc::clone(&outage), cluster.port);
        let random = Arc::new(Mutex::new(seed));
        thread::spawn(move || {
            for client in listener.incoming() {
                if out.lock().unwrap().is_some_and(|until| Instant::now() < until) {
                    continue;
                }
                let (client, counted, random) =
                    (client.unwrap(), Arc::clone(&counted), Arc::clone(&random));
                let server = TcpStream::connect(("127.0.0.1", upstream)).unwrap();
                thread::spawn(move || forward(client, server, &counted, &random));
            }
        });
        Self { address, cuts, outage }
    }

    fn cuts(&self) -> u64 {
        self.cuts.load(Ordering::Relaxed) as u64
    }
}

/// Forwards messages until a connection ends.
fn forward(client: TcpStream, server: TcpStream, cuts: &AtomicUsize, random: &Mutex<u64>) {
    let is_swallowed = Arc::new(AtomicBool::new(false));
    let (mut to_client, mut from_server) =
        (client.try_clone().unwrap(), server.try_clone().unwrap());
    let swallows = Arc::clone(&is_swallowed);
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = from_server.read(&mut buffer) {
            if swallows.load(Ordering::SeqCst) || to_client.write_all(&buffer[..length]).is_err() {
                break;
            }
        }
        let _ = to_client.shutdown(Shutdown::Both);
        let _ = from_server.shutdown(Shutdown::Both);
    });
    let (mut client, mut server) = (client, server);
    let mut is_started = false;
    while let Some(message) = message(&mut client, &mut is_started) {
        let mut cut = Cut::None;
        if message.first() == Some(&b'Q') && message[5..].starts_with(b"COMMIT") {
            let mut state = random.lock().unwrap();
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            cut = [Cut::None, Cut::Before, Cut::During, Cut::After][(*state >> 62) as usize];
        }
        if cut != Cut::None {
            cuts.fetch_add(1, Ordering::Relaxed);
        }
        match cut {
            Cut::Before => break,
            Cut::After => is_swallowed.store(true, Ordering::SeqCst),
            Cut::None | Cut::During => {}
        }
        if server.write_all(&message).is_err() || cut == Cut::During {
            break;
        }
    }
    let _ = client.shutdown(Shutdown::Both);
    let _ = server.shutdown(Shutdown::Write);
}

/// A message of the client. Those before the session is set up have no type.
fn message(client: &mut TcpStream, is_started: &mut bool) -> Option<Vec<u8>> {
    let head = if *is_started { 5 } else { 4 };
    let mut message = vec![0; head];
    client.read_exact(&mut message).ok()?;
    let length = u32::from_be_bytes(message[head - 4..].try_into().unwrap()) as usize;
    let end = message.len();
    message.resize(end + length - 4, 0);
    client.read_exact(&mut message[end..]).ok()?;
    // A request for TLS precedes the start of the session.
    let is_for_tls = !*is_started && message[4..8] == 80_877_103_u32.to_be_bytes();
    *is_started |= !is_for_tls;
    Some(message)
}

/// What the callers of the ledger were promised.
#[derive(Default)]
struct Promised {
    /// The outcome and characters of requests that have ended.
    ended: HashMap<RequestId, (&'static str, usize)>,
    /// Requests whose beginning was refused.
    refused: Vec<RequestId>,
    rejections: [u64; 2],
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
async fn nothing_is_lost_or_doubled_when_connections_are_cut_around_commits() {
    let (cuts, seed) = (number("SPEECH_LEDGER_CUTS", 500), number("SPEECH_LEDGER_SEED", 1));
    let cluster = Cluster::start();
    let proxy = Arc::new(Proxy::start(&cluster, seed));
    let url = format!("postgres://postgres@{}/postgres", proxy.address);
    let record_by_proxy =
        Record::Postgres(Box::new(Server::new(&url, Some(cluster.password())).unwrap()));
    // The schema is made without cuts.
    drop(open(&cluster, None));
    let opened = || loop {
        if let Ok(usage) = Usage::open(&record_by_proxy, Some(1_000_000)) {
            return usage;
        }
    };
    let replicas: Arc<[Usage]> = [(); 2].map(|()| opened()).into();
    let promised = Arc::<Mutex<Promised>>::default();
    let clients = (0..12_usize).map(|client| {
        let (replicas, proxy) = (Arc::clone(&replicas), Arc::clone(&proxy));
        let promised = Arc::clone(&promised);
        tokio::spawn(async move {
            let usage = &replicas[client % 2];
            let mut n = client;
            while proxy.cuts() < cuts {
                n += 7;
                if n % 5 == 0 {
                    promised.lock().unwrap().rejections[1] += 1;
                    let refused = Entry { characters: 0, ..entry("rejected") };
                    if usage.refuse(refused, ErrorKind::EmptyText).wait().await.is_ok() {
                        promised.lock().unwrap().rejections[0] += 1;
                    }
                    continue;
                }
                let request = entry(&format!("{}", n % 6));
                let (account, id) = (&request.account, request.request_id);
                if usage.begin(request.clone()).wait().await.is_err() {
                    promised.lock().unwrap().refused.push(id);
                    continue;
                }
                let failed = Outcome::Failed(ErrorKind::Internal);
                let (outcome, characters) = match n % 4 {
                    0 => (failed, 0),
                    1 => {
                        let raised = usage.raise(account, id, 20).wait().await;
                        (Outcome::Stopped, if raised.is_ok() { 20 } else { 6 })
                    }
                    _ => (Outcome::Complete, 6),
                };
                usage.end_turn(account, id, outcome, characters).await.unwrap();
                let ended = (outcome.as_str(), characters);
                promised.lock().unwrap().ended.insert(id, ended);
            }
        })
    });
    let clients: Vec<_> = clients.collect();
    while proxy.cuts() < cuts / 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Longer than the ledger tries.
    *proxy.outage.lock().unwrap() = Some(Instant::now() + BUSY_TIMEOUT + Duration::from_secs(2));
    for client in clients {
        client.await.unwrap();
    }
    drop(replicas);
    let promised = std::mem::take(&mut *promised.lock().unwrap());
    let sql = "SELECT request_id, outcome, characters FROM requests WHERE account <> 'rejected'";
    let rows = cluster.query(sql).into_iter().map(|row| {
        let (id, rest) = row.split_once('\t').unwrap();
        (id.parse::<RequestId>().unwrap(), rest.to_owned())
    });
    let mut rows: HashMap<_, _> = rows.collect();
    for (id, (outcome, characters)) in &promised.ended {
        assert_eq!(rows.remove(id), Some(format!("{outcome}\t{characters}")), "{id}");
    }
    // A beginning that was refused may be there, and costs nothing.
    for id in &promised.refused {
        let row = rows.remove(id);
        assert!(row.as_deref().is_none_or(|row| row == "overloaded\t0"), "{id}: {row:?}");
    }
    assert_eq!(rows.len(), 0, "{rows:?}");
    assert!(!promised.refused.is_empty(), "the outage refused nothing");
    let rejections =
        "SELECT coalesce(sum(requests), 0)::bigint FROM requests WHERE account = 'rejected'";
    let found: u64 = cluster.query(rejections)[0].parse().unwrap();
    let [least, most] = promised.rejections;
    assert!((least..=most).contains(&found), "{least} {found} {most}");
    assert!(promised.ended.len() > cuts as usize / 2, "{}", promised.ended.len());
    assert_sums(&cluster);
}
