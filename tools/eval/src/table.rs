//! Tables of tab-separated values.

/// The rows of a table without its header line; lines that begin with `#` are comments.
///
/// # Panics
///
/// If a row has fewer than `columns` columns: the tables are part of this crate.
pub(crate) fn rows(table: &'static str, columns: usize) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.filter(|line| !line.is_empty()).map(move |line| {
        let row: Vec<_> = line.split('\t').collect();
        assert!(row.len() >= columns, "a row with {} columns: {line}", row.len());
        row
    })
}
