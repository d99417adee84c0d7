#[cfg(unix)]
use std::fs::{self, OpenOptions};
#[cfg(unix)]
use std::io;
use std::ops::Range;
use std::path::Path;

use rusqlite::Connection;
#[cfg(unix)]
use rusqlite::OptionalExtension;
use tempfile::TempDir;

#[cfg(unix)]
use super::files::LOCK;
use super::files::file_name;
use super::reader::Total;
#[cfg(target_os = "linux")]
use super::replicas::Cluster;
use super::writer::RETRY;
use super::*;

pub(super) fn entry(account: &str) -> Entry {
    Entry {
        request_id: RequestId::new(),
        account: Account(account.into()),
        voice: Some("aria"),
        language: Some("en-US"),
        characters: 6,
        lexicons: None,
        keyed: None,
        session: None,
    }
}

fn open(path: &Path) -> anyhow::Result<Usage> {
    Usage::open(&Record::File(path.to_owned()), None)
}

fn totals(path: &Path, account: &str, time: Range<Timestamp>) -> anyhow::Result<Vec<Total>> {
    Record::File(path.to_owned()).totals(account, time)
}

fn outcomes(path: &Path, account: &str) -> Vec<(String, i64, i64)> {
    outcomes_of(&Record::File(path.to_owned()), account)
}

/// The outcomes of an account, with their requests and characters.
pub(super) fn outcomes_of(record: &Record, account: &str) -> Vec<(String, i64, i64)> {
    // A runtime cannot run inside another one.
    let totals = thread::scope(|scope| {
        let totals = scope.spawn(|| record.totals(account, Timestamp::MIN..Timestamp::MAX));
        totals.join().unwrap().unwrap()
    });
    totals.into_iter().map(|t| (t.outcome, t.requests, t.characters)).collect()
}

/// A ledger of either kind.
enum Tested {
    Sqlite(TempDir),
    #[cfg(target_os = "linux")]
    Postgres(Cluster),
}

impl Tested {
    fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    #[cfg(target_os = "linux")]
    fn postgres() -> Self {
        Self::Postgres(Cluster::start())
    }

    fn record(&self) -> Record {
        match self {
            Self::Sqlite(dir) => Record::File(dir.path().join("usage.db")),
            #[cfg(target_os = "linux")]
            Self::Postgres(cluster) => super::replicas::record(&cluster.url()),
        }
    }

    fn open(&self) -> Usage {
        Usage::open(&self.record(), None).unwrap()
    }

    fn outcomes(&self, account: &str) -> Vec<(String, i64, i64)> {
        outcomes_of(&self.record(), account)
    }

    /// The characters of each account that count against the limit of the day.
    fn spoken(&self) -> Vec<(String, u64)> {
        let mut spoken: Vec<_> = match self {
            Self::Sqlite(dir) => spoken(&dir.path().join("usage.db"), Timestamp::UNIX_EPOCH)
                .unwrap()
                .into_iter()
                .map(|(account, characters)| (account.0.to_string(), characters))
                .collect(),
            #[cfg(target_os = "linux")]
            Self::Postgres(cluster) => cluster
                .query("SELECT account, characters FROM spoken WHERE characters > 0")
                .iter()
                .map(|row| row.split_once('\t').unwrap())
                .map(|(account, characters)| (account.to_owned(), characters.parse().unwrap()))
                .collect(),
        };
        spoken.sort();
        spoken
    }
}

/// Makes tests for a ledger of each kind.
macro_rules! of_each_ledger {
    ($($name:ident)*) => {
        mod of_sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Tested::sqlite()).await;
            })*
        }

        #[cfg(target_os = "linux")]
        mod of_postgres {
            $(#[tokio::test]
            #[ignore = "needs Postgres: `cargo xtask full postgres-ledger`"]
            async fn $name() {
                super::$name(super::Tested::postgres()).await;
            })*
        }
    };
}

of_each_ledger! {
    a_request_is_there_once_and_as_it_ended
    a_row_that_is_deleted_fails_no_other_change
    what_is_refused_or_fails_has_no_characters
    a_turn_has_the_characters_that_were_sent
}

