//! The parts of a loaded engine, shared by its handles and streams.

use std::ops::Deref;
use std::sync::Arc;

use speech_acoustic::{AcousticModel, Backend, VoiceStyle};
use speech_base::cancel::CancelToken;
use speech_base::error::{Error, ErrorDetail, Result};
use speech_base::fair_semaphore::Tenant;
use speech_base::fork::ProcessLocal;
use speech_base::language::Language;
use speech_base::quality::Quality;
use speech_base::voice::Voice;
use speech_text::front_end::FrontEnd;
use speech_text::markup::Passage;
use speech_text::pronunciation::Lexicon;

use crate::sample_rate::SampleRate;
use crate::synthesis::SentenceSynthesizer;

/// A loaded engine. Thread-safe.
pub(crate) struct LoadedEngine {
    pub(crate) front_end: FrontEnd,
    pub(crate) lexicon: Lexicon,
    /// Process-local: the model has threads and locks.
    pub(crate) model: ProcessLocal<Box<dyn AcousticModel>>,
    /// By voice, then language, each in the order of its `ALL`.
    pub(crate) speakers: Vec<Speaker>,
    pub(crate) threads: usize,
    /// The SHA-256 of the bundle's manifest, which contains those of all its files.
    pub(crate) bundle_sha256: String,
    /// The size of the weights, in bytes.
    pub(crate) weight_bytes: usize,
}

/// A bundle's qualities and style for a voice in a language.
pub(crate) struct Speaker {
    /// Excludes [`Quality::Auto`].
    pub(crate) qualities: Vec<Quality>,
    /// None if there are no qualities.
    pub(crate) style: Option<VoiceStyle>,
}

/// A loaded engine with the tenant, the networks and the sample rate to compute for.
#[derive(Clone)]
pub(crate) struct EngineHandle {
    pub(crate) loaded: Arc<LoadedEngine>,
    pub(crate) tenant: Tenant,
    pub(crate) quality: Quality,
    pub(crate) sample_rate: SampleRate,
}

impl Deref for EngineHandle {
    type Target = LoadedEngine;

    fn deref(&self) -> &LoadedEngine {
        &self.loaded
    }
}

impl LoadedEngine {
    /// The kernels and the precision in use.
    pub(crate) fn backend(&self) -> Backend {
        self.model.in_any_process().backend()
    }

    /// Frees unused scratch memory.
    pub(crate) fn trim(&self) {
        if let Some(model) = self.model.get() {
            model.trim();
        }
    }

    /// # Errors
    ///
    /// `invalid_request` in a fork of the process that loaded it.
    pub(crate) fn check(&self) -> Result<()> {
        self.model.get().map(|_| ()).ok_or_else(|| Error::made_before_fork("engine"))
    }

    fn speaker(&self, voice: Voice, language: Language) -> &Speaker {
        let index = |found: Option<usize>| found.expect("ALL has every one");
        let voice = index(Voice::ALL.iter().position(|v| *v == voice));
        let language = index(Language::ALL.iter().position(|l| *l == language));
        &self.speakers[voice * Language::ALL.len() + language]
    }

    /// The qualities that the bundle has for a voice in a language, the best first.
    pub(crate) fn qualities(&self, voice: Voice, language: Language) -> &[Quality] {
        &self.speaker(voice, language).qualities
    }
}

impl EngineHandle {
    /// The style and the actual quality for a voice in a language.
    ///
    /// # Errors
    ///
    /// `invalid_request` if the bundle lacks it.
    pub(crate) fn style(
        &self,
        quality: Quality,
        voice: Voice,
        language: Language,
    ) -> Result<(Quality, &VoiceStyle)> {
        let Speaker { qualities, style } = self.speaker(voice, language);
        let mut found = qualities.iter().filter(|it| quality == Quality::Auto || **it == quality);
        if let (Some(found), Some(style)) = (found.next(), style) {
            return Ok((*found, style));
        }
        let has: Vec<_> = qualities.iter().map(|quality| quality.as_str()).collect();
        let message = if has.is_empty() {
            format!("the voice bundle does not have {voice} in {language}")
        } else {
            let has = has.join(", ");
            format!(
                "the voice bundle does not have quality {quality} for {voice} in {language}; it has {has}"
            )
        };
        Err(Error::invalid_request(message).with_detail(ErrorDetail::QualityNotInBundle))
    }

    /// The synthesizer for the sentences of a passage.
    ///
    /// # Errors
    ///
    /// `invalid_request` if the bundle lacks the quality for the passage's voice and language.
    pub(crate) fn synthesizer<'a>(
        &'a self,
        passage: &Passage,
        cancel: &'a CancelToken,
    ) -> Result<SentenceSynthesizer<'a>> {
        let (quality, style) = self.style(self.quality, passage.voice, passage.language)?;
        Ok(SentenceSynthesizer {
            front_end: &self.front_end,
            model: &**self.model.in_any_process(),
            quality,
            sample_rate: self.sample_rate,
            style,
            tenant: self.tenant,
            cancel,
        })
    }
}
