//! Checks a function against the rows of a table: inputs in columns, and the expected output in the last one.
//!
//! The tables are in `tests/data/rows`. A line `## name` begins a section, which one test reads; `# ` begins a comment. A cell
//! may have the escapes of JSON strings, such as `\n` and `\u200d`.

/// The tables.
const TABLES: [&str; 5] = [
    include_str!("../tests/data/rows/english.tsv"),
    include_str!("../tests/data/rows/hindi.tsv"),
    include_str!("../tests/data/rows/markup.tsv"),
    include_str!("../tests/data/rows/normalize.tsv"),
    include_str!("../tests/data/rows/pronunciation.tsv"),
];

/// The rows of a section.
fn rows(section: &str) -> Vec<&'static str> {
    let heading = format!("## {section}\n");
    let table = TABLES.iter().find_map(|table| table.split_once(&heading)).expect(section).1;
    let rows = table.lines().take_while(|line| !line.starts_with("## "));
    rows.filter(|row| !row.is_empty() && !row.starts_with("# ")).collect()
}

/// The cells of the only row of a section.
pub(crate) fn cells(section: &str) -> Vec<String> {
    rows(section)[0].split('\t').map(unescaped).collect()
}

/// Fails with all rows of a section that have a fault.
fn check_rows(section: &str, fault: impl Fn(&[&str]) -> Option<String>) {
    let rows = rows(section);
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
