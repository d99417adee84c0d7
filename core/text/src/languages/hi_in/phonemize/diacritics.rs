//! Restores omitted diacritics: the nukta of ज़ and फ़, and the chandrabindu.
//!
//! News text writes जरूर, फिल्म and पांच. `data/spellings.txt` lists words in full spelling, which
//! match by their spelling without diacritics: alone or with an ending; with `~`, as a prefix of
//! any word; with `=`, only alone. फ is f as in loanwords, unless the word has a native stem of
//! `data/aspirates.txt`.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use super::endings::is_ending;
use super::exceptions::{join, rows, stems};
use super::graphemes::{NUKTA, VIRAMA, is_letter};

static SPELLINGS: &str = include_str!("../data/spellings.txt");
static ASPIRATES: &str = include_str!("../data/aspirates.txt");

struct Entry {
    spelling: &'static str,
    reach: Reach,
}

/// The text that may follow an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Nothing,
    Endings,
    Anything,
}

impl Reach {
    fn covers(self, ending: &str) -> bool {
        ending.is_empty()
            || match self {
                Self::Nothing => false,
                Self::Endings => is_ending(ending),
                Self::Anything => !ending.starts_with(VIRAMA),
            }
    }
}

static ENTRIES: LazyLock<HashMap<String, Entry>> =
    LazyLock::new(|| words(SPELLINGS).map(entry).collect());

fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    rows(text).flat_map(str::split_whitespace)
}

fn entry(word: &'static str) -> (String, Entry) {
    let (spelling, reach) = match (word.strip_suffix('~'), word.strip_suffix('=')) {
        (Some(stem), _) => (stem, Reach::Anything),
        (_, Some(whole)) => (whole, Reach::Nothing),
        _ => (word, Reach::Endings),
    };
    (without_diacritics(spelling), Entry { spelling, reach })
}

/// Native stems, split at their फ.
static NATIVE_STEMS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| words(ASPIRATES).flat_map(around_each_f).collect());

fn around_each_f(stem: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    stem.match_indices('फ').map(|(at, f)| (&stem[..at], &stem[at + f.len()..]))
}

/// A word without the diacritics that writers omit.
pub(super) fn without_diacritics(word: &str) -> String {
    let mut bare = String::with_capacity(word.len());
    let mut previous = ' ';
    for letter in word.chars() {
        match letter {
            NUKTA if matches!(previous, 'क' | 'ख' | 'ग' | 'ज' | 'फ') => {}
            'ँ' => bare.push('ं'),
            _ => bare.push(letter),
        }
        previous = letter;
    }
    bare
}

/// Whether the word or its stem is listed, and therefore no compound.
pub(super) fn is_listed(word: &str) -> bool {
    stems(&without_diacritics(word)).any(|(stem, ending)| {
        !ending.starts_with(is_letter)
            && ENTRIES.get(stem).is_some_and(|entry| entry.reach.covers(ending))
    })
}

/// The word, or a member of a compound, in full spelling.
pub(super) fn restore(word: &str, is_member: bool) -> String {
    let bare = without_diacritics(word);
    let listed = stems(&bare).find_map(|(stem, ending)| {
        let entry = ENTRIES.get(stem).filter(|entry| entry.reach.covers(ending))?;
        if is_member && entry.reach == Reach::Nothing {
            return None;
        }
        Some(match entry.reach {
            Reach::Anything => format!("{}{ending}", entry.spelling),
            _ => join(entry.spelling, ending),
        })
    });
    match listed {
        Some(listed) => with_diacritics_of(&listed, word),
        None => with_nukta(word, 'ज', is_english_z),
    }
}

/// Whether a ज is the z of an English ending: सीरीज, कोर्सेज, साइज, टूरिज्म, न्यूज. Only the short
/// words बीज and तीज end in a native ईज.
fn is_english_z(before: &str, after: &str) -> bool {
    let long = before.chars().count() >= 3;
    if after.is_empty() {
        return long && (before.ends_with('ी') || before.ends_with("से"))
            || before.ends_with("ाइ")
            || before.ends_with("यू");
    }
    before.ends_with("ाइ") && after.starts_with(['र', 'ि', 'ड', VIRAMA, 'े'])
        || before.ends_with('ि') && matches!(after, "्म" | "म")
        || before.ends_with("्यू")
}

/// The listed spelling with the diacritics of the written one.
fn with_diacritics_of(listed: &str, written: &str) -> String {
    let mut out = String::with_capacity(listed.len() + 6);
    let mut written = written.chars().peekable();
    for letter in listed.chars() {
        let kept = written.next_if(|next| *next == letter || (*next == 'ँ' && letter == 'ं'));
        if kept.is_none() && written.next_if_eq(&NUKTA).is_some() {
            out.push(NUKTA);
            written.next_if_eq(&letter);
        } else if kept.is_none() && letter == 'ँ' {
            written.next_if_eq(&'ं');
        }
        out.push(kept.unwrap_or(letter));
    }
    out.extend(written);
    out
}

/// The word with a nukta on each फ that is no aspirate.
pub(super) fn restore_f(word: &str) -> String {
    with_nukta(word, 'फ', |before, after| !is_aspirate(before, after))
}

/// Adds a nukta to each `letter` without one, if `needs` accepts the text before and after it.
fn with_nukta(word: &str, letter: char, needs: impl Fn(&str, &str) -> bool) -> String {
    let mut out = String::with_capacity(word.len() + 6);
    for (at, found) in word.char_indices() {
        out.push(found);
        let after = &word[at + found.len_utf8()..];
        if found == letter && !after.starts_with(NUKTA) && needs(&word[..at], after) {
            out.push(NUKTA);
        }
    }
    out
}

/// Whether the फ between these texts is in a native stem.
fn is_aspirate(before: &str, after: &str) -> bool {
    NATIVE_STEMS.iter().any(|(start, end)| before.ends_with(start) && after.starts_with(end))
}
