//! An HTTP/1.1 client that exposes the bytes as they arrive, and whether a response was complete.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use socket2::{Domain, Socket, Type};

/// One connection.
#[derive(Debug)]
pub struct Client {
    stream: BufReader<TcpStream>,
}

/// The head of a response, and the received part of its body.
#[derive(Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Names in lower case, with their values.
    pub headers: Vec<(String, String)>,
    /// The part read so far.
    pub body: Vec<u8>,
}

impl Response {
    /// The first header with this name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|(key, value)| (key == name).then_some(value.as_str()))
    }

    /// The body, which must be UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// The body, which must be JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The error type of a rejected request; checks that the error envelope is complete.
    pub fn refusal(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/json"), "{}", self.status);
        let error = &self.json()["error"];
        assert_eq!(error["request_id"], self.header("x-request-id").unwrap());
        assert!(!error["message"].as_str().unwrap().is_empty());
        error["type"].as_str().unwrap().to_owned()
    }
}

impl Client {
    /// Connects to a service. Reads fail after three minutes.
    pub fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(180))).unwrap();
        Self { stream: BufReader::new(stream) }
    }

    /// Connects with a small receive buffer.
    pub fn connect_with_little_room(address: SocketAddr) -> Self {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_recv_buffer_size(4 << 10).unwrap();
        socket.connect(&address.into()).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(180))).unwrap();
        Self { stream: BufReader::with_capacity(1000, socket.into()) }
    }

    /// Sends raw bytes.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// The number of bytes until the connection ends in any way.
    pub fn count_rest(&mut self) -> usize {
        let mut rest = Vec::new();
        let _ = self.stream.read_to_end(&mut rest);
        rest.len()
    }

    /// Shuts down the sending side of the connection.
    pub fn close_its_side(&self) {
        self.stream.get_ref().shutdown(Shutdown::Write).unwrap();
    }

    /// Sends a request, and reads the whole response.
    pub fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Response {
        self.ask(method, path, headers, body);
        let mut response = self.head().unwrap();
        if method != "HEAD" {
            self.body(&mut response).unwrap();
        }
        response
    }

    /// Sends a request for speech, and reads the whole response.
    pub fn speak(&mut self, key: &str, body: &str) -> Response {
        self.ask_to_speak(key, body);
        let mut response = self.head().unwrap();
        self.body(&mut response).unwrap();
        response
    }

    /// Sends a request for speech, and reads nothing yet.
    pub fn ask_to_speak(&mut self, key: &str, body: &str) {
        self.post_json("/v1/speech", key, body);
    }

    /// Sends JSON with a key, and reads nothing yet.
    pub fn post_json(&mut self, path: &str, key: &str, body: &str) {
        let key = format!("Bearer {key}");
        let headers = [("Authorization", &*key), ("Content-Type", "application/json")];
        self.ask("POST", path, &headers, body.as_bytes());
    }

    /// Sends a request, and reads nothing yet.
    pub fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: test\r\n");
        head.extend(headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")));
        if !body.is_empty() || method == "POST" {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        let mut request = (head + "\r\n").into_bytes();
        request.extend(body);
        self.write(&request).unwrap();
    }

    /// Whether a part of a response has arrived.
    pub fn has_answer(&self) -> bool {
        let stream = self.stream.get_ref();
        stream.set_nonblocking(true).unwrap();
        let has_come = stream.peek(&mut [0]).is_ok_and(|count| count > 0);
        stream.set_nonblocking(false).unwrap();
        has_come
    }

    /// Reads the head of the response.
    pub fn head(&mut self) -> io::Result<Response> {
        let line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no answer: {line:?}")))?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(": ") else { break };
            headers.push((name.to_lowercase(), value.to_owned()));
        }
        Ok(Response { status, headers, body: Vec::new() })
    }

    /// Reads the body to its end.
    pub fn body(&mut self, response: &mut Response) -> io::Result<()> {
        if let Some(length) = response.header("content-length") {
            response.body.resize(length.parse().unwrap(), 0);
            return self.stream.read_exact(&mut response.body);
        }
        while self.chunk(response)? {}
        Ok(())
    }

    /// Reads a body of known length in pieces of this size, with a pause after each.
    pub fn body_in_pieces(
        &mut self,
        response: &mut Response,
        bytes: usize,
        pause: Duration,
    ) -> io::Result<()> {
        response.body.resize(response.header("content-length").unwrap().parse().unwrap(), 0);
        response.body.chunks_mut(bytes).try_for_each(|piece| {
            std::thread::sleep(pause);
            self.stream.read_exact(piece)
        })
    }

    /// Reads the next chunk of a streamed body; false at its end. A truncated response is an error.
    pub fn chunk(&mut self, response: &mut Response) -> io::Result<bool> {
        let size = self.line()?;
        let size = usize::from_str_radix(&size, 16).map_err(io::Error::other)?;
        let start = response.body.len();
        response.body.resize(start + size, 0);
        self.stream.read_exact(&mut response.body[start..])?;
        assert_eq!(self.line()?, "");
        Ok(size > 0)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }

    /// Whether the server has closed the connection without sending more.
    pub fn is_closed(&mut self) -> bool {
        match self.stream.read(&mut [0]) {
            Ok(count) => count == 0,
            Err(error) => error.kind() == io::ErrorKind::ConnectionReset,
        }
    }
}
