//! A client of the live route that returns everything in its order.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use socket2::{Domain, SockRef, Socket as SystemSocket, Type};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::{Error, Message, WebSocket};

use crate::server::{PATIENCE, Server};

/// A message of the service.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    Event(Value),
    Sound(Vec<u8>),
    /// With the code of the close message, if there was one.
    Closed(Option<u16>),
}

/// A turn as the client met it.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) events: Vec<Value>,
    pub(crate) sound: Vec<u8>,
    /// The bytes of each message of sound.
    pub(crate) messages: Vec<usize>,
}

impl Heard {
    /// The events of a type.
    pub(crate) fn of(&self, kind: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["type"] == kind).collect()
    }

    pub(crate) fn last(&self) -> &Value {
        self.events.last().unwrap()
    }

    pub(crate) fn words(&self) -> Vec<Value> {
        let words = self.of("words").into_iter().flat_map(|it| it["words"].as_array().unwrap());
        words.cloned().collect()
    }
}

/// One session.
pub(crate) struct Socket(WebSocket<TcpStream>);

impl Socket {
    /// Opens a session with the key of the server.
    pub(crate) fn open(server: &Server, query: &str) -> Self {
        let key = format!("Bearer {}", server.key);
        Self::connect(server, query, &[("Authorization", &key)]).unwrap().0
    }

    /// Opens a session with these settings, and waits for `ready`.
    pub(crate) fn start(server: &Server, settings: Value) -> Self {
        let mut socket = Self::open(server, "");
        socket.say(settings.as_object().map_or(Value::Null, |settings| {
            let mut start = settings.clone();
            start.insert("type".into(), "start".into());
            start.into()
        }));
        assert_eq!(socket.event()["type"], "ready");
        socket
    }

    /// Opens a session with these headers. Returns the chosen subprotocol too, or the status and
    /// the type of the error.
    pub(crate) fn connect(
        server: &Server,
        query: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<(Self, Option<String>), (u16, String)> {
        Self::connect_at(server, &format!("/v1/speech/live{query}"), headers)
    }

    /// The same at another path.
    pub(crate) fn connect_at(
        server: &Server,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<(Self, Option<String>), (u16, String)> {
        let stream = TcpStream::connect(server.address).unwrap();
        Self::connect_over(stream, server, path, headers)
    }

    /// Opens a session whose system buffers little.
    pub(crate) fn open_with_little_room(server: &Server) -> Self {
        let socket = SystemSocket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_recv_buffer_size(4 << 10).unwrap();
        socket.connect(&server.address.into()).unwrap();
        let key = format!("Bearer {}", server.key);
        let headers = [("Authorization", &*key)];
        Self::connect_over(socket.into(), server, "/v1/speech/live", &headers).unwrap().0
    }

    fn connect_over(
        stream: TcpStream,
        server: &Server,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<(Self, Option<String>), (u16, String)> {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let address = format!("ws://{}{path}", server.address);
        let mut request = address.into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().append(*name, value.parse().unwrap());
        }
        match tungstenite::client::client(request, stream) {
            Ok((socket, response)) => {
                let protocol = response.headers().get("sec-websocket-protocol");
                Ok((Self(socket), protocol.map(|it| it.to_str().unwrap().to_owned())))
            }
            Err(HandshakeError::Failure(Error::Http(response))) => {
                let body = response.body().clone().unwrap_or_default();
                let error: Value = serde_json::from_slice(&body).unwrap_or_default();
                Err((
                    response.status().as_u16(),
                    error["error"]["type"].as_str().unwrap_or_default().to_owned(),
                ))
            }
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) fn say(&mut self, message: Value) {
        self.send(Message::text(message.to_string())).unwrap();
    }

    pub(crate) fn send(&mut self, message: Message) -> Result<(), Error> {
        self.0.send(message)
    }

    /// Writes bytes as they are. The service may close the connection meanwhile.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let _ = self.0.get_mut().write_all(bytes);
    }

    /// Pushes text, and ends it.
    pub(crate) fn finish(&mut self, turn: &str, text: &str) {
        self.say(json!({"type": "text", "turn": turn, "text": text, "finish": true}));
    }

    pub(crate) fn next(&mut self) -> Said {
        loop {
            return match self.0.read() {
                Ok(Message::Text(text)) => Said::Event(serde_json::from_str(&text).unwrap()),
                Ok(Message::Binary(sound)) => Said::Sound(sound.to_vec()),
                Ok(Message::Close(frame)) => Said::Closed(frame.map(|frame| frame.code.into())),
                Ok(_) => continue,
                Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    panic!("nothing is said any more")
                }
                Err(_) => Said::Closed(None),
            };
        }
    }

    /// The next event, which must come before any sound.
    pub(crate) fn event(&mut self) -> Value {
        match self.next() {
            Said::Event(event) => event,
            other => panic!("{other:?}"),
        }
    }

    /// Everything to the end of a turn.
    pub(crate) fn turn(&mut self, name: &str) -> Heard {
        self.until(|event| {
            let ends = ["finished", "interrupted", "error"];
            event["turn"] == name && ends.iter().any(|kind| event["type"] == *kind)
        })
    }

    /// Everything to an event.
    pub(crate) fn until(&mut self, mut is_last: impl FnMut(&Value) -> bool) -> Heard {
        let mut heard = Heard::default();
        loop {
            match self.next() {
                Said::Event(event) => {
                    heard.events.push(event);
                    if is_last(heard.last()) {
                        return heard;
                    }
                }
                Said::Sound(sound) => {
                    heard.messages.push(sound.len());
                    heard.sound.extend(sound);
                }
                Said::Closed(code) => panic!("closed with {code:?} after {heard:?}"),
            }
        }
    }

    /// Everything to an event. After each event the client may send something.
    pub(crate) fn until_with(
        &mut self,
        mut is_last: impl FnMut(&mut Self, &Value) -> bool,
    ) -> Heard {
        let mut heard = Heard::default();
        loop {
            let mut more = self.until(|_| true);
            let is_last = is_last(self, more.last());
            heard.events.append(&mut more.events);
            heard.messages.append(&mut more.messages);
            heard.sound.append(&mut more.sound);
            if is_last {
                return heard;
            }
        }
    }

    /// Reads at most so many bytes, and returns their number; 0 at the end.
    pub(crate) fn take(&mut self, bytes: usize) -> usize {
        self.0.get_mut().read(&mut vec![0; bytes]).unwrap_or_default()
    }

    /// Everything that has arrived. The connection must not have ended.
    pub(crate) fn so_far(&mut self) -> Heard {
        self.0.get_ref().set_nonblocking(true).unwrap();
        let mut heard = Heard::default();
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => heard.events.push(serde_json::from_str(&text).unwrap()),
                Ok(Message::Binary(sound)) => heard.sound.extend(sound),
                Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    return heard;
                }
                other => panic!("{other:?}"),
            }
        }
    }

    /// Everything to the end of the session.
    pub(crate) fn rest(&mut self) -> (Heard, Option<u16>) {
        let mut heard = Heard::default();
        loop {
            match self.next() {
                Said::Event(event) => heard.events.push(event),
                Said::Sound(sound) => heard.sound.extend(sound),
                Said::Closed(code) => return (heard, code),
            }
        }
    }

    /// Breaks the connection without a close message.
    pub(crate) fn break_off(self) {
        let socket = SockRef::from(self.0.get_ref());
        socket.set_linger(Some(Duration::ZERO)).unwrap();
    }
}
