//! An output module for [Speech Dispatcher](https://freebsoft.org/speechd): the server starts the program `sd_libspeech`, and
//! talks with it over its standard input and output.
//!
//! [`run`] is the program. [`message`] makes of a message what is to be said, [`speaker`] says it on a thread of its own, and
//! [`events`] writes what the server reads.

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
