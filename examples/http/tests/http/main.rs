//! The service as its clients meet it: the real program, on real sockets.

mod account;
mod client;
mod clients;
mod contract;
mod crowd;
mod server;
mod streaming;
