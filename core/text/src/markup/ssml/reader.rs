//! Walks through a document and applies each element.

use std::sync::Arc;

use roxmltree::Node;
use speech_base::error::Result;
use speech_base::language::Language;
use speech_base::limits::MAX_PAUSE_SECONDS;
use speech_base::prosody_settings::{PITCH_RANGE, ProsodySettings, RATE_RANGE, VOLUME_RANGE};
use speech_base::voice::Voice;

use super::builder::{Builder, Scope, Source};
use super::document::{Document, is_silent};
use super::element::{Attributes, Element};
use super::text::{Piece, pieces};
use super::values::{self, Change};
use crate::languages::locales;
use crate::markup::passage::{Inline, Passage};
use crate::normalize::MarkedAs;
use crate::normalize::say_as::SayAs;
use crate::segment::Boundary;

/// Reads the elements of a document.
pub(super) struct Reader<'d, 'a> {
    document: &'d Document<'a>,
    builder: Builder,
    /// The total milliseconds of pauses so far.
    pauses: u32,
}

impl<'d, 'a> Reader<'d, 'a> {
    /// The passages of a document. `voice` and `language` are defaults.
    pub(super) fn passages(
        document: &'d Document<'a>,
        voice: Voice,
        language: Language,
        base: ProsodySettings,
    ) -> Result<Vec<Passage>> {
        let scope = Scope {
            voice,
            language,
            block_language: language,
            settings: ProsodySettings::default(),
            is_in_sentence: false,
        };
        let mut reader = Self { document, builder: Builder::new(base), pauses: 0 };
        reader.element(document.root(), &scope)?;
        Ok(reader.builder.finish(&scope))
    }

    fn element(&mut self, node: Node<'d, 'a>, scope: &Scope) -> Result<()> {
        let document = self.document;
        let element = Element::of(document, node)?;
        let attributes = element.attributes(document, node)?;
        let mut scope = *scope;
        match element {
            Element::Speak => {
                attributes.read("version", version)?;
                self.set_language(&attributes, &mut scope)?;
                self.children(node, &scope)
            }
            Element::Paragraph => {
                self.set_language(&attributes, &mut scope)?;
                self.block(node, &scope, Boundary::Paragraph)
            }
            Element::Sentence => {
                self.set_language(&attributes, &mut scope)?;
                scope.is_in_sentence = true;
                self.block(node, &scope, Boundary::Sentence)
            }
            Element::Voice => {
                let name = attributes.required("name")?;
                scope.voice = name.value.parse().map_err(|_| {
                    let names = Voice::ALL.map(Voice::as_str).join(", ");
                    attributes.wrong(name, format!("it must be {names}"))
                })?;
                self.set_language(&attributes, &mut scope)?;
                self.children(node, &scope)
            }
            Element::Lang => {
                attributes.required("xml:lang")?;
                let block_language = scope.block_language;
                self.set_language(&attributes, &mut scope)?;
                if !is_block(node) {
                    scope.block_language = block_language;
                }
                self.children(node, &scope)
            }
            Element::Prosody => {
                self.set_prosody(&attributes, &mut scope)?;
                self.children(node, &scope)
            }
            Element::Emphasis => {
                let level = attributes.read("level", values::emphasis)?;
                let moderate = || values::emphasis("moderate").unwrap_or_default();
                scope.settings = scope.settings.with(level.unwrap_or_else(moderate));
                self.children(node, &scope)
            }
            Element::Break => self.pause(&attributes),
            Element::Mark => {
                let name = attributes.required("name")?;
                self.builder.inline(Inline::Bookmark(name.value.clone()));
                Ok(())
            }
            Element::Sub => self.sub(&attributes, &scope),
            Element::Phoneme => self.phoneme(&attributes, &scope),
            Element::SayAs => self.say_as(&attributes, &scope),
        }
    }

