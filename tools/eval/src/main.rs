//! Prints scores of the text front end; run by `cargo xtask eval`.
#![allow(clippy::print_stdout, reason = "a command-line tool: printing is what it does")]

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use speech_core::{Inspector, Lexicon};
use speech_eval::everyday::{
    self, DEV_EN, DEV_EN_HARD, DEV_HI, UNSEEN_EN, UNSEEN_EN_HARD, UNSEEN_EN_LATER, UNSEEN_HI,
    UNSEEN_HI_LATER,
};
use speech_eval::{
    choices, g2p, heteronyms, live, lost, normalization, pronunciation, record, romanized,
    segmentation,
};

#[derive(Parser)]
#[command(name = "speech-eval", about = "How well the text front end reads")]
enum Args {
    /// Score normalization, sentences and Hindi words by class, and print every failing row
    Text,
    /// Score tables of everyday texts, and print every failing row
    Rows {
        /// Files of rows, in the form described in `tools/eval/src/everyday.rs`
        #[arg(required = true)]
        tables: Vec<PathBuf>,
        /// Print only the scores
        #[arg(long, short)]
        quiet: bool,
    },
    /// Measure the time from a language model's first token to the first audio, with the voices:
    /// medians over 50 assistant answers
    Live(live::Args),
    /// Measure error rates on held-out words outside the lexicon
    G2p,
    /// Read JSON lines `{"text", "language", "forced"}`, and write JSON lines with the reading and
    /// every ambiguous place, for `research/choice`
    Choices,
    /// Read labeled sentences, and write the features of their heteronyms, one line each, for
    /// `research/heteronyms`
    Heteronyms,
    /// Check that no part of real or generated texts is lost, neither spoken nor reported
    Lost {
        /// Text files
        #[arg(required_unless_present = "generated")]
        files: Vec<PathBuf>,
        /// Use this many generated texts instead
        #[arg(long, conflicts_with = "files")]
        generated: Option<usize>,
    },
    /// Record how all rows of the tables, and generated texts, are read; for comparison before and
    /// after a change of the front end
    Record {
        /// The file to write
        file: PathBuf,
        /// The number of generated texts
        #[arg(long, default_value_t = 100_000)]
        generated: usize,
    },
    /// Print the texts that two records read differently
    Changes {
        /// The record from before the change
        before: PathBuf,
        /// The record from after it
        after: PathBuf,
    },
}

fn main() -> Result<()> {
    match Args::parse() {
        Args::Lost { generated: Some(count), .. } => println!("{}", lost::generated(count)?),
        Args::Lost { files, .. } => println!("{}", lost::files(&files)?),
        Args::Live(args) => print!("{}", live::run(&args)?),
        Args::Text => text(),
        Args::Rows { tables, quiet } => rows(&tables, quiet)?,
        Args::G2p => {
            print!("held-out words\n{}", g2p::score_words());
            print!("held-out names\n{}", g2p::score_names());
        }
        Args::Record { file, generated } => {
            let texts = record::texts(generated)?;
            std::fs::write(&file, record::record(&texts, &Lexicon::new()))
                .with_context(|| file.display().to_string())?;
        }
        Args::Changes { before, after } => changes(&before, &after)?,
        Args::Choices => choices::run(),
        Args::Heteronyms => print!("{}", heteronyms::features()?),
    }
    Ok(())
}

fn changes(before: &Path, after: &Path) -> Result<()> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).with_context(|| format!("no record at {}", path.display()))
    };
    let (before, after) = (read(before)?, read(after)?);
    let changes = record::changes(&before, &after);
    for change in &changes {
        println!("{}\n- {}\n+ {}\n", change.text, change.before, change.after);
    }
    println!("{} texts are read differently", changes.len());
    Ok(())
}

fn rows(tables: &[PathBuf], quiet: bool) -> Result<()> {
    let inspector = Inspector::new();
    for path in tables {
        let table = std::fs::read_to_string(path)
            .with_context(|| format!("no table at {}", path.display()))?;
        let report = everyday::score_table(&table, &inspector);
        let report = if quiet { report.without_failures() } else { report };
        println!("{}\n{report}", path.display());
    }
    Ok(())
}

fn text() {
    let inspector = Inspector::new();
    for table in normalization::ALL {
        let (disputed, rows) = table.disputed();
        println!("normalisation: {} ({disputed} of {rows} rows disputed)", table.name);
        println!("{}", table.score(&inspector));
    }
    for table in [DEV_EN, DEV_EN_HARD, DEV_HI] {
        println!("{}\n{}", table.name, table.score(&inspector));
    }
    // Failing rows of held-out tables are not printed.
    for table in [UNSEEN_EN, UNSEEN_EN_LATER, UNSEEN_EN_HARD, UNSEEN_HI, UNSEEN_HI_LATER] {
        println!("{}\n{}", table.name, table.score(&inspector).without_failures());
    }
    println!("{}\n{}", romanized::DEV.name, romanized::DEV.score());
    println!("{}\n{}", romanized::UNSEEN.name, romanized::UNSEEN.score().without_failures());
    println!("heteronyms, acronyms and names, en\n{}", everyday::score_sounds(&inspector));
    println!(
        "heteronyms, acronyms and names, unseen\n{}",
        everyday::score_unseen_sounds(&inspector).without_failures()
    );
    println!("sentences, en\n{}", segmentation::score_english());
    println!("sentences, hi\n{}", segmentation::score_hindi());
    println!("pronunciation, hi\n{}", pronunciation::score_lexicon());
}
