//! Shows progress: a line for each finished item, and before that a spinner on a terminal, or else
//! a line that the work has begun.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

/// The spinners of parallel work.
static SPINNERS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Prints a line on stderr.
pub(crate) fn note(line: &str) {
    SPINNERS.suspend(|| eprintln!("  {line}"));
}

/// The end of a line about work that has begun.
pub(crate) const BEGUN: &str = " ...";

/// A work item in progress.
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
            note(&format!("{label}{BEGUN}"));
        }
        Item { label, started: Instant::now(), spinner, done: false }
    }

    /// Shows the current detail of the work.
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
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
        note(&format!("{}: {outcome}", self.label));
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        if !self.done {
            self.close("failed");
        }
    }
}

/// Lines that the work prints, each with the remaining seconds on an average machine. The first
/// entry is the start.
pub(crate) type Milestones = &'static [(&'static str, u32)];

/// One progress line with the remaining time of parallel work.
pub(crate) struct Forecast {
    works: Arc<Mutex<Vec<Work>>>,
    spinner: Option<ProgressBar>,
}

impl Forecast {
    pub(crate) fn begin(label: &str, works: impl IntoIterator<Item = Milestones>) -> Self {
        let works: Vec<_> = works.into_iter().map(Work::new).collect();
        let works = Arc::new(Mutex::new(works));
        let shown = Arc::clone(&works);
        if !stderr().is_terminal() {
            note(&format!("{label}{BEGUN}"));
        }
        let spinner = stderr().is_terminal().then(|| {
            let spinner = SPINNERS.add(ProgressBar::new_spinner());
            let style = ProgressStyle::with_template("{spinner} {prefix}, {left} {wide_msg:.dim}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner()).with_key(
                "left",
                move |state: &ProgressState, out: &mut dyn fmt::Write| {
                    let left = left(&lock(&shown), state.elapsed());
                    let _ = out.write_str(&left_in_words(left));
                },
            );
            spinner.enable_steady_tick(Duration::from_millis(100));
            spinner.with_style(style).with_prefix(label.to_owned())
        });
        Self { works, spinner }
    }

    /// Reports a line that one of the works printed.
    pub(crate) fn see(&self, work: usize, line: &str) {
        let Some(spinner) = &self.spinner else { return };
        lock(&self.works)[work].see(line, spinner.elapsed());
        spinner.set_message(line.trim().to_owned());
    }
}

impl Drop for Forecast {
    fn drop(&mut self) {
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
    }
}

fn lock(works: &Mutex<Vec<Work>>) -> MutexGuard<'_, Vec<Work>> {
    works.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The progress of one piece of work: its last milestone, when that was reached, and the time that
/// this machine needs relative to the average machine.
struct Work {
    milestones: Milestones,
    last: usize,
    at: Duration,
    pace: f64,
}

impl Work {
    fn new(milestones: Milestones) -> Self {
        Self { milestones, last: 0, at: Duration::ZERO, pace: 1.0 }
    }

    fn see(&mut self, line: &str, now: Duration) {
        let later = self.last + 1..self.milestones.len();
        let Some(seen) = later.into_iter().find(|&i| line.trim().starts_with(self.milestones[i].0))
        else {
            return;
        };
        // Skipped milestones were done in an earlier run, and do not measure the machine.
        if seen == self.last + 1 {
            let expected = self.milestones[self.last].1 - self.milestones[seen].1;
            let took = now.saturating_sub(self.at).as_secs_f64();
            self.pace = (took / f64::from(expected)).max(0.25);
        }
        (self.last, self.at) = (seen, now);
    }

    /// The remaining time at the speed of this machine.
    fn left(&self, now: Duration) -> Duration {
        let left = f64::from(self.milestones[self.last].1) * self.pace;
        (self.at + Duration::from_secs_f64(left)).saturating_sub(now)
    }
}

/// The remaining time of the work that ends last.
fn left(works: &[Work], now: Duration) -> Duration {
    works.iter().map(|work| work.left(now)).max().unwrap_or_default()
}

/// The remaining time in words.
fn left_in_words(left: Duration) -> String {
    match left.as_secs() {
        0 => "almost done".to_owned(),
        left @ 1..60 => format!("{left} s left"),
        left => format!("{} min {:02} s left", left / 60, left % 60),
    }
}

/// A duration in readable form.
pub(crate) fn seconds(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    let whole = duration.as_secs();
    format!("{} min {:02} s", whole / 60, whole % 60)
}

/// A number of bytes in readable form.
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn spinner(label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {prefix} ({elapsed}) {wide_msg:.dim}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    let spinner = SPINNERS.add(ProgressBar::new_spinner());
    let spinner = spinner.with_style(style).with_prefix(label.to_owned());
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_pace_of_the_machine() {
        let at = Duration::from_secs;
        let steps: Milestones = &[("", 90), ("Compiling a", 60), ("Compiling c", 10)];
        let mut works = [Work::new(steps), Work::new(&[("", 30), ("made", 0)])];
        assert_eq!(left(&works, at(5)), at(85));
        works[0].see("   Compiling a v0.1.0", at(60));
        assert_eq!(left(&works, at(60)), at(120), "half as fast");
        assert_eq!(left(&works, at(80)), at(100));
        works[0].see("   Compiling b v0.1.0", at(81));
        assert_eq!(left(&works, at(400)), at(0), "never less than nothing");
        works[0].see("   Compiling c v0.1.0", at(110));
        assert_eq!(left(&works, at(110)), at(10), "as fast as expected");
        works[1].see("  made", at(112));
        assert_eq!(left(&works, at(115)), at(5));

        let mut partial = Work::new(steps);
        partial.see("   Compiling c v0.1.0", at(1));
        assert_eq!(partial.left(at(2)), at(9), "what was compiled before is skipped");
    }

    #[test]
    fn the_time_left_is_in_words() {
        for (seconds, words) in [(0, "almost done"), (59, "59 s left"), (125, "2 min 05 s left")] {
            assert_eq!(left_in_words(Duration::from_secs(seconds)), words);
        }
    }

    #[test]
    fn durations_and_sizes() {
        assert_eq!(seconds(Duration::from_millis(1_240)), "1.2 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
        assert_eq!(megabytes(26_887_218), "26.9 MB");
    }
}
