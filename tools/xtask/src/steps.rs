//! A run of named steps that stops at the first failure and ends with a summary.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::progress::seconds;

/// The steps that have passed so far.
#[derive(Default)]
pub(crate) struct Steps {
    passed: Vec<(&'static str, Duration)>,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Prints a heading and does one step.
    pub(crate) fn run<T>(
        &mut self,
        name: &'static str,
        step: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        println!("\n== {name}");
        let started = Instant::now();
        let value = step().with_context(|| format!("step '{name}' failed"))?;
        self.passed.push((name, started.elapsed()));
        Ok(value)
    }

    /// Prints the steps and how long each took.
    pub(crate) fn summarize(&self) {
        println!("\n== summary");
        for (name, duration) in &self.passed {
            println!("{name:<28}{:>12}", seconds(*duration));
        }
        let total = self.passed.iter().map(|(_, duration)| *duration).sum();
        println!("{:<28}{:>12}", "all steps passed", seconds(total));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_named_and_ends_the_run() {
        let mut steps = Steps::new();
        assert_eq!(steps.run("first", || Ok(7)).unwrap(), 7);
        let error = steps.run("second", || -> Result<()> { anyhow::bail!("why") }).unwrap_err();
        assert_eq!(format!("{error:#}"), "step 'second' failed: why");
        assert_eq!(steps.passed.len(), 1);
    }
}
