//! Runs the program for a test; this process takes the place of the server.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit of the slowest reply on a busy machine; after that the program counts as hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program's output: replies and events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A reply, with its lines joined.
    Reply(String),
    Begin,
    Mark(String),
    Audio(Vec<i16>),
    Icon(String),
    End,
    Stop,
    Pause,
}

pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    events: Receiver<(Instant, Event)>,
}

/// The speech of a message, with its audio joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spoken {
    pub(crate) samples: Vec<i16>,
    /// The marks, and the number of samples before each.
    pub(crate) marks: Vec<(String, usize)>,
    pub(crate) icons: Vec<String>,
}

impl Client {
    /// Starts the program and initializes it.
    pub(crate) fn start(bundle: &Path, config: &str) -> Self {
        let mut client = Self::spawn(&format!("Bundle \"{}\"\n{config}\n", bundle.display()));
        client.send("INIT\n");
        assert_eq!(client.reply(), "299-libspeech is loaded\n299 OK LOADED SUCCESSFULLY");
        client.send("AUDIO\naudio_output_method=server\n.\n");
        assert_eq!(client.reply(), "207 OK RECEIVING AUDIO SETTINGS");
        assert_eq!(client.reply(), "203 OK AUDIO INITIALIZED");
        client
    }

    /// Starts the program with a configuration.
    pub(crate) fn spawn(config: &str) -> Self {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), config).unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_sd_libspeech"));
        program.arg(file.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = program.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, events) = mpsc::channel();
        thread::spawn(move || {
            // The program reads the file before the first command.
            let _file = file;
            let mut output = output;
            while let Some(event) = read(&mut output) {
                if send.send((Instant::now(), event)).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, events }
    }

    pub(crate) fn send(&mut self, text: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_ref()).unwrap();
        input.flush().unwrap();
    }

    /// The next event, and its time.
    pub(crate) fn next_at(&self) -> (Instant, Event) {
        self.events.recv_timeout(PATIENCE).expect("the program has something to say")
    }

    pub(crate) fn next(&self) -> Event {
        self.next_at().1
    }

    pub(crate) fn reply(&self) -> String {
        match self.next() {
            Event::Reply(reply) => reply,
            other => panic!("no reply: {other:?}"),
        }
    }

    /// Whether the program has ended without writing more.
    pub(crate) fn is_silent_at_end(&self) -> bool {
        self.events.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Disconnected)
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sets parameters as the server does.
    pub(crate) fn set(&mut self, settings: &[(&str, &str)]) {
        let lines: String =
            settings.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        self.send(format!("SET\n{lines}.\n"));
        assert_eq!(self.reply(), "207 OK RECEIVING SETTINGS");
        assert_eq!(self.reply(), "203 OK SETTINGS RECEIVED", "{settings:?}");
    }

    /// Sends a message, which must be accepted.
    pub(crate) fn begin(&mut self, command: &str, text: &str) {
        let dots = text.replace("\n.", "\n..");
        let dot = if text.starts_with('.') { "." } else { "" };
        self.send(format!("{command}\n{dot}{dots}\n.\n"));
        assert_eq!(self.reply(), "202 OK RECEIVING MESSAGE");
        assert_eq!(self.reply(), "200 OK SPEAKING", "{text:.200}");
    }

    /// The rest of a message's output, and the event that ends it.
    pub(crate) fn rest(&self) -> (Spoken, Event) {
        let mut spoken = Spoken::default();
        loop {
            match self.next() {
                Event::Audio(samples) => spoken.samples.extend(samples),
                Event::Mark(name) => spoken.marks.push((name, spoken.samples.len())),
                Event::Icon(path) => spoken.icons.push(path),
                Event::Begin => {}
                end @ (Event::End | Event::Stop | Event::Pause) => return (spoken, end),
                Event::Reply(reply) => panic!("a reply while it speaks: {reply}"),
            }
        }
    }

    /// Speaks a message to its end.
    pub(crate) fn say(&mut self, command: &str, text: &str) -> Spoken {
        self.begin(command, text);
        assert_eq!(self.next(), Event::Begin, "{text:.200}");
        let (spoken, end) = self.rest();
        assert_eq!(end, Event::End, "{text:.200}");
        spoken
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next reply or event.
fn read(output: &mut impl BufRead) -> Option<Event> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    loop {
        let mut line = Vec::new();
        output.read_until(b'\n', &mut line).ok()?;
        if line.pop() != Some(b'\n') {
            assert!(line.is_empty(), "a line without an end");
            return None;
        }
        assert!(line.len() >= 4 && line[..3].iter().all(u8::is_ascii_digit), "{line:?}");
        let is_last = line[3] == b' ';
        assert!(is_last || line[3] == b'-', "{line:?}");
        lines.push(line);
        if is_last {
            break;
        }
    }
    let text = |line: &[u8]| String::from_utf8(line.to_vec()).unwrap();
    let last = text(lines.last().unwrap());
    Some(match last.as_str() {
        "700 INDEX MARK" => Event::Mark(text(&lines[0][4..])),
        "701 BEGIN" => Event::Begin,
        "702 END" => Event::End,
        "703 STOP" => Event::Stop,
        "704 PAUSE" => Event::Pause,
        "705 AUDIO" => Event::Audio(samples(&lines)),
        "706 ICON" => Event::Icon(text(&lines[0][4..])),
        _ => Event::Reply(lines.iter().map(|line| text(line)).collect::<Vec<_>>().join("\n")),
    })
}

fn samples(lines: &[Vec<u8>]) -> Vec<i16> {
    let [bits, channels, rate, count, endian, data, _] = lines else { panic!("seven lines") };
    assert_eq!((&bits[..], &channels[..]), (&b"705-bits=16"[..], &b"705-num_channels=1"[..]));
    assert_eq!((&rate[..], &endian[..]), (&b"705-sample_rate=22050"[..], &b"705-big_endian=0"[..]));
    let count = count.strip_prefix(b"705-num_samples=").unwrap();
    let mut escaped = data.strip_prefix(b"705-AUDIO\0").unwrap().iter();
    let mut bytes = Vec::new();
    while let Some(byte) = escaped.next() {
        bytes.push(if *byte == 0x7d { escaped.next().unwrap() ^ 0x20 } else { *byte });
    }
    assert_eq!(bytes.len() % 2, 0);
    let samples: Vec<i16> =
        bytes.chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    assert_eq!(std::str::from_utf8(count).unwrap(), samples.len().to_string());
    samples
}