async fn a_request_is_there_once_and_as_it_ended(ledger: Tested) {
    let usage = ledger.open();
    let (first, second, third) = (entry("a"), entry("a"), entry("b"));
    let (one, two) =
        tokio::join!(usage.begin(first.clone()).wait(), usage.begin(second.clone()).wait());
    one.and(two).unwrap();
    assert_eq!(ledger.outcomes("a"), [("started".into(), 2, 12)]);
    usage.begin(first.clone()).wait().await.unwrap_err();
    usage.end(&first.account, first.request_id, Outcome::Complete, 6).await.unwrap();
    for _ in 0..3 {
        let request_id = RequestId::new();
        let refused = Entry { characters: 0, request_id, ..third.clone() };
        usage.refuse(refused, ErrorKind::EmptyText).wait().await.unwrap();
    }
    assert_eq!(ledger.outcomes("a"), [("complete".into(), 1, 6), ("started".into(), 1, 6)]);
    assert_eq!(ledger.outcomes("b"), [("empty_text".into(), 3, 0)]);
    drop(usage);
    drop(ledger.open());
    assert_eq!(ledger.outcomes("a"), [("complete".into(), 1, 6), ("interrupted".into(), 1, 6)]);
}

/// Only the turn without a row fails.
async fn a_row_that_is_deleted_fails_no_other_change(ledger: Tested) {
    let usage = ledger.open();
    let (gone, turn) = (entry("a"), entry("b"));
    usage.begin(turn.clone()).wait().await.unwrap();
    let (raised, lost, begun) = tokio::join!(
        usage.raise(&turn.account, turn.request_id, 9).wait(),
        usage.raise(&gone.account, gone.request_id, 9).wait(),
        usage.begin(entry("c")).wait(),
    );
    raised.and(begun).unwrap();
    assert_eq!(lost.unwrap_err().why, Refused::Failed(DELETED.into()));
    usage.end(&gone.account, gone.request_id, Outcome::Complete, 6).await.unwrap();
    assert!(usage.can_write());
    assert_eq!(ledger.outcomes("a"), []);
    assert_eq!(ledger.outcomes("b"), [("started".into(), 1, 9)]);
    assert_eq!(ledger.outcomes("c"), [("started".into(), 1, 6)]);
}

async fn what_is_refused_or_fails_has_no_characters(ledger: Tested) {
    let usage = ledger.open();
    let ends = [Outcome::Complete, Outcome::Disconnected].into_iter();
    for outcome in ends.chain(ErrorKind::ALL.map(Outcome::Failed)) {
        let request = entry(outcome.as_str());
        usage.begin(request.clone()).wait().await.unwrap();
        usage.end(&request.account, request.request_id, outcome, 6).await.unwrap();
        let characters = if outcome.is_metered() { 6 } else { 0 };
        let recorded = (outcome.as_str().to_owned(), 1, characters);
        assert_eq!(ledger.outcomes(outcome.as_str()), [recorded]);
    }
    assert_eq!(ledger.spoken(), [("complete".into(), 6), ("left".into(), 6)]);
}

async fn a_turn_has_the_characters_that_were_sent(ledger: Tested) {
    let usage = ledger.open();
    let ends = [Outcome::Complete, Outcome::Stopped, Outcome::Failed(ErrorKind::Internal)];
    for outcome in ends {
        let turn = entry(outcome.as_str());
        let (account, id) = (&turn.account, turn.request_id);
        usage.begin(turn.clone()).wait().await.unwrap();
        usage.raise(account, id, 50).wait().await.unwrap();
        usage.end_turn(account, id, outcome, 40).await.unwrap();
        let recorded = (outcome.as_str().to_owned(), 1, 40);
        assert_eq!(ledger.outcomes(outcome.as_str()), [recorded]);
    }
    let of = |outcome: Outcome| (outcome.as_str().to_owned(), 40);
    assert_eq!(ledger.spoken(), [of(ends[0]), of(ends[2]), of(ends[1])]);
}

