//! Weak forms: function words with reduced vowels and little stress.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::exceptions::rows;

static TEXT: &str = include_str!("../data/weak_forms.tsv");

static ENTRIES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| rows(TEXT).filter_map(|row| row.split_once('\t')).collect());

/// The phonemes of a function word in its weak form.
pub(super) fn look_up(word: &str) -> Option<&'static str> {
    ENTRIES.get(word).copied()
}
