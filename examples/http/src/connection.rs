//! Connections: how long a client may take, and how many there may be.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use axum_server::accept::Accept;
use tokio::net::TcpStream;
use tokio_io_timeout::TimeoutStream;

/// Gives up a connection on which nothing can be written for some time: who reads nothing must not be waited for forever.
#[derive(Clone, Debug)]
pub(crate) struct WriteTimeout(pub(crate) Duration);

impl<S> Accept<TcpStream, S> for WriteTimeout {
    type Stream = Pin<Box<TimeoutStream<TcpStream>>>;
    type Service = S;
    type Future = std::future::Ready<io::Result<(Self::Stream, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        // Answers are written in whole pieces: nothing is gained by waiting for more.
        let ready = stream.set_nodelay(true).map(|()| {
            let mut stream = TimeoutStream::new(stream);
            stream.set_write_timeout(Some(self.0));
            (Box::pin(stream), service)
        });
        std::future::ready(ready)
    }
}

/// With fewer descriptors than this, a crowd of idle connections keeps all others out.
#[cfg(unix)]
const FEW_DESCRIPTORS: u64 = 1024;

/// Takes as many descriptors as the system gives: each connection has one.
#[cfg(unix)]
pub(crate) fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    if let Err(error) = raised {
        tracing::warn!(%error, "the limit of descriptors stays as it is");
    }
    let limit = if raised.is_ok() { maximum } else { current };
    match limit {
        Some(descriptors) if descriptors < FEW_DESCRIPTORS => {
            tracing::warn!(descriptors, "few connections can be open: raise the limit (ulimit -n)");
        }
        _ => tracing::info!(descriptors = limit, "connections can be open"),
    }
}

#[cfg(not(unix))]
pub(crate) fn raise_limit() {}
