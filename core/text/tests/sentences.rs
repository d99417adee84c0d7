//! Tests sentence segmentation on tables of cases; `tests/data/README.md` has their sources.

use std::ops::Range;

use proptest::prelude::*;
use speech_base::count_characters;
use speech_tests::properties::cases;
use speech_text::Segmenter;
use speech_text::front_end;

/// The byte spans of the sentences.
fn spans(text: &str) -> Vec<Range<usize>> {
    front_end::sentences(text).into_iter().map(|sentence| sentence.span).collect()
}

/// Rows of the public set that cannot or should not pass, each with the reason.
const KNOWN_FAILURES: &[(&str, &str)] = &[
    ("other #021", "cleaned: the dots are taken out"),
    ("other #022", "cleaned: the space before the full stop is taken out"),
    ("other #026", "cleaned: the space before the full stop is taken out"),
    ("other #031", "cleaned: the page number is taken out"),
    ("other #032", "cleaned: letters one below the other are joined"),
    ("other #033", "cleaned: letters one below the other are joined, and the slash is taken out"),
    ("other #049", "cleaned: other quotation marks; the sentences are the same"),
    (
        "other #074",
        "lists that follow each other on one line, and lines without a capital, stay together",
    ),
    ("other #082", "cleaned: line ends spelled as letters are taken out"),
];

struct Row {
    /// The set and the row number, as in "golden #001".
    name: String,
    golden: bool,
    text: String,
    expected: Vec<String>,
}

/// The rows of a table. The last two columns are the text and its sentences in JSON.
fn rows(table: &str) -> Vec<Row> {
    let row = |(i, line): (usize, &str)| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [.., text, expected] = columns[..] else { panic!("row {i} has too few columns") };
        let set = columns.get(1).filter(|_| columns.len() > 2).copied().unwrap_or_default();
        let number = columns.get(2).and_then(|name| name.split('#').nth(1));
        Row {
            name: number.map_or_else(|| format!("row {i}"), |number| format!("{set} #{number}")),
            golden: set == "golden",
            text: serde_json::from_str(text).expect("the text is JSON"),
            expected: serde_json::from_str(expected).expect("the sentences are JSON"),
        }
    };
    table.lines().enumerate().skip(1).map(row).collect()
}

