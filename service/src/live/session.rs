//! A session: one socket, and the turns that are spoken on it one after another.
//!
//! It does what the messages of the client say (`turns` opens and ends turns, `interruption` says what was heard), and what is to be done by
//! some time. A turn is spoken by a task of its own.

mod interruption;
mod turns;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message as SocketMessage, close_code};
use speech_core::{Error, ErrorKind, RequestId};
use tokio::sync::mpsc;
use tokio::time::{sleep_until, timeout};
use tungstenite::error::{CapacityError, Error as SocketError};

use self::turns::{Ended, MAX_CHARACTERS_WAITING, MAX_TURNS_WAITING, Speaking, Stopped, Turn};
use super::event::{self, Event, Limits, SessionUsage};
use super::message::{MAX_MESSAGE, Message, Named, invalid};
use super::pace::Pace;
use super::settings::{Changes, Settings};
use super::turn::Product;
use super::wire::{Happening, Outgoing, Socket, Wire, Written};
use crate::error_response::ErrorResponse;
use crate::keys::Account;
use crate::lines::milliseconds;
use crate::service::Service;
use crate::shutdown::{Follower, Phase};
use crate::usage::Outcome;

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

impl<S: Socket> Session<S> {
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

#[cfg(test)]
mod tests;
