//! A session: one socket, and the turns that are spoken on it one after another.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message as SocketMessage, close_code};
use futures_util::{Sink, Stream as Messages};
use speech_core::{CancelToken, Error, ErrorKind, RequestId, Stream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{sleep_until, timeout};
use tungstenite::error::{CapacityError, Error as SocketError};

use super::event::{self, By, Event, Limits, SessionUsage, TextHeard, TurnUsage};
use super::message::{Interrupt, MAX_MESSAGE, Message, Named, Played, Text as Pushed, invalid};
use super::pace::Pace;
use super::settings::{Changes, Settings};
use super::text::Text;
use super::turn::{End, Product, Stop, Turn as TurnToSpeak};
use super::wire::{Happening, Outgoing, Wire, Written};
use crate::error_response::ErrorResponse;
use crate::keys::Account;
use crate::lines::milliseconds;
use crate::service::Service;
use crate::shutdown::{Follower, Phase};
use crate::speech::record_refusal;
use crate::usage::Outcome;

/// The most turns that wait behind the one that is spoken.
const MAX_TURNS_WAITING: usize = 8;

/// The most characters of a session that wait to be spoken.
const MAX_CHARACTERS_WAITING: usize = 20_000;

/// Turns whose sound was sent, and of which may still be asked what was heard.
const MAX_SENT: usize = 16;

/// The names of turns that are remembered when they have ended.
const MAX_ENDED: usize = 64;

/// Messages without sound that may wait for the client to take them.
const MAX_UNTAKEN: usize = 1000;

/// So long before a session is too old, it begins no new turn: or a tenth of its time, if that is less.
const NOTICE: Duration = Duration::from_secs(60);

/// For the client to take the last messages, and to close its side.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Messages that a client may send in a second, and how many more at once.
const MESSAGES_PER_SECOND: f64 = 200.0;
const MESSAGES_AT_ONCE: f64 = 1000.0;

/// What is said and done at the end of a session.
#[derive(Debug, Default)]
struct Ending {
    code: Option<u16>,
    /// What went wrong, by the client.
    refusal: Option<ErrorResponse>,
    /// The reason of a `goodbye`.
    goodbye: Option<&'static str>,
}

impl Ending {
    fn planned(code: u16, reason: &'static str) -> Self {
        Self { code: Some(code), goodbye: Some(reason), refusal: None }
    }

    fn refused(code: u16, refusal: impl Into<ErrorResponse>) -> Self {
        Self { code: Some(code), refusal: Some(refusal.into()), goodbye: None }
    }
}

/// A turn of a session.
#[derive(Debug)]
struct Turn {
    number: u64,
    name: Arc<str>,
    id: RequestId,
    text: Arc<Text>,
    settings: Settings,
    lexicons: Option<String>,
    /// Until it is spoken.
    stream: Option<Stream>,
    /// While it is spoken.
    speaking: Option<Speaking>,
    /// Seconds of its sound that were written.
    seconds: f64,
    /// Its characters whose sound was written.
    characters: usize,
    /// What the client is told once it has stopped.
    stopped: Option<Stopped>,
    /// Whether the end of the session has finished its text, which the client may not know yet.
    is_cut: bool,
}

#[derive(Debug)]
struct Speaking {
    stop: Option<oneshot::Sender<Stop>>,
    task: JoinHandle<()>,
}

/// Why a turn was stopped.
#[derive(Debug)]
enum Stopped {
    Interrupted(Heard),
    Failed(ErrorResponse),
    /// The client is gone.
    Left,
}

/// What was heard of a turn.
#[derive(Debug)]
struct Heard {
    turn: u64,
    /// In seconds of the turn.
    played: f64,
    by: By,
    /// Of its text.
    bytes: usize,
    /// Seconds that were written and not played, by the clock.
    unplayed: f64,
}

/// How a turn ended, which its name is remembered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Finished,
    /// The client may not have known of it yet when it sent more text.
    Early,
}

/// A session on a socket.
pub(super) struct Session<S> {
    service: Arc<Service>,
    account: Account,
    id: RequestId,
    wire: Wire<S>,
    settings: Settings,
    /// Whether the first message has come.
    is_started: bool,
    /// Whether the sound of later turns may be of another kind.
    may_change_sound: bool,
    /// In their order. The first one is spoken, unless it has just come.
    turns: VecDeque<Turn>,
    /// Turns that are not spoken any more, and may still be played.
    sent: VecDeque<Turn>,
    ended: VecDeque<(Arc<str>, Ended)>,
    /// Whether text that names no turn belongs to one that has failed.
    is_orphaned: bool,
    next_turn: u64,
    /// The number that is tried first as the name of a turn that has none.
    next_name: u64,
    products: mpsc::UnboundedReceiver<Product>,
    give: mpsc::UnboundedSender<Product>,
    pace: Arc<Pace>,
    usage: SessionUsage,
    /// It ends when all turns have ended.
    closing: Option<Ending>,
    /// When the text of open turns is finished, of a session that is too old.
    cut_at: Option<Instant>,
    opened: Instant,
    /// When text or sound went by.
    active: Instant,
    /// When anything came of the client.
    heard_of: Instant,
    next_ping: Instant,
    messages_left: f64,
}

