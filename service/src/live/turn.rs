//! The speech of a turn: its steps, its sound, and its record.

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

/// What the task of a turn gives to its session.
#[derive(Debug)]
pub(super) enum Product {
    /// What is to be written.
    Message(Outgoing),
    /// The turn has ended, and that is recorded.
    End(End),
}

/// How a turn has ended.
#[derive(Debug)]
pub(super) struct End {
    pub(super) turn: u64,
    /// Those that are recorded.
    pub(super) characters: usize,
    /// What the client is to be told of it; nothing of one that the session has stopped.
    pub(super) message: Option<Message>,
    pub(super) outcome: Outcome,
}

/// Ends a turn, of which so many characters were sent.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) outcome: Outcome,
    pub(super) characters: usize,
}

/// What a turn needs to be spoken.
pub(super) struct Turn {
    pub(super) service: Arc<Service>,
    pub(super) account: Account,
    pub(super) session: RequestId,
    pub(super) number: u64,
    pub(super) name: Arc<str>,
    pub(super) id: RequestId,
    pub(super) settings: Settings,
    /// Those that it is read with, as they are recorded.
    pub(super) lexicons: Option<String>,
    pub(super) text: Arc<Text>,
    pub(super) place: Arc<Place>,
    pub(super) pace: Arc<Pace>,
    pub(super) products: mpsc::UnboundedSender<Product>,
}

/// A turn that is being spoken.
struct Speaker {
    turn: Turn,
    /// None while a step is taken.
    stream: Option<Stream>,
    frames: Frames,
    /// Those that were given, with the silence that was put in.
    samples: usize,
    /// Of them, that silence.
    filled: usize,
    /// The characters that are counted on the account.
    counted: usize,
    /// Of them, those that are recorded.
    recorded: usize,
    /// Whether it is in the record: it comes there with its first sound, or with its end.
    is_recorded: bool,
    began: Instant,
    first_audio: Option<Duration>,
}

impl Turn {
    /// Speaks the turn to its end, or until it is stopped, and records it.
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
            // The session cancels what it has stopped.
            Ok(Err(refusal)) if refusal.error.kind() == ErrorKind::Cancelled => {
                match stop.try_recv() {
                    Ok(stop) => Err(Some(stop)),
                    Err(TryRecvError::Closed) => Err(None),
                    Err(TryRecvError::Empty) => Ok(Err(failed().into())),
                }
            }
            spoken => spoken.map_err(Result::ok),
        };
        // Without a session nobody says what was sent: at most what is recorded.
        let left = Stop { outcome: Outcome::Disconnected, characters: speaker.recorded };
        let result = result.map_err(|stop| stop.unwrap_or(left));
        speaker.turn.text.cancel();
        speaker.turn.service.metrics.in_progress.dec();
        speaker.end(result).await;
    }

    fn send(&self, message: Message, seconds: f64, characters: usize) {
        let turn = Some(self.number);
        // Without a session it is stopped soon.
        let _ =
            self.products.send(Product::Message(Outgoing { turn, message, seconds, characters }));
    }
}

