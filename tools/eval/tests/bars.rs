//! Enforces minimum scores of the front end.

use speech_core::Inspector;
use speech_eval::everyday::{
    self, DEV_EN, DEV_EN_HARD, DEV_HI, UNSEEN_EN, UNSEEN_EN_HARD, UNSEEN_EN_LATER, UNSEEN_HI,
    UNSEEN_HI_LATER,
};
use speech_eval::normalization::{EVERYDAY_EN, EVERYDAY_HI, NEMO_EN, NEMO_HI, OWN_EN, OWN_HI};
use speech_eval::{g2p, lost, pronunciation, romanized, segmentation};

#[test]
fn english_normalization() {
    let inspector = Inspector::new();
    let nemo = NEMO_EN.score(&inspector);
    assert!(nemo.total().ratio() >= 0.97, "{nemo}");
    let (disputed, rows) = NEMO_EN.disputed();
    assert!(disputed * 20 <= rows, "{disputed} of {rows} rows are disputed");
    for table in [EVERYDAY_EN, OWN_EN] {
        let report = table.score(&inspector);
        assert!(report.total().ratio() >= 1.0, "{report}");
    }
}

#[test]
fn everyday_texts() {
    let inspector = Inspector::new();
    for (table, least) in [
        (DEV_EN, 0.97),
        (DEV_EN_HARD, 0.87),
        (DEV_HI, 0.97),
        (UNSEEN_EN, 0.87),
        (UNSEEN_EN_LATER, 0.95),
        (UNSEEN_EN_HARD, 0.67),
        (UNSEEN_HI, 0.85),
        (UNSEEN_HI_LATER, 0.92),
    ] {
        let report = table.score(&inspector);
        let total = report.total();
        assert!(total.ratio() >= least, "{}\n{total}", table.name);
    }
    let sounds = everyday::score_sounds(&inspector);
    assert!(sounds.total().ratio() >= 0.96, "{sounds}");
    let sounds = everyday::score_unseen_sounds(&inspector);
    assert!(sounds.total().ratio() >= 0.95, "{}", sounds.total());
}

#[test]
fn romanized_hindi() {
    for (table, sentences, words, traps) in
        [(romanized::DEV, 0.92, 0.985, 0.96), (romanized::UNSEEN, 0.7, 0.94, 0.72)]
    {
        let report = table.score();
        for (class, least) in [("sentences", sentences), ("words", words), ("traps", traps)] {
            let score = report.class(class);
            assert!(score.ratio() >= least, "{}, {class}: {score}", table.name);
        }
    }
}

#[test]
fn nothing_is_lost() {
    let read = lost::generated(20_000).unwrap_or_else(|error| panic!("{error}"));
    assert!(read.starts_with("20000 texts"), "{read}");
}

#[test]
fn hindi_normalization() {
    let inspector = Inspector::new();
    for table in [NEMO_HI, EVERYDAY_HI, OWN_HI] {
        let report = table.score(&inspector);
        assert!(report.total().ratio() >= 1.0, "{report}");
    }
    let (disputed, rows) = NEMO_HI.disputed();
    assert!(disputed * 100 <= rows * 3, "{disputed} of {rows} rows are disputed");
}

#[test]
fn hindi_sentences() {
    let report = segmentation::score_hindi();
    assert!(report.total().ratio() >= 1.0, "{report}");
}

#[test]
fn words_outside_the_lexicon() {
    let errors = g2p::score_words();
    assert!(errors.phoneme_error_rate() <= 0.05, "{errors}");
}

#[test]
fn hindi_words() {
    let report = pronunciation::score_lexicon();
    assert!(report.total().ratio() >= 0.97, "{report}");
}
