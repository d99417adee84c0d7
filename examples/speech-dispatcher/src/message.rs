//! Turns a message from the server into parts for the speaking thread.

use std::path::PathBuf;

use unicode_normalization::char::decompose_canonical;

use crate::config::Config;
use crate::keys::{self, Key};
use crate::markup;
use crate::settings::{Capitals, Settings};
use crate::symbols;

/// A text with marks at byte positions, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// The text.
    pub text: String,
    /// Marks: the byte before which each stands, and its name.
    pub marks: Vec<(usize, String)>,
}

impl Marked {
    /// A rewriter for this text, which carries its marks over.
    pub(crate) fn rewriter(&self) -> Rewriter<'_> {
        Rewriter { old: self, next: 0, new: Self::default() }
    }
}

/// A text that is rewritten from left to right.
pub(crate) struct Rewriter<'a> {
    old: &'a Marked,
    next: usize,
    new: Marked,
}

impl Rewriter<'_> {
    /// The text written next stands for this byte of the old text.
    pub(crate) fn at(&mut self, byte: usize) {
        let reached = self.old.marks[self.next..].iter().take_while(|(at, _)| *at <= byte);
        for (_, name) in reached {
            self.new.marks.push((self.new.text.len(), name.clone()));
            self.next += 1;
        }
    }

    pub(crate) fn copy(&mut self, byte: usize, c: char) {
        self.at(byte);
        self.new.text.push(c);
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.new.text += text;
    }

    /// Writes a separate word.
    pub(crate) fn word(&mut self, word: &str) {
        if self.new.text.chars().next_back().is_some_and(|c| !c.is_whitespace()) {
            self.new.text.push(' ');
        }
        self.new.text += word;
    }

    pub(crate) fn finish(mut self) -> Marked {
        self.at(usize::MAX);
        self.new
    }
}

/// The kinds of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `SPEAK`: a text.
    Text,
    /// `CHAR`: a character.
    Character,
    /// `KEY`: a key, and the modifiers held with it.
    Key,
    /// `SOUND_ICON`: a named sound.
    SoundIcon,
}

/// Words that are often spoken alone, so that their audio is cached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// Plain words.
    Words(String),
    /// An SSML document.
    Document(String),
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A text of any length.
    Text(Marked),
    /// An SSML document, and its text in case the library rejects it.
    Document(String, Marked),
    /// A character or a key.
    Name(Name),
    /// The tone for a capital letter.
    CapitalTone,
    /// A mark.
    Mark(String),
    /// An audio file.
    Icon(PathBuf),
}

/// The parts of a message.
pub fn parts(kind: Kind, message: &str, settings: &Settings, config: &Config) -> Vec<Part> {
    match kind {
        Kind::Text => text(message, settings),
        Kind::Character => character(message, settings),
        Kind::Key => {
            let keys = keys::keys(message);
            let names: Vec<String> = keys.iter().map(|key| of_key(key, settings)).collect();
            vec![Part::Name(Name::Document(document(&names.join(" "))))]
        }
        Kind::SoundIcon => vec![sound_icon(message.trim(), config)],
    }
}

fn text(message: &str, settings: &Settings) -> Vec<Part> {
    let flattened = markup::flatten(message);
    let marked = flattened.marked;
    if settings.spelling {
        return spelled(&marked, settings);
    }
    let names_something = settings.punctuation != symbols::Punctuation::None;
    let names_capitals = settings.capitals == Capitals::Spell;
    if flattened.is_rich && !names_something && !names_capitals {
        return vec![Part::Document(message.to_owned(), marked)];
    }
    let language = settings.language;
    let named = symbols::speak(&marked, settings.punctuation, language);
    vec![Part::Text(if names_capitals { symbols::speak_capitals(&named, language) } else { named })]
}

fn spelled(marked: &Marked, settings: &Settings) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut marks = marked.marks.iter().peekable();
    for (at, c) in marked.text.char_indices() {
        while let Some((_, name)) = marks.next_if(|(place, _)| *place <= at) {
            parts.push(Part::Mark(name.clone()));
        }
        parts.extend(of_character(c, settings));
    }
    parts.extend(marks.map(|(_, name)| Part::Mark(name.clone())));
    parts
}

