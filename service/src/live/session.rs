//! A session: one socket, and its turns, which are spoken one after another.
//!
//! A session handles the messages of the client (`turns` opens and ends turns, `interruption`
//! computes what was heard) and its own deadlines. Each turn is spoken by a separate task.

mod interruption;
mod turns;

use std::collections::VecDeque;
use std::io;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message as SocketMessage, close_code};
use futures_util::FutureExt;
use futures_util::future::OptionFuture;
use speech_core::{Error, ErrorKind, RequestId};
use tokio::sync::mpsc;
use tokio::time::{sleep_until, timeout};
use tungstenite::error::{CapacityError, Error as SocketError, ProtocolError};

use self::turns::{Ended, MAX_CHARACTERS_WAITING, MAX_TURNS_WAITING, Speaking, Stopped, Turn};
use super::dialect::Refused;
use super::event::{self, Event, Limits, SessionUsage};
use super::message::{MAX_MESSAGE, Message, Named, invalid};
use super::pace::Pace;
use super::settings::{Changes, Settings};
use super::turn::{Product, failed};
use super::wire::{Happening, Outgoing, Socket, Wire, Written};
use crate::bucket::Bucket;
use crate::connection::TooFast;
use crate::error_response::ErrorResponse;
use crate::keys::{Account, ShownKey};
use crate::lines::milliseconds;
use crate::service::Service;
use crate::shutdown::{Follower, Phase};
use crate::usage::Outcome;

/// The maximum number of messages without audio that wait for the client to read them.
const MAX_UNTAKEN: usize = 1000;

/// How long before its maximum duration a session accepts no new turn: this, or a tenth of the
/// duration if that is less.
const NOTICE: Duration = Duration::from_secs(60);

/// The timeout for the client to read the last messages and to close its side.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The sustained rate of messages from a client.
const MESSAGES_PER_SECOND: f64 = 200.0;

/// The messages that may come at once.
const MESSAGES_AT_ONCE: f64 = 5.0 * MESSAGES_PER_SECOND;

/// The least audio that a client must read, in seconds for each second in which its connection is
/// blocked.
const LEAST: f64 = 0.5;

/// The bytes that the systems of the service and of the client buffer, roughly.
const BUFFERED: usize = 256 << 10;

/// How a session ends.
#[derive(Debug)]
struct Ending {
    /// None if the client has gone.
    code: Option<u16>,
    /// The reason in the log.
    reason: &'static str,
    /// The last message to the client.
    told: Told,
}

#[derive(Debug)]
enum Told {
    /// The client knows already.
    Nothing,
    Goodbye,
    Error(ErrorResponse),
}

impl Ending {
    fn planned(code: u16, reason: &'static str) -> Self {
        Self { code: Some(code), reason, told: Told::Goodbye }
    }

    /// The client was notified before.
    fn announced(code: u16, reason: &'static str) -> Self {
        Self { code: Some(code), reason, told: Told::Nothing }
    }

    fn refused(code: u16, refusal: impl Into<ErrorResponse>) -> Self {
        let refusal = refusal.into();
        Self { code: Some(code), reason: refusal.error.kind().as_str(), told: Told::Error(refusal) }
    }

    fn left() -> Self {
        Self { code: None, reason: "left", told: Told::Nothing }
    }
}

/// Checked settings, and the turn that ends if they are wrong.
type Checked = (Option<String>, Result<Settings, ErrorResponse>);

/// Settings that another thread checks.
type Checking = Pin<Box<dyn Future<Output = Checked> + Send>>;

/// A session on a socket.
pub(super) struct Session<S> {
    service: Arc<Service>,
    key: ShownKey,
    id: RequestId,
    wire: Wire<S>,
    settings: Settings,
    /// The new settings, while they are checked. No message is read in this time.
    checking: Option<Checking>,
    /// Whether the first message has arrived.
    is_started: bool,
    /// Whether later turns may have another audio format.
    may_change_sound: bool,
    /// The turns in order. The first is being spoken, unless it has just been added.
    turns: VecDeque<Turn>,
    /// Turns whose audio was sent and may still be played.
    sent: VecDeque<Turn>,
    ended: VecDeque<(Arc<str>, Ended)>,
    /// Whether text without a turn's name belongs to a turn that failed, was rejected, or was
    /// finished by the session.
    is_orphaned: bool,
    next_turn: u64,
    /// The next number to try as the name of a turn without one.
    next_name: u64,
    products: mpsc::UnboundedReceiver<Product>,
    give: mpsc::UnboundedSender<Product>,
    pace: Arc<Pace>,
    usage: SessionUsage,
    /// How the session ends once all turns have ended.
    closing: Option<Ending>,
    /// When the text of open turns is finished, if the session reaches its maximum duration.
    cut_at: Option<Instant>,
    /// When the session ends, even if a turn is being spoken.
    ends_at: Option<Instant>,
    opened: Instant,
    /// When text or audio was last transferred.
    active: Instant,
    /// When the client last sent anything.
    heard_of: Instant,
    next_ping: Instant,
    messages: Bucket,
    /// The seconds of audio that the client should have read and has not; negative if it is ahead.
    behind: f64,
}

