//! Connections: how long a client may take.

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
