//! The contract over HTTP: one suite, which `examples/http` and `service` pass.

mod client;
pub mod contract;

use std::net::SocketAddr;

pub use client::{Client, Response};

/// A service that runs.
#[derive(Debug)]
pub struct Service {
    /// Where it listens.
    pub address: SocketAddr,
    /// A key that it knows.
    pub key: String,
}

impl Service {
    /// A new connection.
    pub fn client(&self) -> Client {
        Client::connect(self.address)
    }

    /// A request without a key.
    pub fn get(&self, path: &str) -> Response {
        self.client().send("GET", path, &[], b"")
    }

    /// A request for speech, with the key.
    pub fn speak(&self, body: &str) -> Response {
        self.client().speak(&self.key, body)
    }
}
