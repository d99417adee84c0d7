//! Devanagari spellings of Latin words: `data/transliterations.tsv`; its header has the format.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use crate::languages::custom_lexicon;

static TEXT: &str = include_str!("../data/transliterations.tsv");

/// Words and spellings by lower-case word.
static ENTRIES: LazyLock<HashMap<String, (&str, &str)>> = LazyLock::new(|| {
    rows().map(|(word, spelling)| (word.to_lowercase(), (word, spelling))).collect()
});

fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXT.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

/// The Devanagari spelling of an uninflected word, in this list or the custom lexicon.
pub(super) fn in_devanagari(word: &str) -> Option<&'static str> {
    custom_lexicon::devanagari(word).or_else(|| listed(word))
}

/// The Devanagari spelling of a word in this list.
pub(super) fn listed(word: &str) -> Option<&'static str> {
    let (entry, spelling) = ENTRIES.get(word.to_lowercase().as_str())?;
    (custom_lexicon::is_capitalized(word) || !custom_lexicon::is_capitalized(entry))
        .then_some(*spelling)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::row_tests::or_dash;
    use crate::scripts::is_devanagari;

    #[test]
    fn entries_are_well_formed_and_stand_once() {
        let mut seen = BTreeSet::new();
        let is_letter = |c: char| is_devanagari(c) && !('\u{964}'..='\u{970}').contains(&c);
        let wrong: Vec<_> = rows()
            .filter(|(word, spelling)| {
                !word.chars().all(|c| c.is_ascii_alphabetic())
                    || spelling.is_empty()
                    || !spelling.chars().all(is_letter)
                    || custom_lexicon::devanagari(word).is_some()
                    || !seen.insert(word.to_lowercase())
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    crate::row_tests::rows! { transliterations: |[word]| or_dash(in_devanagari(word)); }
}
