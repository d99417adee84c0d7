//! Shows the progress of long work on standard error.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on a terminal; lines elsewhere.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// The counted unit, such as `rows`.
    unit: &'static str,
    started: Instant,
    /// The time of the last line.
    last: Mutex<Instant>,
}

impl Progress {
    /// The minimum interval between lines.
    const EVERY: Duration = Duration::from_secs(10);

    pub(crate) fn new(unit: &'static str) -> Self {
        let bar =
            if io::stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
        let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}");
        let style = ProgressStyle::with_template(&template).expect("a fixed template");
        let started = Instant::now();
        Self { bar: bar.with_style(style), unit, started, last: Mutex::new(started) }
    }

    /// Shows the number of finished units, the total, and what this run did: its units and its
    /// seconds of audio.
    pub(crate) fn show(&self, done: u64, all: u64, (own, seconds): (u64, f64)) {
        let rate =
            rate(self.started.elapsed().as_secs_f64(), all.saturating_sub(done), own, seconds);
        self.bar.set_length(all);
        self.bar.set_position(done);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if self.bar.is_hidden() && last.elapsed() >= Self::EVERY {
            *last = Instant::now();
            eprintln!("{done} of {all} {}{rate}", self.unit);
        }
        self.bar.set_message(rate);
    }
}

/// The speed of a run and the time that it still needs. Units that an earlier run finished take no
/// time, so they say nothing about either.
fn rate(elapsed: f64, left: u64, own: u64, seconds: f64) -> String {
    if own == 0 {
        return String::new();
    }
    let (real_time, left) = (seconds / elapsed, elapsed / own as f64 * left as f64);
    format!(", {real_time:.0} times real time, about {left:.0} s left")
}

impl Progress {
    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_run_has_the_speed_and_the_time_of_its_own_rows() {
        // This run spoke 5 rows in 10 s, and 20 are left.
        let expected = ", 3 times real time, about 40 s left";
        assert_eq!(rate(10.0, 20, 5, 30.0), expected);
        assert_eq!(rate(10.0, 20, 0, 0.0), "");
    }
}
