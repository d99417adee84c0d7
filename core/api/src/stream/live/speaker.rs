//! Speaks a live text.

use std::ops::Range;
use std::time::{Duration, Instant};

use speech_base::cancel::CancelToken;
use speech_base::concurrency::sync::Arc;
use speech_base::error::Result;
use speech_base::fork::ProcessLocal;
use speech_base::limits::MAX_SECONDS;
use speech_base::prefetch::Handover;
use speech_text::normalize::Options;
use speech_text::segment::Boundary;

use super::input::Next;
use super::{Text, phrase};
use crate::audio;
use crate::latency::Latency;
use crate::loaded_engine::EngineHandle;
use crate::request::Request;
use crate::stream::piece::{Output, Piece, Step};
use crate::synthesis::{self, Follows, Give, Prepared, PreparedSentence, SentenceAudio};

/// With low latency, when less audio than this is left to play, the known part of a sentence is
/// spoken.
const SHORT_OF_SOUND: Duration = Duration::from_millis(400);

struct Shared {
    engine: EngineHandle,
    request: Request,
    /// Process-local: the text has locks.
    text: ProcessLocal<Arc<Text>>,
}

impl Shared {
    fn text(&self) -> &Arc<Text> {
        self.text.in_any_process()
    }

    fn options(&self) -> Options<'_> {
        self.request.options(&self.engine.lexicon)
    }
}

/// Speaks live text as it arrives.
pub(in crate::stream) struct Speaker {
    shared: Arc<Shared>,
    /// The number of bytes of undecided text already examined.
    seen: usize,
    /// The silence after the last sentence, in milliseconds.
    pause: u32,
    /// The explicit pauses in the text since then, in milliseconds. They replace that silence.
    explicit: u32,
    /// The seconds of audio returned so far.
    seconds: f64,
    /// When playback of that audio ends, if each chunk is played at once.
    sounds_until: Option<Instant>,
    /// The start of the current sentence's first word, in seconds, if its beginning has been
    /// spoken.
    sentence_start: Option<f64>,
}

impl Speaker {
    /// Speaks with the settings of a request, whose text is pushed first. `token` is the stream's.
    ///
    /// # Errors
    ///
    /// `invalid_request` for a request that cannot be live, or that the bundle cannot speak.
    pub(in crate::stream) fn new(
        engine: EngineHandle,
        mut request: Request,
        cancel: CancelToken,
    ) -> Result<Self> {
        engine.check()?;
        request.check_live()?;
        let text = Text::new(request.identify(), cancel);
        text.input.push(&request.text)?;
        engine.style(request.quality, request.voice, request.language)?;
        let text = ProcessLocal::new(Arc::new(text));
        let shared = Arc::new(Shared { engine, request, text });
        let (seen, pause, explicit, seconds) = (0, 0, 0, 0.0);
        Ok(Self {
            shared,
            seen,
            pause,
            explicit,
            seconds,
            sounds_until: None,
            sentence_start: None,
        })
    }

    /// The state of the text.
    pub(in crate::stream) fn text(&self) -> Arc<Text> {
        Arc::clone(self.shared.text())
    }

    /// Whether little audio is left to play, as far as is known.
    fn is_short_of_sound(&self) -> bool {
        self.sounds_until.is_none_or(|until| Instant::now() + SHORT_OF_SOUND >= until)
    }

    /// The number of bytes of undecided text already examined, if it should be examined at all.
    fn held(&self) -> Option<usize> {
        (self.shared.request.latency == Latency::Low).then_some(self.seen)
    }

    /// Speaks to the end of the text, and waits for text.
    pub(in crate::stream) fn run(mut self, mut output: Output<'_>) -> Result<()> {
        let text = self.text();
        let wake = Arc::downgrade(&text);
        let _guard = output.cancel.on_cancel(move || {
            if let Some(text) = wake.upgrade() {
                text.input.wake();
            }
        });
        loop {
            let next = text.input.wait(output.cancel, self.held())?;
            if self.speak_next(next, &mut output)? == Step::Ended {
                return Ok(());
            }
        }
    }

    /// Speaks the next available text, if any.
    pub(in crate::stream) fn step(&mut self, output: &mut Output<'_>) -> Result<Step> {
        match self.shared.text().input.poll(self.held()) {
            Some(next) => self.speak_next(next, output),
            None => Ok(Step::Waiting),
        }
    }

