//! The native module of the Node package, which only that package uses.
//!
//! It holds no event loop up. Whatever takes time is done on a thread of the module's own, and settles a promise. What
//! goes wrong is a value too, a `Failure`: the package makes an error of it. Places in a text are
//! counted in UTF-16 code units, as JavaScript does.
#![allow(unreachable_pub, reason = "what JavaScript sees must be public")]

mod engine;

mod stream;

mod results;

mod text;

mod tiers;

mod voices;

mod failure;
mod request;
mod work;
