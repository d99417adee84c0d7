//! Records the front end's output for many texts, one line each, so that a change shows every
//! reading it affects.
//!
//! The texts are all cells of the tables of this crate and of `core/text`, the languages'
//! abbreviations between words, and generated texts: pieces of texts as in `lost`, and combined
//! halves of rows.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use speech_core::{Language, Lexicon};
use speech_text::normalize::Options;
use speech_text::pronunciation::Lexicons;

use crate::lost::{self, Random};
use crate::reading::FrontEnd;

/// A text that two records read differently.
#[derive(Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// The text, preceded by its language.
    pub text: &'a str,
    /// The reading in the first record.
    pub before: &'a str,
    /// The reading in the second record.
    pub after: &'a str,
}

/// The recorded texts with their languages: all table cells, and `generated` generated ones.
///
/// # Errors
///
/// If a table cannot be read.
pub fn texts(generated: usize) -> Result<Vec<(Language, String)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = BTreeMap::new();
    for folder in ["tools/eval/data", "core/text/tests/data"] {
        for path in tables(&root.join(folder))? {
            let is_hindi =
                path.file_name().is_some_and(|name| name.to_string_lossy().contains("hi"));
            let named = if is_hindi { Language::HiIn } else { Language::EnUs };
            texts.extend(cells(&path)?.into_iter().map(|cell| {
                let language = language(&cell, named);
                (cell, language)
            }));
        }
    }
    let rows = texts.iter().filter(|(text, _)| text.contains(' '));
    let rows: Vec<_> = rows.map(|(text, language)| (*language, text.clone())).collect();
    let mut random = Random(0x5eed);
    for (tag, language) in [("en_us", Language::EnUs), ("hi_in", Language::HiIn)] {
        let path = root.join(format!("core/text/src/languages/{tag}/data/abbreviations.tsv"));
        for row in cells_of(&path)? {
            for written in row[0].split('|') {
                let (before, after) =
                    (half(&rows, language, &mut random), half(&rows, language, &mut random));
                texts.insert(format!("{before} {written}. {after}"), language);
            }
        }
    }
    for i in 0..generated {
        let language = [Language::EnUs, Language::HiIn][i / 2 % 2];
        let text = match i % 2 {
            0 => lost::text(&mut random),
            _ => format!(
                "{} {}",
                half(&rows, language, &mut random),
                half(&rows, language, &mut random)
            ),
        };
        texts.insert(text, language);
    }
    Ok(texts.into_iter().map(|(text, language)| (language, text)).collect())
}

/// The language of a table's text.
fn language(text: &str, named: Language) -> Language {
    let is_hindi = text.contains(|c| matches!(c, '\u{900}'..='\u{97f}'));
    if is_hindi { Language::HiIn } else { named }
}

/// The first or the last words of a row.
fn half(rows: &[(Language, String)], language: Language, random: &mut Random) -> String {
    let row = loop {
        let row = &rows[random.below(rows.len())];
        if row.0 == language {
            break &row.1;
        }
    };
    let words: Vec<&str> = row.split(' ').collect();
    let cut = random.below(words.len());
    if random.below(2) == 0 { &words[cut..] } else { &words[..cut] }.join(" ")
}

/// The tables of a folder and its subfolders.
fn tables(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut tables = Vec::new();
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            tables.extend(self::tables(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "tsv") {
            tables.push(path);
        }
    }
    tables.sort();
    Ok(tables)
}

/// The texts in the cells of a table, except readings with choices.
fn cells(path: &Path) -> Result<Vec<String>> {
    let text =
        |cell: &String| !cell.is_empty() && !cell.contains(['{', '~']) && !cell.contains("||");
    let cells = cells_of(path)?.into_iter().flatten().filter(text);
    Ok(cells.map(|cell| cell.replace("\\n", "\n")).collect())
}

fn cells_of(path: &Path) -> Result<Vec<Vec<String>>> {
    let table = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    Ok(rows.map(|row| row.split('\t').map(str::to_owned).collect()).collect())
}

/// A record: one line per text with its language, a tab, and its sentences with their words, marks
/// and phonemes.
pub fn record(texts: &[(Language, String)], lexicon: &Lexicon) -> String {
    let front_end = FrontEnd::load();
    let mut record = String::new();
    for (language, text) in texts {
        let options = Options { lexicons: Lexicons::of(lexicon), ..Options::plain(*language) };
        let readings = front_end.lines(text, options);
        let text = text.escape_debug();
        writeln!(record, "{language} {text}\t{}", readings.join(" / ")).expect("a string takes it");
    }
    record
}

/// The texts of both records with different readings, in the order of the first.
pub fn changes<'a>(before: &'a str, after: &'a str) -> Vec<Change<'a>> {
    let rows = |record: &'a str| record.lines().filter_map(|line| line.split_once('\t'));
    let after: HashMap<_, _> = rows(after).collect();
    rows(before)
        .filter_map(|(text, before)| {
            let after = *after.get(text)?;
            (after != before).then_some(Change { text, before, after })
        })
        .collect()
}
