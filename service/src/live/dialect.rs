//! Protocols of other services on the socket of a session, translated to and from its own messages.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::extract::ws::Message;
use futures_util::{Sink, Stream};
use serde_json::Value;
use speech_core::Error;

/// The protocol of another service.
pub(super) trait Dialect {
    /// The first message of the session.
    fn start(&self) -> Value;

    /// Translates a message of the client.
    ///
    /// # Errors
    ///
    /// `invalid_request`, which ends a turn or the session.
    fn read(&mut self, message: &str) -> Result<Vec<Value>, Refused>;

    /// Translates an event for the client.
    fn write(&mut self, event: &Value) -> Vec<Value>;
}

/// A message of the client that is wrong.
#[derive(Debug)]
pub(super) struct Refused {
    /// The turn that ends; without one, the session ends.
    pub(super) turn: Option<String>,
    pub(super) error: Error,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self { turn: None, error }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Refused {}

impl<D: Dialect + ?Sized> Dialect for Box<D> {
    fn start(&self) -> Value {
        (**self).start()
    }

    fn read(&mut self, message: &str) -> Result<Vec<Value>, Refused> {
        (**self).read(message)
    }

    fn write(&mut self, event: &Value) -> Vec<Value> {
        (**self).write(event)
    }
}

/// A socket whose client uses a dialect.
pub(super) struct Translated<S, D> {
    socket: S,
    dialect: D,
    incoming: VecDeque<Value>,
    outgoing: VecDeque<Message>,
}

impl<S, D: Dialect> Translated<S, D> {
    pub(super) fn new(socket: S, dialect: D) -> Self {
        let incoming = VecDeque::from([dialect.start()]);
        Self { socket, dialect, incoming, outgoing: VecDeque::new() }
    }
}

impl<S, D> Stream for Translated<S, D>
where
    S: Stream<Item = Result<Message, axum::Error>> + Unpin,
    D: Dialect + Unpin,
{
    type Item = Result<Message, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(message) = self.incoming.pop_front() {
                return Poll::Ready(Some(Ok(Message::Text(message.to_string().into()))));
            }
            match ready!(Pin::new(&mut self.socket).poll_next(context)) {
                Some(Ok(Message::Text(text))) => match self.dialect.read(&text) {
                    // A message without a translation still counts, and proves that the client is
                    // there.
                    Ok(messages) if messages.is_empty() => {
                        return Poll::Ready(Some(Ok(Message::Pong(Default::default()))));
                    }
                    Ok(messages) => self.incoming.extend(messages),
                    Err(refused) => return Poll::Ready(Some(Err(axum::Error::new(refused)))),
                },
                other => return Poll::Ready(other),
            }
        }
    }
}

impl<S, D> Translated<S, D>
where
    S: Sink<Message, Error = axum::Error> + Unpin,
    D: Dialect + Unpin,
{
    /// Sends the waiting messages.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        while !self.outgoing.is_empty() {
            ready!(Pin::new(&mut self.socket).poll_ready(context))?;
            if let Some(message) = self.outgoing.pop_front() {
                Pin::new(&mut self.socket).start_send(message)?;
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S, D> Sink<Message> for Translated<S, D>
where
    S: Sink<Message, Error = axum::Error> + Unpin,
    D: Dialect + Unpin,
{
    type Error = axum::Error;

    fn poll_ready(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), axum::Error>> {
        ready!(self.poll_send(context))?;
        Pin::new(&mut self.socket).poll_ready(context)
    }

    fn start_send(mut self: Pin<&mut Self>, message: Message) -> Result<(), axum::Error> {
        let Message::Text(text) = &message else {
            self.outgoing.push_back(message);
            return Ok(());
        };
        let event = serde_json::from_str(text).map_err(axum::Error::new)?;
        let messages = self.dialect.write(&event);
        let messages = messages.iter().map(|message| Message::Text(message.to_string().into()));
        self.outgoing.extend(messages);
        Ok(())
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), axum::Error>> {
        ready!(self.poll_send(context))?;
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_close(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), axum::Error>> {
        ready!(self.poll_send(context))?;
        Pin::new(&mut self.socket).poll_close(context)
    }
}
