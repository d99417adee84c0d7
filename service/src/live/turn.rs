//! Speaks a turn: its steps, its audio and its record.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::FutureExt;
use speech_core::{Chunk, Error, ErrorKind, Latency, RequestId, Step, Stream};
use tokio::sync::oneshot::error::TryRecvError;
use tokio::sync::{mpsc, oneshot};

use super::event::{self, Event, Piece, Timing, TurnUsage};
use super::frames::Frames;
use super::pace::Pace;
use super::settings::Settings;
use super::text::Text;
use super::wire::Outgoing;
use crate::admission::Place;
use crate::error_response::ErrorResponse;
use crate::keys::Account;
use crate::lines::{Events, milliseconds};
use crate::service::Service;
use crate::sound::{Hold, weight};
use crate::usage::{Entry, Outcome, Recorded};

/// A product of a turn's task for its session.
#[derive(Debug)]
pub(super) enum Product {
    /// A message to write.
    Message(Outgoing),
    /// The turn has ended and is recorded.
    End(End),
}

/// How a turn has ended.
#[derive(Debug)]
pub(super) struct End {
    pub(super) turn: u64,
    /// The recorded characters.
    pub(super) characters: usize,
    /// The last message to the client; none if the session stopped the turn.
    pub(super) message: Option<Message>,
    pub(super) outcome: Outcome,
}

/// Stops a turn, with the number of characters that were sent.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) outcome: Outcome,
    pub(super) characters: usize,
}

/// The input of a turn's task.
pub(super) struct Turn {
    pub(super) service: Arc<Service>,
    pub(super) account: Account,
    pub(super) session: RequestId,
    pub(super) number: u64,
    pub(super) name: Arc<str>,
    pub(super) id: RequestId,
    pub(super) settings: Settings,
    /// The names of its lexicons for the record.
    pub(super) lexicons: Option<String>,
    pub(super) text: Arc<Text>,
    pub(super) place: Arc<Place>,
    pub(super) pace: Arc<Pace>,
    pub(super) products: mpsc::UnboundedSender<Product>,
}

/// A turn that is being spoken.
struct Speaker {
    turn: Turn,
    /// None during a step.
    stream: Option<Stream>,
    frames: Frames,
    /// The samples so far, including inserted silence.
    samples: usize,
    /// The samples of inserted silence.
    filled: usize,
    /// The characters that are counted against the account's limit.
    counted: usize,
    /// Of these, the characters of sentences without audio.
    silent: usize,
    /// The recorded characters.
    recorded: usize,
    /// Whether the turn has a record. It is created with the first audio or at the end.
    is_recorded: bool,
    began: Instant,
    first_audio: Option<Duration>,
}

impl Turn {
    /// Speaks and records the turn, until its end or until it is stopped.
    pub(super) async fn speak(self, stream: Stream, mut stop: oneshot::Receiver<Stop>) {
        let message = Event::Turn { turn: &self.name, request_id: self.id.to_string() }.message();
        self.send(message, 0.0, 0);
        self.service.metrics.in_progress.inc();
        let frames = Frames::new(self.settings.sound);
        let mut speaker = Speaker {
            turn: self,
            stream: Some(stream),
            frames,
            samples: 0,
            filled: 0,
            counted: 0,
            silent: 0,
            recorded: 0,
            is_recorded: false,
            began: Instant::now(),
            first_audio: None,
        };
        let spoken = tokio::select! {
            biased;
            stop = &mut stop => Err(stop),
            spoken = AssertUnwindSafe(speaker.speak()).catch_unwind() => {
                Ok(spoken.unwrap_or_else(|_| Err(failed().into())))
            }
        };
        let result = match spoken {
            // The session cancels a turn that it stops.
            Ok(Err(refusal)) if refusal.error.kind() == ErrorKind::Cancelled => {
                match stop.try_recv() {
                    Ok(stop) => Err(Some(stop)),
                    Err(TryRecvError::Closed) => Err(None),
                    Err(TryRecvError::Empty) => Ok(Err(failed().into())),
                }
            }
            spoken => spoken.map_err(Result::ok),
        };
        // Without a session, what was sent is unknown: at most the recorded characters.
        let left = Stop { outcome: Outcome::Disconnected, characters: speaker.recorded };
        let result = result.map_err(|stop| stop.unwrap_or(left));
        speaker.turn.text.cancel();
        speaker.turn.service.metrics.in_progress.dec();
        speaker.end(result).await;
    }

