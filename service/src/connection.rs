//! Connections: their timeouts, the rate of a live session's client, and their number.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::{fmt, net};

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

use crate::bucket::Bucket;
use crate::shutdown::{Follower, Shutdown};

/// The send and receive buffers of a connection in the system, in bytes. The system allocates twice
/// as much. Without a bound they grow to several megabytes.
const BUFFER: usize = 64 << 10;

/// The pause after a failed `accept`.
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(50);

/// A socket that accepts connections up to a maximum. Further clients wait in the system's queue.
pub(crate) struct Listener {
    socket: TcpListener,
    places: Arc<Semaphore>,
    write_timeout: Duration,
}

impl Listener {
    /// Takes a nonblocking socket, within a runtime. A connection whose client reads nothing for
    /// `write_timeout` is closed, so that no client blocks a place forever.
    pub(crate) fn new(
        socket: std::net::TcpListener,
        max_connections: usize,
        write_timeout: Duration,
    ) -> io::Result<Self> {
        let places = Arc::new(Semaphore::new(max_connections));
        Ok(Self { socket: TcpListener::from_std(socket)?, places, write_timeout })
    }

    /// Waits for the next connection.
    pub(crate) async fn accept(&self) -> io::Result<Connection> {
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(io::Error::other)?;
        let (stream, _) = self.socket.accept().await?;
        prepare(&stream)?;
        Ok(Connection::new(stream, place, self.write_timeout))
    }
}

/// Serves clients until the service ends, and waits for open connections.
pub(crate) async fn answer_all(
    listener: Listener,
    http: &http1::Builder,
    app: &Router,
    shutdown: &Shutdown,
) {
    let mut follower = shutdown.follow();
    loop {
        let connection = tokio::select! {
            biased;
            () = follower.finishing() => break,
            connection = listener.accept() => connection,
        };
        match connection {
            Ok(connection) => {
                let answered = answer(connection, http.clone(), app.clone(), shutdown.follow());
                tokio::spawn(answered);
            }
            // For example, no file descriptor is left.
            Err(_) => sleep(PAUSE_AFTER_ERROR).await,
        }
    }
    // From now on the system refuses connections.
    drop((listener, follower));
    shutdown.all_left().await;
}

/// Serves the requests of a connection. An upgraded connection lives on in its session.
async fn answer(connection: Connection, http: http1::Builder, app: Router, mut shutdown: Follower) {
    let (app, upgrade) = (TowerToHyperService::new(app), connection.upgrade.clone());
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(upgrade.clone());
        app.call(request)
    });
    let answered = http.serve_connection(TokioIo::new(connection), service).with_upgrades();
    let mut answered = pin!(answered);
    tokio::select! {
        biased;
        () = shutdown.finishing() => answered.as_mut().graceful_shutdown(),
        // A broken connection is no fault of the service.
        _ = &mut answered => return,
    }
    tokio::select! { biased; () = shutdown.ended() => {}, _ = answered => {} }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    socket.set_send_buffer_size(BUFFER)?;
    socket.set_recv_buffer_size(BUFFER)?;
    // Responses are written in whole pieces, so delaying them gains nothing.
    socket.set_tcp_nodelay(true)
}

/// The minimum rate of a client in bytes per second. Without it, single bytes could keep a
/// connection open for days.
const LEAST: f64 = 256.0;

/// Expires when a client has read too little for some time. Writability does not show that, because
/// the system reports it only once much room is free. `TCP_USER_TIMEOUT` does not either: it is
/// about the oldest packet, which a client may read in parts.
struct Patience {
    timeout: Duration,
    sleep: Pin<Box<Sleep>>,
    /// The unread bytes when the time began.
    untaken: usize,
}

impl Patience {
    fn new(stream: &TcpStream, timeout: Duration) -> Self {
        Self { timeout, sleep: Box::pin(sleep(timeout)), untaken: untaken(stream) }
    }

    fn poll_end(&mut self, stream: &TcpStream, context: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(self.sleep.as_mut().poll(context));
            let untaken = untaken(stream);
            let taken = self.untaken.saturating_sub(untaken);
            if (taken as f64) < LEAST * self.timeout.as_secs_f64() && untaken > 0 || taken == 0 {
                return Poll::Ready(());
            }
            self.untaken = untaken;
            self.sleep.as_mut().reset(Instant::now() + self.timeout);
        }
    }
}

/// The bytes in the system that the client has not acknowledged; 0 if the system does not report
/// it.
fn untaken(stream: &TcpStream) -> usize {
    #[cfg(target_os = "linux")]
    {
        use rustix::ioctl::{Getter, ioctl};
        // SAFETY: for a socket, `TIOCOUTQ` writes an `int` (tcp(7) has it as `SIOCOUTQ`).
        let bytes = unsafe { ioctl(stream, Getter::<{ libc::TIOCOUTQ as _ }, libc::c_int>::new()) };
        bytes.map_or(0, |bytes| usize::try_from(bytes).unwrap_or_default())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = stream;
        0
    }
}

/// Marks a connection as that of a live session. It is an extension of the connection's requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Upgrade(Arc<AtomicBool>);

