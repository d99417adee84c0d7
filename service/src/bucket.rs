//! A token bucket: limits a sustained rate, and allows a burst.

use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Bucket {
    left: f64,
    per_second: f64,
    at_once: f64,
}

impl Bucket {
    /// A full bucket.
    pub(crate) fn new(per_second: f64, at_once: f64) -> Self {
        Self { left: at_once, per_second, at_once }
    }

    /// Takes tokens, `since` after the last call. Returns false, and takes none, if there are not
    /// enough.
    pub(crate) fn take(&mut self, since: Duration, tokens: f64) -> bool {
        self.left = (self.left + since.as_secs_f64() * self.per_second).min(self.at_once);
        let has_enough = self.left >= tokens;
        self.left -= if has_enough { tokens } else { 0.0 };
        has_enough
    }
}
