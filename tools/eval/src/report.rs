//! Scores by class and in total.

use std::collections::BTreeMap;
use std::fmt;

/// The results of a table.
#[derive(Clone, Debug, Default)]
pub struct Report {
    classes: BTreeMap<String, Score>,
    failures: Vec<String>,
}

/// The number of passed rows, and of all rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Rows with the expected result.
    pub passed: usize,
    /// All rows.
    pub rows: usize,
}

impl Score {
    /// The share of passed rows, from 0 to 1; 0 for a table without rows.
    pub fn ratio(self) -> f64 {
        if self.rows == 0 { 0.0 } else { self.passed as f64 / self.rows as f64 }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>4} of {:>4}  {:5.1}%", self.passed, self.rows, 100.0 * self.ratio())
    }
}

impl Report {
    /// Adds a row; `Err` describes the failure.
    pub(crate) fn add(&mut self, class: &str, outcome: Result<(), String>) {
        let score = self.classes.entry(class.to_owned()).or_default();
        score.rows += 1;
        match outcome {
            Ok(()) => score.passed += 1,
            Err(failure) => self.failures.push(format!("{class}: {failure}")),
        }
    }

    /// The score of a class; zero rows if there is no such class.
    pub fn class(&self, class: &str) -> Score {
        self.classes.get(class).copied().unwrap_or_default()
    }

    /// The score of all classes together.
    pub fn total(&self) -> Score {
        self.classes.values().fold(Score::default(), |total, score| Score {
            passed: total.passed + score.passed,
            rows: total.rows + score.rows,
        })
    }

    /// The scores alone, for held-out tables.
    #[must_use]
    pub fn without_failures(mut self) -> Self {
        self.failures.clear();
        self
    }

    /// Every failing row, in the order of the table.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (class, score) in &self.classes {
            writeln!(f, "  {class:<22} {score}")?;
        }
        writeln!(f, "  {:<22} {}", "all", self.total())?;
        for failure in &self.failures {
            writeln!(f, "    {failure}")?;
        }
        Ok(())
    }
}
