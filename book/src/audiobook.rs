//! Converts a book to an audio file in a folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use speech_batch::{
    Done, Error, Folder, Job, Manifest, Outcome, Progress, Result, Row, Shard, Table, hex, measure,
    write_whole,
};
use speech_core::{CancelToken, Engine, Inspector, Language};

use crate::book::Book;
use crate::encode::{self, Ffmpeg, Format, Sound, Tags};
use crate::passages::{Passage, passages};
use crate::subtitles;
use crate::unsure::{self, Unsure};

/// The report of a finished book, the table of uncertain readings, and the folder of the batch.
const REPORT: &str = "book.json";
const UNSURE: &str = "unsure.tsv";
const PARTS: &str = "parts";
const LOCK: &str = ".lock";

/// The version of the layout, of the pauses and of the encoder settings. A book of another version
/// is written again.
const VERSION: u32 = 2;

/// The maximum length of a file name in bytes, without its extension.
const MAX_NAME: usize = 120;

/// Converts a book to audio in a folder.
#[derive(Debug)]
pub struct Audiobook<'a> {
    /// The engine, as for a [`Job`].
    pub engine: &'a Engine,
    /// The inputs of the audio. Its encoding must be 16-bit integers in wav files.
    pub manifest: &'a Manifest,
    /// The book.
    pub book: &'a Book,
    /// The voice and the other settings of every row. The identifier and the text are ignored.
    pub settings: &'a Row,
    /// The output folder.
    pub folder: &'a Path,
    /// The output format.
    pub format: Format,
    /// The program that encodes MP3 and AAC.
    pub ffmpeg: Option<&'a Ffmpeg>,
    /// The format of subtitles beside the file, if any.
    pub subtitles: Option<subtitles::Format>,
    /// The number of rows spoken at once, and of chapters encoded at once as Opus.
    pub jobs: usize,
    /// Whether to keep the audio of the rows after the file is written.
    pub keep_parts: bool,
}

/// The progress of a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    /// The rows are being spoken.
    Speaking(Progress),
    /// The file is being written.
    Writing {
        /// Seconds of audio written.
        seconds: f64,
        /// Total seconds of audio.
        all: f64,
    },
}

/// A chapter with its position in the audio.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChapterMark {
    /// The title.
    pub title: String,
    /// The start of the chapter in seconds.
    pub start: f64,
    /// The end of the chapter in seconds.
    pub end: f64,
}

/// A finished book.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The title.
    pub title: String,
    /// The authors.
    pub authors: Vec<String>,
    /// The name of the file.
    pub file: String,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The SHA-256 of the file.
    pub sha256: String,
    /// The duration of the audio in seconds.
    pub seconds: f64,
    /// The chapters.
    pub chapters: Vec<ChapterMark>,
    /// Passages that could not be spoken, each with its error kind.
    pub failed: Vec<(String, String)>,
    /// The number of texts in `unsure.tsv`.
    pub unsure: usize,
    /// The SHA-256 of all inputs of the file except ffmpeg.
    key: String,
}

/// Passages that could not be spoken, each with its error kind.
type Failed = Vec<(String, String)>;

/// A passage that was spoken.
pub(crate) struct Spoken<'a> {
    pub(crate) passage: &'a Passage,
    key: &'a str,
    done: Done,
    /// The number of its samples, and of those of the following pause.
    pub(crate) samples: usize,
    pub(crate) pause: usize,
}