impl<S> Session<S>
where
    S: Messages<Item = Result<SocketMessage, axum::Error>>
        + Sink<SocketMessage, Error = axum::Error>
        + Unpin,
{
    pub(super) fn new(
        service: Arc<Service>,
        account: Account,
        id: RequestId,
        settings: Settings,
        socket: S,
    ) -> Self {
        let (give, products) = mpsc::unbounded_channel();
        let now = Instant::now();
        let next_ping = now + service.live.limits.ping;
        Self {
            service,
            account,
            id,
            wire: Wire::new(socket),
            settings,
            is_started: false,
            may_change_sound: false,
            turns: VecDeque::new(),
            sent: VecDeque::new(),
            ended: VecDeque::new(),
            is_orphaned: false,
            next_turn: 1,
            next_name: 1,
            products,
            give,
            pace: Arc::new(Pace::new()),
            usage: SessionUsage::default(),
            closing: None,
            cut_at: None,
            opened: now,
            active: now,
            heard_of: now,
            next_ping,
            messages_left: MESSAGES_AT_ONCE,
        }
    }

    /// Of a client that says how its sound is to be sent with each text.
    pub(super) fn with_dialect(self) -> Self {
        Self { may_change_sound: true, ..self }
    }

    /// Serves the client to the end of the session.
    pub(super) async fn run(mut self, mut shutdown: Follower) {
        self.service.metrics.sessions.inc();
        let mut last = shutdown.clone();
        let mut is_leaving = false;
        let ending = loop {
            self.begin_next();
            if let Some(ending) =
                self.closing.take_if(|_| self.turns.is_empty() && self.wire.is_written())
            {
                break ending;
            }
            let deadline = self.deadline();
            let happened = tokio::select! {
                biased;
                () = last.ended() => Err(Ending { code: Some(close_code::RESTART), ..Ending::default() }),
                () = shutdown.finishing(), if !is_leaving => {
                    is_leaving = true;
                    let until = match self.service.shutdown.phase() {
                        Phase::Finishing(until) => until,
                        _ => Instant::now(),
                    };
                    self.leave("restart", until, close_code::RESTART);
                    Ok(())
                }
                Some(product) = self.products.recv() => {
                    self.take(product);
                    Ok(())
                }
                happening = self.wire.next() => self.meet(happening),
                () = sleep_until(deadline.into()) => self.be_on_time(),
            };
            if let Err(ending) = happened {
                break ending;
            }
            if self.wire.soundless() > MAX_UNTAKEN {
                break Ending::default();
            }
        };
        self.service.metrics.sessions.dec();
        self.end(ending).await;
    }

    /// When something is to be done although nothing happens.
    fn deadline(&self) -> Instant {
        let limits = &self.service.live.limits;
        let mut deadline = self.next_ping.min(self.heard_of + limits.silence);
        if !self.is_started {
            deadline = deadline.min(self.opened + limits.start);
        }
        if self.closing.is_none() {
            deadline = deadline.min(self.active + limits.idle).min(self.last_call());
        }
        if let Some(cut_at) = self.cut_at {
            deadline = deadline.min(cut_at);
        }
        deadline
    }

    /// From when on nothing new begins, as the session is too old.
    fn last_call(&self) -> Instant {
        let longest = self.service.live.limits.session;
        self.opened + longest - NOTICE.min(longest / 10)
    }

    /// Does what is to be done by now.
    fn be_on_time(&mut self) -> Result<(), Ending> {
        let (now, limits) = (Instant::now(), self.service.live.limits);
        if now >= self.heard_of + limits.silence {
            return Err(Ending::default());
        }
        if !self.is_started && now >= self.opened + limits.start {
            return Err(Ending::planned(close_code::NORMAL, "start"));
        }
        if now >= self.next_ping {
            self.next_ping = now + limits.ping;
            self.say(SocketMessage::Ping(Default::default()));
        }
        if self.closing.is_none() {
            if now >= self.last_call() {
                let until = self.opened + limits.session;
                self.cut_at = Some(until);
                self.leave("session", until, close_code::NORMAL);
            } else if now >= self.active + limits.idle {
                self.close("idle");
            }
        }
        if self.cut_at.take_if(|cut_at| now >= *cut_at).is_some() {
            self.cut();
        }
        Ok(())
    }

    /// Ends the session once what was pushed is spoken.
    fn close(&mut self, reason: &'static str) {
        self.cut();
        self.closing.get_or_insert(Ending::planned(close_code::NORMAL, reason));
    }

    /// Finishes the text of all turns.
    fn cut(&mut self) {
        for turn in self.turns.iter_mut().filter(|turn| !turn.text.is_finished()) {
            turn.text.finish();
            turn.is_cut = true;
            self.is_orphaned = true;
        }
    }

    /// The session ends: turns that have begun are finished, if their text is in time.
    fn leave(&mut self, reason: &'static str, until: Instant, code: u16) {
        let seconds = until.saturating_duration_since(Instant::now()).as_secs();
        let goodbye = Event::Goodbye { reason, seconds, usage: self.usage };
        self.say(goodbye.message());
        self.closing = Some(Ending { code: Some(code), ..Ending::default() });
    }

    fn say(&mut self, message: SocketMessage) {
        self.wire.push(Outgoing::of_session(message));
    }

    /// Says something of a turn, in order with its sound: it is dropped with that.
    fn say_of(&mut self, turn: u64, message: SocketMessage) {
        self.wire.push(Outgoing { turn: Some(turn), message, seconds: 0.0, characters: 0 });
    }

    fn meet(&mut self, happening: Happening) -> Result<(), Ending> {
        match happening {
            Happening::Lost => Err(Ending::default()),
            Happening::Flushed => Ok(()),
            Happening::Written(written) => {
                self.note(&written);
                Ok(())
            }
            Happening::Fault(error) => {
                let error = match error.into_inner().downcast::<Error>() {
                    // A message in the protocol of another service.
                    Ok(refusal) => return Err(Ending::refused(close_code::POLICY, *refusal)),
                    Err(error) => error,
                };
                match error.downcast_ref::<SocketError>() {
                    Some(SocketError::Capacity(CapacityError::MessageTooLong { .. })) => {
                        let message = format!("the message is over {MAX_MESSAGE} bytes");
                        let refusal = ErrorResponse::new(ErrorKind::RequestTooLarge, message);
                        Err(Ending::refused(close_code::SIZE, refusal))
                    }
                    Some(SocketError::Utf8(_)) => Err(Ending::refused(
                        close_code::INVALID,
                        invalid("the message is not UTF-8"),
                    )),
                    _ => Err(Ending::default()),
                }
            }
            Happening::Received(message) => {
                let now = Instant::now();
                let since = now.saturating_duration_since(self.heard_of).as_secs_f64();
                self.heard_of = now;
                self.messages_left =
                    (self.messages_left + since * MESSAGES_PER_SECOND).min(MESSAGES_AT_ONCE) - 1.0;
                if self.messages_left < 0.0 {
                    let message =
                        format!("more than {MESSAGES_PER_SECOND} messages came in a second");
                    return Err(Ending::refused(close_code::POLICY, invalid(message)));
                }
                match message {
                    SocketMessage::Text(text) => self.hear(&text),
                    SocketMessage::Binary(_) => {
                        let refusal = invalid("messages are text: a binary one has no meaning");
                        Err(Ending::refused(close_code::UNSUPPORTED, refusal))
                    }
                    // The library has answered it.
                    SocketMessage::Ping(_) | SocketMessage::Pong(_) => Ok(()),
                    SocketMessage::Close(_) => Err(Ending::default()),
                }
            }
        }
    }

    /// Sound was written.
    fn note(&mut self, &Written { turn, seconds, characters }: &Written) {
        self.pace.write(seconds);
        self.active = Instant::now();
        self.usage.seconds += seconds;
        let mut turns = self.sent.iter_mut().chain(&mut self.turns);
        if let Some(turn) = turns.find(|it| it.number == turn) {
            turn.seconds += seconds;
            turn.characters = characters;
        }
    }

    /// Does what a message says. An error of the session ends it; one of a turn ends that.
    fn hear(&mut self, json: &str) -> Result<(), Ending> {
        let refused = |refusal: Error| Ending::refused(close_code::POLICY, refusal);
        let message = Message::read(json).map_err(refused)?;
        if !self.is_started {
            let changes =
                if let Message::Start(changes) = &message { changes } else { &Box::default() };
            self.start(changes).map_err(|refusal| Ending::refused(close_code::POLICY, refusal))?;
            if let Message::Start(_) = message {
                return Ok(());
            }
        }
        match message {
            Message::Start(_) => return Err(refused(invalid("start must be the first message"))),
            Message::Settings(changes) => {
                self.set(&changes, self.may_change_sound)
                    .map_err(|it| Ending::refused(close_code::POLICY, it))?;
            }
            Message::Text(pushed) => self.push(&pushed),
            Message::Flush(Named { turn }) => {
                if let Some(turn) = self.open_turn(turn.as_deref()) {
                    turn.text.flush();
                }
            }
            Message::Finish(Named { turn }) => {
                if let Some(turn) = self.open_turn(turn.as_deref()) {
                    turn.text.finish();
                } else if turn.is_none() {
                    self.is_orphaned = false;
                }
            }
            Message::Played(played) => self.play(&played),
            Message::Interrupt(interrupt) => self.interrupt(&interrupt),
            Message::Close => self.close("close"),
        }
        Ok(())
    }

    fn set(&mut self, changes: &Changes, is_start: bool) -> Result<(), ErrorResponse> {
        let mut settings = self.settings.clone();
        settings.change(changes, is_start)?;
        settings.check(&self.service, &self.account)?;
        self.settings = settings;
        Ok(())
    }

    fn start(&mut self, changes: &Changes) -> Result<(), ErrorResponse> {
        self.set(changes, true)?;
        self.is_started = true;
        let (sound, live) = (self.settings.sound, &self.service.live);
        let ready = Event::Ready {
            session: self.id.to_string(),
            encoding: sound.encoding.as_str(),
            sample_rate: sound.sample_rate,
            frame_bytes: sound.frame_bytes(),
            library: env!("CARGO_PKG_VERSION"),
            limits: Limits {
                turns_waiting: MAX_TURNS_WAITING,
                waiting_characters: MAX_CHARACTERS_WAITING,
                sessions: live.sessions.of(&self.account),
                sessions_of_account: live.sessions.most_of_account(),
                idle_seconds: live.limits.idle.as_secs(),
                session_seconds: live.limits.session.as_secs(),
            },
        };
        self.say(ready.message());
        Ok(())
    }

    /// The turn of this name, or the last one, if its text is not finished.
    fn open_turn(&self, name: Option<&str>) -> Option<&Turn> {
        let mut open =
            self.turns.iter().rev().filter(|it| it.stopped.is_none() && !it.text.is_finished());
        open.find(|turn| name.is_none_or(|name| *turn.name == *name))
    }

    fn push(&mut self, Pushed { turn: name, text, flush, finish }: &Pushed) {
        self.active = Instant::now();
        let number = match (self.open_turn(name.as_deref()), name) {
            (Some(turn), _) => turn.number,
            (None, Some(name)) => match self.begin_named(name) {
                Some(number) => number,
                None => return,
            },
            (None, None) if self.is_orphaned => {
                self.is_orphaned = !finish;
                return;
            }
            (None, None) => {
                let name = self.unused_name();
                match self.open(name) {
                    Some(number) => number,
                    None => {
                        self.is_orphaned = !finish;
                        return;
                    }
                }
            }
        };
        let wanted = self.turns.iter().filter(|turn| turn.stopped.is_none());
        let waiting: usize = wanted.map(|turn| turn.text.waiting()).sum();
        let Some(turn) = self.turns.iter().find(|turn| turn.number == number) else { return };
        let result = if waiting + text.chars().count() > MAX_CHARACTERS_WAITING {
            let message =
                format!("more than {MAX_CHARACTERS_WAITING} characters wait to be spoken");
            Err(Error::new(ErrorKind::TextTooLong, message))
        } else {
            turn.text.push(text)
        };
        if *flush {
            turn.text.flush();
        }
        if *finish {
            turn.text.finish();
        }
        if let Err(error) = result {
            self.is_orphaned = name.is_none() && !finish;
            self.fail(number, error.into());
        }
    }

    /// Opens a turn of a name that no turn has whose text is open.
    fn begin_named(&mut self, name: &str) -> Option<u64> {
        let is_there = self.turns.iter().find(|turn| *turn.name == *name);
        let ended =
            self.ended.iter().rev().find(|(ended, _)| **ended == *name).map(|(_, how)| *how);
        match (is_there, ended) {
            // The client may not know of the end yet.
            (Some(turn), _) if turn.stopped.is_some() || turn.is_cut => None,
            (None, Some(Ended::Early)) => None,
            (Some(turn), _) => {
                let number = turn.number;
                self.fail(number, text_is_finished());
                None
            }
            (None, Some(Ended::Finished)) => {
                self.say(event::error(Some(name), self.id, &text_is_finished()));
                None
            }
            (None, None) => self.open(name.into()),
        }
    }

    /// A name for a turn without one.
    fn unused_name(&mut self) -> Arc<str> {
        let turns = self.turns.iter().chain(&self.sent).map(|turn| &turn.name);
        let used: Vec<_> = turns.chain(self.ended.iter().map(|(name, _)| name)).collect();
        let is_unused = |number: &u64| used.iter().all(|name| ***name != *number.to_string());
        let number = (self.next_name..).find(is_unused).expect("there are more numbers than turns");
        self.next_name = number + 1;
        number.to_string().into()
    }

    /// Opens a turn behind those that there are.
    fn open(&mut self, name: Arc<str>) -> Option<u64> {
        let id = RequestId::new();
        let refusal = if self.closing.is_some() {
            let message = "the session ends: nothing new begins";
            Some(ErrorResponse::new(ErrorKind::Overloaded, message))
        } else if self.turns.len() > MAX_TURNS_WAITING {
            let message = format!("{MAX_TURNS_WAITING} turns wait already");
            Some(ErrorResponse::new(ErrorKind::Overloaded, message).of_the_account())
        } else {
            None
        };
        if let Some(refusal) = refusal {
            self.refuse(&name, id, refusal);
            return None;
        }
        let cancel = CancelToken::new();
        let live =
            self.settings.request(&self.service, &self.account).and_then(|(request, lexicons)| {
                let request = request.cancel_token(&cancel).request_id(id);
                Ok((self.service.engine_of(&self.account).live(request)?, lexicons))
            });
        let ((live, stream), lexicons) = match live {
            Ok(live) => live,
            Err(error) => {
                self.refuse(&name, id, error.into());
                return None;
            }
        };
        let number = self.next_turn;
        self.next_turn += 1;
        self.turns.push_back(Turn {
            number,
            name,
            id,
            text: Arc::new(Text::new(live, cancel)),
            settings: self.settings.clone(),
            lexicons,
            stream: Some(stream),
            speaking: None,
            seconds: 0.0,
            characters: 0,
            stopped: None,
            is_cut: false,
        });
        Some(number)
    }

    /// Refuses a turn that has not begun.
    fn refuse(&mut self, name: &Arc<str>, id: RequestId, refusal: ErrorResponse) {
        self.say(event::error(Some(name), id, &refusal));
        self.remember(Arc::clone(name), Ended::Early);
        let (service, account) = (Arc::clone(&self.service), self.account.clone());
        let refusal = refusal.with_request_id(id);
        tokio::spawn(async move {
            // What cannot be recorded is logged.
            let _ = record_refusal(&service, account, &refusal).await;
        });
    }

    fn remember(&mut self, name: Arc<str>, how: Ended) {
        if self.ended.len() == MAX_ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back((name, how));
    }

    /// Ends a turn with an error.
    fn fail(&mut self, number: u64, refusal: ErrorResponse) {
        let Some(place) = self.turns.iter().position(|turn| turn.number == number) else { return };
        if self.turns[place].speaking.is_some() {
            let outcome = Outcome::Failed(refusal.error.kind());
            self.stop(outcome, Stopped::Failed(refusal));
        } else if let Some(Turn { name, id, .. }) = self.turns.remove(place) {
            self.refuse(&name, id, refusal);
        }
    }

    /// Begins with the first turn, if it is not spoken yet.
    fn begin_next(&mut self) {
        while let Some(turn) = self.turns.front_mut().filter(|turn| turn.speaking.is_none()) {
            if turn.stopped.is_some() {
                let number = turn.number;
                self.conclude(End {
                    turn: number,
                    characters: 0,
                    message: None,
                    outcome: Outcome::Stopped,
                });
                continue;
            }
            let place = match self.service.admission.admit_turn(&self.account) {
                Ok(place) => Arc::new(place),
                Err(refusal) => {
                    self.is_orphaned = !turn.text.is_finished();
                    let number = turn.number;
                    self.fail(number, refusal);
                    continue;
                }
            };
            let Some(stream) = turn.stream.take() else { return };
            let (stop, stopped) = oneshot::channel();
            let to_speak = TurnToSpeak {
                service: Arc::clone(&self.service),
                account: self.account.clone(),
                session: self.id,
                number: turn.number,
                name: Arc::clone(&turn.name),
                id: turn.id,
                settings: turn.settings.clone(),
                lexicons: turn.lexicons.take(),
                text: Arc::clone(&turn.text),
                place,
                pace: Arc::clone(&self.pace),
                products: self.give.clone(),
            };
            let task = tokio::spawn(to_speak.speak(stream, stopped));
            turn.speaking = Some(Speaking { stop: Some(stop), task });
        }
    }

    /// Stops the turn that is spoken. Nothing more of it is written but its end.
    fn stop(&mut self, outcome: Outcome, stopped: Stopped) {
        let Some(turn) = self.turns.front_mut() else { return };
        self.pace.forget(self.wire.drop_turn(turn.number));
        if let Some(stop) = turn.speaking.as_mut().and_then(|speaking| speaking.stop.take()) {
            // It may have come to its end.
            let _ = stop.send(Stop { outcome, characters: turn.characters });
        }
        turn.text.cancel();
        turn.stopped.get_or_insert(stopped);
    }

    /// Takes what the task of the first turn gives.
    fn take(&mut self, product: Product) {
        match product {
            Product::Message(outgoing) => {
                let mut turns = self.turns.iter();
                let is_wanted =
                    |turn: &Turn| Some(turn.number) == outgoing.turn && turn.stopped.is_none();
                if turns.next().is_some_and(is_wanted) {
                    self.wire.push(outgoing);
                } else {
                    self.pace.forget(outgoing.seconds);
                }
            }
            Product::End(end) => self.conclude(end),
        }
    }

    /// The first turn has ended.
    fn conclude(&mut self, End { turn: number, characters, message, outcome }: End) {
        if self.turns.front().is_none_or(|turn| turn.number != number) {
            return;
        }
        let Some(mut turn) = self.turns.pop_front() else { return };
        let pushed = turn.text.pushed();
        self.usage.turns += 1;
        self.usage.characters += characters;
        self.usage.pushed += pushed;
        let (name, id) = (Arc::clone(&turn.name), turn.id);
        let is_stopped = turn.stopped.is_some();
        let message = match turn.stopped.take() {
            None => message,
            // That it could not be recorded, say.
            Some(_) if matches!(outcome, Outcome::Failed(_)) && message.is_some() => message,
            // It had come to its end before, and all of it was sent.
            Some(Stopped::Failed(_)) if outcome == Outcome::Complete => message,
            Some(Stopped::Interrupted(heard)) => Some(turn.interrupted(&heard, characters)),
            Some(Stopped::Failed(refusal)) => Some(event::error(Some(&name), id, &refusal)),
            Some(Stopped::Left) => None,
        };
        // One that was stopped may have come to its end before.
        let is_finished = outcome == Outcome::Complete && !is_stopped;
        if matches!(outcome, Outcome::Failed(_)) {
            self.is_orphaned = !turn.text.is_finished();
        }
        let is_known = is_finished && !turn.is_cut;
        self.remember(name, if is_known { Ended::Finished } else { Ended::Early });
        if let Some(message) = message {
            self.say_of(number, message);
        }
        if is_finished {
            self.sent.push_back(turn);
            // The last one may always be asked for.
            while self.sent.len() > MAX_SENT || self.sent.len() > 1 && self.is_played(0) {
                self.sent.pop_front();
            }
        }
    }

    /// The turns whose sound was written, or is being written, in their order.
    fn sounding(&self) -> impl DoubleEndedIterator<Item = &Turn> {
        self.sent.iter().chain(self.turns.front())
    }

    /// Seconds that were written of the turns after one of them.
    fn seconds_after(&self, place: usize) -> f64 {
        self.sounding().skip(place + 1).map(|turn| turn.seconds).sum()
    }

    /// Seconds of a turn that were played by the clock.
    fn played_by_clock(&self, place: usize) -> f64 {
        let Some(turn) = self.sounding().nth(place) else { return 0.0 };
        let unplayed = self.pace.unplayed() - self.seconds_after(place);
        turn.seconds - unplayed.clamp(0.0, turn.seconds)
    }

    fn is_played(&self, place: usize) -> bool {
        self.pace.unplayed() <= self.seconds_after(place)
    }

    fn play(&mut self, Played { turn: name, seconds }: &Played) {
        let is_meant = |turn: &Turn| name.as_ref().is_none_or(|name| *turn.name == **name);
        let count = self.sounding().count();
        // Without a name, the one that is being spoken.
        let place = self.sounding().rev().position(is_meant).map(|from_end| count - 1 - from_end);
        if let Some((place, turn)) =
            place.and_then(|place| Some((place, self.sounding().nth(place)?)))
        {
            let unplayed = (turn.seconds - seconds).max(0.0);
            self.pace.set_unplayed(unplayed + self.seconds_after(place));
        }
    }

    /// Stops a turn, or the one that sounds and all behind it, and says what was heard.
    fn interrupt(&mut self, Interrupt { turn: name, played }: &Interrupt) {
        self.active = Instant::now();
        if name.is_none() {
            self.is_orphaned = false;
            // What has been played is not meant, unless nothing has come since.
            let least = usize::from(self.turns.is_empty());
            while self.sent.len() > least && self.is_played(0) {
                self.sent.pop_front();
            }
        }
        let is_meant = |turn: &Turn| name.as_ref().is_none_or(|name| *turn.name == **name);
        let all = self.sent.iter().chain(&self.turns).enumerate();
        let meant: Vec<_> =
            all.filter(|(_, turn)| is_meant(turn)).map(|(place, _)| place).collect();
        let ends: Vec<_> = meant
            .iter()
            .enumerate()
            // While the first of them sounds, nothing of the others was played.
            .map(|(index, place)| {
                (*place, played.map(|played| if index == 0 { played } else { 0.0 }))
            })
            .filter_map(|(place, played)| self.heard(place, played))
            .collect();
        let unplayed = self.pace.unplayed() - ends.iter().map(|end| end.unplayed).sum::<f64>();
        ends.into_iter().for_each(|end| self.interrupt_turn(end));
        self.pace.set_unplayed(if name.is_none() { 0.0 } else { unplayed.max(0.0) });
    }

    /// What was heard of a turn. The client says how much of it was played, or the clock does.
    fn heard(&self, place: usize, played: Option<f64>) -> Option<Heard> {
        let turn = self.sent.iter().chain(&self.turns).nth(place)?;
        let by = if played.is_some() { By::Client } else { By::Clock };
        // Nothing was written of turns that wait.
        let by_clock = if turn.seconds > 0.0 { self.played_by_clock(place) } else { 0.0 };
        let played = played.unwrap_or(by_clock).min(turn.seconds);
        let bytes = turn.text.heard(played);
        Some(Heard { turn: turn.number, played, by, bytes, unplayed: turn.seconds - by_clock })
    }

    fn interrupt_turn(&mut self, heard: Heard) {
        if let Some(place) = self.sent.iter().position(|turn| turn.number == heard.turn) {
            let Some(turn) = self.sent.remove(place) else { return };
            self.pace.forget(self.wire.drop_turn(turn.number));
            // Whatever comes of its text from now on was on its way.
            let mut ended = self.ended.iter_mut().rev();
            if let Some((_, how)) = ended.find(|(name, _)| *name == turn.name) {
                *how = Ended::Early;
            }
            let characters = turn.text.pushed();
            self.say(turn.interrupted(&heard, characters));
        } else if self
            .turns
            .front()
            .is_some_and(|turn| turn.number == heard.turn && turn.speaking.is_some())
        {
            self.stop(Outcome::Stopped, Stopped::Interrupted(heard));
        } else if let Some(turn) = self.turns.iter_mut().find(|turn| turn.number == heard.turn) {
            turn.stopped.get_or_insert(Stopped::Interrupted(heard));
        }
    }

    /// Ends the session. What is being spoken is recorded as left.
    async fn end(mut self, ending: Ending) {
        let Ending { code, refusal, goodbye } = ending;
        self.stop(Outcome::Disconnected, Stopped::Left);
        if let Some(refusal) = &refusal {
            self.say(event::error(None, self.id, refusal));
        }
        if let Some(reason) = goodbye {
            self.say(Event::Goodbye { reason, seconds: 0, usage: self.usage }.message());
        }
        match code {
            Some(code) => {
                self.say(SocketMessage::Close(Some(CloseFrame { code, reason: "".into() })))
            }
            None => self.wire.clear(),
        }
        let closed = async {
            if self.wire.write_all().await {
                self.wire.read_all().await;
            }
        };
        // Who does not take it has had time.
        let _ = timeout(CLOSE_TIMEOUT, closed).await;
        if let Some(Speaking { task, .. }) =
            self.turns.front_mut().and_then(|turn| turn.speaking.take())
        {
            // A panic was logged.
            let _ = task.await;
        }
        if self.usage.characters == 0 && !self.service.metrics.lines.take(Instant::now()) {
            return;
        }
        tracing::info!(
            session = %self.id,
            code,
            reason = goodbye.or(refusal.as_ref().map(|it| it.error.kind().as_str())),
            turns = self.usage.turns,
            characters = self.usage.characters,
            seconds = milliseconds(self.opened.elapsed().as_secs_f64()),
            "a session ended"
        );
    }
}

