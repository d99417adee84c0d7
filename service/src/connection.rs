//! Connections: how long a client may take, and how many there may be.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::net;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

use crate::shutdown::{Follower, Shutdown};

/// What the system holds for a client that does not read, and of one that sends more than is read, in bytes: for its own, it takes
/// twice as much. Without a bound each would be some megabytes.
const BUFFER: usize = 64 << 10;

/// Before the next connection is accepted after one that could not be.
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(50);

/// A socket that accepts a connection only while fewer than a maximum are open: until then, clients wait in the system's
/// queue of connections.
pub(crate) struct Listener {
    socket: TcpListener,
    places: Arc<Semaphore>,
    write_timeout: Duration,
}

impl Listener {
    /// Within a runtime, of a socket that does not block. A connection whose client takes nothing for the time given is given up: who
    /// reads nothing must not be waited for forever.
    pub(crate) fn new(
        socket: std::net::TcpListener,
        max_connections: usize,
        write_timeout: Duration,
    ) -> io::Result<Self> {
        let places = Arc::new(Semaphore::new(max_connections));
        Ok(Self { socket: TcpListener::from_std(socket)?, places, write_timeout })
    }

    /// The next connection.
    pub(crate) async fn accept(&self) -> io::Result<Connection> {
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(io::Error::other)?;
        let (stream, _) = self.socket.accept().await?;
        prepare(&stream)?;
        Ok(Connection::new(stream, place, self.write_timeout))
    }
}

/// Answers clients until the service ends, and waits for those that are being answered.
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
            // The system has no descriptor, say.
            Err(_) => sleep(PAUSE_AFTER_ERROR).await,
        }
    }
    // Clients that come now are refused by the system.
    drop((listener, follower));
    shutdown.all_left().await;
}

/// Answers the requests of a connection, which may be upgraded: then it lives on in what it became.
async fn answer(connection: Connection, http: http1::Builder, app: Router, mut shutdown: Follower) {
    let service = TowerToHyperService::new(app);
    let answered = http.serve_connection(TokioIo::new(connection), service).with_upgrades();
    let mut answered = pin!(answered);
    tokio::select! {
        biased;
        () = shutdown.finishing() => answered.as_mut().graceful_shutdown(),
        // A connection that breaks is no fault of the service.
        _ = &mut answered => return,
    }
    tokio::select! { biased; () = shutdown.ended() => {}, _ = answered => {} }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    socket.set_send_buffer_size(BUFFER)?;
    socket.set_recv_buffer_size(BUFFER)?;
    // Answers are written in whole pieces: nothing is gained by waiting for more.
    socket.set_tcp_nodelay(true)
}

/// The least that a client takes, in bytes a second: otherwise a byte now and then would keep a connection for days.
const LEAST: f64 = 256.0;

/// Ends when a client has taken too little for some time. How much room a connection has for more does not say that: the system tells of
/// room only once there is much. Nor does `TCP_USER_TIMEOUT`: that is about the oldest packet, of which the client may take a
/// part at a time.
struct Patience {
    timeout: Duration,
    sleep: Pin<Box<Sleep>>,
    /// What the client had to take when the time began.
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

/// How many bytes the system holds that the client's has not acknowledged; none if it does not say.
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

/// A connection that breaks as soon as the client resets it, even while nothing is read or written: the answer is dropped
/// then, and its synthesis is cancelled. A client that only closes its side still wants its answer.
///
/// When it is dropped, it has its place until the client has taken what was written: the system holds that as long.
pub(crate) struct Connection {
    stream: Arc<TcpStream>,
    /// Ends when the client resets the connection; none once it has.
    reset: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// There until it is dropped.
    place: Option<OwnedSemaphorePermit>,
    write_timeout: Duration,
    /// While nothing more can be written.
    patience: Option<Patience>,
}

impl Connection {
    fn new(stream: TcpStream, place: OwnedSemaphorePermit, write_timeout: Duration) -> Self {
        let stream = Arc::new(stream);
        let watched = Arc::clone(&stream);
        let reset = async move {
            // It fails when the runtime ends, and the connection with it.
            let _ = watched.ready(Interest::ERROR).await;
        };
        let (reset, place) = (Some(Box::pin(reset) as _), Some(place));
        Self { stream, reset, place, write_timeout, patience: None }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let (stream, place) = (Arc::clone(&self.stream), self.place.take());
        // Without a runtime the service is at its end: the system sends what it can.
        let Ok(runtime) = Handle::try_current() else { return };
        // Of a client that was given up, this is over.
        let patience = self.patience.take();
        let mut patience = patience.unwrap_or_else(|| Patience::new(&stream, self.write_timeout));
        runtime.spawn(async move {
            let is_given_up = poll_fn(|context| patience.poll_end(&stream, context));
            tokio::select! {
                () = taken(&stream) => {}
                () = is_given_up => {
                    // The system throws away what it has, and resets the connection. What fails is closed already.
                    let _ = SockRef::from(&*stream).set_linger(Some(Duration::ZERO));
                }
            }
            drop(stream);
            drop(place);
        });
    }
}

/// Ends a connection's side of the service, and waits until the client has taken all of it, or has reset it. The system does not tell
/// when the client has taken it.
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
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.stream.poll_read_ready(context))?;
            match self.stream.try_read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read.map(|count| buffer.advance(count))),
            }
        }
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
        let Self { stream, patience, write_timeout, .. } = &mut *self;
        loop {
            if stream.poll_write_ready(context)?.is_pending() {
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

    /// A socket has nothing to flush. The HTTP library calls this whenever it has nothing else to do with the connection.
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

/// How many connections can be open of so many that may be. The process takes as many descriptors as the system gives.
/// Each connection has one, and `own` are left to the service, for files and programs: clients cannot use them up.
#[cfg(unix)]
pub(crate) fn make_room(max_connections: usize, own: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    if let Err(error) = raised {
        tracing::warn!(%error, "the limit of descriptors stays as it is");
    }
    let descriptors = if raised.is_ok() { maximum } else { current };
    let limit = descriptors.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    // Under a limit that is too low for both, the service has half.
    let room = limit.saturating_sub(own).max(limit / 2).max(1);
    if room < max_connections {
        tracing::warn!(
            descriptors,
            connections = room,
            "few connections can be open: raise the limit (ulimit -n)"
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
