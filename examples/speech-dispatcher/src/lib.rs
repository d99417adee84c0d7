//! An output module for [Speech Dispatcher](https://freebsoft.org/speechd): the server starts the
//! program `sd_libspeech`, and communicates with it over its standard input and output.
//!
//! [`run`] is the program. [`message`] turns a message into parts to speak, [`speaker`] speaks them
//! on its own thread, and [`events`] writes to the server.

pub mod clips;
pub mod config;
pub mod events;
pub mod input;
pub mod keys;
pub mod logging;
pub mod markup;
pub mod message;
mod module;
pub mod prepared;
pub mod settings;
pub mod speaker;
pub mod symbols;

pub use module::run;
