//! The end of the service. Connections and sockets follow its phases until they have ended.

use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::sleep;

/// How long the process waits after the end for tasks that do not stop.
const LAST: Duration = Duration::from_secs(5);

/// The phases of the end, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// The service answers requests.
    Serving,
    /// The service still answers requests, and reports that it leaves.
    Draining,
    /// Requests that have begun may go on until this time; nothing new begins.
    Finishing(Instant),
    /// Nothing goes on.
    Ended,
}

/// The phase of the service.
#[derive(Debug)]
pub(crate) struct Shutdown {
    phase: watch::Sender<Phase>,
    /// Its receivers are the followers to wait for.
    open: watch::Sender<()>,
}

/// A task that learns of the end, and that the end waits for.
#[derive(Clone, Debug)]
pub(crate) struct Follower {
    phase: watch::Receiver<Phase>,
    _open: watch::Receiver<()>,
}

impl Shutdown {
    pub(crate) fn new() -> Self {
        Self { phase: watch::Sender::new(Phase::Serving), open: watch::Sender::new(()) }
    }

    pub(crate) fn phase(&self) -> Phase {
        *self.phase.borrow()
    }

    pub(crate) fn set(&self, phase: Phase) {
        self.phase.send_replace(phase);
    }

    pub(crate) fn follow(&self) -> Follower {
        Follower { phase: self.phase.subscribe(), _open: self.open.subscribe() }
    }

    /// Waits until no follower is left, or for some time after the end.
    pub(crate) async fn all_left(&self) {
        let mut phase = self.phase.subscribe();
        let late = async {
            let _ = phase.wait_for(|phase| *phase == Phase::Ended).await;
            sleep(LAST).await;
        };
        tokio::select! {
            () = self.open.closed() => {}
            () = late => tracing::warn!("some connections did not end in time"),
        }
    }
}

impl Follower {
    /// Waits until nothing new may begin. Returns the time until which requests may go on.
    pub(crate) async fn finishing(&mut self) {
        self.reach(|phase| matches!(phase, Phase::Finishing(_) | Phase::Ended)).await;
    }

    /// Waits for the end.
    pub(crate) async fn ended(&mut self) {
        self.reach(|phase| phase == Phase::Ended).await;
    }

    async fn reach(&mut self, reached: impl Fn(Phase) -> bool) {
        // Without a sender the service is gone.
        let _ = self.phase.wait_for(|phase| reached(*phase)).await;
    }
}
