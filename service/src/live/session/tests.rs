use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Sink, Stream as Messages};
use speech_core::{Engine, TierCatalogue};
use tokio::task::JoinHandle;

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

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
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
    let ((say, said), (heard, mut hear)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
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
