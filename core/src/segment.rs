//! Text to sentences, each a span of the caller's text.
//!
//! Rules by hand over one scan: a terminator ends a sentence unless an abbreviation, an initial, a
//! number or a small letter after it says otherwise. Blank lines and list markers end one too.

use std::ops::Range;

/// A sentence: where it stands in the text, and whether a paragraph ends with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Bytes of the text, without the white space around the sentence; never empty.
    pub(crate) span: Range<usize>,
    /// A blank line or a new list item follows.
    pub(crate) ends_paragraph: bool,
}

/// Titles and the like, which a name or a number follows: the full stop never ends a sentence.
const BEFORE_A_NAME: &[&str] = &[
    "adm",
    "brig",
    "capt",
    "cmdr",
    "col",
    "dr",
    "e.g",
    "fig",
    "gen",
    "gov",
    "hon",
    "i.e",
    "lt",
    "maj",
    "messrs",
    "mr",
    "mrs",
    "ms",
    "mt",
    "prof",
    "rep",
    "rev",
    "sen",
    "sgt",
    "st",
    "viz",
    "vs",
    "अ",
    "उ",
    "कु",
    "डॉ",
    "पं",
    "प्रो",
    "मु",
    "रु",
    "श्री",
    "सु",
    "स्व",
];

/// Abbreviations that may also end a sentence: the full stop does so before a word that often begins one.
const BEFORE_ANYTHING: &[&str] = &[
    "a.m", "approx", "apr", "assn", "aug", "ave", "b.a", "b.c", "blvd", "bros", "co", "corp",
    "d.c", "dec", "dept", "est", "etc", "feb", "inc", "jan", "jr", "jul", "jun", "ltd", "m.a",
    "mar", "nov", "oct", "p.m", "ph.d", "rd", "sep", "sept", "sr", "u.k", "u.n", "u.s", "u.s.a",
];

/// Words that often begin a sentence and seldom follow an abbreviation: "U.S. Navy", but "U.S. It".
const OPENERS: &[&str] = &[
    "A", "After", "Although", "An", "And", "As", "At", "Because", "But", "For", "From", "He",
    "Her", "Here", "His", "How", "However", "I", "If", "In", "It", "Its", "My", "No", "Now", "On",
    "Our", "She", "So", "That", "The", "Their", "Then", "There", "These", "They", "This", "Those",
    "To", "We", "What", "When", "Where", "Who", "Why", "With", "Yes", "You", "Your",
];

/// Abbreviations only when a digit follows: "No. 4".
const BEFORE_A_DIGIT: &[&str] = &["art", "ch", "no", "nos", "p", "pp", "sec", "vol", "नं"];

/// The sentences of a text, in order. Together they hold everything but white space.
pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        let (end, ends_paragraph) = if is_terminator(c) || is_danda_bar(text, at, c) {
            let run = skip(text, at, |c| is_terminator(c) || c == '|');
            let end = skip(text, run, is_closing);
            if !ends_sentence(text, start, at..run, end) {
                at = end;
                continue;
            }
            (end, starts_block(text, end))
        } else if c == '\n' && starts_block(text, at) {
            (next, true)
        } else {
            at = next;
            continue;
        };
        push_trimmed(&mut sentences, text, start..end, ends_paragraph);
        start = end;
        at = end;
    }
    push_trimmed(&mut sentences, text, start..text.len(), true);
    sentences
}

fn push_trimmed(
    sentences: &mut Vec<Sentence>,
    text: &str,
    span: Range<usize>,
    ends_paragraph: bool,
) {
    let sentence = &text[span.clone()];
    let start = span.start + (sentence.len() - sentence.trim_start().len());
    let trimmed = sentence.trim();
    if trimmed.is_empty() {
        if let Some(last) = sentences.last_mut() {
            last.ends_paragraph |= ends_paragraph;
        }
    } else {
        sentences.push(Sentence { span: start..start + trimmed.len(), ends_paragraph });
    }
}