impl<S: Socket> Session<S> {
    pub(super) fn new(
        service: Arc<Service>,
        key: ShownKey,
        id: RequestId,
        settings: Settings,
        socket: S,
    ) -> Self {
        let (give, products) = mpsc::unbounded_channel();
        let now = Instant::now();
        let next_ping = now + service.live.limits.ping;
        Self {
            service,
            key,
            id,
            wire: Wire::new(socket),
            settings,
            checking: None,
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
            ends_at: None,
            opened: now,
            active: now,
            heard_of: now,
            next_ping,
            messages: Bucket::new(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE),
            behind: 0.0,
        }
    }

    /// For the protocol of another service, in which later turns may change the audio format.
    pub(super) fn with_dialect(self) -> Self {
        Self { may_change_sound: true, ..self }
    }

    /// Serves the client to the end of the session.
    pub(super) async fn run(mut self, shutdown: Follower) {
        self.service.metrics.sessions.inc();
        let served = AssertUnwindSafe(self.serve(shutdown)).catch_unwind().await;
        self.service.metrics.sessions.dec();
        // The panic was logged.
        self.end(served.unwrap_or_else(|_| Ending::refused(close_code::ERROR, failed()))).await;
    }

    async fn serve(&mut self, mut shutdown: Follower) -> Ending {
        let mut last = shutdown.clone();
        let mut is_leaving = false;
        let mut keys = self.service.keys.changes();
        // The key may have been removed since it was authenticated.
        keys.mark_changed();
        loop {
            self.begin_next();
            if let Some(ending) =
                self.closing.take_if(|_| self.turns.is_empty() && self.wire.is_written())
            {
                return ending;
            }
            let deadline = self.deadline();
            let reads = self.checking.is_none();
            let happened = tokio::select! {
                biased;
                () = last.ended() => Err(Ending::announced(close_code::RESTART, "restart")),
                Ok(()) = keys.changed() => self.check_key(),
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
                Some(checked) = OptionFuture::from(self.checking.as_mut()) => {
                    self.take_checked(checked)
                }
                happening = self.wire.next(reads) => self.meet(happening),
                () = sleep_until(deadline.into()) => self.be_on_time(),
            };
            if let Err(ending) = happened {
                return ending;
            }
            if self.wire.soundless() > MAX_UNTAKEN {
                return self.give_up();
            }
        }
    }

    fn check_key(&self) -> Result<(), Ending> {
        let is_known = self.service.keys.has(&self.key);
        is_known.then_some(()).ok_or_else(|| Ending::planned(close_code::POLICY, "key"))
    }

    /// Ends the session of a client that reads too little, and drops the unread messages.
    fn give_up(&mut self) -> Ending {
        self.wire.clear();
        Ending::planned(close_code::POLICY, "slow")
    }

    /// The time of the next scheduled action.
    fn deadline(&self) -> Instant {
        let limits = &self.service.live.limits;
        let mut deadline = self.next_ping;
        if self.checking.is_none() {
            deadline = deadline.min(self.heard_of + limits.silence);
            if !self.is_started {
                deadline = deadline.min(self.opened + limits.start);
            }
        }
        if self.closing.is_none() {
            deadline = deadline.min(self.last_call()).min(self.active + limits.idle);
        }
        if let Some(blocked) = self.wire.blocked() {
            let patience = limits.write.as_secs_f64() - self.behind / LEAST;
            // A rounding error must not cause a busy loop.
            deadline = deadline.min(blocked + Duration::from_secs_f64(patience.max(0.001)));
        }
        [self.cut_at, self.ends_at].into_iter().flatten().fold(deadline, Instant::min)
    }

    /// Whether the first turn has text to speak, speaks, or is about to end, so that the session
    /// does not wait for its client.
    fn is_speaking(&self) -> bool {
        let is_busy = |turn: &Turn| {
            turn.stopped.is_some() || turn.text.is_decided() || turn.text.is_computing()
        };
        self.turns.front().is_some_and(is_busy) || self.pace.has_unsent()
    }

