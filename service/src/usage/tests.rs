#[cfg(unix)]
use std::fs::{self, OpenOptions};
#[cfg(unix)]
use std::io;

#[cfg(unix)]
use rusqlite::OptionalExtension;

#[cfg(unix)]
use super::files::LOCK;
use super::files::file_name;
use super::writer::RETRY;
use super::*;

fn entry(account: &str) -> Entry {
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

fn outcomes(path: &Path, account: &str) -> Vec<(String, i64, i64)> {
    let totals = totals(path, account, Timestamp::MIN..Timestamp::MAX).unwrap();
    totals.into_iter().map(|t| (t.outcome, t.requests, t.characters)).collect()
}

#[tokio::test]
async fn a_request_is_there_once_and_as_it_ended() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("usage.db");
    let usage = Usage::open(&path).unwrap();
    let (first, second, third) = (entry("a"), entry("a"), entry("b"));
    let (one, two) =
        tokio::join!(usage.begin(first.clone()).wait(), usage.begin(second.clone()).wait());
    one.and(two).unwrap();
    assert_eq!(outcomes(&path, "a"), [("started".into(), 2, 12)]);
    assert_eq!(usage.begin(first.clone()).wait().await.unwrap_err().kind(), ErrorKind::Internal);
    usage.end(first.request_id, Outcome::Complete).await.unwrap();
    let refused = Entry { characters: 0, voice: None, language: None, ..third };
    usage.refuse(refused, ErrorKind::EmptyText).wait().await.unwrap();
    assert_eq!(outcomes(&path, "a"), [("complete".into(), 1, 6), ("started".into(), 1, 6)]);
    assert_eq!(outcomes(&path, "b"), [("empty_text".into(), 1, 0)]);
    assert!(format!("{:#}", Usage::open(&path).unwrap_err()).contains("another process"));
    drop(usage);
    drop(Usage::open(&path).unwrap());
    assert_eq!(outcomes(&path, "a"), [("complete".into(), 1, 6), ("interrupted".into(), 1, 6)]);
    let none = Timestamp::MIN..Timestamp::UNIX_EPOCH;
    assert_eq!(totals(&path, "a", none).unwrap(), []);
}

#[tokio::test]
async fn refusals_of_a_minute_are_summed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("usage.db");
    let usage = Usage::open(&path).unwrap();
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
    let usage = Usage::open(&path).unwrap();
    let request = entry("a");
    usage.begin(request.clone()).wait().await.unwrap();
    // Another process writes for longer than a transaction waits.
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = usage.begin(entry("b")).wait().await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Internal);
    let ended = usage.end(request.request_id, Outcome::Complete);
    let released = async {
        tokio::time::sleep(BUSY_TIMEOUT + RETRY).await;
        other.execute_batch("ROLLBACK").unwrap();
    };
    tokio::join!(ended, released).0.unwrap();
    assert_eq!(outcomes(&path, "a"), [("complete".into(), 1, 6)]);
    assert_eq!(outcomes(&path, "b"), []);
}

/// Only the turn without a row fails.
#[tokio::test]
async fn a_row_that_is_deleted_fails_no_other_change() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("usage.db");
    let usage = Usage::open(&path).unwrap();
    let (gone, turn) = (entry("a"), entry("b"));
    usage.begin(turn.clone()).wait().await.unwrap();
    let (raised, lost, begun) = tokio::join!(
        usage.raise(turn.request_id, 9).wait(),
        usage.raise(gone.request_id, 9).wait(),
        usage.begin(entry("c")).wait(),
    );
    raised.and(begun).unwrap();
    assert_eq!(lost.unwrap_err().kind(), ErrorKind::Internal);
    assert!(usage.can_write());
    assert_eq!(outcomes(&path, "b"), [("started".into(), 1, 9)]);
    assert_eq!(outcomes(&path, "c"), [("started".into(), 1, 6)]);
}