/// Whether the terminators at `run` end the sentence that began at `start`; `end` is after the
/// quotes and brackets that close with it.
fn ends_sentence(text: &str, start: usize, run: Range<usize>, end: usize) -> bool {
    let terminators = &text[run.clone()];
    let after = &text[end..];
    let Some(next) = after.chars().next() else { return true };
    if terminators.contains(['।', '॥', '。', '！', '？', '|']) {
        return true;
    }
    if !next.is_whitespace() {
        return false;
    }
    let after = after.trim_start().trim_start_matches(['"', '“', '‘', '\'', '(']);
    let Some(next) = after.chars().next() else { return true };
    if terminators != "." {
        return !next.is_lowercase();
    }
    let before = text[start..run.start]
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '‘' | '\''))
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let opens_sentence = text[start..run.start].trim().len() == before.len();
    let opener = after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if BEFORE_A_NAME.contains(&before.as_str()) {
        false
    } else if BEFORE_A_DIGIT.contains(&before.as_str()) {
        !next.is_numeric()
    } else if BEFORE_ANYTHING.contains(&before.as_str()) || is_initial(&before) {
        OPENERS.contains(&opener) && !is_single_letter(&before)
    } else {
        // "1. First": the number of a list item.
        let is_item = opens_sentence && !before.is_empty() && before.chars().all(char::is_numeric);
        !is_item && !next.is_lowercase()
    }
}

/// A single letter, or the last of several with full stops between: "J. S." of "J. S. Bach".
fn is_initial(word: &str) -> bool {
    let last = word.rsplit('.').next().unwrap_or_default();
    let mut letters = last.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() && c != 'i') && letters.next().is_none()
}

fn is_single_letter(word: &str) -> bool {
    word.chars().count() == 1
}

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '।' | '॥' | '。' | '！' | '？')
}

/// A vertical bar typed for a danda: after Devanagari, with at most white space between.
fn is_danda_bar(text: &str, at: usize, c: char) -> bool {
    c == '|'
        && text[..at].trim_end().chars().next_back().is_some_and(crate::normalize::is_devanagari)
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '}')
}

/// Whether only a line end, then a blank line or a list marker, stand at `at`.
fn starts_block(text: &str, at: usize) -> bool {
    let rest = text[at..].trim_start_matches([' ', '\t', '\r']);
    let Some(line) = rest.strip_prefix('\n') else { return false };
    let line = line.trim_start_matches([' ', '\t', '\r']);
    if line.starts_with('\n') {
        return true;
    }
    let item = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marker =
        if item.len() < line.len() { &['.', ')'][..] } else { &['-', '*', '•', '–'][..] };
    item.strip_prefix(marker).is_some_and(|rest| rest.starts_with(' '))
}

fn skip(text: &str, from: usize, accept: impl Fn(char) -> bool) -> usize {
    from + text[from..].find(|c| !accept(c)).unwrap_or(text.len() - from)
}

/// Cuts a text into parts of at most `max_characters` characters, in order.
///
/// Each part is a slice of the text without white space around it, and only white space is left out
/// between them. A part ends where a sentence does, if it can; else after a clause, else between words,
/// and inside a word only if the word alone is over the limit. A limit of 0 counts as 1.
///
/// ```
/// let text = "One sentence. And a second one, with a clause.";
/// assert_eq!(
///     speech_core::split_text(text, 20),
///     ["One sentence.", "And a second one,", "with a clause."]
/// );
/// ```
pub fn split_text(text: &str, max_characters: usize) -> Vec<&str> {
    let ends: Vec<usize> = sentences(text).into_iter().map(|sentence| sentence.span.end).collect();
    let mut parts = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if at == text.len() {
            return parts;
        }
        let end = part_end(text, at, max_characters.max(1), &ends);
        parts.push(text[at..end].trim_end());
        at = end;
    }
}

fn part_end(text: &str, at: usize, max: usize, sentence_ends: &[usize]) -> usize {
    let Some((limit, _)) = text[at..].char_indices().nth(max) else { return text.len() };
    let limit = at + limit;
    if let Some(end) = sentence_ends.iter().rev().find(|end| (at + 1..=limit).contains(end)) {
        return *end;
    }
    // A cut right at the limit is between words too, so look one character further.
    let window_end = limit + text[limit..].chars().next().map_or(0, char::len_utf8);
    let window = &text[at..window_end];
    let gaps =
        || window.char_indices().filter(|(i, c)| *i > 0 && c.is_whitespace()).map(|(i, _)| i);
    let clause = |i: &usize| window[..*i].ends_with([',', ';', ':', '—', '–', '،']);
    if let Some(gap) = gaps().rfind(clause).or_else(|| gaps().next_back()) {
        return at + gap;
    }
    let inside = text[at..limit].char_indices().map(|(i, _)| at + i).skip(1).chain([limit]);
    inside.filter(|i| !joins_previous(text, *i)).last().unwrap_or(limit)
}