fn text_is_finished() -> ErrorResponse {
    invalid("the text of this turn is finished: nothing can be added to it").into()
}

impl Turn {
    fn interrupted(&self, heard: &Heard, characters: usize) -> SocketMessage {
        let pushed = self.text.pushed();
        self.text.beginning(heard.bytes, |text, utf16| {
            let interrupted = Event::Interrupted {
                turn: &self.name,
                played: milliseconds(heard.played),
                by: heard.by,
                heard: TextHeard { bytes: heard.bytes, utf16, text },
                usage: TurnUsage { characters, pushed },
            };
            interrupted.message()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use speech_core::{Engine, TierCatalogue};

    use super::*;
    use crate::admission::{self, Admission};
    use crate::keys::{Keys, NewKey};
    use crate::live::{self, Live};
    use crate::queue::Queue;
    use crate::usage::Usage;

    /// A socket without a network.
    struct Pipe {
        said: mpsc::UnboundedReceiver<SocketMessage>,
        /// None of a client that takes nothing.
        heard: Option<mpsc::UnboundedSender<SocketMessage>>,
    }

    impl Messages for Pipe {
        type Item = Result<SocketMessage, axum::Error>;

        fn poll_next(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Self::Item>> {
            self.said.poll_recv(context).map(|message| message.map(Ok))
        }
    }

    impl Sink<SocketMessage> for Pipe {
        type Error = axum::Error;

        fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
            if self.heard.is_some() { Poll::Ready(Ok(())) } else { Poll::Pending }
        }

        fn start_send(self: Pin<&mut Self>, message: SocketMessage) -> Result<(), axum::Error> {
            let heard = self.heard.as_ref().expect("only what is ready is sent to");
            heard.send(message).map_err(axum::Error::new)
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
            Poll::Ready(Ok(()))
        }

        fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
            Poll::Ready(Ok(()))
        }
    }

    const LONG: Duration = Duration::from_secs(60);

    fn service(dir: &Path, ping: Duration, silence: Duration) -> Arc<Service> {
        speech_tests::fake_model::write(dir).unwrap();
        let limits = live::Limits {
            sessions: 1,
            sessions_per_account: None,
            idle: LONG,
            session: LONG,
            start: LONG,
            ping,
            silence,
        };
        let requests =
            admission::Limits { requests: 1, requests_per_account: None, wait: LONG, sound: 1e6 };
        Arc::new(Service::new(
            Engine::builder().bundle(dir).load().unwrap(),
            Arc::new(Keys::read(None, &NewKey::generate("a").unwrap().line).unwrap()),
            Usage::open(&dir.join("usage.db")).unwrap(),
            TierCatalogue::new([]),
            Admission::new(requests, Queue::new(1, 1.0), None),
            LONG,
            Live::new(limits, 1, Vec::new()),
        ))
    }

    fn run(service: &Arc<Service>, pipe: Pipe) -> JoinHandle<()> {
        let (follower, id) = (service.shutdown.follow(), RequestId::new());
        let (account, settings) = (Account("a".into()), Settings::default());
        let session = Session::new(Arc::clone(service), account, id, settings, pipe);
        tokio::spawn(session.run(follower))
    }

    #[tokio::test]
    async fn a_client_that_takes_no_answers_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        let service = service(dir.path(), LONG, LONG);
        let (say, said) = mpsc::unbounded_channel();
        let running = run(&service, Pipe { said, heard: None });
        // One turn is begun, and so many wait; there is a `ready` too.
        for n in 0..MAX_UNTAKEN + MAX_TURNS_WAITING {
            if n % 500 == 499 {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            assert!(!running.is_finished());
            let text = serde_json::json!({"type": "text", "turn": n.to_string(), "text": "a"});
            say.send(SocketMessage::text(text.to_string())).unwrap();
        }
        timeout(LONG, running).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_client_that_answers_no_ping_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        let ping = Duration::from_millis(100);
        let silence = 10 * ping;
        let service = service(dir.path(), ping, silence);
        let ((say, said), (heard, mut hear)) =
            (mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let running = run(&service, Pipe { said, heard: Some(heard) });
        let opened = Instant::now();
        while opened.elapsed() < 3 * silence / 2 {
            let message = hear.recv().await.expect("a client that answers is not gone");
            assert!(matches!(message, SocketMessage::Ping(_)), "{message:?}");
            say.send(SocketMessage::Pong(Default::default())).unwrap();
        }
        while let Some(message) = hear.recv().await {
            assert!(matches!(message, SocketMessage::Ping(_)), "{message:?}");
        }
        drop(say);
        running.await.unwrap();
    }
}
