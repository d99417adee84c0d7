//! The front end reads at least as well as it is said to.

use speech_core::Inspector;
use speech_eval::g2p;
use speech_eval::normalization::{EVERYDAY_EN, NEMO_EN, OWN_EN};

#[test]
fn english_normalization() {
    let inspector = Inspector::new();
    let nemo = NEMO_EN.score(&inspector);
    assert!(nemo.total().rows > 280 && nemo.total().ratio() >= 0.97, "{nemo}");
    let (disputed, rows) = NEMO_EN.disputed();
    assert!(disputed * 20 <= rows, "{disputed} of {rows} rows are disputed");
    for table in [EVERYDAY_EN, OWN_EN] {
        let report = table.score(&inspector);
        assert!(report.total().rows > 15 && report.failures().is_empty(), "{report}");
    }
}

#[test]
fn words_outside_the_lexicon() {
    let errors = g2p::score_words();
    assert!(errors.phoneme_error_rate() <= 0.05, "{errors}");
}