    fn send(&self, message: Message, seconds: f64, characters: usize) {
        let turn = Some(self.number);
        // Without a session, the turn is stopped soon.
        let _ =
            self.products.send(Product::Message(Outgoing { turn, message, seconds, characters }));
    }
}

impl Speaker {
    async fn speak(&mut self) -> Result<(), ErrorResponse> {
        let is_low = self.turn.settings.latency == Latency::Low;
        loop {
            self.turn.text.news().await;
            if self.turn.text.is_due() {
                self.turn.place.expect();
            }
            self.turn.pace.room(self.turn.settings.ahead).await;
            let mut step = Step::Waiting;
            if is_low || self.turn.text.is_decided() {
                step = self.step().await?;
            }
            let waits = step == Step::Waiting && !self.turn.text.is_new();
            if waits || step == Step::Ended {
                self.fill();
            }
            for _ in 0..self.turn.text.take_flushes(waits || step == Step::Ended) {
                self.fill();
                let seconds = milliseconds(self.seconds());
                let message = Event::Flushed { turn: &self.turn.name, seconds }.message();
                self.turn.send(message, 0.0, self.recorded);
            }
            match step {
                Step::Ended => {
                    // Until then the turn costs what was sent.
                    self.turn.pace.written().await;
                    return Ok(());
                }
                Step::Ready => self.turn.text.touch(),
                Step::Waiting => {}
            }
        }
    }

    /// Computes the next available sentence, and passes its audio on chunk by chunk.
    async fn step(&mut self) -> Result<Step, ErrorResponse> {
        let Turn { service, account, place, settings, .. } = &self.turn;
        if self.is_recorded {
            place.ask();
        } else {
            place.ask_first()?;
        }
        let permit = service.live.permits.acquire(account).await;
        let weight = weight(settings.sound.sample_rate, settings.sound.encoding);
        let hold = place.hold_piece(weight)?;
        let mut stream = self.stream.take().ok_or_else(failed)?;
        self.turn.text.set_computing(true);
        let (give, mut given) = mpsc::unbounded_channel();
        let (held, place) = (Arc::clone(&hold), Arc::clone(place));
        let step = permit.run(move || {
            let (mut seconds, mut too_much) = (0.0, None);
            let cancel = stream.cancel_token();
            let step = stream.step(|chunk| {
                seconds += chunk.seconds();
                if let Err(refusal) = place.grow(&held, weight * seconds) {
                    too_much.get_or_insert(refusal);
                    cancel.cancel();
                } else {
                    // Chunks after the end of the turn are dropped.
                    let _ = give.send(chunk);
                }
            });
            let step = too_much.map_or(step.map_err(ErrorResponse::from), Err);
            (stream, step)
        });
        let mut is_silent = true;
        while let Some(chunk) = given.recv().await {
            is_silent = false;
            let mut chunks = vec![chunk];
            chunks.extend(std::iter::from_fn(|| given.try_recv().ok()));
            self.give(chunks, &hold).await?;
        }
        // The panic was logged.
        let (stream, step) = step.await.map_err(|_| failed())?;
        self.stream = Some(stream);
        self.turn.text.set_computing(false);
        self.turn.place.finish();
        let step = step?;
        self.count_silent(is_silent)?;
        Ok(step)
    }

