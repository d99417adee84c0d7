//! Checks that code outside `languages/` contains no words of a language. Tables list words, and
//! code names their classes.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files whose strings are formats, names in code or messages. No text is compared with them.
const NAMES: &[&str] = &[
    "inspect.rs",                       // JSON fields
    "markup/",                          // SSML elements, messages
    "normalize/choice/",                // kinds of readings, features
    "normalize/condition.rs",           // condition syntax
    "normalize/formula/",               // LaTeX commands
    "normalize/properties.rs",          // condition syntax
    "normalize/say/",                   // row kinds, parts, rule sets
    "normalize/say_as/",                // SSML formats, messages
    "segment/table.rs",                 // condition syntax
    "phonemize/phones.rs",              // phoneme symbols
    "pronunciation/",                   // IPA symbols, messages
    "scripts/devanagari/characters.rs", // letters and signs
    "viseme.rs",                        // viseme names
    "vocabulary.rs",                    // phoneme symbols
];

/// Names in tables that code reads: columns, notes, parts of addresses, script codes, letters in
/// sets and shapes, and plural endings.
const KNOWN: &str = "\
    contact rate verb indian takes next verse weekday no www mailto localhost host Deva Latn Rules languages \
    aeiou aeiouyAEIOUY CIKMOV AAAAA AAAA A ss ie";

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The string literals of code with their lines, without comments and reasons for people.
fn literals(code: &str) -> Vec<(usize, String)> {
    let mut literals = Vec::new();
    let mut chars = code.chars().peekable();
    let (mut line, mut before) = (1, String::new());
    while let Some(c) = chars.next() {
        match c {
            '\n' => (line, before) = (line + 1, String::new()),
            '/' if chars.peek() == Some(&'/') => while chars.next_if(|c| *c != '\n').is_some() {},
            '\'' if chars.peek() == Some(&'\\') || chars.clone().nth(1) == Some('\'') => {
                if chars.next() == Some('\\') {
                    chars.next();
                }
                while chars.next().is_some_and(|c| c != '\'') {}
            }
            '"' => {
                let start = line;
                let mut text = String::new();
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    line += usize::from(c == '\n');
                    if c == '\\' {
                        text.push(' ');
                        line += usize::from(chars.next() == Some('\n'));
                    } else {
                        text.push(c);
                    }
                }
                let is_message = ["expect", "reason", "panic!", "unreachable!", "include_str!"];
                if !is_message.iter().any(|name| before.contains(name)) {
                    literals.push((start, text));
                }
            }
            c => before.push(c),
        }
    }
    literals
}

/// Whether a character is a letter, and no combining sign as in Devanagari.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}')
}

/// Words of two or more letters. Placeholders such as `{name}` and Roman numerals are excluded.
fn words(literal: &str) -> Vec<&str> {
    let outside = literal.split('{').flat_map(|part| part.rsplit('}').take(1));
    let words = outside.flat_map(|part| part.split(|c: char| !is_letter(c)));
    let is_numeral = |word: &str| word.chars().all(|c| "IVXLCDMivxlcdm".contains(c));
    words.filter(|word| word.chars().count() > 1 && !is_numeral(word)).collect()
}

#[test]
fn no_word_of_a_language_is_in_shared_code() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table = |path: &str| fs::read_to_string(source.join("languages").join(path)).expect(path);
    let (units, classes) = (table("en_us/data/units.tsv"), table("en_us/data/context_classes.tsv"));
    let mut known: HashSet<&str> = KNOWN.split_whitespace().collect();
    for row in units.lines().chain(classes.lines()).filter(|row| !row.starts_with('#')) {
        known.extend(
            row.split('\t').next().into_iter().flat_map(|names| names.split(['|', ' ', '_'])),
        );
    }
    let mut paths = Vec::new();
    files(&source, &mut paths);
    let mut found = Vec::new();
    for path in paths {
        let name = path.strip_prefix(&source).expect("it is in the folder").to_string_lossy();
        if name.starts_with("languages")
            || name.ends_with("tests.rs")
            || NAMES.iter().any(|names| name.starts_with(names))
        {
            continue;
        }
        let code = fs::read_to_string(&path).expect("a file");
        let code = code.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code = code.split("#[cfg(test)]\ncrate::row_tests").next().unwrap_or_default();
        for (line, literal) in literals(code) {
            let words: Vec<_> =
                words(&literal).into_iter().filter(|word| !known.contains(word)).collect();
            if !words.is_empty() {
                found.push(format!("{name}:{line}: {words:?}"));
            }
        }
    }
    assert!(found.is_empty(), "words of a language outside of languages/:\n{}", found.join("\n"));
}

#[test]
fn strings_are_told_from_comments_and_characters() {
    let code = "// \"no\"\nlet a = '\"'; let b = \"one \\\" two\"; x.expect(\"three\");\nf('\\'', \"four\")";
    let found: Vec<_> =
        literals(code).into_iter().map(|(line, text)| (line, words(&text).join(" "))).collect();
    assert_eq!(found, [(2, "one two".to_owned()), (3, "four".to_owned())]);
    assert_eq!(words("{name} of {}x XIV"), ["of"]);
}
