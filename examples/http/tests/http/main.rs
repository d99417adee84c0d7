//! The service as its clients meet it: the real program, on real sockets.

mod account;
mod client;
mod clients;
mod concurrency;
mod contract;
mod lines;
mod operation;
mod server;
mod streaming;
