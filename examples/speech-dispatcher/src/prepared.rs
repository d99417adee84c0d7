//! The texts computed in advance: those that screen readers speak most often.

use std::collections::VecDeque;

use speech_core::Language;

use crate::config::Config;
use crate::message::{self, Marked, Part};
use crate::settings::{Capitals, Settings};
use crate::symbols;

/// Characters in order of frequency; the other punctuation marks of a keyboard follow.
const ENGLISH_CHARACTERS: &str = "etaoinshrdlcumwfgypbvkjxqz 0123456789.,-";
const HINDI_CHARACTERS: &str = "करनसहमतपलयबवदजगअचइटउओशखडथधफषणझठईआएऊऐऔछभघढािीेोुैंू्ौँृ 0123456789।,.-";

/// Roles and states of screen elements.
const ENGLISH_WORDS: &str = "button link heading menu list table row column edit entry text blank checked selected \
    pressed expanded collapsed unchecked visited window dialog frame tab toolbar icon image slider paragraph page \
    document search file folder desktop terminal loading alert notification on off yes no ok cancel close open save \
    delete copy paste undo next previous back top bottom end home enter space";
const HINDI_WORDS: &str = "बटन लिंक शीर्षक मेनू सूची तालिका खाली चुना हुआ खोज फ़ाइल फ़ोल्डर विंडो डायलॉग पंक्ति स्तंभ \
    हाँ नहीं ठीक रद्द बंद खोलें सहेजें आगे पीछे";

/// The most frequent words of running text, about half of its tokens: a text is often read word by
/// word.
const ENGLISH_FREQUENT: &str = "the of and to a in is it you that he was for are with as I his they be at one have this from or \
    had by not but what some we can out other were all there when use your how said an each she which do their if will way \
    about many then them write would like so these her long make thing see him two has look more day could go come did my \
    most who over know than call first people may down side been now find new work part take get place made live where \
    after little only round man year came show every good me give our under";
const HINDI_FREQUENT: &str = "के में है की से को का और पर यह ने एक कि भी वह हैं था तो कर ही इस लिए जो या हो अपने थे गया साथ कुछ \
    कहा थी बाद रहा दिया तक किया जा जब दो सकते बहुत अब कोई सब मैं हम आप वे मुझे उन्हें लोग समय दिन काम बात क्या कैसे कहाँ क्यों";

/// All texts with these settings, in the order of computation.
pub fn parts(settings: &Settings, config: &Config) -> VecDeque<Part> {
    if !config.prepare {
        return VecDeque::new();
    }
    let (characters, words) = match settings.language {
        Language::HiIn => (HINDI_CHARACTERS, [HINDI_WORDS, HINDI_FREQUENT]),
        _ => (ENGLISH_CHARACTERS, [ENGLISH_WORDS, ENGLISH_FREQUENT]),
    };
    let words = words.into_iter().flat_map(str::split_whitespace);
    let settings = Settings { capitals: Capitals::None, ..settings.clone() };
    let others = symbols::of_keyboard().filter(|c| !characters.contains(*c));
    let name = |c| Part::Name(message::name_of(c, &settings));
    let word = |word: &str| Part::Text(Marked { text: word.to_owned(), marks: Vec::new() });
    characters.chars().chain(others).map(name).chain(words.map(word)).collect()
}