    fn pause(&mut self, attributes: &Attributes<'d, 'a>) -> Result<()> {
        let document = self.document;
        let strength = attributes.read("strength", values::strength)?;
        let time = attributes.read("time", values::time)?;
        let pause = time.or(strength).unwrap_or(values::MEDIUM_BREAK_MS);
        self.pauses += pause;
        if self.pauses > MAX_PAUSE_SECONDS * 1000 {
            let most =
                format!("the pauses up to here are together longer than {MAX_PAUSE_SECONDS} s");
            return Err(document.refuse(attributes.node.range().start, most));
        }
        self.builder.inline(Inline::Pause(pause));
        Ok(())
    }

    fn children(&mut self, node: Node<'d, 'a>, scope: &Scope) -> Result<()> {
        for child in node.children() {
            if child.is_text() {
                self.text(child, scope);
            } else if child.is_element() {
                self.element(child, scope)?;
            }
        }
        Ok(())
    }

    /// Reads a paragraph or sentence, and ends the passage before it.
    fn block(&mut self, node: Node<'d, 'a>, scope: &Scope, boundary: Boundary) -> Result<()> {
        self.builder.end(boundary);
        self.children(node, scope)?;
        self.builder.end(boundary);
        Ok(())
    }

    fn text(&mut self, node: Node<'d, 'a>, scope: &Scope) {
        for piece in pieces(self.document.text, self.document.text_range(node)) {
            match piece {
                Piece::Literal(text, at) => self.builder.push(text, &Source::Literal(at), scope),
                Piece::Reference(c, source) => {
                    let text = c.encode_utf8(&mut [0; 4]).to_owned();
                    self.builder.push(&text, &Source::Whole(source), scope);
                }
            }
        }
    }

    /// Adds a text that replaces the content of an element, or the element itself if it is empty.
    fn instead(&mut self, node: Node<'d, 'a>, text: &str, scope: &Scope) {
        let content = self.document.content(node);
        let source = if content.is_empty() { node.range() } else { content };
        self.builder.push(text, &Source::Whole(source), scope);
    }

    fn sub(&mut self, attributes: &Attributes<'d, 'a>, scope: &Scope) -> Result<()> {
        let alias = attributes.required("alias")?;
        self.instead(attributes.node, &alias.value, scope);
        Ok(())
    }

    fn phoneme(&mut self, attributes: &Attributes<'d, 'a>, scope: &Scope) -> Result<()> {
        attributes.read("alphabet", alphabet)?;
        let ph = attributes.required("ph")?;
        let notation = locales().of(scope.language).ipa;
        let phonemes = notation.phonemes(&ph.value);
        let phonemes = phonemes.map_err(|problem| attributes.wrong(ph, problem))?;
        let start = self.builder.position(scope);
        if attributes.node.children().all(is_silent) {
            self.instead(attributes.node, &ph.value, scope);
        } else {
            self.children(attributes.node, scope)?;
        }
        let (range, _) = self.builder.since(start);
        self.builder.mark(range, MarkedAs::Phonemes(Arc::from(phonemes)));
        Ok(())
    }

    fn say_as(&mut self, attributes: &Attributes<'d, 'a>, scope: &Scope) -> Result<()> {
        let document = self.document;
        let kind = attributes.required("interpret-as")?;
        let value = |name| attributes.get(name).map(|attribute| attribute.value.as_str());
        let say_as = SayAs::new(&kind.value, value("format"), value("detail"));
        let say_as = say_as.map_err(|problem| {
            let attribute = attributes.get(problem.attribute).unwrap_or(kind);
            attributes.wrong(attribute, problem.message)
        })?;
        if attributes.node.children().all(is_silent) {
            return Err(document.refuse(attributes.node.range().start, "'say-as' is empty"));
        }
        let start = self.builder.position(scope);
        self.children(attributes.node, scope)?;
        let (range, content) = self.builder.since(start);
        if let Err(problem) = say_as.value(content, locales().of(scope.language), locales()) {
            let at = document.content(attributes.node).start;
            return Err(document.refuse(at, format!("the content is not {problem}")));
        }
        self.builder.mark(range, MarkedAs::SayAs(say_as));
        Ok(())
    }

