//! The socket of a session: the messages that wait to be written, and the received ones.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::extract::ws::Message;
use futures_util::{Sink, Stream};

/// A source and a sink of messages.
pub(super) trait Socket:
    Stream<Item = Result<Message, axum::Error>> + Sink<Message, Error = axum::Error> + Unpin
{
}

impl<S> Socket for S where
    S: Stream<Item = Result<Message, axum::Error>> + Sink<Message, Error = axum::Error> + Unpin
{
}

/// A message that waits to be written.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// The number of its turn; none for a message of the session.
    pub(super) turn: Option<u64>,
    pub(super) message: Message,
    /// The seconds of audio in it.
    pub(super) seconds: f64,
    /// The number of spoken characters of the turn once this is sent.
    pub(super) characters: usize,
}

impl Outgoing {
    /// A message of the session.
    pub(super) fn of_session(message: Message) -> Self {
        Self { turn: None, message, seconds: 0.0, characters: 0 }
    }

    fn is_soundless(&self) -> bool {
        self.seconds == 0.0
    }
}

/// Sound that was written.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) turn: u64,
    pub(super) seconds: f64,
    pub(super) characters: usize,
}

/// An event of a socket.
#[derive(Debug)]
pub(super) enum Happening {
    Received(Message),
    Written(Written),
    /// Nothing waits to be written.
    Flushed,
    /// The client has violated the protocol.
    Fault(axum::Error),
    /// The connection has ended.
    Lost,
}

/// A socket. It is read while a write is blocked, so a client that reads nothing can still send.
#[derive(Debug)]
pub(super) struct Wire<S> {
    socket: S,
    outgoing: VecDeque<Outgoing>,
    /// The number of waiting messages without audio.
    soundless: usize,
    /// The number of pongs that wait in the socket.
    pongs: usize,
    is_flushed: bool,
    /// Since when a write is blocked by the client.
    blocked: Option<Instant>,
}

impl<S: Socket> Wire<S> {
    pub(super) fn new(socket: S) -> Self {
        let outgoing = VecDeque::new();
        Self { socket, outgoing, soundless: 0, pongs: 0, is_flushed: true, blocked: None }
    }

    pub(super) fn push(&mut self, outgoing: Outgoing) {
        self.soundless += usize::from(outgoing.is_soundless());
        self.outgoing.push_back(outgoing);
    }

    /// The number of waiting messages without audio, including pongs.
    pub(super) fn soundless(&self) -> usize {
        self.soundless + self.pongs
    }

    /// Since when a write is blocked; none if nothing waits.
    pub(super) fn blocked(&self) -> Option<Instant> {
        self.blocked
    }

    /// How long a write was blocked up to now. The time restarts from now.
    pub(super) fn take_blocked(&mut self, now: Instant) -> Duration {
        let since = self.blocked.as_mut().map(|since| std::mem::replace(since, now));
        since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// Drops the waiting messages of a turn, and returns their seconds of audio.
    pub(super) fn drop_turn(&mut self, turn: u64) -> f64 {
        let is_of_turn = |outgoing: &Outgoing| outgoing.turn == Some(turn);
        let dropped = self.outgoing.iter().filter(|it| is_of_turn(it)).map(|it| it.seconds).sum();
        self.outgoing.retain(|outgoing| !is_of_turn(outgoing));
        self.soundless = self.outgoing.iter().filter(|it| it.is_soundless()).count();
        dropped
    }

    /// Drops all waiting messages.
    pub(super) fn clear(&mut self) {
        self.outgoing.clear();
        self.soundless = 0;
    }

    /// Whether all messages were passed to the system.
    pub(super) fn is_written(&self) -> bool {
        self.outgoing.is_empty() && self.is_flushed
    }

    /// Writes until all messages are passed to the system. Returns false if the connection has
    /// ended.
    pub(super) async fn write_all(&mut self) -> bool {
        poll_fn(|context| match self.poll_write(context) {
            Poll::Ready(Happening::Lost) => Poll::Ready(false),
            _ if self.is_written() => Poll::Ready(true),
            Poll::Ready(_) => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Poll::Pending => Poll::Pending,
        })
        .await
    }

    /// Reads until the client has closed its side.
    pub(super) async fn read_all(&mut self) {
        while let Happening::Received(_) | Happening::Written(_) | Happening::Flushed =
            self.next(true).await
        {}
    }

    /// Waits for the next event, and reads messages only if `reads` is set. Cancel-safe.
    pub(super) async fn next(&mut self, reads: bool) -> Happening {
        poll_fn(|context| {
            // Messages come first: the client may interrupt what waits to be written.
            if reads && let Poll::Ready(read) = Pin::new(&mut self.socket).poll_next(context) {
                return Poll::Ready(match read {
                    Some(Ok(message)) => self.received(message),
                    Some(Err(error)) => Happening::Fault(error),
                    None => Happening::Lost,
                });
            }
            self.poll_write(context)
        })
        .await
    }

    fn received(&mut self, message: Message) -> Happening {
        if matches!(message, Message::Ping(_)) {
            // The WebSocket library replies, and holds the pong until the client reads it.
            self.pongs += 1;
            self.is_flushed = false;
        }
        Happening::Received(message)
    }

    /// Writes as much as possible, and notes since when a write is blocked.
    fn poll_write(&mut self, context: &mut Context<'_>) -> Poll<Happening> {
        let polled = self.poll_outgoing(context);
        if polled.is_ready() || self.is_written() {
            self.blocked = None;
        } else {
            self.blocked.get_or_insert_with(Instant::now);
        }
        polled
    }

    fn poll_outgoing(&mut self, context: &mut Context<'_>) -> Poll<Happening> {
        while !self.outgoing.is_empty() {
            match Pin::new(&mut self.socket).poll_ready(context) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(_)) => return Poll::Ready(Happening::Lost),
                Poll::Pending => return Poll::Pending,
            }
            let Some(Outgoing { turn, message, seconds, characters }) = self.outgoing.pop_front()
            else {
                break;
            };
            self.soundless -= usize::from(seconds == 0.0);
            self.is_flushed = false;
            self.blocked = None;
            if Pin::new(&mut self.socket).start_send(message).is_err() {
                return Poll::Ready(Happening::Lost);
            }
            if let Some(turn) = turn.filter(|_| seconds > 0.0) {
                let written = Written { turn, seconds, characters };
                return Poll::Ready(Happening::Written(written));
            }
        }
        if !self.is_flushed {
            match Pin::new(&mut self.socket).poll_flush(context) {
                Poll::Ready(Ok(())) => {
                    (self.is_flushed, self.pongs) = (true, 0);
                    return Poll::Ready(Happening::Flushed);
                }
                Poll::Ready(Err(_)) => return Poll::Ready(Happening::Lost),
                Poll::Pending => {}
            }
        }
        Poll::Pending
    }
}
