//! Speaks a table of texts into a folder.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use speech_batch::{Folder, Job, Manifest, Outcome, Progress, Report, Row, Table};
use speech_bindings::catch_panic;
use speech_core::{CancelToken, Engine, Error, ProcessLocal, Result};

use crate::error;
use crate::tasks;
use crate::text::CodePoints;

/// The capacity of the result queue. While it is full, no further row is spoken.
const WAITING: usize = 64;

/// The interval between attempts to add to a full queue.
const FULL: Duration = Duration::from_millis(10);

/// The rows: the path of a table, or a JSON object for each.
#[derive(FromPyObject)]
pub(crate) enum Source {
    Rows(Vec<String>),
    Path(PathBuf),
}

/// The options of a batch.
#[derive(FromPyObject)]
pub(crate) struct BatchOptions {
    folder: PathBuf,
    sample_rate: u32,
    encoding: String,
    format: String,
    shard: String,
    jobs: Option<usize>,
    verify: bool,
    retry: bool,
}

/// The callback for finished rows.
pub(crate) type Show<'a> = &'a (dyn Fn(Spoken) + Sync);

impl BatchOptions {
    pub(crate) fn run(
        &self,
        engine: &Engine,
        lexicon: &[u8],
        source: Source,
        jobs: usize,
        cancel: &CancelToken,
        show: Show<'_>,
    ) -> Result<Report> {
        let (encoding, container) = (self.encoding.parse()?, self.format.parse()?);
        let shard = self
            .shard
            .parse()
            .map_err(|problem| Error::invalid_request(format!("shard {problem}")))?;
        let manifest = Manifest::new(engine, lexicon, self.sample_rate, encoding, container)?;
        let table = match source {
            Source::Path(path) => Table::new(path),
            Source::Rows(rows) => {
                let rows = rows.iter().map(|row| Row::parse(row));
                Table::of(rows.collect::<speech_batch::Result<Vec<_>>>()?)?
            }
        };
        let folder = Folder::create(&self.folder, &manifest)?;
        let job = Job {
            engine,
            manifest: &manifest,
            folder: &folder,
            table: &table,
            shard,
            jobs: self.jobs.unwrap_or(jobs),
            verify: self.verify,
            retry: self.retry,
        };
        // Rows whose request another thread was still speaking.
        let late = Mutex::new(Vec::new());
        let spoken = |row: &Row, key: &str, progress| {
            let outcome = folder.outcome(key).ok().flatten();
            let path = folder.sound(key);
            outcome.map(|outcome| Spoken::new(row, key.to_owned(), path, outcome, progress))
        };
        let report = job.run(cancel, &|row, key, progress| match spoken(row, key, progress) {
            Some(spoken) => show(spoken),
            None => {
                let late_row = (row.clone(), key.to_owned(), progress);
                late.lock().unwrap_or_else(PoisonError::into_inner).push(late_row);
            }
        })?;
        let late = late.into_inner().unwrap_or_else(PoisonError::into_inner);
        late.iter().filter_map(|(row, key, it)| spoken(row, key, *it)).for_each(show);
        Ok(report)
    }
}

/// Start and end in code points of the text, then in seconds.
type SpanFields = (usize, usize, f64, f64);

/// A finished row.
pub(crate) struct Spoken {
    id: String,
    key: String,
    path: PathBuf,
    outcome: Outcome,
    points: CodePoints,
    progress: Progress,
}

impl Spoken {
    fn new(row: &Row, key: String, path: PathBuf, outcome: Outcome, progress: Progress) -> Self {
        let (id, points) = (row.id.clone(), CodePoints::of(&row.text));
        Self { id, key, path, outcome, points, progress }
    }

