//! The speaking thread.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use speech_core::{
    CancelToken, Chunk, Engine, Error, ErrorKind, MAX_CHARACTERS, Request, SAMPLE_RATE,
    count_characters,
};

use crate::clips::{self, Clip, Clips};
use crate::config::Config;
use crate::events::Output;
use crate::message::{self, Marked, Name, Part};
use crate::prepared;
use crate::settings::Settings;

/// The longest text whose audio is cached, in characters.
const KEPT_CHARACTERS: usize = 40;

/// The most samples in one event: few enough that stopping takes effect at once.
const FRAME: usize = 4096;

/// How long to wait after the last message before computing names in advance.
const REST: Duration = Duration::from_millis(200);

/// The prefix of marks at which the server can resume a message.
const OF_SERVER: &str = "__spd_";

/// Speaks messages, one at a time, on its own thread.
#[derive(Debug)]
pub struct Speaker {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The message waiting for the thread.
    waiting: Option<(Vec<Part>, Settings)>,
    /// Stops the message that is waiting or being spoken.
    current: Option<Arc<Control>>,
    /// Stops the computation in advance.
    ahead: Option<CancelToken>,
    is_closed: bool,
}

/// The stop state of a message.
#[derive(Debug, Default)]
struct Control {
    cancel: CancelToken,
    pause: AtomicBool,
}

/// A message cannot be accepted, because another is being spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

enum Task {
    Speak(Vec<Part>, Settings, Arc<Control>),
    Prepare(CancelToken),
    End,
}

impl Speaker {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// The system cannot start a thread.
    pub fn start(engine: Engine, config: Arc<Config>, output: Output) -> io::Result<Self> {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        let of_thread = Arc::clone(&shared);
        thread::Builder::new().name("speak".to_owned()).spawn(move || {
            let settings = Settings::new();
            let ahead = prepared::parts(&settings, &config);
            let clips = Clips::default();
            Voice { engine, config, output, clips, settings, ahead }.run(&of_thread);
        })?;
        Ok(Self { shared })
    }

    /// Calls a function, then starts speaking a message. Nothing of the message is written before
    /// the function returns.
    ///
    /// # Errors
    ///
    /// `Busy` while another message is being spoken; the function is then not called.
    pub fn speak(
        &self,
        parts: Vec<Part>,
        settings: Settings,
        accepted: impl FnOnce(),
    ) -> Result<(), Busy> {
        let mut state = self.shared.state();
        if state.current.is_some() {
            return Err(Busy);
        }
        accepted();
        state.current = Some(Arc::default());
        state.waiting = Some((parts, settings));
        if let Some(ahead) = state.ahead.take() {
            ahead.cancel();
        }
        self.shared.changed.notify_all();
        Ok(())
    }

    /// Whether a message is being spoken.
    pub fn is_speaking(&self) -> bool {
        self.shared.state().current.is_some()
    }

    /// Stops the current message.
    pub fn stop(&self) {
        if let Some(control) = &self.shared.state().current {
            control.cancel.cancel();
        }
    }

    /// Pauses the current message at its next server mark.
    pub fn pause(&self) {
        if let Some(control) = &self.shared.state().current {
            control.pause.store(true, Ordering::SeqCst);
        }
    }