    /// Counts text that was read and has no audio, because reading it costs computation.
    fn count_silent(&mut self, is_silent: bool) -> Result<(), ErrorResponse> {
        let read = self.turn.text.read();
        let more = read.saturating_sub(self.counted);
        if more == 0 {
            return Ok(());
        }
        let counted = self.turn.place.spend(more);
        self.counted = read;
        self.silent += more;
        // Whitespace after the last sentence within the limit is no error.
        if is_silent { counted } else { Ok(()) }
    }

    /// Passes audio on once its characters are recorded.
    async fn give(&mut self, chunks: Vec<Chunk>, hold: &Arc<Hold>) -> Result<(), ErrorResponse> {
        let Turn { service, account, id, place, text, .. } = &self.turn;
        for chunk in &chunks {
            // Pure silence was not computed.
            let seconds = (!chunk.words().is_empty()).then(|| chunk.seconds());
            place.give(seconds, !chunk.sentences().is_empty());
            service.metrics.heard(chunk.seconds());
        }
        let end = chunks.iter().map(|chunk| chunk.span().end).max().unwrap_or_default();
        let characters = text.speak_until(end);
        let more = characters - self.recorded;
        if characters > self.counted {
            place.count(characters - self.counted)?;
            self.counted = characters;
        }
        if more > 0 || !self.is_recorded {
            let recorded = match self.is_recorded {
                true => service.usage.raise(account, *id, characters),
                false => self.record(characters),
            };
            self.is_recorded = true;
            recorded.wait().await.map_err(|unrecorded| place.unrecorded(unrecorded))?;
            self.recorded = characters;
        }
        if self.first_audio.is_none() {
            self.first_audio = Some(self.began.elapsed());
            self.turn.service.metrics.first_audio(self.began);
        }
        for chunk in &chunks {
            self.give_chunk(chunk, hold);
        }
        Ok(())
    }

    fn give_chunk(&mut self, chunk: &Chunk, hold: &Arc<Hold>) {
        let Turn { name, text, settings, .. } = &self.turn;
        let told = settings.events;
        if told.any() {
            let mut events = Events::default();
            let filled = self.in_seconds(self.filled);
            events.add(chunk, filled, |span| text.place(span));
            let from = self.seconds();
            let piece = Piece {
                turn: name,
                from: milliseconds(from),
                to: milliseconds(from + chunk.seconds()),
                words: told.words.then_some(events.words),
                sentences: told.sentences.then_some(events.sentences),
                phonemes: told.phonemes.then_some(events.phonemes),
                visemes: told.visemes.then_some(events.visemes),
            };
            self.turn.send(Event::Words(piece).message(), 0.0, self.recorded);
        }
        self.samples += chunk.samples().len();
        let frames = self.frames.add(chunk.to_bytes());
        self.give_frames(frames, Some(hold));
    }

    /// Fills the last frame with silence.
    fn fill(&mut self) {
        let (frame, silence) = self.frames.fill();
        if silence > 0 {
            self.turn.text.fill(self.seconds(), self.in_seconds(silence));
            self.samples += silence;
            self.filled += silence;
        }
        self.give_frames(frame, None);
    }

    /// Passes on whole frames, in messages of the requested length.
    fn give_frames(&self, frames: Vec<u8>, hold: Option<&Arc<Hold>>) {
        let sound = self.turn.settings.sound;
        let held = |bytes: Vec<u8>| match hold {
            Some(hold) => hold.bytes(bytes),
            None => Bytes::from(bytes),
        };
        let mut frames = held(frames);
        while !frames.is_empty() {
            let part = frames.split_to(sound.message_bytes().min(frames.len()));
            let seconds = sound.seconds(part.len());
            let message = if sound.as_json {
                let audio = BASE64_STANDARD.encode(&part);
                let json = Event::Audio { turn: &self.turn.name, audio }.json();
                let json = Utf8Bytes::try_from(held(json.into_bytes()));
                Message::Text(json.expect("JSON is UTF-8"))
            } else {
                Message::Binary(part)
            };
            self.turn.pace.add(seconds);
            self.turn.send(message, seconds, self.recorded);
        }
    }

