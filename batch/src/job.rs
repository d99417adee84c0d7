//! Speaks the rows of a table that a folder lacks.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Seek};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use sha2::{Digest, Sha256};
use speech_core::{CancelToken, DiagnosticKind, Engine, ErrorKind, Stream};

use crate::error::{Error, Result};
use crate::folder::{Done, Fault, Folder, Manifest, Outcome, measure};
use crate::report::{Report, index};
use crate::row::{Row, Table};
use crate::sound::{Container, Writer};

/// The maximum size of a row's samples in bytes: lengths in a wav file have 32 bits.
const MAX_WAV: usize = u32::MAX as usize - 64;

/// A part of the rows, chosen by a hash of their identifiers. Shards only divide the work. Their
/// number may change between runs, and two processes may process the same shard concurrently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 0, count: 1 }
    }
}

impl FromStr for Shard {
    type Err = String;

    /// Parses a shard such as `3/16`, the fourth of sixteen.
    fn from_str(shard: &str) -> std::result::Result<Self, String> {
        let parts = shard.split_once('/').and_then(|(index, count)| {
            Some(Self { index: index.parse().ok()?, count: count.parse().ok()? })
        });
        let valid = parts.filter(|shard| shard.index < shard.count);
        valid.ok_or_else(|| "must be INDEX/COUNT, such as 0/4 for the first of four".to_owned())
    }
}

impl Shard {
    fn has(self, id: &str) -> bool {
        let hash: [u8; 32] = Sha256::digest(id).into();
        let (first, _) = hash.split_first_chunk().expect("it has 32 bytes");
        u64::from_be_bytes(*first) % self.count == self.index
    }

    fn name(self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }
}

/// The progress of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// The number of finished rows of the shard.
    pub rows: u64,
    /// The number of rows of the shard.
    pub all: u64,
    /// Finished rows that this run spoke.
    pub spoken: u64,
    /// Seconds of audio that this run computed.
    pub seconds: f64,
}

/// The callback for a finished row, with the [key](Row::key) of its result.
type Show<'a> = dyn Fn(&Row, &str, Progress) + Sync + 'a;

/// Speaks a table into a folder.
#[derive(Debug)]
pub struct Job<'a> {
    /// The engine. It computes up to `max_concurrency` sentences at once.
    pub engine: &'a Engine,
    /// The inputs of all audio in the folder.
    pub manifest: &'a Manifest,
    /// The output folder.
    pub folder: &'a Folder,
    /// The texts to speak.
    pub table: &'a Table,
    /// The rows to speak.
    pub shard: Shard,
    /// The number of threads, which speak one row each. At least 1.
    pub jobs: usize,
    /// Whether to verify existing audio by its SHA-256, and to speak it again if it differs.
    pub verify: bool,
    /// Whether to try rows again that could not be spoken.
    pub retry: bool,
}

/// The state shared by the threads of a job.
struct Work<'a> {
    rows: Mutex<Box<dyn Iterator<Item = Result<Row>> + Send>>,
    /// The requests that were already spoken or looked up.
    taken: Mutex<HashSet<String>>,
    cancel: &'a CancelToken,
    progress: Mutex<Progress>,
    show: &'a Show<'a>,
    is_over: AtomicBool,
}

