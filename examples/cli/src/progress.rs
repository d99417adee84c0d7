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
        let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}  {{eta}} left");
        let style = ProgressStyle::with_template(&template).expect("a fixed template");
        let started = Instant::now();
        Self { bar: bar.with_style(style), unit, started, last: Mutex::new(started) }
    }

    /// Shows the number of finished units, the total, and the seconds of audio computed in this
    /// run.
    pub(crate) fn show(&self, done: u64, all: u64, seconds: f64) {
        let elapsed = self.started.elapsed().as_secs_f64();
        let real_time = seconds / elapsed;
        self.bar.set_length(all);
        self.bar.set_message(format!("{real_time:.0} seconds of sound a second"));
        self.bar.set_position(done);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if self.bar.is_hidden() && last.elapsed() >= Self::EVERY {
            *last = Instant::now();
            let left = elapsed / done as f64 * (all - done) as f64;
            eprintln!(
                "{done} of {all} {}, {real_time:.0} seconds of sound a second, about {left:.0} s left",
                self.unit
            );
        }
    }
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