/// Whether the character at `at` belongs to the one before it: a combining mark, or after a joiner or a
/// Devanagari virama.
fn joins_previous(text: &str, at: usize) -> bool {
    let combines = |c: char| {
        unicode_normalization::char::is_combining_mark(c) || matches!(c, '\u{200c}' | '\u{200d}')
    };
    text[at..].chars().next().is_some_and(combines) || text[..at].ends_with(['\u{200d}', '\u{94d}'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|s| &text[s.span]).collect()
    }

    #[test]
    fn sentences_of_both_languages() {
        let rows: &[&[&str]] = &[
            &["Hello World.", "My name is Jonas."],
            &["What is your name?", "My name is Jonas."],
            &["There it is!", "I found it."],
            &["Wait... what?"],
            &["My name is Jonas E. Smith."],
            &["Please turn to p. 55."],
            &["Were Jane and co. at the party?"],
            &["They closed the deal with Pitt, Briggs & Co. at noon."],
            &["Let's ask Jane and co.", "They should know."],
            &["I can see Mt. Fuji from here."],
            &["St. Michael's Church is on 5th st. near the light."],
            &["That is JFK Jr.'s book."],
            &["I visited the U.S.A. last year."],
            &["I live in the E.U.", "How about you?"],
            &["The U.S. Navy and the U.K. Parliament met.", "It rained."],
            &["At 5 a.m. he went to the bank.", "He left the bank at 6 P.M.", "Then he slept."],
            &["She has $100.00 in her bag."],
            &[
                "He teaches science (He previously worked for 5 years as an engineer.) at the local University.",
            ],
            &["Her email is Jane.Doe@example.com.", "I sent her an email."],
            &[
                "The site is: https://www.example.50.com/new-site/awesome_content.html.",
                "Please check it out.",
            ],
            &["She turned to him, 'This is great.' she said."],
            &["She turned to him, \"This is great.\"", "She held the book out."],
            &["Hello!!", "Long time no see."],
            &["1. The first item."],
            &["See no. 4.", "No.", "Not that."],
            &["Am I?", "Yes, I am.", "So am I.", "He left."],
            &["यह पहला वाक्य है।", "यह दूसरा है।"],
            &["डॉ. शर्मा आए।", "वे गए |", "क्यों?"],
            &["मूल्य 3.5 है।"],
        ];
        let failures: Vec<_> = rows
            .iter()
            .filter_map(|expected| {
                let text = expected.join(" ");
                let got = texts(&text);
                (got != **expected).then(|| format!("{got:?}, not {expected:?}"))
            })
            .collect();
        assert!(failures.is_empty(), "{failures:#?}");
    }

    #[test]
    fn blank_lines_and_list_items_end_paragraphs() {
        let text = "A title\n\nFirst line\nof two. Last.\n- one\n- two\n2) three";
        let got: Vec<_> =
            sentences(text).into_iter().map(|s| (&text[s.span], s.ends_paragraph)).collect();
        assert_eq!(
            got,
            [
                ("A title", true),
                ("First line\nof two.", false),
                ("Last.", true),
                ("- one", true),
                ("- two", true),
                ("2) three", true),
            ]
        );
    }

    #[test]
    fn a_word_over_the_limit_is_cut_between_letters() {
        assert_eq!(split_text("aaaaabbbbb cc", 5), ["aaaaa", "bbbbb", "cc"]);
        assert_eq!(split_text("नमस्ते", 4), ["नम", "स्ते"]);
        assert_eq!(split_text("e\u{301}e\u{301}", 1), ["e", "\u{301}", "e", "\u{301}"]);
        assert_eq!(split_text(" \n ", 5), [""; 0]);
    }

    proptest! {
        #[test]
        fn sentences_hold_everything_but_white_space(text in "\\PC{0,80}|[ab .!?।\n\"(1-]{0,80}") {
            let mut end = 0;
            for sentence in sentences(&text) {
                prop_assert!(text[end..sentence.span.start].trim().is_empty());
                prop_assert!(!text[sentence.span.clone()].trim().is_empty());
                end = sentence.span.end;
            }
            prop_assert!(text[end..].trim().is_empty());
        }

        #[test]
        fn parts_hold_everything_but_white_space(text in "\\PC{0,80}|[ab .,\n]{0,80}", max in 1..30_usize) {
            let parts = split_text(&text, max);
            let squeeze = |s: &str| s.split_whitespace().collect::<String>();
            prop_assert_eq!(squeeze(&parts.concat()), squeeze(&text));
            for part in parts {
                prop_assert!(part.trim() == part && (1..=max).contains(&part.chars().count()));
            }
        }
    }
}