impl Job<'_> {
    /// Speaks every row that the folder lacks, and writes the index of the shard. Calls `show`
    /// after each finished row. A row whose request is already being spoken counts as finished.
    ///
    /// A cancelled token ends the run early. The rows in progress are lost, and the report counts
    /// [`unfinished`](Report::unfinished) rows.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for a table with an invalid line, and for an identifier with two
    /// different requests: then nothing is spoken. [`Error::Io`] and [`Error::Speech`]; finished
    /// rows are kept.
    pub fn run(&self, cancel: &CancelToken, show: &Show<'_>) -> Result<Report> {
        let fingerprint = self.manifest.fingerprint();
        let mut keys = self.table.keys(&fingerprint)?;
        keys.retain(|id, _| self.shard.has(id));
        let mut all = 0;
        for row in self.table.rows()? {
            all += u64::from(self.shard.has(&row?.id));
        }
        let work = Work {
            rows: Mutex::new(self.table.rows()?),
            taken: Mutex::default(),
            cancel,
            progress: Mutex::new(Progress { all, ..Progress::default() }),
            show,
            is_over: AtomicBool::new(false),
        };
        let results: Vec<Result<()>> = thread::scope(|scope| {
            let jobs =
                (0..self.jobs.max(1)).map(|_| scope.spawn(|| self.work(&work, &fingerprint)));
            let jobs: Vec<_> = jobs.collect();
            let ended = |job: thread::ScopedJoinHandle<'_, _>| job.join();
            jobs.into_iter()
                .map(|job| ended(job).unwrap_or_else(|it| std::panic::resume_unwind(it)))
                .collect()
        });
        results.into_iter().collect::<Result<()>>()?;
        let mut report = index(self.folder, &self.shard.name(), keys)?;
        let progress = *locked(&work.progress);
        (report.spoken, report.seconds_spoken) = (progress.spoken, progress.seconds);
        Ok(report)
    }

    /// Processes rows until none is left.
    fn work(&self, work: &Work<'_>, fingerprint: &str) -> Result<()> {
        let result = self.work_on(work, fingerprint);
        if result.is_err() {
            work.is_over.store(true, Ordering::Relaxed);
        }
        result
    }

    fn work_on(&self, work: &Work<'_>, fingerprint: &str) -> Result<()> {
        loop {
            if work.cancel.is_cancelled() || work.is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let next = locked(&work.rows).next();
            let Some(row) = next.transpose()? else { return Ok(()) };
            if !self.shard.has(&row.id) {
                continue;
            }
            // The file of the table may have changed since it was checked: the key is of this row.
            let key = row.key(fingerprint);
            let is_new = locked(&work.taken).insert(key.clone());
            let (mut spoken, mut seconds) = (0, 0.0);
            if is_new && !self.is_there(&key)? {
                match self.speak(&row, &key, work.cancel)? {
                    None => return Ok(()),
                    Some(computed) => (spoken, seconds) = (1, computed),
                }
            }
            let progress = {
                let mut progress = locked(&work.progress);
                progress.rows += 1;
                progress.spoken += spoken;
                progress.seconds += seconds;
                *progress
            };
            (work.show)(&row, &key, progress);
        }
    }

    fn is_there(&self, key: &str) -> Result<bool> {
        Ok(match self.folder.outcome(key)? {
            Some(Outcome::Done(done)) => !self.verify || self.folder.is_whole(key, &done)?,
            Some(Outcome::Failed(_)) => !self.retry,
            None => false,
        })
    }

    /// Speaks a row and stores the result. Returns the seconds of audio, or `None` if it was
    /// cancelled.
    fn speak(&self, row: &Row, key: &str, cancel: &CancelToken) -> Result<Option<f64>> {
        let error = match self.synthesize(row, key, cancel) {
            Ok(Ok(seconds)) => return Ok(Some(seconds)),
            Ok(Err(error)) => return Err(error),
            Err(error) => error,
        };
        match error.kind() {
            ErrorKind::Cancelled => Ok(None),
            ErrorKind::InvalidRequest | ErrorKind::EmptyText | ErrorKind::TextTooLong => {
                let fault =
                    Fault { kind: error.kind().to_string(), message: error.message().to_owned() };
                self.folder.fail(key, &fault)?;
                Ok(Some(0.0))
            }
            _ => Err(Error::Speech(error)),
        }
    }

    /// The outer result is for errors of the job, the inner one for those of synthesis.
    fn synthesize(
        &self,
        row: &Row,
        key: &str,
        cancel: &CancelToken,
    ) -> speech_core::Result<Result<f64>> {
        let encoding = self.manifest.encoding()?;
        let request = row.request()?.sample_rate(self.manifest.sample_rate());
        let request = request.encoding(encoding).cancel_token(cancel);
        let stream = if row.is_ssml() {
            self.engine.stream(request)?
        } else {
            self.engine.stream_long(request)?
        };
        let sound = self.folder.begin(key);
        let mut sound = match sound {
            Ok(sound) => sound,
            Err(error) => return Ok(Err(error)),
        };
        let written = write(stream, self.manifest.container(), sound.as_file_mut())?;
        Ok(written.map_err(Error::io(sound.path())).and_then(|done| {
            self.folder.commit(key, sound, &done)?;
            Ok(done.seconds)
        }))
    }
}

/// Writes a stream to a file. The results are as for `synthesize`.
fn write(
    mut stream: Stream,
    container: Container,
    file: &mut File,
) -> speech_core::Result<io::Result<Done>> {
    let (rate, encoding) = (stream.sample_rate(), stream.encoding());
    let mut done = Done {
        bytes: 0,
        sha256: String::new(),
        seconds: 0.0,
        words: Vec::new(),
        sentences: Vec::new(),
        skipped: Vec::new(),
    };
    let mut writer = Writer::new(container, BufWriter::new(file), rate, encoding);
    let mut length = 0;
    for chunk in stream.by_ref() {
        let chunk = chunk?;
        length += chunk.samples().len() * encoding.bytes_per_sample();
        if length > MAX_WAV {
            return Err(speech_core::Error::invalid_request("the speech is too long for a file"));
        }
        writer = writer.and_then(|mut it| it.write(&chunk).map(|()| it));
        if writer.is_err() {
            break;
        }
        done.seconds += chunk.seconds();
        let word = |it: &speech_core::WordTiming| (it.start, it.end, it.span.start, it.span.end);
        done.words.extend(chunk.words().iter().map(word));
        let sentence =
            |it: &speech_core::SentenceTiming| (it.start, it.end, it.span.start, it.span.end);
        done.sentences.extend(chunk.sentences().iter().map(sentence));
    }
    let skipped = stream.diagnostics().into_iter().filter(|it| it.kind == DiagnosticKind::Skipped);
    done.skipped = skipped.map(|it| (it.span.start, it.span.end)).collect();
    let finish = || {
        let file = writer?.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        (done.bytes, done.sha256) = measure(file)?;
        Ok(done)
    };
    Ok(finish())
}

fn locked<T: ?Sized>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