/// The sentences, with white space collapsed.
fn segmented(text: &str) -> Vec<String> {
    spans(text).into_iter().map(|span| squeezed(&text[span])).collect()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn failure(row: &Row) -> Option<String> {
    let got = segmented(&row.text);
    let expected: Vec<_> = row.expected.iter().map(|sentence| squeezed(sentence)).collect();
    (got != expected).then(|| format!("{}\n     got {got:?}\n     not {expected:?}", row.name))
}

#[test]
fn the_public_english_set() {
    let rows = rows(include_str!("data/sentences_en.tsv"));
    let mut surprises = Vec::new();
    for golden in [true, false] {
        let set: Vec<_> = rows.iter().filter(|row| row.golden == golden).collect();
        let mut passed = 0;
        for row in &set {
            let failure = failure(row);
            let is_known = KNOWN_FAILURES.iter().any(|(name, _)| *name == row.name);
            passed += usize::from(failure.is_none());
            match failure {
                Some(failure) if !is_known => surprises.push(failure),
                None if is_known => surprises.push(format!("{} passes now", row.name)),
                _ => {}
            }
        }
        let bar = if golden { 97 } else { 86 };
        let share = passed * 100 / set.len();
        if share < bar {
            surprises.push(format!("{share}% of {} rows, under {bar}%", set.len()));
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

#[test]
fn the_sets_of_this_project() {
    let own = rows(include_str!("data/sentences_own.tsv"));
    let hindi = rows(include_str!("data/sentences_hi.tsv"));
    let own_hindi = rows(include_str!("data/sentences_own_hi.tsv"));
    let failures: Vec<_> = own.iter().chain(&hindi).chain(&own_hindi).filter_map(failure).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn texts() -> Vec<String> {
    let tables = [
        include_str!("data/sentences_en.tsv"),
        include_str!("data/sentences_own.tsv"),
        include_str!("data/sentences_hi.tsv"),
        include_str!("data/sentences_own_hi.tsv"),
    ];
    tables.into_iter().flat_map(rows).map(|row| row.text).collect()
}

/// The spans from a segmenter that receives the text cut at `cuts`.
fn segmented_in_pieces(text: &str, cuts: impl IntoIterator<Item = usize>) -> Vec<Range<usize>> {
    let mut segmenter = Segmenter::new();
    let mut segments = Vec::new();
    let mut at = 0;
    for cut in cuts {
        segments.extend(segmenter.push(&text[at..cut]));
        at = cut;
    }
    segments.extend(segmenter.push(&text[at..]));
    segments.extend(segmenter.finish());
    for segment in &segments {
        assert_eq!(segment.text, text[segment.span.clone()]);
        assert!(count_characters(&segment.text) <= speech_base::MAX_CHARACTERS);
    }
    segments.into_iter().map(|segment| segment.span).collect()
}

fn boundaries(text: &str) -> impl Iterator<Item = usize> {
    text.char_indices().map(|(i, _)| i)
}

#[test]
fn pieces_of_one_character_give_the_same_sentences() {
    for text in texts() {
        assert_eq!(segmented_in_pieces(&text, boundaries(&text)), spans(&text), "{text}");
    }
}

#[test]
fn sentences_come_out_early() {
    // Each text, and the sentences that are certain before its end.
    let rows: Vec<(String, usize)> =
        serde_json::from_str(include_str!("data/early.json")).expect("a list of pairs");
    for (text, expected) in rows {
        let mut segmenter = Segmenter::new();
        let decided: usize =
            text.chars().map(|c| segmenter.push(c.encode_utf8(&mut [0; 4])).len()).sum();
        assert_eq!(decided, expected, "{text}");
    }
}

#[test]
fn a_sentence_without_an_end_is_cut_between_words() {
    let text = "word ".repeat(1000);
    let spans = spans(&text);
    assert_eq!(spans.len(), 5);
    assert!(spans.iter().all(|span| text[span.clone()].ends_with("word") && span.len() < 1000));
    assert_eq!(segmented_in_pieces(&text, (0..text.len()).step_by(7)), spans);
}

/// Texts that are hard for rules.
fn text() -> impl Strategy<Value = String> {
    let atoms = serde_json::from_str::<Vec<String>>(include_str!("data/atoms.json"));
    let atom = proptest::sample::select(atoms.expect("a list of strings"));
    prop_oneof![
        proptest::collection::vec(atom, 0..60).prop_map(|atoms| atoms.concat()),
        "\\PC{0,80}",
        "[ab A.!?\n\"'(1)-]{0,120}",
        "[कईरहै्ाेंू .।॥|l?\n\"“”(1१)-]{0,120}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2000)))]

    #[test]
    fn sentences_hold_everything_but_white_space(text in text()) {
        let mut end = 0;
        for span in spans(&text) {
            prop_assert!(text[end..span.start].trim().is_empty());
            let sentence = &text[span.clone()];
            prop_assert!(!sentence.is_empty() && sentence.trim() == sentence);
            end = span.end;
        }
        prop_assert!(text[end..].trim().is_empty());
    }

    #[test]
    fn pieces_give_the_same_sentences(
        texts in proptest::collection::vec(text(), 1..6),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..12),
        every_character: bool,
    ) {
        let text = texts.concat();
        let mut cuts: Vec<_> =
            cuts.iter().map(|cut| text.floor_char_boundary(cut.index(text.len() + 1))).collect();
        if every_character {
            cuts = boundaries(&text).collect();
        }
        cuts.sort_unstable();
        prop_assert_eq!(segmented_in_pieces(&text, cuts), spans(&text));
    }

    #[test]
    fn numbers_and_addresses_stay_whole(
        before in "(The|It cost|Ask|e\\.g\\.|Dr\\.|\\(|\"|[A-Z][a-z]{1,8}\\.) ?",
        whole in "[0-9]{1,3}(,[0-9]{3}){0,2}\\.[0-9]{1,4}|[0-9]{1,3}(\\.[0-9]{1,3}){1,3}|https?://[a-z]{1,8}\\.[A-Z]?[a-z]{2,5}(/[a-zA-Z.?=]{0,6}[a-z]){0,2}|[A-Za-z]{1,6}(\\.[A-Za-z]{1,6})?@[a-z]{1,6}\\.(com|in|co\\.uk)|[a-z]{1,6}\\.(com|pdf|tar\\.gz)",
        after in "([.!?]|,)? ?(The|it|5|Mr\\.)?[ \\w.]{0,20}",
    ) {
        let text = format!("{before}{whole}{after}");
        let start = before.len();
        for span in spans(&text) {
            let inside = |at: usize| at > start && at < start + whole.len();
            prop_assert!(!inside(span.start) && !inside(span.end), "{:?}", &text[span]);
        }
    }
}