#[tokio::test]
async fn refusals_of_a_minute_are_summed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("usage.db");
    let usage = open(&path).unwrap();
    let refuse = async |account: &str, outcome, seconds: i64| {
        let entry = Entry { characters: 0, voice: None, language: None, ..entry(account) };
        let change = Change::Refuse(entry.clone(), Outcome::Failed(outcome));
        let at = Timestamp::from_second(1_800_000_000 + seconds).unwrap();
        usage.change_at(entry.request_id, change, at).wait().await.unwrap();
    };
    // A request that was spoken, and failed, has its own row.
    let failed = entry("a");
    usage.begin_at(&failed.account, 6, Timestamp::from_second(1_800_000_001).unwrap()).await;
    for seconds in [0, 1, 59, 60, 90, 30] {
        refuse("a", ErrorKind::EmptyText, seconds).await;
        refuse("a", ErrorKind::Overloaded, seconds).await;
        refuse("b", ErrorKind::EmptyText, seconds).await;
    }
    let expected = [("empty_text".into(), 6, 0), ("overloaded".into(), 6, 0)];
    assert_eq!(outcomes(&path, "a")[..2], expected);
    assert_eq!(outcomes(&path, "b"), expected[..1]);
    let rows: i64 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT count(*) FROM requests", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 1 + 3 * 2);
}

#[tokio::test]
async fn an_outcome_that_cannot_be_written_is_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("usage.db");
    let usage = open(&path).unwrap();
    let request = entry("a");
    usage.begin(request.clone()).wait().await.unwrap();
    // Another process writes for longer than a transaction waits.
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = ErrorResponse::from(usage.begin(entry("b")).wait().await.unwrap_err());
    assert_eq!(refused.error.kind(), ErrorKind::Internal);
    let ended = usage.end(&request.account, request.request_id, Outcome::Complete, 6);
    let released = async {
        tokio::time::sleep(BUSY_TIMEOUT + RETRY).await;
        other.execute_batch("ROLLBACK").unwrap();
    };
    tokio::join!(ended, released).0.unwrap();
    assert_eq!(outcomes(&path, "a"), [("complete".into(), 1, 6)]);
    assert_eq!(outcomes(&path, "b"), []);
}

/// A second process does not touch the first one's record, whatever name it has for the database.
#[cfg(unix)]
#[tokio::test]
async fn one_process_records_whatever_the_name() {
    let dir = tempfile::tempdir().unwrap();
    let name = |name: &str| dir.path().join(name);
    fs::create_dir(name("folder")).unwrap();
    let usage = open(&name("usage.db")).unwrap();
    usage.begin(entry("a")).wait().await.unwrap();
    std::os::unix::fs::symlink(name("usage.db"), name("symbolic")).unwrap();
    std::os::unix::fs::symlink(dir.path(), name("folder/up")).unwrap();
    for path in ["usage.db", "symbolic", "folder/../usage.db", "folder/up/usage.db"] {
        let error = format!("{:#}", open(&name(path)).unwrap_err());
        assert!(error.contains("another process"), "{path}: {error}");
    }
    fs::hard_link(name("usage.db"), name("hard")).unwrap();
    for path in ["usage.db", "hard", "symbolic"] {
        let time = Timestamp::MIN..Timestamp::MAX;
        for error in [open(&name(path)).unwrap_err(), totals(&name(path), "a", time).unwrap_err()] {
            let error = format!("{error:#}");
            assert!(error.contains("hard link"), "{path}: {error}");
        }
    }
    // A mount also has no second name.
    #[cfg(target_os = "linux")]
    assert!(files::Files::of(&name("hard")).unwrap().lock().is_err(), "it is the same file");
    drop(usage);
    assert!(open(&name("usage.db")).is_err(), "it would miss what `hard` has");
    fs::remove_file(name("hard")).unwrap();
    assert_eq!(outcomes(&name("symbolic"), "a"), [("started".into(), 1, 6)]);
    drop(open(&name("symbolic")).unwrap());
    assert_eq!(outcomes(&name("usage.db"), "a"), [("interrupted".into(), 1, 6)]);
}

#[test]
fn names_are_those_of_files() {
    for name in [":memory:", "file::memory:?cache=shared", "file:a?mode=memory", "file:a.db"] {
        let path = file_name(Path::new(name)).unwrap();
        assert!(path.is_absolute() && path.ends_with(name), "{name}");
    }
    // SQLite would forget the content of the file.
    assert!(open(Path::new("")).is_err());
    let dir = tempfile::tempdir().unwrap();
    for path in [dir.path(), Path::new("/dev/null")] {
        assert!(open(path).is_err(), "{}", path.display());
        assert!(totals(path, "a", Timestamp::MIN..Timestamp::MAX).is_err());
    }
}

