//! The service as its clients meet it: the real program on real sockets.

mod account;
mod cartesia;
mod clients;
mod concurrency;
mod contract;
#[path = "../disk/mod.rs"]
mod disk;
mod hostile;
mod lines;
mod live;
mod live_ends;
mod live_hostile;
mod live_load;
mod live_texts;
#[cfg(target_os = "linux")]
mod network;
mod openai;
mod operation;
#[cfg(target_os = "linux")]
#[expect(dead_code, reason = "unit tests use the rest")]
#[path = "../postgres/mod.rs"]
mod postgres;
mod pronunciations;
mod record;
#[cfg(target_os = "linux")]
mod replicas;
mod server;
mod socket;
mod streaming;
