//! Checks a function against the rows of a table: inputs in columns, and the expected output in the last one.
//!
//! The tables are in `tests/data/rows`. A line `## name` begins a section, which the test of that name reads; `# ` begins a comment. A cell
//! may have the escapes of JSON strings, such as `\n` and `\u200d`.

use speech_base::fork::LazyLock;
use speech_base::language::Language;

use crate::front_end::FrontEnd;
use crate::languages::locales;
use crate::normalize::{NormalizedText, Options, normalize};
use crate::segment::Sentence;

/// The tables.
const TABLES: [&str; 5] = [
    include_str!("../tests/data/rows/english.tsv"),
    include_str!("../tests/data/rows/hindi.tsv"),
    include_str!("../tests/data/rows/markup.tsv"),
    include_str!("../tests/data/rows/normalize.tsv"),
    include_str!("../tests/data/rows/pronunciation.tsv"),
];

/// The front end of the tests.
pub(crate) static FRONT_END: LazyLock<FrontEnd> = LazyLock::new(FrontEnd::load);

/// The words of each sentence of a text.
pub(crate) fn lines(text: &str, options: Options<'_>) -> Vec<String> {
    FRONT_END.normalize(text, options).map(|(_, sentence)| sentence.to_line()).collect()
}

/// The phonemes of a text.
pub(crate) fn phonemes(text: &str, options: Options<'_>) -> String {
    let sentences = FRONT_END.normalize(text, options);
    sentences.map(|(_, sentence)| FRONT_END.phonemize(&sentence).to_line()).collect()
}

/// A text that is one sentence.
pub(crate) fn sentence(text: &str, options: Options<'_>) -> NormalizedText {
    normalize(text, &Sentence::whole(text), options, locales())
}

/// The language in a cell.
pub(crate) fn language(name: &str) -> Language {
    if name == "x-toy" { Language::Toy } else { name.parse().expect("a language") }
}

/// Declares tests of the rows of sections: the name of the section, with underscores for spaces, and
/// the function that [`check`] calls.
macro_rules! rows {
    ($($section:ident: $read:expr;)*) => {
        $(
            #[test]
            fn $section() {
                $crate::row_tests::check(&stringify!($section).replace('_', " "), $read);
            }
        )*
    };
}

pub(crate) use rows;

/// The rows of a section.
fn rows_of(section: &str) -> Vec<&'static str> {
    let begins = |line: &&str| {
        line.strip_prefix("## ").is_some_and(|name| name.eq_ignore_ascii_case(section))
    };
    let lines = TABLES.iter().flat_map(|table| table.lines());
    let rows = lines.skip_while(|line| !begins(line)).skip(1);
    let rows = rows.take_while(|line| !line.starts_with("## "));
    rows.filter(|row| !row.is_empty() && !row.starts_with("# ")).collect()
}

/// The cells of the only row of a section.
pub(crate) fn cells(section: &str) -> Vec<String> {
    rows_of(section)[0].split('\t').map(unescaped).collect()
}

/// Fails with all rows of a section that have a fault.
fn check_rows(section: &str, fault: impl Fn(&[&str]) -> Option<String>) {
    let rows = rows_of(section);
    let faults = rows.iter().filter_map(|row| {
        let cells: Vec<String> = row.split('\t').map(unescaped).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        fault(&cells).map(|fault| format!("{row}\n    {fault}"))
    });
    let faults: Vec<_> = faults.collect();
    assert!(!rows.is_empty() && faults.is_empty(), "{section}:\n{}", faults.join("\n"));
}

/// Calls `read` with the columns of each row but the last, and fails unless its output is the last.
pub(crate) fn check<const N: usize, T: ToString>(section: &str, read: impl Fn([&str; N]) -> T) {
    check_rows(section, |cells| {
        let (expected, inputs) = cells.split_last()?;
        let got = read(inputs.try_into().expect(section)).to_string();
        (got != *expected).then_some(got)
    });
}

/// Fails unless a condition holds for the columns of each row.
pub(crate) fn holds<const N: usize>(section: &str, condition: impl Fn([&str; N]) -> bool) {
    check_rows(section, |cells| {
        (!condition(cells.try_into().expect(section))).then(|| "it does not hold".to_owned())
    });
}

/// The text of a value, or a dash without one.
pub(crate) fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

fn unescaped(cell: &str) -> String {
    serde_json::from_str(&format!("\"{}\"", cell.replace('"', "\\\""))).expect(cell)
}