#[tokio::test]
async fn what_is_refused_or_fails_has_no_characters() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("usage.db");
    let usage = Usage::open(&path).unwrap();
    let ends = [Outcome::Complete, Outcome::Disconnected].into_iter();
    for outcome in ends.chain(ErrorKind::ALL.map(Outcome::Failed)) {
        let request = entry(outcome.as_str());
        usage.begin(request.clone()).wait().await.unwrap();
        usage.end(request.request_id, outcome).await.unwrap();
        let characters = if outcome.is_metered() { 6 } else { 0 };
        let recorded = (outcome.as_str().to_owned(), 1, characters);
        assert_eq!(outcomes(&path, outcome.as_str()), [recorded]);
    }
    let spoken = spoken(&path, Timestamp::UNIX_EPOCH).unwrap();
    let mut spoken: Vec<_> = spoken.into_iter().map(|(it, count)| (it.0, count)).collect();
    spoken.sort();
    assert_eq!(spoken, [("complete".into(), 6), ("left".into(), 6)]);
}

/// A second process does not touch the first one's record, whatever name it has for the database.
#[cfg(unix)]
#[tokio::test]
async fn one_process_records_whatever_the_name() {
    let dir = tempfile::tempdir().unwrap();
    let name = |name: &str| dir.path().join(name);
    fs::create_dir(name("folder")).unwrap();
    let usage = Usage::open(&name("usage.db")).unwrap();
    usage.begin(entry("a")).wait().await.unwrap();
    std::os::unix::fs::symlink(name("usage.db"), name("symbolic")).unwrap();
    std::os::unix::fs::symlink(dir.path(), name("folder/up")).unwrap();
    for path in ["usage.db", "symbolic", "folder/../usage.db", "folder/up/usage.db"] {
        let error = format!("{:#}", Usage::open(&name(path)).unwrap_err());
        assert!(error.contains("another process"), "{path}: {error}");
    }
    fs::hard_link(name("usage.db"), name("hard")).unwrap();
    for path in ["usage.db", "hard", "symbolic"] {
        let time = Timestamp::MIN..Timestamp::MAX;
        for error in
            [Usage::open(&name(path)).unwrap_err(), totals(&name(path), "a", time).unwrap_err()]
        {
            let error = format!("{error:#}");
            assert!(error.contains("hard link"), "{path}: {error}");
        }
    }
    // A mount also has no second name.
    #[cfg(target_os = "linux")]
    assert!(files::Files::of(&name("hard")).unwrap().lock().is_err(), "it is the same file");
    drop(usage);
    assert!(Usage::open(&name("usage.db")).is_err(), "it would miss what `hard` has");
    fs::remove_file(name("hard")).unwrap();
    assert_eq!(outcomes(&name("symbolic"), "a"), [("started".into(), 1, 6)]);
    drop(Usage::open(&name("symbolic")).unwrap());
    assert_eq!(outcomes(&name("usage.db"), "a"), [("interrupted".into(), 1, 6)]);
}

#[test]
fn names_are_those_of_files() {
    for name in [":memory:", "file::memory:?cache=shared", "file:a?mode=memory", "file:a.db"] {
        let path = file_name(Path::new(name)).unwrap();
        assert!(path.is_absolute() && path.ends_with(name), "{name}");
    }
    // SQLite would forget the content of the file.
    assert!(Usage::open(Path::new("")).is_err());
    let dir = tempfile::tempdir().unwrap();
    for path in [dir.path(), Path::new("/dev/null")] {
        assert!(Usage::open(path).is_err(), "{}", path.display());
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
        let mut usage = Usage::open(&path).unwrap();
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
            usage = Usage::open(&path).unwrap();
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
        let usage = Usage::open(&path).unwrap();
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
        assert_eq!(begin().await.unwrap_err().kind(), ErrorKind::Internal, "{name}");
        fs::copy(&away, &gone).unwrap();
        assert!(begin().await.is_err(), "{name} was replaced");
        // Nothing is lost if the file comes back.
        fs::rename(&away, &gone).unwrap();
        becomes(true).await;
        begin().await.unwrap();
        assert_eq!(outcomes(&path, "a"), [("started".into(), 2, 12)], "{name}");
    }
}