    /// When the session stops accepting turns because of its maximum duration.
    fn last_call(&self) -> Instant {
        let longest = self.service.live.limits.session;
        self.opened + longest - NOTICE.min(longest / 10)
    }

    /// Runs the scheduled actions that are due.
    fn be_on_time(&mut self) -> Result<(), Ending> {
        let (now, limits) = (Instant::now(), self.service.live.limits);
        if self.checking.is_none() {
            if now >= self.heard_of + limits.silence {
                return Err(Ending::planned(close_code::POLICY, "silence"));
            }
            if !self.is_started && now >= self.opened + limits.start {
                return Err(Ending::planned(close_code::NORMAL, "start"));
            }
        }
        if self.ends_at.is_some_and(|ends_at| now >= ends_at) {
            return Err(Ending::announced(close_code::NORMAL, "session"));
        }
        // The socket was blocked just now, so it was blocked all the time since, even if this runs
        // late.
        self.behind += LEAST * self.wire.take_blocked(now).as_secs_f64();
        if self.behind >= LEAST * limits.write.as_secs_f64() {
            return Err(self.give_up());
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
            } else if self.is_speaking() {
                self.active = now;
            } else if now >= self.active + limits.idle {
                self.close("idle");
            }
        }
        if self.cut_at.take_if(|cut_at| now >= *cut_at).is_some() {
            self.cut();
            self.ends_at = Some(now + limits.grace);
        }
        Ok(())
    }

    /// Ends the session once the pushed text is spoken.
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

    /// Announces the end of the session. Turns that were opened may complete until then.
    fn leave(&mut self, reason: &'static str, until: Instant, code: u16) {
        let seconds = until.saturating_duration_since(Instant::now()).as_secs();
        let goodbye = Event::Goodbye { reason, seconds, usage: self.usage };
        self.say(goodbye.message());
        self.closing = Some(Ending::announced(code, reason));
    }

    fn say(&mut self, message: SocketMessage) {
        self.wire.push(Outgoing::of_session(message));
    }

    /// Sends a message of a turn, in order with its audio. It is dropped together with the audio.
    fn say_of(&mut self, turn: u64, message: SocketMessage) {
        self.wire.push(Outgoing { turn: Some(turn), message, seconds: 0.0, characters: 0 });
    }

    fn meet(&mut self, happening: Happening) -> Result<(), Ending> {
        match happening {
            Happening::Lost => Err(Ending::left()),
            Happening::Flushed => {
                self.behind = self.behind.min(0.0);
                Ok(())
            }
            Happening::Written(written) => {
                self.note(&written);
                Ok(())
            }
            Happening::Fault(error) => {
                let error = match error.into_inner().downcast::<Refused>() {
                    // A malformed message of another service's protocol.
                    Ok(refused) => {
                        return self.refuse_message(refused.turn.as_deref(), refused.error.into());
                    }
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
                    Some(SocketError::Protocol(fault))
                        if *fault != ProtocolError::ResetWithoutClosingHandshake =>
                    {
                        let refusal = invalid("a frame is not of the WebSocket protocol");
                        Err(Ending::refused(close_code::PROTOCOL, refusal))
                    }
                    Some(SocketError::Io(error)) if is_too_fast(error) => {
                        Err(Ending::refused(close_code::POLICY, invalid(TooFast.to_string())))
                    }
                    _ => Err(Ending::left()),
                }
            }
            Happening::Received(message) => {
                self.count()?;
                match message {
                    SocketMessage::Text(text) => self.hear(&text),
                    SocketMessage::Binary(_) => {
                        let refusal = invalid("messages are text: a binary one has no meaning");
                        Err(Ending::refused(close_code::UNSUPPORTED, refusal))
                    }
                    // The WebSocket library has replied.
                    SocketMessage::Ping(_) | SocketMessage::Pong(_) => Ok(()),
                    SocketMessage::Close(_) => Err(Ending::left()),
                }
            }
        }
    }

    /// Counts a message against the limit of a client. The connection counts its bytes.
    fn count(&mut self) -> Result<(), Ending> {
        let now = Instant::now();
        let since = now.saturating_duration_since(self.heard_of);
        self.heard_of = now;
        if self.messages.take(since, 1.0) {
            return Ok(());
        }
        let refusal = invalid(format!("more than {MESSAGES_PER_SECOND} messages came in a second"));
        Err(Ending::refused(close_code::POLICY, refusal))
    }

    /// Updates the state for audio that was written.
    fn note(&mut self, &Written { turn, seconds, characters }: &Written) {
        self.pace.write(seconds);
        self.active = Instant::now();
        // The systems of both sides take audio in steps of up to their buffers.
        let buffered = self.settings.sound.seconds(BUFFERED);
        let most = self.service.live.limits.write.as_secs_f64() + buffered;
        self.behind = (self.behind - seconds).max(-most);
        self.usage.seconds += seconds;
        let mut turns = self.sent.iter_mut().chain(&mut self.turns);
        if let Some(turn) = turns.find(|it| it.number == turn) {
            turn.seconds += seconds;
            turn.characters = characters;
        }
    }

    /// Handles a message. An error of the session ends the session, and an error of a turn ends the
    /// turn.
    fn hear(&mut self, json: &str) -> Result<(), Ending> {
        let refused = |refusal: Error| Ending::refused(close_code::POLICY, refusal);
        let message = Message::read(json).map_err(refused)?;
        if !self.is_started {
            if let Message::Start(changes) = message {
                return self.set(*changes, true);
            }
            self.start();
        }
        match message {
            Message::Start(_) => return Err(refused(invalid("start must be the first message"))),
            Message::Settings(changes) => return self.set(*changes, self.may_change_sound),
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

    /// Ends the turn that a message names and is wrong for, or else the session.
    fn refuse_message(&mut self, turn: Option<&str>, refusal: ErrorResponse) -> Result<(), Ending> {
        let Some(name) = turn else { return Err(Ending::refused(close_code::POLICY, refusal)) };
        let open = self.turns.iter().find(|turn| *turn.name == *name).map(|turn| turn.number);
        if let Some(number) = open {
            self.fail(number, refusal);
        } else if self.ended.iter().all(|(ended, _)| **ended != *name) {
            self.refuse(&name.into(), RequestId::new(), refusal);
        }
        Ok(())
    }

    fn set(&mut self, changes: Changes, may_change_sound: bool) -> Result<(), Ending> {
        let turn = changes.turn.clone().filter(|_| self.is_started);
        let (service, account) = (Arc::clone(&self.service), self.key.account.clone());
        let (mut settings, is_long) = (self.settings.clone(), changes.have_pronunciations());
        let change = move |service: &Service, account: &Account| -> Result<_, ErrorResponse> {
            settings.change(&changes, may_change_sound)?;
            settings.check(service, account)?;
            Ok(settings)
        };
        if !is_long {
            return self.take_checked((turn, change(&service, &account)));
        }
        self.checking = Some(Box::pin(async move {
            let permit = service.checks.acquire(&account).await;
            let checked = permit.run(move || change(&service, &account));
            // The panic was logged.
            (turn, checked.await.unwrap_or_else(|_| Err(failed().into())))
        }));
        Ok(())
    }

    fn take_checked(&mut self, (turn, checked): Checked) -> Result<(), Ending> {
        if self.checking.take().is_some() {
            // No message was read in the meantime.
            self.heard_of = Instant::now();
        }
        match checked {
            Ok(settings) => self.settings = settings,
            Err(refusal) => return self.refuse_message(turn.as_deref(), refusal),
        }
        if !self.is_started {
            self.start();
        }
        Ok(())
    }

    fn start(&mut self) {
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
                sessions: live.sessions.of(&self.key.account),
                sessions_of_account: live.sessions.most_of_account(),
                idle_seconds: live.limits.idle.as_secs(),
                session_seconds: live.limits.session.as_secs(),
            },
        };
        self.say(ready.message());
    }

    /// Ends the session. The turn that is being spoken is recorded as left.
    async fn end(mut self, ending: Ending) {
        let Ending { code, reason, told } = ending;
        self.stop(Outcome::Disconnected, Stopped::Left);
        match &told {
            Told::Nothing => {}
            Told::Goodbye => {
                self.say(Event::Goodbye { reason, seconds: 0, usage: self.usage }.message());
            }
            Told::Error(refusal) => self.say(event::error(None, self.id, refusal)),
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
        // A client that does not read the messages in this time misses them.
        let _ = timeout(CLOSE_TIMEOUT, closed).await;
        if let Some(Speaking { task, .. }) =
            self.turns.front_mut().and_then(|turn| turn.speaking.take())
        {
            // The panic was logged.
            let _ = task.await;
        }
        if self.usage.characters == 0 && !self.service.metrics.lines.take(Instant::now()) {
            return;
        }
        tracing::info!(
            session = %self.id,
            code,
            reason,
            turns = self.usage.turns,
            characters = self.usage.characters,
            seconds = milliseconds(self.opened.elapsed().as_secs_f64()),
            "a session ended"
        );
    }
}

fn is_too_fast(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|cause| cause.is::<TooFast>())
}

#[cfg(test)]
mod tests;