    /// Applies the language attribute of an element, if any.
    fn set_language(&self, attributes: &Attributes<'d, 'a>, scope: &mut Scope) -> Result<()> {
        if let Some(language) = attributes.read("xml:lang", language)? {
            scope.language = language;
        }
        scope.block_language = scope.language;
        Ok(())
    }

    fn set_prosody(&self, attributes: &Attributes<'d, 'a>, scope: &mut Scope) -> Result<()> {
        let document = self.document;
        if attributes.is_empty() {
            let problem = "'prosody' needs the attribute 'rate', 'pitch' or 'volume'";
            return Err(document.refuse(attributes.node.range().start, problem));
        }
        let ProsodySettings { rate, pitch, volume } = &mut scope.settings;
        match attributes.read("rate", values::rate)? {
            Some(Change::Absolute(factor)) => *rate = factor,
            Some(Change::Relative(factor)) => *rate *= factor,
            None => {}
        }
        match attributes.read("pitch", values::pitch)? {
            Some(Change::Absolute(semitones)) => *pitch = semitones,
            Some(Change::Relative(semitones)) => *pitch += semitones,
            None => {}
        }
        match attributes.read("volume", values::volume)? {
            Some(Change::Absolute(decibels)) => *volume = decibels,
            Some(Change::Relative(decibels)) => *volume += decibels,
            None => {}
        }
        *rate = rate.clamp(*RATE_RANGE.start(), *RATE_RANGE.end());
        *pitch = pitch.clamp(*PITCH_RANGE.start(), *PITCH_RANGE.end());
        *volume = volume.clamp(*VOLUME_RANGE.start(), *VOLUME_RANGE.end());
        Ok(())
    }
}

/// Whether a `lang` element is a block: it contains paragraphs or sentences, or has no text beside
/// it. No sentence then continues across its ends.
fn is_block(lang: Node<'_, '_>) -> bool {
    let is = |node: &Node<'_, '_>, names: &[&str]| {
        Document::ssml_name(*node).is_some_and(|name| node.is_element() && names.contains(&name))
    };
    if lang.descendants().any(|node| is(&node, &["p", "s"])) {
        return true;
    }
    let is_in_sentence = lang.ancestors().any(|node| is(&node, &["s"]));
    let mut others = lang.parent().into_iter().flat_map(|parent| parent.children());
    let are_apart = others.all(|other| {
        other == lang
            || is_silent(other)
            || is(&other, &["break", "mark"])
            || !is_in_sentence && is(&other, &["lang", "p", "s"])
    });
    let is_in_block = |parent: Node<'_, '_>| {
        is(&parent, &["speak", "p", "s", "voice"])
            || is(&parent, &["lang", "prosody"]) && is_block(parent)
    };
    are_apart && lang.parent().is_some_and(is_in_block)
}

fn version(value: &str) -> Result<(), String> {
    let is_known = matches!(value, "1.0" | "1.1");
    is_known.then_some(()).ok_or_else(|| "it must be 1.0 or 1.1".into())
}

fn alphabet(value: &str) -> Result<(), String> {
    let is_known = matches!(value, "ipa" | "kokoro" | "x-kokoro");
    is_known.then_some(()).ok_or_else(|| "it must be ipa, kokoro, x-kokoro".into())
}

/// The language of a tag, ignoring case. Without a region, the only language with that code.
fn language(value: &str) -> Result<Language, String> {
    let is_it = |language: &Language| {
        let tag = language.as_str();
        let primary = tag.split('-').next().unwrap_or(tag);
        value.eq_ignore_ascii_case(tag) || value.eq_ignore_ascii_case(primary)
    };
    let tags = || Language::ALL.map(Language::as_str).join(", ");
    let found = Language::ALL.into_iter().find(is_it);
    found.ok_or_else(|| format!("it must be {}", tags()))
}
