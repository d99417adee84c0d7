//! Writes timestamps as subtitles (`.srt`, `.vtt`) or as JSON lines.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ValueEnum;
use serde_json::{Value, json};
use speech_book::subtitles::{self, Format};
use speech_core::{Chunk, SentenceTiming, WordTiming};

use crate::output::Output;
use crate::source::Source;

#[derive(clap::Args)]
pub(crate) struct TimingArgs {
    /// Write subtitles to this file: SubRip for .srt, WebVTT for .vtt
    #[arg(long, value_name = "FILE")]
    subtitles: Option<PathBuf>,
    /// Unit of a subtitle
    #[arg(long, value_enum, default_value = "sentence", requires = "subtitles")]
    subtitles_by: Cue,
    /// Write timestamps of words, phonemes, visemes, sentences and marks to this file, one JSON
    /// object per line
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Cue {
    Sentence,
    Word,
}

/// Writes timestamps, if a file for them was requested.
pub(crate) struct Timings {
    subtitles: Option<Subtitles>,
    events: Option<Output>,
}

struct Subtitles {
    output: Output,
    format: Format,
    by: Cue,
    cues: usize,
}

impl TimingArgs {
    /// Rejects other subtitle formats.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        self.subtitles.as_deref().map_or(Ok(()), |path| subtitle_format(path).map(drop))
    }

    /// Creates the files.
    pub(crate) fn create(&self) -> anyhow::Result<Timings> {
        let subtitles = match &self.subtitles {
            Some(path) => {
                let (format, mut output) = (subtitle_format(path)?, Output::create(Some(path))?);
                output.write_all(format.header().as_bytes())?;
                Some(Subtitles { output, format, by: self.subtitles_by, cues: 0 })
            }
            None => None,
        };
        let events = self.events.as_deref().map(|path| Output::create(Some(path))).transpose()?;
        Ok(Timings { subtitles, events })
    }
}

fn subtitle_format(path: &Path) -> anyhow::Result<Format> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("srt") => Ok(Format::SubRip),
        Some("vtt") => Ok(Format::WebVtt),
        _ => bail!(
            "{} must end in .srt or .vtt: other subtitle formats are not supported",
            path.display()
        ),
    }
}

impl Timings {
    pub(crate) fn add(&mut self, source: &Source, chunk: &Chunk) -> anyhow::Result<()> {
        if let Some(output) = &mut self.events {
            for event in events(source, chunk) {
                // In one write, which is one system call.
                output.write_all(format!("{event}\n").as_bytes())?;
            }
        }
        let Some(subtitles) = &mut self.subtitles else { return Ok(()) };
        match subtitles.by {
            Cue::Word => {
                let cue = |word: &WordTiming| (word.start, word.end, word.span.clone());
                subtitles.add(source, chunk.words().iter().map(cue))
            }
            Cue::Sentence => {
                let cue = |one: &SentenceTiming| (one.start, one.end, one.span.clone());
                subtitles.add(source, chunk.sentences().iter().map(cue))
            }
        }
    }

    /// Gives the files their final names.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        if let Some(output) = self.events {
            output.finish()?;
        }
        if let Some(subtitles) = self.subtitles {
            subtitles.output.finish()?;
        }
        Ok(())
    }
}

impl Subtitles {
    fn add(
        &mut self,
        source: &Source,
        heard: impl Iterator<Item = (f64, f64, Range<usize>)>,
    ) -> anyhow::Result<()> {
        for (start, end, span) in heard {
            let text = subtitles::one_line(&source.shown(&span));
            if !text.is_empty() {
                self.cues += 1;
                let cue = self.format.cue(self.cues, start, end, &text);
                self.output.write_all(cue.as_bytes())?;
            }
        }
        Ok(())
    }
}

/// The events of a chunk, ordered by start time.
fn events(source: &Source, chunk: &Chunk) -> Vec<Value> {
    let span = |span: &Range<usize>| json!([span.start, span.end]);
    let words = chunk.words().iter().map(|one| {
        let said = source.text(&one.span);
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
