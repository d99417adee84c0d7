//! What a loaded engine consists of: an engine and its streams share it.

use std::ops::Deref;
use std::sync::Arc;

use speech_acoustic::{AcousticModel, Backend, VoiceStyle};
use speech_base::cancel::CancelToken;
use speech_base::error::{Error, Result};
use speech_base::fair_semaphore::Tenant;
use speech_base::fork::ProcessLocal;
use speech_base::language::Language;
use speech_base::voice::Voice;
use speech_text::front_end::FrontEnd;
use speech_text::markup::Passage;
use speech_text::pronunciation::Lexicon;

use crate::synthesis::SentenceSynthesizer;

/// A loaded engine. Every thread uses it at once.
pub(crate) struct LoadedEngine {
    pub(crate) front_end: FrontEnd,
    pub(crate) lexicon: Lexicon,
    /// It has threads and locks.
    pub(crate) model: ProcessLocal<Box<dyn AcousticModel>>,
    /// By voice, then language, each in the order of its `ALL`.
    pub(crate) styles: Vec<VoiceStyle>,
    pub(crate) threads: usize,
    /// The size of the weights that it was loaded from, in bytes.
    pub(crate) weight_bytes: usize,
}

/// A loaded engine, and for whom it computes.
#[derive(Clone)]
pub(crate) struct EngineHandle {
    pub(crate) loaded: Arc<LoadedEngine>,
    pub(crate) tenant: Tenant,
}

impl Deref for EngineHandle {
    type Target = LoadedEngine;

    fn deref(&self) -> &LoadedEngine {
        &self.loaded
    }
}

impl LoadedEngine {
    /// The kernels and the precision that speech is computed with.
    pub(crate) fn backend(&self) -> Backend {
        self.model.in_any_process().backend()
    }

    /// Returns free working memory to the system.
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

    pub(crate) fn style(&self, voice: Voice, language: Language) -> &VoiceStyle {
        let index = |found: Option<usize>| found.expect("ALL has every one");
        let voice = index(Voice::ALL.iter().position(|v| *v == voice));
        let language = index(Language::ALL.iter().position(|l| *l == language));
        &self.styles[voice * Language::ALL.len() + language]
    }
}

impl EngineHandle {
    /// What synthesizes the sentences of a passage.
    pub(crate) fn synthesizer<'a>(
        &'a self,
        passage: &Passage,
        cancel: &'a CancelToken,
    ) -> SentenceSynthesizer<'a> {
        SentenceSynthesizer {
            front_end: &self.front_end,
            model: &**self.model.in_any_process(),
            style: self.style(passage.voice, passage.language),
            tenant: self.tenant,
            cancel,
        }
    }
}
