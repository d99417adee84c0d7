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
mod pronunciations;
mod record;
mod server;
mod socket;
mod streaming;
