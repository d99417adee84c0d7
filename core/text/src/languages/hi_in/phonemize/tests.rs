//! Words whose reading is beyond doubt, and what holds for any word.

use proptest::prelude::*;

use super::*;
use crate::row_tests::holds;
use crate::vocabulary;

/// A reading without transcription choices.
fn broad(symbols: &str) -> String {
    let plain =
        symbols.replace(transcription::ASPIRATED_FLAP, "ɽʰ").replace(transcription::FLAP, "ɽ");
    plain
        .chars()
        .filter(|c| !matches!(c, 'ˈ' | 'ˌ'))
        .map(|c| if c == 'ʌ' { 'ə' } else { c })
        .collect::<String>()
        .replace('r', "ɾ")
}

crate::row_tests::rows! {
    hindi_words: |[word]| broad(&read(word));
    hindi_symbols: |[word]| read(word);
}

#[test]
fn spellings_of_one_word_are_read_alike() {
    holds("spellings of one word", |[one, other]| read(one) == read(other));
}

/// The words of the tables without their marks.
fn listed_words() -> impl Iterator<Item = String> {
    let tables = [
        include_str!("../data/exceptions.tsv"),
        include_str!("../data/spellings.txt"),
        include_str!("../data/aspirates.txt"),
        include_str!("../data/compounds.tsv"),
        include_str!("../data/weak_forms.tsv"),
    ];
    let rows = tables.into_iter().flat_map(exceptions::rows);
    let words = rows.flat_map(|row| row.split_whitespace());
    words.map(|word| word.replace(['~', '=', graphemes::KEEP_SCHWA, graphemes::BOUNDARY], ""))
}

#[test]
fn every_listed_word_is_read() {
    let is_devanagari = |word: &str| word.chars().all(|c| matches!(c, '\u{900}'..='\u{97f}'));
    let faults: Vec<_> = listed_words()
        .filter(|word| is_devanagari(word))
        .filter(|word| !read(word).chars().all(|symbol| vocabulary::id(symbol).is_some()))
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn tables_are_in_one_form_and_have_no_word_twice() {
    let composed: Vec<_> = listed_words()
        .filter(|word| word.chars().any(|c| matches!(c, '\u{958}'..='\u{95f}')))
        .collect();
    assert!(composed.is_empty(), "a nukta is a letter of its own: {composed:?}");
    let mut keys: Vec<&str> = exceptions::rows(include_str!("../data/exceptions.tsv"))
        .chain(exceptions::rows(include_str!("../data/weak_forms.tsv")))
        .map(|row| row.split('\t').next().unwrap_or_default())
        .collect();
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}

/// The consonants of a Latin or Devanagari reading, with V for vowels, as far as comparable.
fn skeleton(symbols: &str) -> String {
    let mut skeleton = String::new();
    for symbol in symbols.chars() {
        let class = match symbol {
            'p' | 'b' | 'f' => 'p',
            't' | 'd' | 'ʈ' | 'ɖ' | 'T' | 'θ' | 'ð' | 'ɾ' | 'r' | 'ɹ' | 'ɽ' | 'l' => 't',
            'k' | 'ɡ' | 'q' | 'x' | 'ɣ' => 'k',
            'c' | 'ɟ' | 'ʧ' | 'ʤ' | 'z' | 'ʒ' => 'c',
            's' | 'ʃ' | 'ʂ' => 's',
            'a' | 'A' | 'I' | 'O' | 'W' | 'Y' | 'e' | 'i' | 'o' | 'u' | 'æ' | 'ɑ' | 'ɔ' | 'ə'
            | 'ɛ' | 'ɜ' | 'ɪ' | 'ʊ' | 'ʌ' | 'ᵊ' | 'ᵻ' | 'j' | 'w' | 'ʋ' | 'v' => 'V',
            // Nasals merge with nasal vowels, and h is inconsistent.
            _ => continue,
        };
        if !skeleton.ends_with(class) {
            skeleton.push(class);
        }
    }
    skeleton.trim_end_matches('V').to_owned()
}

/// Names in `names.tsv` have the same silent vowels as their hand-checked English readings. The
/// exceptions have a vowel in English that Hindi drops (Kamala, Janaki, Thackeray).
#[test]
fn names_agree_with_their_english_readings() {
    let names = exceptions::rows(include_str!("../../data/names.tsv"));
    let rows: Vec<Vec<&str>> =
        names.map(|row| row.split('\t').collect()).filter(|row: &Vec<_>| row.len() == 3).collect();
    let differ: Vec<_> = rows
        .iter()
        .filter(|row| skeleton(row[1]) != skeleton(&read(row[2]).replace("r.", "ɽ")))
        .map(|row| format!("{} {} {}", row[0], row[2], read(row[2])))
        .collect();
    assert!(
        rows.len() > 4000 && differ.len() * 100 <= rows.len() * 8,
        "{}: {differ:#?}",
        differ.len()
    );
}

#[test]
fn every_letter_of_the_block_is_in_the_vocabulary() {
    for letter in '\u{900}'..='\u{97f}' {
        let symbols = read(&letter.to_string());
        assert!(
            !symbols.is_empty() && symbols.chars().all(|symbol| vocabulary::id(symbol).is_some()),
            "{letter}: {symbols}"
        );
    }
}

proptest! {
    #[test]
    fn any_string_of_the_block_is_read(word in "[\u{900}-\u{97f}\u{200c}\u{200d}]{1,24}|[कखगनमरसहय\u{93c}\u{94d}ा-ौंँः]{1,16}") {
        let symbols = read(&word);
        prop_assert!(!symbols.is_empty());
        prop_assert!(symbols.chars().all(|symbol| vocabulary::id(symbol).is_some()), "{}", symbols);
        prop_assert!(symbols.matches('ˈ').count() <= 1);
    }
}