impl Speaker {
    async fn speak(&mut self) -> Result<(), ErrorResponse> {
        let is_low = self.turn.settings.latency == Latency::Low;
        loop {
            self.turn.text.news().await;
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
                    // Until then it costs what was sent.
                    self.turn.pace.written().await;
                    return Ok(());
                }
                Step::Ready => self.turn.text.touch(),
                Step::Waiting => {}
            }
        }
    }

    /// Has the next sentence computed, if it is there, and gives its sound as it comes.
    async fn step(&mut self) -> Result<Step, ErrorResponse> {
        let Turn { service, account, place, text, settings, .. } = &self.turn;
        let asks = text.is_decided();
        if asks {
            place.ask();
        }
        let permit = service.live.permits.acquire(account).await;
        let weight = weight(settings.sound.sample_rate, settings.sound.encoding);
        let hold = place.hold_piece(weight)?;
        let mut stream = self.stream.take().ok_or_else(failed)?;
        let (give, mut given) = mpsc::unbounded_channel();
        let (held, place) = (Arc::clone(&hold), Arc::clone(place));
        let step = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let (mut seconds, mut too_much) = (0.0, None);
            let cancel = stream.cancel_token();
            let step = stream.step(|chunk| {
                seconds += chunk.seconds();
                if let Err(refusal) = place.grow(&held, weight * seconds) {
                    too_much.get_or_insert(refusal);
                    cancel.cancel();
                } else {
                    // Nobody takes what comes after the end of the turn.
                    let _ = give.send(chunk);
                }
            });
            let step = too_much.map_or(step.map_err(ErrorResponse::from), Err);
            (stream, step)
        });
        while let Some(chunk) = given.recv().await {
            let mut chunks = vec![chunk];
            chunks.extend(std::iter::from_fn(|| given.try_recv().ok()));
            self.give(chunks, &hold).await?;
        }
        // A panic was logged.
        let (stream, step) = step.await.map_err(|_| failed())?;
        self.stream = Some(stream);
        self.turn.place.finish();
        step
    }

    /// Gives sound, once the record has the characters of it.
    async fn give(&mut self, chunks: Vec<Chunk>, hold: &Arc<Hold>) -> Result<(), ErrorResponse> {
        let Turn { service, id, place, text, .. } = &self.turn;
        for chunk in &chunks {
            // Silence alone was not computed.
            let seconds = (!chunk.words().is_empty()).then(|| chunk.seconds());
            place.give(seconds, !chunk.sentences().is_empty());
            service.metrics.heard(chunk.seconds());
        }
        let end = chunks.iter().map(|chunk| chunk.span().end).max().unwrap_or_default();
        let characters = text.speak_until(end);
        let more = characters - self.recorded;
        if more > 0 {
            place.count(more)?;
            self.counted = characters;
        }
        if more > 0 || !self.is_recorded {
            let recorded = match self.is_recorded {
                true => service.usage.raise(*id, characters),
                false => self.record(characters),
            };
            self.is_recorded = true;
            recorded.wait().await?;
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

    /// Gives whole frames, in messages of the length that was asked for.
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

    /// Records how the turn ended, and tells the session.
    async fn end(self, result: Result<Result<(), ErrorResponse>, Stop>) {
        let pushed = self.turn.text.pushed();
        let costs_nothing = !(self.is_recorded || matches!(result, Ok(Ok(()))) && pushed > 0);
        let recorded = match self.is_recorded || costs_nothing {
            true => Ok(()),
            false => self.record(0).wait().await,
        };
        let result = result.map(|spoken| spoken.and(recorded.map_err(Into::into)));
        let Turn { service, id, number, place, .. } = &self.turn;
        let (mut outcome, characters) = match &result {
            Err(Stop { outcome, characters }) => (*outcome, *characters),
            Ok(Err(refusal)) => (Outcome::Failed(refusal.error.kind()), self.recorded),
            Ok(Ok(())) => {
                // White space at the end, say. What was spoken is not taken back for it.
                let _ = place.count(pushed - self.recorded);
                (Outcome::Complete, pushed)
            }
        };
        place.give_back(self.counted.saturating_sub(characters));
        let mut message = match &result {
            Err(_) => None,
            Ok(Err(refusal)) => Some(self.failure(refusal)),
            Ok(Ok(())) => Some(self.finished(characters)),
        };
        let ended = if costs_nothing {
            service.usage.sum(self.entry(0), outcome).wait().await
        } else {
            service.usage.end_turn(*id, outcome, characters).await
        };
        if let Err(error) = ended {
            outcome = Outcome::Failed(error.kind());
            message = Some(self.failure(&error.into()));
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
        // Without a session nobody waits for it.
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

/// An internal error; the log has its cause.
fn failed() -> Error {
    Error::new(ErrorKind::Internal, "the synthesis failed")
}