impl Audiobook<'_> {
    /// Speaks the rows that the folder lacks, and writes the file, the report, the subtitles and
    /// the table of uncertain readings. Does nothing if the folder already has them. Returns `None`
    /// if it was cancelled.
    ///
    /// `inspector` must have the lexicon of the engine.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for a format that cannot be encoded, for a folder of another book, voice
    /// or setting, and for a folder in use. [`Error::Io`] and [`Error::Speech`]; finished rows are
    /// kept.
    pub fn make(
        &self,
        inspector: &Inspector,
        cancel: &CancelToken,
        show: &(dyn Fn(Stage) + Sync),
    ) -> Result<Option<Report>> {
        encode::check(self.format, self.manifest.sample_rate(), self.ffmpeg)?;
        let sample = Row { text: "a".to_owned(), ..self.settings.clone() };
        let settings = sample.request().and_then(|request| self.engine.validate(request));
        settings.map_err(|error| Error::Refused(error.message().to_owned()))?;
        let language = language(self.settings)?;
        let passages = passages(self.book, self.settings);
        let fingerprint = self.manifest.fingerprint();
        let keys: Vec<_> = passages.iter().map(|it| it.row.key(&fingerprint)).collect();
        let _lock = lock(self.folder)?;
        let key = self.key(&passages, &keys);
        if let Some(report) = self.finished(&key)? {
            self.remove_parts()?;
            return Ok(Some(report));
        }
        let unsure = unsure::unsure(&passages, inspector, language);
        self.write(UNSURE, unsure::table(&unsure).as_bytes())?;
        let folder = Folder::create(self.folder.join(PARTS), self.manifest)?;
        let rows: Vec<_> = passages.iter().map(|passage| passage.row.clone()).collect();
        let job = Job {
            engine: self.engine,
            manifest: self.manifest,
            folder: &folder,
            table: &Table::of(rows)?,
            shard: Shard::default(),
            jobs: self.jobs,
            verify: false,
            retry: false,
        };
        let report = job.run(cancel, &|_, _, progress| show(Stage::Speaking(progress)))?;
        if report.unfinished > 0 {
            return Ok(None);
        }
        let (spoken, failed) = self.spoken(&folder, &passages, &keys)?;
        let chapters = self.chapters(&spoken);
        let Some(seconds) = self.write_sound(&folder, &spoken, &chapters, cancel, show)? else {
            return Ok(None);
        };
        self.write_subtitles(&spoken)?;
        let file = self.name(self.format.as_str());
        let path = self.folder.join(&file);
        let measured = File::open(&path).and_then(|mut file| measure(&mut file));
        let (bytes, sha256) = measured.map_err(Error::io(&path))?;
        let report = Report {
            title: self.book.title.clone(),
            authors: self.book.authors.clone(),
            file,
            bytes,
            sha256,
            seconds,
            chapters,
            failed,
            unsure: unsure.len(),
            key,
        };
        let json = serde_json::to_string_pretty(&report).expect("strings and numbers") + "\n";
        self.write(REPORT, json.as_bytes())?;
        self.remove_parts()?;
        Ok(Some(report))
    }

    /// The SHA-256 of all inputs of the file. `keys` are those of the passages.
    fn key(&self, passages: &[Passage], keys: &[String]) -> String {
        let rows = passages.iter().zip(keys);
        let rows: Vec<_> = rows.map(|(it, key)| (it.chapter, key, it.pause)).collect();
        let titles: Vec<_> = self.book.chapters.iter().map(|chapter| &chapter.title).collect();
        let cover = self.book.cover.as_ref().map(|cover| hex(&Sha256::digest(&cover.bytes)));
        let subtitles = self.subtitles.map(subtitles::Format::extension);
        let all = json!([
            VERSION,
            rows,
            titles,
            self.book.title,
            self.book.authors,
            cover,
            subtitles,
            self.format.as_str(),
        ]);
        hex(&Sha256::digest(all.to_string()))
    }

    /// The report of the folder, if it belongs to this book and its files exist.
    fn finished(&self, key: &str) -> Result<Option<Report>> {
        let path = self.folder.join(REPORT);
        let report = match fs::read(&path) {
            Ok(json) => serde_json::from_slice::<Report>(&json).ok(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::io(&path)(error)),
        };
        let length = |name: &str| fs::metadata(self.folder.join(name)).map(|it| it.len()).ok();
        let Some(report) = report else { return Ok(None) };
        if report.key == key {
            let has_subtitles =
                self.subtitles.is_none_or(|it| length(&self.name(it.extension())).is_some());
            let is_whole = has_subtitles
                && length(&self.name(self.format.as_str())) == Some(report.bytes)
                && length(UNSURE).is_some();
            return Ok(is_whole.then_some(report));
        }
        Ok(None)
    }

    /// The name of an output file with this extension.
    fn name(&self, extension: &str) -> String {
        let safe = |c: char| match c {
            '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
            c if c.is_control() => '_',
            c => c,
        };
        let title: String = self.book.title.chars().map(safe).collect();
        let title = title.trim_matches(['.', ' ']);
        let title = &title[..title.floor_char_boundary(MAX_NAME)];
        let title = if title.is_empty() { "book" } else { title.trim_end_matches(['.', ' ']) };
        format!("{title}.{extension}")
    }

    /// The spoken passages; then the others, each with its error kind.
    fn spoken<'a>(
        &self,
        folder: &Folder,
        passages: &'a [Passage],
        keys: &'a [String],
    ) -> Result<(Vec<Spoken<'a>>, Failed)> {
        let (mut spoken, mut failed) = (Vec::new(), Vec::new());
        let rate = f64::from(self.manifest.sample_rate());
        let samples = |seconds: f64| (seconds * rate).round() as usize;
        for (passage, key) in passages.iter().zip(keys) {
            match folder.outcome(key)? {
                Some(Outcome::Done(done)) => spoken.push(Spoken {
                    passage,
                    key,
                    samples: samples(done.seconds),
                    pause: samples(f64::from(passage.pause) / 1000.0),
                    done,
                }),
                Some(Outcome::Failed(fault)) => failed.push((passage.row.id.clone(), fault.kind)),
                None => return Err(missing(self.folder)),
            }
        }
        Ok((spoken, failed))
    }

    fn seconds(&self, samples: usize) -> f64 {
        samples as f64 / f64::from(self.manifest.sample_rate())
    }

    /// The positions of the chapters in the audio. A chapter without spoken text has no mark.
    fn chapters(&self, spoken: &[Spoken<'_>]) -> Vec<ChapterMark> {
        let mut at = 0;
        let groups = spoken.chunk_by(|a, b| a.passage.chapter == b.passage.chapter);
        groups
            .map(|group| {
                let start = self.seconds(at);
                at += group.iter().map(|it| it.samples + it.pause).sum::<usize>();
                let title = self.book.chapters[group[0].passage.chapter].title.clone();
                ChapterMark { title, start, end: self.seconds(at) }
            })
            .collect()
    }

    /// Writes the file. Returns its duration in seconds, or `None` if it was cancelled.
    fn write_sound(
        &self,
        folder: &Folder,
        spoken: &[Spoken<'_>],
        chapters: &[ChapterMark],
        cancel: &CancelToken,
        show: &(dyn Fn(Stage) + Sync),
    ) -> Result<Option<f64>> {
        let all = chapters.last().map_or(0.0, |chapter| chapter.end);
        let tags = Tags {
            title: &self.book.title,
            authors: &self.book.authors,
            chapters,
            cover: self.book.cover.as_ref(),
        };
        let path = self.folder.join(self.name(self.format.as_str()));
        let read_samples = AtomicUsize::new(0);
        let read = |passage: &Spoken<'_>| {
            if cancel.is_cancelled() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let mut samples = wav_samples(&folder.sound(passage.key))?;
            samples.resize(passage.samples + passage.pause, 0);
            let before = read_samples.fetch_add(samples.len(), Ordering::Relaxed);
            show(Stage::Writing { seconds: self.seconds(before + samples.len()), all });
            Ok(samples)
        };
        let rate = self.manifest.sample_rate();
        let sound = Sound { passages: spoken, rate, jobs: self.jobs, read: &read };
        let write = |file: &mut _| encode::write(self.format, file, &sound, &tags, self.ffmpeg);
        match write_whole(&path, write) {
            Err(Error::Io { .. }) if cancel.is_cancelled() => Ok(None),
            result => result.map(|()| Some(all)),
        }
    }

    /// Writes a subtitle cue for each sentence.
    fn write_subtitles(&self, spoken: &[Spoken<'_>]) -> Result<()> {
        let Some(format) = self.subtitles else { return Ok(()) };
        let (mut text, mut at, mut number) = (format.header().to_owned(), 0, 0);
        for part in spoken {
            let offset = self.seconds(at);
            for (start, end, first, last) in &part.done.sentences {
                let said = part.passage.row.text.get(*first..*last).unwrap_or_default();
                number += 1;
                text += &format.cue(number, offset + start, offset + end, said);
            }
            at += part.samples + part.pause;
        }
        self.write(&self.name(format.extension()), text.as_bytes())
    }

    fn write(&self, name: &str, content: &[u8]) -> Result<()> {
        write_whole(&self.folder.join(name), |file| file.write_all(content))
    }

    fn remove_parts(&self) -> Result<()> {
        let parts = self.folder.join(PARTS);
        if self.keep_parts || !parts.exists() {
            return Ok(());
        }
        fs::remove_dir_all(&parts).map_err(Error::io(&parts))
    }
}

/// The uncertain readings of a book with these settings.
///
/// # Errors
///
/// [`Error::Speech`] for an unsupported language.
pub fn unsure(book: &Book, settings: &Row, inspector: &Inspector) -> Result<Vec<Unsure>> {
    Ok(unsure::unsure(&passages(book, settings), inspector, language(settings)?))
}

fn language(settings: &Row) -> Result<Language> {
    let name = settings.language.as_deref();
    name.map_or_else(|| Ok(Language::default()), str::parse).map_err(Error::Speech)
}

/// Locks the folder for this process, and removes temporary files of an interrupted one.
fn lock(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let path = folder.join(LOCK);
    let file = File::options().create(true).append(true).open(&path).map_err(Error::io(&path))?;
    match file.try_lock() {
        Ok(()) => (),
        Err(fs::TryLockError::WouldBlock) => {
            let message = format!("another process is already writing to {}", folder.display());
            return Err(Error::Refused(message));
        }
        Err(fs::TryLockError::Error(error)) => return Err(Error::io(&path)(error)),
    }
    for entry in fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(".speech-") && name.ends_with(".partial") {
            fs::remove_file(&path).map_err(Error::io(&path))?;
        }
    }
    Ok(file)
}

/// The error for a row that was removed during the run.
fn missing(folder: &Path) -> Error {
    Error::io(folder)(io::Error::new(io::ErrorKind::NotFound, "a part is missing"))
}

/// The samples of a wav file of 16-bit integers written by the batch.
fn wav_samples(path: &PathBuf) -> io::Result<Vec<i16>> {
    let header = speech_core::wav_header(0, speech_core::SAMPLE_RATE, speech_core::Encoding::Pcm16);
    let bytes = fs::read(path)?;
    let samples = bytes.get(header.len()..).unwrap_or_default();
    Ok(samples.as_chunks().0.iter().map(|two| i16::from_le_bytes(*two)).collect())
}