/// A message of one character; several characters are a text.
fn character(message: &str, settings: &Settings) -> Vec<Part> {
    let message = if message == "space" { " " } else { message };
    let mut characters = message.chars();
    match (characters.next(), characters.next()) {
        (Some(c), None) => of_character(c, settings),
        _ if !message.contains(char::is_alphanumeric) => {
            message.chars().flat_map(|c| of_character(c, settings)).collect()
        }
        _ => vec![Part::Text(Marked { text: message.to_owned(), marks: Vec::new() })],
    }
}

fn of_character(c: char, settings: &Settings) -> Vec<Part> {
    let name = |name| Part::Name(name);
    if !c.is_uppercase() {
        return vec![name(name_of(c, settings))];
    }
    let letter = || name(name_of(c.to_lowercase().next().unwrap_or(c), settings));
    match settings.capitals {
        Capitals::None => vec![letter()],
        Capitals::Icon => vec![Part::CapitalTone, letter()],
        Capitals::Spell => {
            let capital = symbols::capital(settings.language);
            vec![name(Name::Document(document(&format!("{capital} {}", letter_of(c)))))]
        }
    }
}

/// The spoken name of a single character.
pub fn name_of(c: char, settings: &Settings) -> Name {
    if let Some(name) = symbols::name(c, settings.language) {
        Name::Words(name.to_owned())
    } else if c.is_alphanumeric() {
        Name::Document(document(&letter_of(c)))
    } else {
        Name::Words(c.to_string())
    }
}

/// The spoken number of a character that the library has no words for.
pub fn number_of(c: char) -> Name {
    let digits: String = format!("{:04X}", u32::from(c)).chars().map(letter_of).collect();
    Name::Document(document(&format!("character {digits}")))
}

/// Combining marks of Latin letters, and their names, spoken after the letter.
const ACCENTS: &[(char, &str)] = &[
    ('\u{300}', "grave"),
    ('\u{301}', "acute"),
    ('\u{302}', "circumflex"),
    ('\u{303}', "tilde"),
    ('\u{304}', "macron"),
    ('\u{306}', "breve"),
    ('\u{307}', "dot above"),
    ('\u{308}', "umlaut"),
    ('\u{30a}', "ring"),
    ('\u{30b}', "double acute"),
    ('\u{30c}', "caron"),
    ('\u{323}', "dot below"),
    ('\u{327}', "cedilla"),
    ('\u{328}', "ogonek"),
];

/// A letter or a digit, with its accents.
fn letter_of(c: char) -> String {
    let mut parts = Vec::new();
    decompose_canonical(c, |part| parts.push(part));
    let accent = |part: &char| ACCENTS.iter().find(|(mark, _)| mark == part).map(|(_, name)| *name);
    let accents: Option<Vec<_>> = parts[1..].iter().map(accent).collect();
    let (letter, accents) = match accents {
        Some(accents) if parts[0].is_ascii_alphabetic() => (parts[0], accents.join(" ")),
        _ => (c, String::new()),
    };
    let letter = escaped(&letter.to_string());
    format!("<say-as interpret-as=\"characters\">{letter}</say-as> {accents}").trim_end().to_owned()
}

fn of_key(key: &Key, settings: &Settings) -> String {
    match key {
        Key::Word(word) => escaped(word),
        Key::Character(c) => match symbols::name(*c, settings.language) {
            Some(name) => escaped(name),
            None if c.is_alphanumeric() => letter_of(*c),
            None => escaped(&c.to_string()),
        },
    }
}

fn document(content: &str) -> String {
    format!("<speak>{content}</speak>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The file of a sound icon, or otherwise its name, as in other modules.
fn sound_icon(name: &str, config: &Config) -> Part {
    let is_file_name = !name.is_empty() && !name.contains('/') && !name.starts_with('.');
    let folder = config.sound_icons.as_deref().filter(|_| is_file_name);
    let file = folder.and_then(|folder| {
        [name.to_owned(), format!("{name}.wav")]
            .into_iter()
            .map(|name| folder.join(name))
            .find(|path| path.is_file())
    });
    match file {
        Some(path) => Part::Icon(path),
        None => Part::Name(Name::Words(name.replace(['-', '_'], " "))),
    }
}
