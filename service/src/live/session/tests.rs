use std::path::Path;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::thread;

use futures_util::task::AtomicWaker;
use futures_util::{Sink, Stream as Messages};
use serde_json::{Value, json};
use speech_core::{Engine, TierCatalogue};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::*;
use crate::admission::{self, Admission};
use crate::keys::{Keys, NewKey};
use crate::live::{self, Live};
use crate::queue::Queue;
use crate::usage::{Record, Usage};

/// Whether a client takes what it is sent.
#[derive(Default)]
struct Gate {
    is_open: AtomicBool,
    waits: AtomicWaker,
}

impl Gate {
    fn set(&self, is_open: bool) {
        self.is_open.store(is_open, Ordering::SeqCst);
        self.waits.wake();
    }
}

/// A socket without a network.
struct Pipe {
    said: mpsc::UnboundedReceiver<SocketMessage>,
    heard: mpsc::UnboundedSender<SocketMessage>,
    gate: Arc<Gate>,
}

impl Pipe {
    fn poll_open(&self, context: &Context<'_>) -> Poll<Result<(), axum::Error>> {
        self.gate.waits.register(context.waker());
        if self.gate.is_open.load(Ordering::SeqCst) { Poll::Ready(Ok(())) } else { Poll::Pending }
    }
}

impl Messages for Pipe {
    type Item = Result<SocketMessage, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.said.poll_recv(context);
        if let Poll::Ready(Some(SocketMessage::Text(text))) = &polled {
            assert_ne!(text.as_str(), "panic");
        }
        polled.map(|message| message.map(Ok))
    }
}

impl Sink<SocketMessage> for Pipe {
    type Error = axum::Error;

    fn poll_ready(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), axum::Error>> {
        self.poll_open(context)
    }

    fn start_send(self: Pin<&mut Self>, message: SocketMessage) -> Result<(), axum::Error> {
        self.heard.send(message).map_err(axum::Error::new)
    }

    fn poll_flush(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), axum::Error>> {
        self.poll_open(context)
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        Poll::Ready(Ok(()))
    }
}

const LONG: Duration = Duration::from_secs(60);

/// A session with a client that takes nothing until its gate is open.
struct Running {
    say: mpsc::UnboundedSender<SocketMessage>,
    hear: mpsc::UnboundedReceiver<SocketMessage>,
    gate: Arc<Gate>,
    service: Arc<Service>,
    task: JoinHandle<()>,
    _dir: tempfile::TempDir,
}

const LIMITS: live::Limits = live::Limits {
    sessions: 1,
    sessions_per_account: None,
    idle: LONG,
    session: LONG,
    start: LONG,
    ping: LONG,
    silence: LONG,
    write: LONG,
    grace: LONG,
};

fn service(dir: &Path, limits: live::Limits, keys: Keys) -> Arc<Service> {
    speech_tests::fake_model::write(dir).unwrap();
    let requests =
        admission::Limits { requests: 1, requests_per_account: None, wait: LONG, sound: 1e6 };
    Arc::new(Service::new(
        Engine::builder().bundle(dir).load().unwrap(),
        Arc::new(keys),
        Usage::open(&Record::File(dir.join("usage.db")), None).unwrap(),
        TierCatalogue::new([]),
        Admission::new(requests, Queue::new(1, 1.0), None),
        LONG,
        Live::new(limits, 1, Vec::new()),
    ))
}

impl Running {
    fn start(limits: live::Limits) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let key = NewKey::generate("a").unwrap();
        let service = service(dir.path(), limits, Keys::read(None, &key.line).unwrap());
        let ((say, said), (heard, hear)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let gate = Arc::<Gate>::default();
        let pipe = Pipe { said, heard, gate: Arc::clone(&gate) };
        let (follower, key) = (service.shutdown.follow(), service.keys.show(&key.secret).unwrap());
        let session =
            Session::new(Arc::clone(&service), key, RequestId::new(), Settings::default(), pipe);
        let task = tokio::spawn(session.run(follower));
        Self { say, hear, gate, service, task, _dir: dir }
    }

    fn say(&self, message: Value) {
        self.say.send(SocketMessage::text(message.to_string())).unwrap();
    }