    /// Identifier, key, progress; then kind and message of a fault, or path, seconds, size,
    /// SHA-256, words, sentences and skipped text of the sound.
    fn fields(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let Progress { rows, all, spoken, seconds } = self.progress;
        let progress = (rows, all, spoken, seconds);
        let done = match self.outcome {
            Outcome::Failed(fault) => {
                let fault = (fault.kind, fault.message);
                return (self.id, self.key, progress, fault, py.None()).into_py_any(py);
            }
            Outcome::Done(done) => done,
        };
        let timed = |(start, end, first, last): &(f64, f64, usize, usize)| -> SpanFields {
            let (first, last) = self.points.range(&(*first..*last));
            (first, last, *start, *end)
        };
        let sound = (
            self.path,
            done.seconds,
            done.bytes,
            done.sha256,
            done.words.iter().map(timed).collect::<Vec<_>>(),
            done.sentences.iter().map(timed).collect::<Vec<_>>(),
            done.skipped
                .iter()
                .map(|(start, end)| self.points.range(&(*start..*end)))
                .collect::<Vec<_>>(),
        );
        (self.id, self.key, progress, py.None(), sound).into_py_any(py)
    }
}

/// A running batch.
#[pyclass(frozen, module = "libspeech._libspeech")]
pub(crate) struct Batch(ProcessLocal<Arc<State>>);

struct State {
    cancel: CancelToken,
    items: Mutex<Receiver<Item>>,
}

enum Item {
    Row(Box<Spoken>),
    End(Result<Report>),
}

impl Batch {
    /// Runs a batch on a thread of the library.
    pub(crate) fn start(
        cancel: CancelToken,
        run: impl FnOnce(&CancelToken, Show<'_>) -> Result<Report> + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, items) = sync_channel(WAITING);
        let token = cancel.clone();
        // The interpreter waits for it at exit, so that no incomplete file remains.
        let running = tasks::enter()?;
        let body = move || {
            let show = |spoken| send(&sender, Item::Row(Box::new(spoken)), &token);
            let result = catch_panic(|| run(&token, &show)).flatten();
            send(&sender, Item::End(result), &token);
            drop(running);
        };
        speech_bindings::spawn(body).map_err(error::to_pyerr)?;
        Ok(Self(ProcessLocal::new(Arc::new(State { cancel, items: Mutex::new(items) }))))
    }
}

impl State {
    /// The next finished row; at the end the report.
    fn next(&self) -> Result<Item> {
        let items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let item = items.recv().map_err(|_| Error::cancelled())?;
        if self.cancel.is_cancelled() { Err(Error::cancelled()) } else { Ok(item) }
    }
}

/// Sends an item when there is room, unless it is cancelled before.
fn send(sender: &SyncSender<Item>, mut item: Item, cancel: &CancelToken) {
    while let Err(TrySendError::Full(full)) = sender.try_send(item) {
        if cancel.is_cancelled() {
            return;
        }
        item = full;
        thread::sleep(FULL);
    }
}

#[pymethods]
impl Batch {
    /// Starts waiting for the next finished row. The result after the last one is the report in
    /// JSON.
    fn next(&self, callback: Py<PyAny>) -> PyResult<()> {
        let state =
            self.0.get().ok_or_else(|| error::to_pyerr(Error::made_before_fork("batch")))?;
        let state = Arc::clone(state);
        tasks::spawn(
            callback,
            move || state.next(),
            |py, item| match item {
                Item::Row(spoken) => spoken.fields(py),
                Item::End(report) => json(&report.map_err(error::to_pyerr)?).into_py_any(py),
            },
        )
    }

    /// Ends the batch early. Finished rows are kept.
    fn close(&self) {
        if let Some(state) = self.0.get() {
            state.cancel.cancel();
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.close();
    }
}

fn json(report: &Report) -> String {
    serde_json::to_string(report).expect("strings and numbers")
}

/// Starts comparing the audio of a folder with its index. The result is the report in JSON, and the
/// identifier and the problem of each damaged row.
#[pyfunction]
pub(crate) fn check_batch(folder: PathBuf, callback: Py<PyAny>) -> PyResult<()> {
    let check = move || Ok(Folder::open(folder)?.check()?);
    tasks::spawn(callback, check, |py, (report, damage)| {
        let damage: Vec<_> = damage.into_iter().map(|it| (it.id, it.problem)).collect();
        (json(&report), damage).into_py_any(py)
    })
}
