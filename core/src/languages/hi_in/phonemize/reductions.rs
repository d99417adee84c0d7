//! Words of grammar, which are said shorter than they are written, and without stress.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::exceptions::rows;

static TEXT: &str = include_str!("../data/reductions.tsv");

static ENTRIES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| rows(TEXT).filter_map(|row| row.split_once('\t')).collect());

/// The symbols of a word of grammar.
pub(super) fn symbols(word: &str) -> Option<&'static str> {
    ENTRIES.get(word).copied()
}
