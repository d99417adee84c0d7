//! The language that frames a sentence: its numbers and symbols are read in it.
//!
//! The request says who speaks; people write both languages in one text. Only a sentence that is clearly in the
//! other language leaves that of the request: a code, a unit or an address says nothing about it.

use crate::request::Language;
use crate::scripts::is_devanagari;

/// The plain English words of a sentence that is clearly English, at the least.
const CLEARLY_ENGLISH: usize = 3;

/// English words that hold a sentence together.
const ENGLISH: &str = "
    a about after all also an and any are as at be been before but by can could did does for from get had has have
    he her him his how i if in into is it its just like must my no not now of off on one or our out over please
    shall she should than thank thanks that the their them then there these they this those through to until up
    was we were what when where which who why will with would you your
";

/// Hindi words that hold a sentence together.
const HINDI: &str = "
    और का की के को तक तो था थी थे ने पर में या से है हैं ही हूँ हो
";

/// Words that hold a sentence of romanised Hindi together, none of them English.
const ROMANISED: &str = "
    aap aapka aapke aapki aapko abhi agar apna apne apni aur baje bahut bhi gaya gayi hai hain hoga hota hoti hu hua
    hui hum humko hun iska iske iski isko jab jaana jana ka kab kabhi kahan kaise kar karke karna karni karo karta
    ke keliye ki kis kisi kiya ko koi kuch kya kyon kyu lekin liye maine mein mera mere meri mujhe nahi nahin
    par phir raha rahe rahi saath sab sakta sakte sakti tak tera tha thi toh tum tumhara unka unke usko wala
    wale wali waqt woh yahan yeh
";

/// The language that the numbers of a sentence are read in, if it is spoken in `spoken`.
pub(crate) fn language(sentence: &str, spoken: Language) -> Language {
    if spoken == Language::EnUs && !sentence.contains(is_devanagari) {
        return Language::EnUs;
    }
    let devanagari: Vec<&str> = sentence.split_whitespace().filter_map(hindi_word).collect();
    let latin: Vec<&str> = sentence.split_whitespace().filter_map(plain_word).collect();
    let english = count_of(&latin, ENGLISH);
    match spoken {
        Language::HiIn => {
            let framed = devanagari.is_empty() || english > 1 && latin.len() > 3 * devanagari.len();
            let is_english =
                latin.len() >= CLEARLY_ENGLISH && count_of(&latin, ROMANISED) <= english / 2;
            if framed && is_english { Language::EnUs } else { Language::HiIn }
        }
        Language::EnUs => {
            let is_framed = english == 0 && count_of(&devanagari, HINDI) > 0;
            let others = latin.len() + english;
            let is_hindi = devanagari.len() > others || is_framed && devanagari.len() == others;
            if is_hindi { Language::HiIn } else { Language::EnUs }
        }
    }
}

/// What a word has in Devanagari, if there is a letter in it: `का` of `GSTका`.
fn hindi_word(word: &str) -> Option<&str> {
    let part = word.trim_matches(|c| !is_devanagari(c) || matches!(c, '\u{964}'..='\u{970}'));
    part.contains(char::is_alphabetic).then_some(part)
}

/// A word of Latin letters alone that is no acronym and no unit, without the marks around it.
fn plain_word(word: &str) -> Option<&str> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"@/#_\\".contains(c));
    let is_letter = |c: char| c.is_ascii_alphabetic() || matches!(c, '\'' | '’' | '-');
    let is_word = word.chars().all(is_letter)
        && word.contains(|c: char| "aeiouyAEIOUY".contains(c))
        && (word.len() > 1 && word.contains(|c: char| c.is_ascii_lowercase())
            || is_one_of(word, ENGLISH));
    is_word.then_some(word)
}

fn count_of(words: &[&str], list: &str) -> usize {
    words.iter().filter(|word| is_one_of(word, list)).count()
}

fn is_one_of(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|one| one.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_clear_leaves_the_language_of_the_request() {
        let (en, hi) = (Language::EnUs, Language::HiIn);
        let rows = [
            (hi, "Please pay 500 rupees by Monday.", en),
            (hi, "Your order of 3 items has shipped.", en),
            (hi, "PLEASE PAY THE BILL OF 500 TODAY", en),
            (hi, "Flight lands around 5 pm tomorrow", en),
            (hi, "Please send 500 rupees to राम before 5 pm.", en),
            (hi, "मुझे 5 files चाहिए।", hi),
            (hi, "kumar@gmail.com", hi),
            (hi, "ip address 192.168.1.1", hi),
            (hi, "OTP 4821", hi),
            (hi, "2 ha", hi),
            (hi, "5 km", hi),
            (hi, "5 km 300 m 20 cm", hi),
            (hi, "GST 18% TDS 10% VAT 5% CESS 1%", hi),
            (hi, "12345", hi),
            (hi, "१२ और 13", hi),
            (hi, "mujhe 5 baje meeting mein jaana hai", hi),
            (hi, "Total 500 rupees only hai", hi),
            (hi, "server 2 और server 3 down हैं", hi),
            (hi, "https://example.com/the/best/of/all?a=1", hi),
            (en, "It costs ₹500 in the बाज़ार.", en),
            (en, "मुझे 5 files चाहिए।", hi),
            (en, "आज 25 तारीख़ है।", hi),
            (en, "नमस्ते 5", hi),
            (en, "१२", en),
            (en, "I read ग़ालिब की शायरी at 5", en),
            (en, "The film दिल चाहता है made 50 crore.", en),
            (en, "GSTका 18% rate", hi),
            (en, "The GSTका 18% rate", en),
            (en, "", en),
        ];
        let failures: Vec<_> = rows
            .into_iter()
            .filter(|(spoken, text, expected)| language(text, *spoken) != *expected)
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
