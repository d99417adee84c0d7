//! The HTTP contract: one test suite for `examples/http` and `service`.

mod client;
pub mod contract;

use std::net::SocketAddr;

pub use client::{Client, Response};

/// A running service.
#[derive(Debug)]
pub struct Service {
    /// The address at which it listens.
    pub address: SocketAddr,
    /// A valid key.
    pub key: String,
}

impl Service {
    /// A new connection.
    pub fn client(&self) -> Client {
        Client::connect(self.address)
    }

    /// Sends a request without a key.
    pub fn get(&self, path: &str) -> Response {
        self.client().send("GET", path, &[], b"")
    }

    /// Sends a request for speech with the key.
    pub fn speak(&self, body: &str) -> Response {
        self.client().speak(&self.key, body)
    }
}