    /// Stops everything.
    pub fn close(&self) {
        self.stop();
        let mut state = self.shared.state();
        state.is_closed = true;
        if let Some(ahead) = state.ahead.take() {
            ahead.cancel();
        }
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next task. If texts remain to be computed in advance, that is the task after a
    /// rest, or at once if such computation is in progress.
    fn next(&self, has_ahead: bool, goes_on: bool) -> Task {
        let mut state = self.state();
        let mut has_rested = goes_on;
        loop {
            if state.is_closed {
                return Task::End;
            }
            if let (Some((parts, settings)), Some(control)) =
                (state.waiting.take(), state.current.clone())
            {
                return Task::Speak(parts, settings, control);
            }
            if has_ahead && has_rested {
                let cancel = CancelToken::new();
                state.ahead = Some(cancel.clone());
                return Task::Prepare(cancel);
            }
            if has_ahead {
                let waited = self.changed.wait_timeout(state, REST);
                let (woken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                state = woken;
                has_rested = timeout.timed_out();
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Why a message ends early.
enum Interruption {
    Stopped,
    Paused,
    Failed(Error),
    /// The server no longer reads.
    Closed,
}

impl From<Error> for Interruption {
    fn from(error: Error) -> Self {
        if error.kind() == ErrorKind::Cancelled { Self::Stopped } else { Self::Failed(error) }
    }
}

impl From<io::Error> for Interruption {
    fn from(_: io::Error) -> Self {
        Self::Closed
    }
}

type Outcome = Result<(), Interruption>;

/// The state of the thread.
struct Voice {
    engine: Engine,
    config: Arc<Config>,
    output: Output,
    clips: Clips,
    /// The settings of the last message, and the texts still to be computed in advance with them.
    settings: Settings,
    ahead: VecDeque<Part>,
}

impl Voice {
    fn run(mut self, shared: &Shared) {
        let mut goes_on = false;
        loop {
            match shared.next(!self.ahead.is_empty(), goes_on) {
                Task::Speak(parts, settings, control) => {
                    goes_on = false;
                    let outcome = self.speak(&parts, &settings, &control);
                    self.finish(shared, &control, outcome);
                    if !sounds_like(&settings, &self.settings) {
                        self.ahead = prepared::parts(&settings, &self.config);
                        self.settings = settings;
                    }
                }
                Task::Prepare(cancel) => goes_on = self.prepare(&cancel),
                Task::End => return,
            }
        }
    }

    /// Speaks the parts of a message; returns whether its beginning was reported, and the outcome.
    fn speak(&mut self, parts: &[Part], settings: &Settings, control: &Control) -> (bool, Outcome) {
        let mut sink = Sink { output: self.output.clone(), control, has_begun: false };
        let mut outcome = Ok(());
        for part in parts {
            outcome = self.part(part, settings, &mut sink);
            if outcome.is_err() {
                break;
            }
        }
        (sink.has_begun, outcome)
    }

    /// Reports how a message ended: exactly once, and only when the next one can be accepted.
    fn finish(&self, shared: &Shared, control: &Control, (has_begun, outcome): (bool, Outcome)) {
        shared.state().current = None;
        let is_cancelled = control.cancel.is_cancelled();
        let told = match outcome {
            Ok(()) if is_cancelled => self.output.stop(),
            // The server expects a beginning before an end.
            Ok(()) if !has_begun => self.output.begin().and_then(|()| self.output.end()),
            Ok(()) => self.output.end(),
            Err(Interruption::Paused) => self.output.pause(),
            Err(Interruption::Stopped | Interruption::Closed) => self.output.stop(),
            Err(Interruption::Failed(error)) => {
                log::error!("the message could not be spoken: {error}");
                self.output.stop()
            }
        };
        if told.is_err() {
            log::info!("the server reads no more");
        }
    }

    fn part(&mut self, part: &Part, settings: &Settings, sink: &mut Sink<'_>) -> Outcome {
        match part {
            Part::Text(text) => self.text(text, settings, sink),
            Part::Document(document, text) => {
                let request = self.request(document, settings).ssml(true);
                if request.validate().is_err() {
                    return self.text(text, settings, sink);
                }
                let request = request.cancel_token(&sink.control.cancel);
                let mut player = Player::default();
                for chunk in self.engine.stream(request)? {
                    let chunk = chunk?;
                    let marks = chunk.marks().iter();
                    let marks = marks.map(|mark| (sample(mark.time), mark.name.clone())).collect();
                    player.play(chunk.samples(), marks, sink)?;
                }
                Ok(())
            }
            Part::Name(name) => {
                let clip = self.name(name, settings, &sink.control.cancel)?;
                sink.audio(&clip.samples)
            }
            Part::CapitalTone => sink.audio(&capital_tone(settings)),
            Part::Mark(name) => sink.mark(name),
            Part::Icon(path) => sink.icon(&path.to_string_lossy()),
        }
    }

    fn text(&mut self, text: &Marked, settings: &Settings, sink: &mut Sink<'_>) -> Outcome {
        let mut marks = Marks(text.marks.iter().cloned().collect());
        let text = text.text.trim_end();
        if text.is_empty() {
            return marks.rest(sink);
        }
        let request = self.request(text, settings);
        let characters = count_characters(text);
        let key = (characters <= KEPT_CHARACTERS).then(|| clips::key(&request));
        let mut player = Player::default();
        if let Some(clip) = key.as_ref().and_then(|key| self.clips.get(key)) {
            player.play(&clip.samples, marks.at(&clip.words), sink)?;
            return marks.rest(sink);
        }
        let mut clip = Clip::default();
        let request = request.cancel_token(&sink.control.cancel);
        let stream = if characters <= MAX_CHARACTERS {
            self.engine.stream(request)?
        } else {
            self.engine.stream_long(request)?
        };
        for chunk in stream {
            let chunk = chunk?;
            let words = words(&chunk);
            player.play(chunk.samples(), marks.at(&words), sink)?;
            if key.is_some() {
                clip.samples.extend(chunk.samples());
                clip.words.extend(words);
            }
        }
        if let Some(key) = key {
            self.clips.insert(key, Arc::new(clip));
        }
        marks.rest(sink)
    }

    /// The audio of a name, from the cache or computed.
    fn name(
        &mut self,
        name: &Name,
        settings: &Settings,
        cancel: &CancelToken,
    ) -> Result<Arc<Clip>, Error> {
        let request = self.request_of(name, settings);
        let key = clips::key(&request);
        if let Some(clip) = self.clips.get(&key) {
            return Ok(clip);
        }
        let mut clip = self.clip(request, cancel)?;
        if clip.words.is_empty()
            && let Name::Words(words) = name
            && let Some(c) = words.chars().next()
        {
            let number = self.request_of(&message::number_of(c), settings);
            clip = self.clip(number, cancel)?;
        }
        let clip = Arc::new(clip.trimmed());
        self.clips.insert(key, Arc::clone(&clip));
        Ok(clip)
    }

    fn request_of(&self, name: &Name, settings: &Settings) -> Request {
        match name {
            Name::Words(words) => self.request(words, settings),
            Name::Document(document) => self.request(document, settings).ssml(true),
        }
    }

    /// A request with the configured quality, if the voice has it.
    fn request(&self, text: &str, settings: &Settings) -> Request {
        let request = settings.request(text, &self.config);
        let qualities = self.engine.qualities(settings.speaker(&self.config), settings.language);
        let quality = Some(self.config.quality).filter(|quality| qualities.contains(quality));
        request.quality(quality.unwrap_or_default())
    }

    fn clip(&self, request: Request, cancel: &CancelToken) -> Result<Clip, Error> {
        let mut clip = Clip::default();
        for chunk in self.engine.stream(request.cancel_token(cancel))? {
            let chunk = chunk?;
            clip.samples.extend(chunk.samples());
            clip.words.extend(words(&chunk));
        }
        Ok(clip)
    }

    /// Computes the next text in advance; returns whether it was not interrupted.
    fn prepare(&mut self, cancel: &CancelToken) -> bool {
        let Some(part) = self.ahead.front().cloned() else { return true };
        let settings = self.settings.clone();
        let outcome = match &part {
            Part::Name(name) => self.name(name, &settings, cancel).map(drop),
            Part::Text(text) => self.prepare_text(&text.text, cancel),
            _ => Ok(()),
        };
        match outcome {
            Err(error) if error.kind() == ErrorKind::Cancelled => false,
            outcome => {
                if let Err(error) = outcome {
                    log::error!("a name could not be computed ahead: {error}");
                }
                self.ahead.pop_front();
                if self.ahead.is_empty() {
                    log::debug!("all that is computed ahead is there");
                }
                true
            }
        }
    }

    fn prepare_text(&mut self, text: &str, cancel: &CancelToken) -> Result<(), Error> {
        let request = self.request(text, &self.settings);
        let key = clips::key(&request);
        if !self.clips.has(&key) {
            let clip = self.clip(request, cancel)?;
            self.clips.insert(key, Arc::new(clip));
        }
        Ok(())
    }
}

/// Whether names sound the same with both settings.
fn sounds_like(one: &Settings, other: &Settings) -> bool {
    let sound = |settings: &Settings| {
        let Settings { rate, pitch, volume, language, voice, voice_type, .. } = *settings;
        (rate, pitch, volume, language, voice, voice_type)
    };
    sound(one) == sound(other)
}

fn words(chunk: &Chunk) -> Vec<(usize, usize)> {
    chunk.words().iter().map(|word| (word.span.start, sample(word.start))).collect()
}

/// A time as a number of samples.
fn sample(seconds: f64) -> usize {
    (seconds * f64::from(SAMPLE_RATE)).round().max(0.0) as usize
}

/// A tone of 50 ms, as loud as the voice.
fn capital_tone(settings: &Settings) -> Vec<i16> {
    let rate = f64::from(SAMPLE_RATE);
    let length = SAMPLE_RATE as usize / 20;
    let gain = 10_f64.powf(crate::settings::volume(settings.volume) / 20.0) * 4000.0;
    let tone = (0..length).map(|i| {
        let envelope = (std::f64::consts::PI * i as f64 / length as f64).sin();
        let wave = (std::f64::consts::TAU * 1200.0 * i as f64 / rate).sin();
        (gain * envelope * wave) as i16
    });
    tone.chain(std::iter::repeat_n(0, length / 2)).collect()
}

/// The marks of a text not reached yet, by byte.
struct Marks(VecDeque<(usize, String)>);

impl Marks {
    /// The marks reached with these words, and their samples: a mark is at the start of the word
    /// after it.
    fn at(&mut self, words: &[(usize, usize)]) -> Vec<(usize, String)> {
        let mut reached = Vec::new();
        for (byte, sample) in words {
            let many = self.0.iter().take_while(|(at, _)| at <= byte).count();
            reached.extend(self.0.drain(..many).map(|(_, name)| (*sample, name)));
        }
        reached
    }

    /// The marks after the last word.
    fn rest(self, sink: &mut Sink<'_>) -> Outcome {
        self.0.iter().try_for_each(|(_, name)| sink.mark(name))
    }
}

/// Plays a stream with marks, without its leading silence.
#[derive(Default)]
struct Player {
    /// The samples of the previous chunks.
    from: usize,
    has_sounded: bool,
}

impl Player {
    /// Plays the next chunk, with marks at samples of the stream.
    fn play(
        &mut self,
        samples: &[i16],
        marks: Vec<(usize, String)>,
        sink: &mut Sink<'_>,
    ) -> Outcome {
        let mut at = if self.has_sounded { 0 } else { clips::lead(samples) };
        self.has_sounded |= at < samples.len();
        for (place, name) in marks {
            let place = place.saturating_sub(self.from).clamp(at, samples.len());
            sink.audio(&samples[at..place])?;
            sink.mark(&name)?;
            at = place;
        }
        sink.audio(&samples[at..])?;
        self.from += samples.len();
        Ok(())
    }
}

/// The output of a message, until it is stopped.
struct Sink<'a> {
    output: Output,
    control: &'a Control,
    has_begun: bool,
}

impl Sink<'_> {
    fn check(&mut self) -> Outcome {
        if self.control.cancel.is_cancelled() {
            return Err(Interruption::Stopped);
        }
        if !self.has_begun {
            self.output.begin()?;
            self.has_begun = true;
        }
        Ok(())
    }

    fn audio(&mut self, samples: &[i16]) -> Outcome {
        for frame in samples.chunks(FRAME) {
            self.check()?;
            self.output.audio(frame)?;
        }
        Ok(())
    }

    fn mark(&mut self, name: &str) -> Outcome {
        self.check()?;
        self.output.mark(name)?;
        if self.control.pause.load(Ordering::SeqCst) && name.starts_with(OF_SERVER) {
            return Err(Interruption::Paused);
        }
        Ok(())
    }

    fn icon(&mut self, path: &str) -> Outcome {
        self.check()?;
        Ok(self.output.icon(path)?)
    }
}
