//! The socket of a session: what waits to be written, and what comes.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::extract::ws::Message;
use futures_util::{Sink, Stream};

/// What messages come from, and are written to.
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
    /// The number of the turn that it is of; none if it is of the session.
    pub(super) turn: Option<u64>,
    pub(super) message: Message,
    /// The sound in it.
    pub(super) seconds: f64,
    /// The characters of the turn that are spoken once it is sent.
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

/// What happens on a socket.
#[derive(Debug)]
pub(super) enum Happening {
    Received(Message),
    Written(Written),
    /// Nothing waits to be written any more.
    Flushed,
    /// The client has sent what no message may be.
    Fault(axum::Error),
    /// The connection has ended.
    Lost,
}

/// A socket. It is read while it is written: a client that takes nothing can be heard.
#[derive(Debug)]
pub(super) struct Wire<S> {
    socket: S,
    outgoing: VecDeque<Outgoing>,
    /// Of them, those without sound.
    soundless: usize,
    is_flushed: bool,
}

impl<S: Socket> Wire<S> {
    pub(super) fn new(socket: S) -> Self {
        Self { socket, outgoing: VecDeque::new(), soundless: 0, is_flushed: true }
    }

    pub(super) fn push(&mut self, outgoing: Outgoing) {
        self.soundless += usize::from(outgoing.is_soundless());
        self.outgoing.push_back(outgoing);
    }

    /// The messages without sound that wait.
    pub(super) fn soundless(&self) -> usize {
        self.soundless
    }

    /// Drops what waits of a turn, and gives the seconds of sound in it.
    pub(super) fn drop_turn(&mut self, turn: u64) -> f64 {
        let is_of_turn = |outgoing: &Outgoing| outgoing.turn == Some(turn);
        let dropped = self.outgoing.iter().filter(|it| is_of_turn(it)).map(|it| it.seconds).sum();
        self.outgoing.retain(|outgoing| !is_of_turn(outgoing));
        self.soundless = self.outgoing.iter().filter(|it| it.is_soundless()).count();
        dropped
    }

    /// Drops everything that waits.
    pub(super) fn clear(&mut self) {
        self.outgoing.clear();
        self.soundless = 0;
    }

    /// Whether everything was given to the system.
    pub(super) fn is_written(&self) -> bool {
        self.outgoing.is_empty() && self.is_flushed
    }

    /// Writes until everything was given to the system; false if the connection has ended.
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
            self.next().await
        {}
    }

    /// Waits for what happens next. Nothing is lost where this is dropped.
    pub(super) async fn next(&mut self) -> Happening {
        poll_fn(|context| {
            // What the client says comes first: it may say that nothing more is wanted.
            if let Poll::Ready(read) = Pin::new(&mut self.socket).poll_next(context) {
                return Poll::Ready(match read {
                    Some(Ok(message)) => Happening::Received(message),
                    Some(Err(error)) => Happening::Fault(error),
                    None => Happening::Lost,
                });
            }
            self.poll_write(context)
        })
        .await
    }

    /// Writes what it can.
    fn poll_write(&mut self, context: &mut Context<'_>) -> Poll<Happening> {
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
                    self.is_flushed = true;
                    return Poll::Ready(Happening::Flushed);
                }
                Poll::Ready(Err(_)) => return Poll::Ready(Happening::Lost),
                Poll::Pending => {}
            }
        }
        Poll::Pending
    }
}