impl Upgrade {
    /// Turns the write timeout off, because a session has its own, and limits the client's rate.
    pub(crate) fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The sustained rate of the client of a live session, with the headers of its frames: a frame may
/// be empty, and messages may have any number of frames.
const BYTES_PER_SECOND: u32 = 128 << 10;

/// The bytes that may come at once.
const BYTES_AT_ONCE: u32 = 5 * BYTES_PER_SECOND;

/// The client of a live session sends too much.
#[derive(Debug)]
pub(crate) struct TooFast;

impl fmt::Display for TooFast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {BYTES_PER_SECOND} bytes came in a second")
    }
}

impl std::error::Error for TooFast {}

/// A connection that fails as soon as the client resets it, even while it is neither read nor
/// written. The response is then dropped, which cancels its synthesis. A client that closes only
/// its sending side still receives its response.
///
/// After the drop it keeps its place until the client has read the written data, because the system
/// holds that data.
pub(crate) struct Connection {
    stream: Arc<TcpStream>,
    /// Completes when the client resets the connection; none afterwards.
    reset: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// Present until the drop.
    place: Option<OwnedSemaphorePermit>,
    write_timeout: Duration,
    /// Present while writing is blocked.
    patience: Option<Patience>,
    upgrade: Upgrade,
    received: Bucket,
    /// When bytes were last received.
    received_at: Instant,
}

impl Connection {
    fn new(stream: TcpStream, place: OwnedSemaphorePermit, write_timeout: Duration) -> Self {
        let stream = Arc::new(stream);
        let watched = Arc::clone(&stream);
        let reset = async move {
            // This fails when the runtime ends, together with the connection.
            let _ = watched.ready(Interest::ERROR).await;
        };
        let (reset, place) = (Some(Box::pin(reset) as _), Some(place));
        Self {
            stream,
            reset,
            place,
            write_timeout,
            patience: None,
            upgrade: Upgrade::default(),
            received: Bucket::new(BYTES_PER_SECOND.into(), BYTES_AT_ONCE.into()),
            received_at: Instant::now(),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let (stream, place) = (Arc::clone(&self.stream), self.place.take());
        // Without a runtime the service is ending, and the system sends what it can.
        let Ok(runtime) = Handle::try_current() else { return };
        // For a client that has timed out, this has expired.
        let patience = self.patience.take();
        let mut patience = patience.unwrap_or_else(|| Patience::new(&stream, self.write_timeout));
        runtime.spawn(async move {
            let is_given_up = poll_fn(|context| patience.poll_end(&stream, context));
            tokio::select! {
                () = taken(&stream) => {}
                () = is_given_up => {
                    // The system discards the data and resets the connection. If this fails, the
                    // connection is closed already.
                    let _ = SockRef::from(&*stream).set_linger(Some(Duration::ZERO));
                }
            }
            drop(stream);
            drop(place);
        });
    }
}

/// Closes the sending side, and waits until the client has read everything or resets the
/// connection. The system reports neither, so this polls.
async fn taken(stream: &TcpStream) {
    if SockRef::from(stream).shutdown(net::Shutdown::Write).is_err() {
        return;
    }
    let mut pause = Duration::from_millis(1);
    while untaken(stream) > 0 {
        tokio::select! {
            () = sleep(pause) => {}
            _ = stream.ready(Interest::ERROR) => return,
        }
        pause = (2 * pause).min(Duration::from_millis(500));
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let count = loop {
            ready!(self.stream.poll_read_ready(context))?;
            match self.stream.try_read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => break read?,
            }
        };
        if self.upgrade.has_begun() {
            let now = Instant::now();
            let since = now - std::mem::replace(&mut self.received_at, now);
            if !self.received.take(since, count as f64) {
                return Poll::Ready(Err(io::Error::other(TooFast)));
            }
        }
        buffer.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let Self { stream, patience, write_timeout, upgrade, .. } = &mut *self;
        loop {
            if stream.poll_write_ready(context)?.is_pending() {
                if upgrade.has_begun() {
                    return Poll::Pending;
                }
                let patience =
                    patience.get_or_insert_with(|| Patience::new(stream, *write_timeout));
                ready!(patience.poll_end(stream, context));
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            match stream.try_write_vectored(slices) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => {
                    *patience = None;
                    return Poll::Ready(written);
                }
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// A socket has nothing to flush. The HTTP library calls this whenever it is idle.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.reset.take_if(|reset| reset.as_mut().poll(context).is_ready());
        let is_open = self.reset.is_some();
        Poll::Ready(is_open.then_some(()).ok_or(io::ErrorKind::ConnectionReset.into()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Dropping the connection closes it.
        Poll::Ready(Ok(()))
    }
}

/// The number of connections that can be open, at most `max_connections`. Raises the limit of file
/// descriptors. Reserves `own` of them for files and programs, so that connections cannot use them
/// up.
#[cfg(unix)]
pub(crate) fn make_room(max_connections: usize, own: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    if let Err(error) = raised {
        tracing::warn!(%error, "cannot raise the limit of file descriptors");
    }
    let descriptors = if raised.is_ok() { maximum } else { current };
    let limit = descriptors.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    // If the limit is too low for both, the service keeps half.
    let room = limit.saturating_sub(own).max(limit / 2).max(1);
    if room < max_connections {
        tracing::warn!(
            descriptors,
            connections = room,
            "the limit of file descriptors allows few connections: raise it (ulimit -n)"
        );
    } else {
        tracing::info!(descriptors, "connections can be open");
    }
    room.min(max_connections)
}

#[cfg(not(unix))]
pub(crate) fn make_room(max_connections: usize, _: usize) -> usize {
    max_connections
}
