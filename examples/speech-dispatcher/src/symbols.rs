//! Names of punctuation marks and other characters, and the punctuation modes in which they are
//! spoken.

use speech_core::Language;

use crate::message::Marked;

/// Which punctuation marks of a text are spoken by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Punctuation {
    /// None: they only control pauses.
    #[default]
    None,
    /// Those that are part of the content, such as `#`, `@` and `=`.
    Some,
    /// Also brackets, quotes, dashes and colons.
    Most,
    /// All.
    All,
}

impl Punctuation {
    /// The mode with this name in the protocol.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "none" => Self::None,
            "some" => Self::Some,
            "most" => Self::Most,
            "all" => Self::All,
            _ => return None,
        })
    }
}

/// A character, the lowest mode that speaks it in a text (`Punctuation::None`: only on its own),
/// and its name in English and Hindi.
type Row = (char, Punctuation, &'static str, &'static str);

use Punctuation::{All, Most, None as Alone, Some as Few};

#[rustfmt::skip]
const SYMBOLS: &[Row] = &[
    (' ', Alone, "space", "स्पेस"),
    ('\t', Alone, "tab", "टैब"),
    ('\n', Alone, "new line", "नई पंक्ति"),
    ('\r', Alone, "carriage return", "कैरिज रिटर्न"),
    ('\u{a0}', Alone, "no-break space", "अटूट स्पेस"),
    ('!', All, "exclamation mark", "विस्मयादिबोधक चिह्न"),
    ('"', Most, "quote", "उद्धरण चिह्न"),
    ('#', Few, "hash", "हैश"),
    ('$', All, "dollar", "डॉलर"),
    ('%', Few, "percent", "प्रतिशत"),
    ('&', Few, "ampersand", "ऐंपरसैंड"),
    ('\'', All, "apostrophe", "एपॉस्ट्रॉफ़ी"),
    ('(', Most, "left paren", "बायाँ कोष्ठक"),
    (')', Most, "right paren", "दायाँ कोष्ठक"),
    ('*', Few, "star", "स्टार"),
    ('+', Few, "plus", "प्लस"),
    (',', All, "comma", "अल्पविराम"),
    ('-', Most, "dash", "डैश"),
    ('.', All, "dot", "डॉट"),
    ('/', Few, "slash", "स्लैश"),
    (':', Most, "colon", "कोलन"),
    (';', Most, "semicolon", "अर्धविराम"),
    ('<', Few, "less than", "से कम"),
    ('=', Few, "equals", "बराबर"),
    ('>', Few, "greater than", "से अधिक"),
    ('?', All, "question mark", "प्रश्न चिह्न"),
    ('@', Few, "at", "ऐट"),
    ('[', Most, "left bracket", "बायाँ बड़ा कोष्ठक"),
    ('\\', Few, "backslash", "बैकस्लैश"),
    (']', Most, "right bracket", "दायाँ बड़ा कोष्ठक"),
    ('^', Few, "caret", "कैरट"),
    ('_', Few, "underscore", "अंडरस्कोर"),
    ('`', Most, "grave", "ग्रेव"),
    ('{', Most, "left brace", "बायाँ मँझला कोष्ठक"),
    ('|', Few, "vertical bar", "खड़ी रेखा"),
    ('}', Most, "right brace", "दायाँ मँझला कोष्ठक"),
    ('~', Few, "tilde", "टिल्ड"),
    ('।', All, "danda", "पूर्ण विराम"),
    ('॥', All, "double danda", "दोहरा पूर्ण विराम"),
    ('–', Most, "en dash", "एन डैश"),
    ('—', Most, "em dash", "एम डैश"),
    ('…', All, "ellipsis", "तीन बिंदु"),
    ('“', Most, "left quote", "बायाँ उद्धरण चिह्न"),
    ('”', Most, "right quote", "दायाँ उद्धरण चिह्न"),
    ('‘', Most, "left single quote", "बायाँ इकहरा उद्धरण चिह्न"),
    ('’', All, "right single quote", "दायाँ इकहरा उद्धरण चिह्न"),
    ('«', Most, "left double angle quote", "बायाँ कोणीय उद्धरण चिह्न"),
    ('»', Most, "right double angle quote", "दायाँ कोणीय उद्धरण चिह्न"),
    ('¡', All, "inverted exclamation mark", "उल्टा विस्मयादिबोधक चिह्न"),
    ('¿', All, "inverted question mark", "उल्टा प्रश्न चिह्न"),
    ('•', Few, "bullet", "बुलेट"),
    ('·', Most, "middle dot", "मध्य बिंदु"),
    ('§', Few, "section", "अनुभाग"),
    ('¶', Most, "paragraph", "अनुच्छेद"),
    ('©', Few, "copyright", "कॉपीराइट"),
    ('®', Few, "registered", "पंजीकृत"),
    ('™', Few, "trademark", "ट्रेडमार्क"),
    ('°', Few, "degrees", "डिग्री"),
    ('€', All, "euro", "यूरो"),
    ('£', All, "pound", "पाउंड"),
    ('¥', All, "yen", "येन"),
    ('¢', All, "cent", "सेंट"),
    ('₹', All, "rupee", "रुपया"),
    ('±', Few, "plus or minus", "प्लस या माइनस"),
    ('×', Few, "times", "गुणा"),
    ('÷', Few, "divided by", "भाग"),
    ('≠', Few, "not equal to", "बराबर नहीं"),
    ('≤', Few, "less than or equal to", "से कम या बराबर"),
    ('≥', Few, "greater than or equal to", "से अधिक या बराबर"),
    ('←', Few, "left arrow", "बायाँ तीर"),
    ('→', Few, "right arrow", "दायाँ तीर"),
    ('↑', Few, "up arrow", "ऊपर तीर"),
    ('↓', Few, "down arrow", "नीचे तीर"),
    ('†', Most, "dagger", "कटार चिह्न"),
    ('✓', Few, "check mark", "सही का निशान"),
    ('■', Most, "black square", "काला वर्ग"),
    ('□', Most, "white square", "सफ़ेद वर्ग"),
    ('●', Most, "black circle", "काला वृत्त"),
    ('○', Most, "white circle", "सफ़ेद वृत्त"),
    ('★', Few, "black star", "काला तारा"),
    ('☆', Few, "white star", "सफ़ेद तारा"),
    ('ß', Alone, "sharp s", "शार्प एस"),
    ('\u{901}', Alone, "chandrabindu", "चंद्रबिंदु"),
    ('\u{902}', Alone, "anusvara", "अनुस्वार"),
    ('\u{903}', Alone, "visarga", "विसर्ग"),
    ('\u{93c}', Alone, "nukta", "नुक़्ता"),
    ('\u{93d}', Alone, "avagraha", "अवग्रह"),
    ('\u{93e}', Alone, "vowel sign aa", "आ की मात्रा"),
    ('\u{93f}', Alone, "vowel sign i", "इ की मात्रा"),
    ('\u{940}', Alone, "vowel sign ee", "ई की मात्रा"),
    ('\u{941}', Alone, "vowel sign u", "उ की मात्रा"),
    ('\u{942}', Alone, "vowel sign oo", "ऊ की मात्रा"),
    ('\u{943}', Alone, "vowel sign ri", "ऋ की मात्रा"),
    ('\u{945}', Alone, "vowel sign candra e", "चंद्र ए की मात्रा"),
    ('\u{947}', Alone, "vowel sign e", "ए की मात्रा"),
    ('\u{948}', Alone, "vowel sign ai", "ऐ की मात्रा"),
    ('\u{949}', Alone, "vowel sign candra o", "ऑ की मात्रा"),
    ('\u{94b}', Alone, "vowel sign o", "ओ की मात्रा"),
    ('\u{94c}', Alone, "vowel sign au", "औ की मात्रा"),
    ('\u{94d}', Alone, "virama", "हलंत"),
];

