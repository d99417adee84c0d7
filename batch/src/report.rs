//! Compares a folder with a table.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::folder::{Folder, Outcome, digest_of, write_whole};

/// The state of a folder for the rows of a table or of a shard.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The number of rows.
    pub rows: u64,
    /// The number of rows with audio.
    pub done: u64,
    /// The number of rows that cannot be spoken, by kind of error.
    pub failed: BTreeMap<String, u64>,
    /// The number of rows without a result, because the run ended early.
    pub unfinished: u64,
    /// The number of requests that this run tried.
    pub spoken: u64,
    /// The seconds of audio of all rows.
    pub seconds: f64,
    /// The seconds of audio that this run computed.
    pub seconds_spoken: f64,
    /// The SHA-256 of the sorted identifiers, keys and audio digests of all rows. Equal digests
    /// mean equal results.
    pub digest: String,
}

/// A file that differs from the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The identifier of the row.
    pub id: String,
    /// The kind of damage.
    pub problem: &'static str,
}

/// Looks up the result of each identifier by its key, and writes the index.
pub(crate) fn index(folder: &Folder, name: &str, keys: BTreeMap<String, String>) -> Result<Report> {
    let mut sorted = BTreeMap::new();
    let mut report = Report::default();
    for (id, key) in keys {
        report.add(folder, id, key, &mut sorted)?;
    }
    report.digest = digest_of(sorted.values().cloned());
    write_whole(&folder.index(name), |file| {
        let mut file = BufWriter::new(file);
        sorted.values().try_for_each(|line| writeln!(file, "{line}"))?;
        file.flush()
    })?;
    Ok(report)
}

impl Report {
    /// Adds a row once.
    fn add(
        &mut self,
        folder: &Folder,
        id: String,
        key: String,
        sorted: &mut BTreeMap<String, Value>,
    ) -> Result<()> {
        if sorted.contains_key(&id) {
            return Ok(());
        }
        self.rows += 1;
        let line = match folder.outcome(&key)? {
            Some(Outcome::Done(done)) => {
                self.done += 1;
                self.seconds += done.seconds;
                json!({"id": id, "key": key, "outcome": "done", "sha256": done.sha256})
            }
            Some(Outcome::Failed(fault)) => {
                let line = json!({"id": id, "key": key, "outcome": "failed", "kind": fault.kind});
                *self.failed.entry(fault.kind).or_default() += 1;
                line
            }
            None => {
                self.unfinished += 1;
                json!({"id": id, "key": key, "outcome": "unfinished"})
            }
        };
        sorted.insert(id, line);
        Ok(())
    }
}

impl Folder {
    /// Verifies all files named in the indexes of all shards.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for a damaged index. [`Error::Io`].
    pub fn check(&self) -> Result<(Report, Vec<Damage>)> {
        let (mut report, mut damage, mut sorted) = (Report::default(), Vec::new(), BTreeMap::new());
        for path in self.indexes()? {
            let index = fs::read_to_string(&path).map_err(Error::io(&path))?;
            for line in index.lines() {
                let entry: Value = serde_json::from_str(line).map_err(|error| {
                    Error::io(&path)(io::Error::new(io::ErrorKind::InvalidData, error))
                })?;
                let [id, key, outcome] = ["id", "key", "outcome"].map(|it| entry[it].as_str());
                let (Some(id), Some(key), Some(outcome)) = (id, key, outcome) else {
                    return Err(Error::Refused(format!("{} is damaged", path.display())));
                };
                let problem = match (outcome, self.outcome(key)?) {
                    ("done", Some(Outcome::Done(done))) if !self.is_whole(key, &done)? => {
                        Some("its audio is damaged")
                    }
                    ("done", Some(Outcome::Failed(_)) | None) => Some("its audio is missing"),
                    _ => None,
                };
                damage.extend(problem.map(|problem| Damage { id: id.to_owned(), problem }));
                report.add(self, id.to_owned(), key.to_owned(), &mut sorted)?;
            }
        }
        report.digest = digest_of(sorted.into_values());
        Ok((report, damage))
    }
}
