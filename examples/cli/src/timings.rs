//! What is heard when, as subtitles (`.srt`, `.vtt`) or as JSON lines.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use serde_json::{Value, json};
use speech_core::{Chunk, SentenceTiming, WordTiming};

#[derive(clap::Args)]
pub(crate) struct TimingArgs {
    /// Write subtitles to this file: SubRip if it ends in .srt, WebVTT if it ends in .vtt
    #[arg(long, value_name = "FILE")]
    subtitles: Option<PathBuf>,
    /// What a subtitle is
    #[arg(long, value_enum, default_value = "sentence")]
    subtitles_by: Cue,
    /// Write words, sounds, mouth shapes, sentences and marks to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Cue {
    Sentence,
    Word,
}

#[derive(Clone, Copy)]
enum SubtitleFormat {
    SubRip,
    WebVtt,
}

/// Collects what is heard when, if a file for it is wanted.
pub(crate) struct Timings {
    subtitles: Option<(PathBuf, SubtitleFormat, Cue)>,
    events: Option<PathBuf>,
    words: Vec<WordTiming>,
    sentences: Vec<SentenceTiming>,
    lines: String,
}

impl TimingArgs {
    /// Refuses subtitles of another format.
    pub(crate) fn open(&self) -> anyhow::Result<Timings> {
        let subtitles = match &self.subtitles {
            Some(path) => Some((path.clone(), subtitle_format(path)?, self.subtitles_by)),
            None => None,
        };
        Ok(Timings {
            subtitles,
            events: self.events.clone(),
            words: Vec::new(),
            sentences: Vec::new(),
            lines: String::new(),
        })
    }
}

fn subtitle_format(path: &Path) -> anyhow::Result<SubtitleFormat> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("srt") => Ok(SubtitleFormat::SubRip),
        Some("vtt") => Ok(SubtitleFormat::WebVtt),
        _ => bail!("subtitles are .srt or .vtt files, and {} is neither", path.display()),
    }
}

impl Timings {
    pub(crate) fn add(&mut self, text: &str, chunk: &Chunk) -> anyhow::Result<()> {
        if self.events.is_some() {
            for event in events(text, chunk) {
                writeln!(self.lines, "{event}")?;
            }
        }
        self.words.extend_from_slice(chunk.words());
        self.sentences.extend_from_slice(chunk.sentences());
        Ok(())
    }

    /// Writes the files.
    pub(crate) fn write(&self, text: &str, is_ssml: bool) -> anyhow::Result<()> {
        let write = |path: &Path, content: &str| {
            fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
        };
        if let Some(path) = &self.events {
            write(path, &self.lines)?;
        }
        let Some((path, format, cue)) = &self.subtitles else { return Ok(()) };
        let cues: Vec<_> = match cue {
            Cue::Word => {
                let cue =
                    |word: &WordTiming| (word.start, word.end, text[word.span.clone()].into());
                self.words.iter().map(cue).collect()
            }
            Cue::Sentence => {
                let cue = |sentence: &SentenceTiming| {
                    let said = self.said(text, &sentence.span, is_ssml);
                    (sentence.start, sentence.end, said)
                };
                self.sentences.iter().map(cue).collect()
            }
        };
        write(path, &subtitles(&cues, *format))
    }

    /// The text of a sentence; of SSML the words alone.
    fn said(&self, text: &str, span: &Range<usize>, is_ssml: bool) -> String {
        if !is_ssml {
            return text[span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let words = self.words.iter().filter(|word| span.contains(&word.span.start));
        words.map(|word| &text[word.span.clone()]).collect::<Vec<_>>().join(" ")
    }
}

/// The events of a chunk, by the time at which they begin.
fn events(text: &str, chunk: &Chunk) -> Vec<Value> {
    let span = |span: &Range<usize>| json!([span.start, span.end]);
    let words = chunk.words().iter().map(|one| {
        let said = &text[one.span.clone()];
        let (start, end, span) = (one.start, one.end, span(&one.span));
        (start, json!({"event": "word", "start": start, "end": end, "span": span, "text": said}))
    });
    let phonemes = chunk.phonemes().iter().map(|one| {
        let (start, end, span) = (one.start, one.end, span(&one.span));
        (
            start,
            json!({"event": "phoneme", "start": start, "end": end, "span": span, "ipa": one.ipa}),
        )
    });
    let visemes = chunk.visemes().into_iter().map(|one| {
        let (start, end, name) = (one.start, one.end, one.viseme);
        (start, json!({"event": "viseme", "start": start, "end": end, "viseme": name, "azure": one.azure}))
    });
    let sentences = chunk.sentences().iter().map(|one| {
        let (start, end, span) = (one.start, one.end, span(&one.span));
        (start, json!({"event": "sentence", "start": start, "end": end, "span": span}))
    });
    let marks = chunk
        .marks()
        .iter()
        .map(|one| (one.time, json!({"event": "mark", "start": one.time, "name": one.name})));
    let mut events: Vec<_> =
        sentences.chain(words).chain(phonemes).chain(visemes).chain(marks).collect();
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    events.into_iter().map(|(_, event)| event).collect()
}

fn subtitles(cues: &[(f64, f64, String)], format: SubtitleFormat) -> String {
    let mut file = match format {
        SubtitleFormat::SubRip => String::new(),
        SubtitleFormat::WebVtt => "WEBVTT\n\n".to_owned(),
    };
    for (index, (start, end, text)) in cues.iter().enumerate() {
        let (number, point) = match format {
            SubtitleFormat::SubRip => (format!("{}\n", index + 1), ','),
            SubtitleFormat::WebVtt => (String::new(), '.'),
        };
        let (start, end) = (clock(*start, point), clock(*end, point));
        file += &format!("{number}{start} --> {end}\n{text}\n\n");
    }
    file
}

/// Hours, minutes, seconds and milliseconds.
fn clock(seconds: f64, point: char) -> String {
    let milliseconds = (seconds * 1000.0).round() as u64;
    let (seconds, milliseconds) = (milliseconds / 1000, milliseconds % 1000);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    format!("{:02}:{:02}:{seconds:02}{point}{milliseconds:03}", minutes / 60, minutes % 60)
}