    fn speak_next(&mut self, next: Next, output: &mut Output<'_>) -> Result<Step> {
        let shared = Arc::clone(&self.shared);
        let input = &shared.text().input;
        match next {
            Next::End => {
                let bytes = input.bytes();
                let (start, audio) = match (self.seconds > 0.0, self.explicit) {
                    (false, 0) if bytes > 0 => {
                        (0, Prepared::default().nothing_to_say(shared.engine.sample_rate))
                    }
                    (is_after, pause) => {
                        let tail = if is_after { audio::TAIL_MS } else { 0 };
                        let silence = SentenceAudio::empty(shared.engine.sample_rate);
                        (bytes, silence.after_silence(pause.saturating_sub(tail).into()))
                    }
                };
                (self.pause, self.explicit) = (0, 0);
                let piece = Piece { audio, span: start..bytes, ends_sentence: true };
                self.give(piece, Handover::Waits, output);
                return Ok(Step::Ended);
            }
            Next::Sentence(segment) => {
                let end = segment.span.end;
                let part = input.said().clamp(segment.span.start, end)..end;
                let whole = Held { text: &segment.text, start: segment.span.start };
                self.speak(whole, part, segment.boundary, output)?;
            }
            Next::Held { text, start, end } => {
                self.seen = end;
                if !self.is_short_of_sound() {
                    return Ok(Step::Ready);
                }
                let said = input.said().max(start);
                let options = shared.options();
                let front_end = &shared.engine.front_end;
                if let Some(length) = phrase::beginning(front_end, &text, said - start, options) {
                    input.say_until(start + length);
                    let held = Held { text: &text[..length], start };
                    self.speak(held, said..start + length, Boundary::Clause, output)?;
                }
            }
        }
        Ok(Step::Ready)
    }

    /// Speaks a part of a sentence, given by its byte range in the whole text.
    fn speak(
        &mut self,
        held: Held<'_>,
        part: Range<usize>,
        boundary: Boundary,
        output: &mut Output<'_>,
    ) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        let passage = shared.request.live_passage(held.text, held.start, boundary);
        let passages = [std::sync::Arc::new(passage)];
        let prepared = synthesis::prepare(&shared.engine.front_end, &passages, shared.options());
        let is_beginning = boundary == Boundary::Clause;
        if !is_beginning {
            shared.text().add_diagnostics(&prepared.diagnostics);
        }
        self.explicit = self.explicit.saturating_add(prepared.pause_alone());
        for sentence in prepared.sentences {
            let mut sentence = sentence.part(part.clone(), is_beginning);
            self.explicit = self.explicit.saturating_add(sentence.take_pauses_before());
            self.speak_sentence(sentence, &part, is_beginning, output)?;
        }
        Ok(())
    }

    fn speak_sentence(
        &mut self,
        mut sentence: PreparedSentence,
        span: &Range<usize>,
        is_beginning: bool,
        output: &mut Output<'_>,
    ) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        let synthesizer = shared.engine.synthesizer(&sentence.passage, output.cancel)?;
        let begins_early = shared.request.latency == Latency::Low && self.is_short_of_sound();
        let piece = |audio, ends_sentence| Piece { audio, span: span.clone(), ends_sentence };
        let mut to = |audio, handover| self.give(piece(audio, false), handover, output);
        let give = Give { to: &mut to, early: begins_early };
        let room = MAX_SECONDS.into();
        let mut audio = synthesizer.speak(&mut sentence, Follows::Unknown, room, Some(give))?;
        let offset = self.seconds + f64::from(self.silence()) / 1000.0;
        let timings = &mut audio.timings.sentences;
        if is_beginning {
            let first = timings.drain(..).next().map(|sentence| offset + sentence.start);
            self.sentence_start = self.sentence_start.or(first);
        } else if let (Some(first), Some(sentence)) =
            (self.sentence_start.take(), timings.first_mut())
        {
            sentence.start = first - offset;
        }
        self.give(piece(audio, !is_beginning), Handover::Waits, output);
        (self.pause, self.explicit) = (sentence.pause_after(), sentence.explicit_pause_after());
        Ok(())
    }

    /// The silence before the next audio, in milliseconds.
    fn silence(&self) -> u32 {
        match self.explicit {
            0 => self.pause,
            pause if self.seconds > 0.0 => synthesis::between_sounds(pause),
            pause => pause.saturating_sub(audio::LEAD_MS),
        }
    }

    /// Returns a piece, with the pause before it.
    fn give(&mut self, mut piece: Piece, handover: Handover, output: &mut Output<'_>) {
        if piece.audio.is_empty() {
            return;
        }
        piece.audio = piece.audio.after_silence(self.silence().into());
        (self.pause, self.explicit) = (0, 0);
        let seconds = piece.audio.seconds();
        self.seconds += seconds;
        (output.give)(piece, handover);
        // The caller plays it after the earlier chunks.
        let from = self.sounds_until.map_or_else(Instant::now, |until| until.max(Instant::now()));
        self.sounds_until = Some(from + Duration::from_secs_f64(seconds));
    }
}

/// Undecided text, and its start in the whole text in bytes.
struct Held<'a> {
    text: &'a str,
    start: usize,
}