    fn seconds(&self) -> f64 {
        self.in_seconds(self.samples)
    }

    fn in_seconds(&self, samples: usize) -> f64 {
        self.turn.settings.sound.seconds_of_samples(samples)
    }

    /// Records how the turn ended, and notifies the session.
    async fn end(self, result: Result<Result<(), ErrorResponse>, Stop>) {
        let pushed = self.turn.text.pushed();
        let costs_nothing = !(self.is_recorded || matches!(result, Ok(Ok(()))) && pushed > 0);
        let recorded = match self.is_recorded || costs_nothing {
            true => Ok(()),
            false => self.record(0).wait().await,
        };
        let result = result.map(|spoken| spoken.and(recorded.map_err(Into::into)));
        let Turn { service, account, id, number, place, .. } = &self.turn;
        let (mut outcome, characters) = match &result {
            Err(Stop { outcome, characters }) => (*outcome, *characters),
            Ok(Err(refusal)) => (Outcome::Failed(refusal.error.kind()), self.recorded),
            Ok(Ok(())) => {
                // For example, whitespace at the end. The spoken turn is complete all the same.
                let _ = place.spend(pushed.saturating_sub(self.counted));
                (Outcome::Complete, pushed)
            }
        };
        place.give_back(self.counted.saturating_sub(characters.max(self.silent)));
        let mut message = match &result {
            Err(_) => None,
            Ok(Err(refusal)) => Some(self.failure(refusal)),
            Ok(Ok(())) => Some(self.finished(characters)),
        };
        let ended = if costs_nothing {
            service.usage.sum(self.entry(0), outcome).wait().await
        } else {
            service.usage.end_turn(account, *id, outcome, characters).await
        };
        if let Err(unrecorded) = ended {
            let refusal = ErrorResponse::from(unrecorded);
            outcome = Outcome::Failed(refusal.error.kind());
            message = Some(self.failure(&refusal));
        }
        service.metrics.ended(outcome, characters);
        if characters > 0 || service.metrics.lines.take(Instant::now()) {
            tracing::info!(
                request_id = %id,
                session = %self.turn.session,
                outcome = outcome.as_str(),
                characters,
                ms = self.began.elapsed().as_millis() as u64,
                "ended"
            );
        }
        let end = End { turn: *number, characters, message, outcome };
        // Without a session, no one needs it.
        let _ = self.turn.products.send(Product::End(end));
    }

    fn record(&self, characters: usize) -> Recorded {
        self.turn.service.usage.begin(self.entry(characters))
    }

    fn entry(&self, characters: usize) -> Entry {
        let Turn { account, session, id, settings, lexicons, .. } = &self.turn;
        Entry {
            request_id: *id,
            account: account.clone(),
            voice: Some(settings.voice.as_str()),
            language: Some(settings.language.as_str()),
            characters,
            lexicons: lexicons.clone(),
            keyed: None,
            session: Some(*session),
        }
    }

    fn failure(&self, refusal: &ErrorResponse) -> Message {
        event::error(Some(&self.turn.name), self.turn.id, refusal)
    }

    fn finished(&self, characters: usize) -> Message {
        let text = &self.turn.text;
        let skipped = text.diagnostics();
        let finished = Event::Finished {
            turn: &self.turn.name,
            seconds: milliseconds(self.seconds()),
            usage: TurnUsage { characters, pushed: text.pushed() },
            skipped: skipped.iter().map(|diagnostic| text.place(&diagnostic.span)).collect(),
            timing: Timing { first_audio_ms: self.first_audio.map(|it| it.as_millis() as u64) },
        };
        finished.message()
    }
}

/// An internal error whose cause is in the log.
pub(super) fn failed() -> Error {
    Error::new(ErrorKind::Internal, "the synthesis failed")
}