/// What a file lacks is lost; what another program has moved between the files is not.
#[cfg(unix)]
#[tokio::test]
async fn a_database_with_something_missing_takes_no_requests() {
    /// Builds the new file from an early copy, a late copy and the file itself.
    type Fault = fn([Vec<u8>; 3]) -> Vec<u8>;
    let rows: [(&str, &str, Fault); 7] = [
        ("usage.db", "empty", |_| Vec::new()),
        ("usage.db", "cut", |[_, _, now]| now[..5000].to_vec()),
        ("usage.db-wal", "empty", |_| Vec::new()),
        ("usage.db-wal", "cut", |[_, _, now]| now[..5000].to_vec()),
        ("usage.db", "early copy", |[early, ..]| early),
        ("usage.db", "late copy", |[_, late, _]| late),
        ("usage.db", "late copy after a restart", |[_, late, _]| late),
    ];
    let mut missed = Vec::new();
    for (name, about, fault) in rows {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage.db");
        let mut usage = open(&path).unwrap();
        let begin = |usage: &Usage| usage.begin(entry("a")).wait();
        let other = Connection::open(&path).unwrap();
        let run = |sql| other.query_row(sql, [], |_| Ok(())).optional().unwrap();
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        begin(&usage).await.unwrap();
        run(checkpoint);
        let early = fs::read(&path).unwrap();
        // The copy writes more than the last transaction.
        let fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                    INSERT INTO requests SELECT i, 'b', NULL, NULL, 0, 0, 'complete', 0, 0, 1, NULL, NULL, NULL, NULL FROM n";
        other.execute_batch(fill).unwrap();
        begin(&usage).await.unwrap();
        other.execute_batch("DELETE FROM requests WHERE account = 'b' AND request_id % 2").unwrap();
        for sql in [checkpoint, "VACUUM", checkpoint] {
            run(sql);
            begin(&usage).await.unwrap();
        }
        run(checkpoint);
        let late = fs::read(&path).unwrap();
        begin(&usage).await.unwrap();
        run(checkpoint);
        if name == "usage.db-wal" {
            begin(&usage).await.unwrap();
        }
        if about.ends_with("restart") {
            drop(usage);
            usage = open(&path).unwrap();
        }
        tokio::time::sleep(2 * RETRY).await;
        assert!(usage.can_write(), "{name} {about}");
        let changed = dir.path().join(name);
        let now = fs::read(&changed).unwrap();
        if about.starts_with("late") {
            assert_eq!(late.len(), now.len());
        }
        let content = fault([early, late, now]);
        // In place, as `cp` does.
        let mut file = OpenOptions::new().write(true).open(changed).unwrap();
        io::Write::write_all(&mut file, &content).unwrap();
        file.set_len(content.len() as u64).unwrap();
        let noticed = async {
            while usage.can_write() {
                tokio::time::sleep(RETRY / 10).await;
            }
        };
        let noticed = tokio::time::timeout(20 * RETRY, noticed).await;
        if noticed.is_err() || begin(&usage).await.is_ok() {
            missed.push((name, about));
        }
    }
    assert_eq!(missed, []);
}

/// Changes to a file without a name are lost.
#[cfg(unix)]
#[tokio::test]
async fn a_database_that_is_gone_takes_no_requests() {
    for name in ["", "-wal", "-shm", LOCK].map(|ending| format!("usage.db{ending}")) {
        let dir = tempfile::tempdir().unwrap();
        let (path, gone) = (dir.path().join("usage.db"), dir.path().join(&name));
        let usage = open(&path).unwrap();
        let begin = || usage.begin(entry("a")).wait();
        let becomes = async |can_write: bool| {
            while usage.can_write() != can_write {
                tokio::time::sleep(RETRY / 10).await;
            }
        };
        begin().await.unwrap();
        let away = dir.path().join("away");
        fs::rename(&gone, &away).unwrap();
        becomes(false).await;
        assert!(matches!(begin().await.unwrap_err().why, Refused::Failed(_)), "{name}");
        fs::copy(&away, &gone).unwrap();
        assert!(begin().await.is_err(), "{name} was replaced");
        // Nothing is lost if the file comes back.
        fs::rename(&away, &gone).unwrap();
        becomes(true).await;
        begin().await.unwrap();
        assert_eq!(outcomes(&path, "a"), [("started".into(), 2, 12)], "{name}");
    }
}
