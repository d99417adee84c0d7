//! The power fails while requests are recorded: no promised change is lost, and none is there
//! twice.
//!
//! $SPEECH_POWER_CUTS makes the test longer, and $SPEECH_POWER_SEED changes it.
#![expect(
    clippy::print_stdout,
    reason = "the process that loses its power says what it was promised"
)]

use std::collections::{HashMap, HashSet};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rusqlite::Connection;

use super::*;
use disk::Disk;

#[path = "../../tests/disk/mod.rs"]
mod disk;

/// The record of the process that loses its power.
const RECORD: &str = "SPEECH_POWER_RECORD";
const ACCOUNT: &str = "a";
const CHARACTERS: u16 = 6;
/// After so many cuts the test begins a new record, so that some records are short and some are
/// long.
const CUTS_OF_A_RECORD: u64 = 10;

#[test]
fn nothing_is_lost_or_doubled_when_the_power_fails() {
    if let Some(record) = std::env::var_os(RECORD) {
        return record_until_the_power_fails(Path::new(&record));
    }
    let number =
        |name: &str, default| std::env::var(name).map_or(default, |it| it.parse().unwrap());
    let (cuts, seed) = (number("SPEECH_POWER_CUTS", 300), number("SPEECH_POWER_SEED", 1));
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let disk = Disk::build(&folder);
    let operations = operations(&disk, &folder);
    assert!(operations > 100, "the disk was hardly used: {operations}");
    let (mut record, mut known) = (PathBuf::new(), Known::default());
    let (mut whole, mut cut) = (0, 0);
    for n in 0..cuts {
        if n % CUTS_OF_A_RECORD == 0 {
            (record, known) = (folder.join(format!("{n}.db")), Known::default());
        }
        // Multiples of a number that is prime to the count visit every place.
        let at = 1 + (seed + n * 7919) % operations;
        let mut process = process(&disk, &record);
        process.env("DISK_CUT", at.to_string()).env("DISK_SEED", (seed + n).to_string());
        let output = process.output().unwrap();
        match output.status.signal() {
            Some(9) => cut += 1,
            // The process had less to do than with a new record, or more changes fell into one
            // transaction.
            None if output.status.success() => whole += 1,
            _ => panic!("{output:?}"),
        }
        known.hear(&output);
        known.check(&record, &format!("cut {n} at {at} of seed {seed}"));
    }
    assert!(cut > whole, "{cut} cuts, and {whole} processes that came to their end");
}

fn process(disk: &Disk, record: &Path) -> Command {
    let mut process = Command::new(std::env::current_exe().unwrap());
    let (_, path) = module_path!().split_once("::").unwrap();
    let test = format!("{path}::nothing_is_lost_or_doubled_when_the_power_fails");
    process.args([&*test, "--exact", "--nocapture"]).env(RECORD, record);
    disk.holds(record, &mut process);
    process
}

/// The number of writes, truncations and syncs of a process that runs to its end.
fn operations(disk: &Disk, folder: &Path) -> u64 {
    let count = folder.join("count");
    let mut process = process(disk, &folder.join("whole.db"));
    let output = process.env("DISK_COUNT", &count).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    std::fs::read_to_string(count).unwrap().parse().unwrap()
}

/// Records requests, a few at once. Prints each change before it is asked for, and again once it is
/// promised.
fn record_until_the_power_fails(record: &Path) {
    let usage = Usage::open(&Record::File(record.to_owned()), None).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for round in 0..10 {
        let request = |n| {
            let usage = &usage;
            async move {
                let request_id = RequestId::new();
                let is_refused = (round + n) % 4 == 0;
                // Refusals of one account would share a row.
                let account = if is_refused { format!("{request_id}") } else { ACCOUNT.into() };
                let account = Account(account.into());
                let entry = Entry {
                    request_id,
                    account: account.clone(),
                    voice: None,
                    language: None,
                    characters: CHARACTERS.into(),
                    lexicons: None,
                    keyed: None,
                    session: None,
                };
                if is_refused {
                    println!("\nends {request_id} empty_text");
                    usage.refuse(entry, ErrorKind::EmptyText).wait().await.unwrap();
                } else {
                    println!("\nasks {request_id}");
                    usage.begin(entry).wait().await.unwrap();
                    println!("\nbegan {request_id}");
                    println!("\nends {request_id} complete");
                    let (end, characters) = (Outcome::Complete, CHARACTERS.into());
                    usage.end(&account, request_id, end, characters).await.unwrap();
                }
                println!("\nended {request_id}");
            }
        };
        runtime.block_on(async { tokio::join!(request(0), request(1), request(2)) });
    }
}

/// The changes that the processes asked for, and those that were promised.
#[derive(Default)]
struct Known {
    asked: HashSet<String>,
    began: HashSet<String>,
    /// The outcome that the process asked for.
    ends: HashMap<String, String>,
    ended: HashSet<String>,
    /// The rows after the earlier cuts.
    settled: HashMap<String, String>,
}

impl Known {
    fn hear(&mut self, output: &Output) {
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            let Some(id) = words.get(1).cloned() else { continue };
            match &*words[0] {
                "asks" => drop(self.asked.insert(id)),
                "began" => drop(self.began.insert(id)),
                "ends" => drop(self.ends.insert(id, words[2].clone())),
                "ended" => drop(self.ended.insert(id)),
                _ => {}
            }
        }
    }

    /// Starts again, and compares.
    fn check(&mut self, record: &Path, about: &str) {
        let again = Usage::open(&Record::File(record.to_owned()), None);
        drop(again.unwrap_or_else(|error| panic!("{about}: {error:#}")));
        let database = Connection::open(record).unwrap();
        let sound = database.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
        assert_eq!(sound.unwrap(), "ok", "{about}");
        let rows = rows(&database);
        let found: HashMap<_, _> = rows.iter().cloned().collect();
        assert_eq!(found.len(), rows.len(), "{about}: a request is there twice");
        for (id, outcome) in &found {
            let ends = self.ends.get(id);
            assert!(ends.is_some() || self.asked.contains(id), "{about}: {id} came from nowhere");
            let may_be =
                ends == Some(outcome) || outcome == "interrupted" && !self.ended.contains(id);
            assert!(may_be, "{about}: {id} is {outcome}, not {ends:?}");
        }
        for id in self.began.iter().chain(&self.ended) {
            assert!(found.contains_key(id), "{about}: {id} is lost");
        }
        for (id, outcome) in &self.settled {
            assert_eq!(found.get(id), Some(outcome), "{about}: {id} has changed");
        }
        self.settled = found;
    }
}

/// Requests with their outcomes. Each has its own number of characters; a rejected one has its own
/// account.
fn rows(database: &Connection) -> Vec<(String, String)> {
    let sql = "SELECT request_id, outcome, account, characters FROM requests";
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| {
        let (id, account): (String, String) = (row.get(0)?, row.get(2)?);
        assert!(account == ACCOUNT || account == id, "{account}");
        assert_eq!(row.get(3), Ok(CHARACTERS));
        Ok((id, row.get(1)?))
    });
    rows.unwrap().map(Result::unwrap).collect()
}