/// Marks that control pauses: at the end of a word they are kept after their name.
const PACING: &[char] = &['.', ',', ';', ':', '!', '?', '…', '।', '॥'];

/// From this many equal marks on, their number is spoken.
const COUNTED_FROM: usize = 4;

fn row(c: char) -> Option<&'static Row> {
    SYMBOLS.iter().find(|(symbol, ..)| *symbol == c)
}

/// The name of a character other than a letter or digit, if it is in the table.
pub fn name(c: char, language: Language) -> Option<&'static str> {
    row(c).map(|(_, _, english, hindi)| match language {
        Language::HiIn => *hindi,
        _ => *english,
    })
}

/// The characters whose names are cached: those of a keyboard.
pub fn of_keyboard() -> impl Iterator<Item = char> {
    SYMBOLS.iter().map(|(c, ..)| *c).filter(|c| *c == ' ' || c.is_ascii_punctuation())
}

/// Inserts the names of punctuation marks into a text.
pub fn speak(text: &Marked, mode: Punctuation, language: Language) -> Marked {
    if mode == Punctuation::None {
        return text.clone();
    }
    let mut spoken = text.rewriter();
    let characters: Vec<(usize, char)> = text.text.char_indices().collect();
    let character = |i: usize| characters.get(i).map(|(_, c)| *c);
    let mut i = 0;
    while let Some((at, c)) = characters.get(i).copied() {
        let is_said = row(c).is_some_and(|(_, least, ..)| *least != Alone && *least <= mode);
        let before = i.checked_sub(1).and_then(character);
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        let is_in_word =
            matches!(c, '\'' | '’') && is_letter(before) && is_letter(character(i + 1));
        let Some(name) = name(c, language).filter(|_| is_said && !is_in_word) else {
            spoken.copy(at, c);
            i += 1;
            continue;
        };
        let run = characters[i..].iter().take_while(|(_, other)| *other == c).count();
        let said = if run < COUNTED_FROM { 1 } else { run };
        spoken.at(at);
        spoken.word(&if said > 1 { format!("{said} {name}") } else { name.to_owned() });
        i += said;
        let ends_word = character(i).is_none_or(char::is_whitespace);
        if PACING.contains(&c) && ends_word {
            spoken.push(&c.to_string());
        }
        if !ends_word {
            spoken.push(" ");
        }
    }
    spoken.finish()
}

/// Announces each word with a capital letter.
pub fn speak_capitals(text: &Marked, language: Language) -> Marked {
    let mut spoken = text.rewriter();
    let mut before = None;
    for (at, c) in text.text.char_indices() {
        let begins_word = !before.is_some_and(char::is_alphanumeric);
        if begins_word && c.is_uppercase() {
            spoken.at(at);
            spoken.word(capital(language));
            spoken.push(" ");
        }
        spoken.copy(at, c);
        before = Some(c);
    }
    spoken.finish()
}

/// The announcement of a capital letter.
pub fn capital(language: Language) -> &'static str {
    match language {
        Language::HiIn => "कैपिटल",
        _ => "capital",
    }
}
