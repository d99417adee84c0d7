//! What is computed before it is asked for: what screen readers say most often.

use std::collections::VecDeque;

use speech_core::Language;

use crate::config::Config;
use crate::message::{self, Marked, Part};
use crate::settings::{Capitals, Settings};
use crate::symbols;

/// Characters in the order of their use; the other punctuation marks of a keyboard follow.
const ENGLISH_CHARACTERS: &str = "etaoinshrdlcumwfgypbvkjxqz 0123456789.,-";
const HINDI_CHARACTERS: &str = "करनसहमतपलयबवदजगअचइटउओशखडथधफषणझठईआएऊऐऔछभघढािीेोुैंू्ौँृ 0123456789।,.-";

/// Roles and states of what is on a screen.
const ENGLISH_WORDS: &str = "button link heading menu list table row column edit entry text blank checked selected \
    pressed expanded collapsed unchecked visited window dialog frame tab toolbar icon image slider paragraph page \
    document search file folder desktop terminal loading alert notification on off yes no ok cancel close open save \
    delete copy paste undo next previous back top bottom end home enter space";
const HINDI_WORDS: &str = "बटन लिंक शीर्षक मेनू सूची तालिका खाली चुना हुआ खोज फ़ाइल फ़ोल्डर विंडो डायलॉग पंक्ति स्तंभ \
    हाँ नहीं ठीक रद्द बंद खोलें सहेजें आगे पीछे";

/// All of it with these settings, in the order in which it is to be computed.
pub fn parts(settings: &Settings, config: &Config) -> VecDeque<Part> {
    if !config.prepare {
        return VecDeque::new();
    }
    let (characters, words) = match settings.language {
        Language::HiIn => (HINDI_CHARACTERS, HINDI_WORDS),
        _ => (ENGLISH_CHARACTERS, ENGLISH_WORDS),
    };
    let settings = Settings { capitals: Capitals::None, ..settings.clone() };
    let others = symbols::of_keyboard().filter(|c| !characters.contains(*c));
    let name = |c| Part::Name(message::name_of(c, &settings));
    let word = |word: &str| Part::Text(Marked { text: word.to_owned(), marks: Vec::new() });
    characters.chars().chain(others).map(name).chain(words.split_whitespace().map(word)).collect()
}
