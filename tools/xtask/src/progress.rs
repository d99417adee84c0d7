//! What the user sees while something takes time: a line per item, and a spinner when somebody is
//! watching.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Prints a line on stderr.
pub(crate) fn note(line: &str) {
    eprintln!("  {line}");
}

/// One item of work that is going on.
pub(crate) struct Item {
    label: String,
    started: Instant,
    spinner: Option<ProgressBar>,
    done: bool,
}

impl Item {
    /// Shows that the work begins.
    pub(crate) fn start(label: impl Into<String>) -> Self {
        let label = label.into();
        let spinner = stderr().is_terminal().then(|| spinner(&label));
        if spinner.is_none() {
            // The line is open until the work ends, so that a log shows what is going on.
            eprint!("  {label} ...");
        }
        Item { label, started: Instant::now(), spinner, done: false }
    }

    /// Shows what the work is at.
    pub(crate) fn detail(&self, line: &str) {
        if let Some(spinner) = &self.spinner {
            spinner.set_message(line.trim().to_owned());
        }
    }

    /// Shows that the work is done; `result` may be empty.
    pub(crate) fn finish(mut self, result: &str) {
        self.done = true;
        let separator = if result.is_empty() { "" } else { ", " };
        self.close(&format!("{result}{separator}{}", seconds(self.started.elapsed())));
    }

    fn close(&self, outcome: &str) {
        match &self.spinner {
            Some(spinner) => {
                spinner.finish_and_clear();
                eprintln!("  {} ... {outcome}", self.label);
            }
            None => eprintln!(" {outcome}"),
        }
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        if !self.done {
            self.close("failed");
        }
    }
}

/// A duration as people read it.
pub(crate) fn seconds(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    let whole = duration.as_secs();
    format!("{} min {:02} s", whole / 60, whole % 60)
}

/// A number of bytes as people read it.
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn spinner(label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {prefix} ({elapsed}) {wide_msg:.dim}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    let spinner = ProgressBar::new_spinner().with_style(style).with_prefix(label.to_owned());
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes() {
        assert_eq!(seconds(Duration::from_millis(1_240)), "1.2 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
        assert_eq!(megabytes(26_887_218), "26.9 MB");
    }
}