    async fn event(&mut self) -> Value {
        loop {
            match timeout(LONG, self.hear.recv()).await.unwrap() {
                Some(SocketMessage::Text(text)) => return serde_json::from_str(&text).unwrap(),
                Some(SocketMessage::Binary(_)) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// The last event of the session, and its code.
    async fn end(mut self) -> (Value, u16) {
        let mut last = Value::Null;
        while let Some(message) = timeout(LONG, self.hear.recv()).await.unwrap() {
            match message {
                SocketMessage::Text(text) => last = serde_json::from_str(&text).unwrap(),
                SocketMessage::Close(frame) => {
                    drop(self.say);
                    self.task.await.unwrap();
                    return (last, frame.unwrap().code);
                }
                _ => {}
            }
        }
        panic!("it ended without a word after {last}")
    }
}

#[tokio::test]
async fn a_client_that_takes_no_answers_is_given_up() {
    let running = Running::start(LIMITS);
    // One turn is begun, and so many wait; there is a `ready` too.
    for n in 0..MAX_UNTAKEN + MAX_TURNS_WAITING {
        if n % 500 == 499 {
            sleep(Duration::from_secs(1)).await;
        }
        assert!(!running.task.is_finished());
        running.say(json!({"type": "text", "turn": n.to_string(), "text": "a"}));
    }
    sleep(Duration::from_millis(100)).await;
    running.gate.set(true);
    let (last, code) = running.end().await;
    assert_eq!((&last["reason"], code), (&json!("slow"), 1008));
}

#[tokio::test]
async fn pings_of_a_client_that_takes_no_pongs_have_a_bound() {
    let running = Running::start(LIMITS);
    for n in 0..=MAX_UNTAKEN {
        if n % 500 == 499 {
            sleep(Duration::from_secs(1)).await;
        }
        assert!(!running.task.is_finished());
        running.say.send(SocketMessage::Ping(Default::default())).unwrap();
    }
    sleep(Duration::from_millis(100)).await;
    running.gate.set(true);
    assert_eq!(running.end().await.0["reason"], "slow");
    // Who takes them may send more.
    let running = Running::start(LIMITS);
    running.gate.set(true);
    for n in 0..3 * MAX_UNTAKEN / 2 {
        if n % 500 == 499 {
            sleep(Duration::from_secs(2)).await;
        }
        running.say.send(SocketMessage::Ping(Default::default())).unwrap();
    }
    running.say(json!({"type": "close"}));
    assert_eq!(running.end().await.0["reason"], "close");
}

#[tokio::test]
async fn a_client_that_answers_no_ping_is_gone() {
    let ping = Duration::from_millis(100);
    let silence = 30 * ping;
    let mut running = Running::start(live::Limits { ping, silence, ..LIMITS });
    running.gate.set(true);
    let opened = Instant::now();
    while opened.elapsed() < 3 * silence / 2 {
        let message = running.hear.recv().await.expect("a client that answers is not gone");
        assert!(matches!(message, SocketMessage::Ping(_)), "{message:?}");
        running.say.send(SocketMessage::Pong(Default::default())).unwrap();
    }
    let (last, code) = running.end().await;
    assert_eq!((&last["reason"], code), (&json!("silence"), 1008));
}

/// Only the time counts in which the client could have taken something, and did not.
#[tokio::test]
async fn a_process_that_is_late_does_not_make_the_client_slow() {
    let write = Duration::from_secs(1);
    let mut running = Running::start(live::Limits { write, ..LIMITS });
    running.say(json!({"type": "start"}));
    for _ in 0..3 {
        running.gate.set(false);
        running.say(json!({"type": "text", "text": "Hi.", "finish": true}));
        sleep(write / 10).await;
        running.gate.set(true);
        // Nothing else runs on this thread.
        thread::sleep(2 * write);
        while running.event().await["type"] != "finished" {}
    }
    // One that takes nothing from the beginning.
    let running = Running::start(live::Limits { write, ..LIMITS });
    running.say(json!({"type": "text", "text": "Hi.", "finish": true}));
    sleep(2 * write).await;
    running.gate.set(true);
    let (last, code) = running.end().await;
    assert_eq!((&last["type"], &last["reason"], code), (&json!("goodbye"), &json!("slow"), 1008));
}

#[tokio::test]
async fn a_panic_of_a_session_is_told() {
    let running = Running::start(LIMITS);
    running.gate.set(true);
    running.say.send(SocketMessage::text("panic")).unwrap();
    let (last, code) = running.end().await;
    assert_eq!((&last["error"]["type"], code), (&json!("internal"), 1011));
}

/// They are read on another thread, of which there is one: a session waits for its own alone.
#[tokio::test]
async fn pronunciations_are_read_one_after_another_beside_the_sessions() {
    let mut running = Running::start(LIMITS);
    running.gate.set(true);
    let other = running.service.checks.acquire(&Account("b".into())).await;
    running.say(json!({"type": "text", "turn": "a", "text": "Hi.", "flush": true}));
    assert_eq!(running.event().await["type"], "ready");
    running.say(json!({"type": "settings", "pronunciations": {"kubectl": "cube control"}}));
    // What it said after that is not read yet, while its turn is spoken.
    running.say(json!({"type": "finish", "turn": "a"}));
    while running.event().await["type"] != "flushed" {}
    sleep(Duration::from_millis(100)).await;
    assert!(running.hear.try_recv().is_err());
    drop(other);
    assert_eq!(running.event().await["type"], "finished");
    // What is wrong with them ends the session.
    running.say(json!({"type": "settings", "pronunciations": {"a": 1}}));
    let (last, code) = running.end().await;
    assert_eq!((&last["error"]["type"], code), (&json!("invalid_request"), 1008));
}
