//! Speaks the sentences of a whole text.

use std::collections::VecDeque;

use speech_base::error::Result;
use speech_base::limits::MAX_SECONDS;
use speech_base::prefetch::Handover;

use super::piece::{Output, Piece, Step};
use crate::latency::Latency;
use crate::loaded_engine::EngineHandle;
use crate::synthesis::{Follows, Give, Prepared, PreparedSentence, SentenceAudio};
use crate::validate::ValidRequest;

/// The sentences still to be spoken.
pub(super) struct Sentences {
    engine: EngineHandle,
    sentences: VecDeque<PreparedSentence>,
    /// The only piece of a text with nothing speakable: silence.
    silence: Option<Piece>,
    /// Whether the next sentence begins with early chunks: the first one does, with low latency.
    early: bool,
    /// The seconds of audio that may still follow.
    room: f64,
}

impl Sentences {
    pub(super) fn new(engine: EngineHandle, request: &ValidRequest, prepared: Prepared) -> Self {
        let silence = prepared.sentences.is_empty().then(|| Piece {
            audio: prepared.nothing_to_say(engine.sample_rate),
            span: 0..request.text().len(),
            ends_sentence: true,
        });
        Self {
            engine,
            sentences: prepared.sentences.into(),
            silence,
            early: request.latency() == Latency::Low,
            room: MAX_SECONDS.into(),
        }
    }

    /// The number of sentences; a text with nothing speakable counts as one.
    pub(super) fn count(&self) -> usize {
        self.sentences.len().max(1)
    }

    /// Speaks the next sentence, and passes it on in one piece, or in several: early chunks, and
    /// parts of a long sentence as they are computed.
    pub(super) fn step(&mut self, output: &mut Output<'_>) -> Result<Step> {
        if let Some(silence) = self.silence.take() {
            (output.give)(silence, Handover::Waits);
        }
        let Some(mut sentence) = self.sentences.pop_front() else { return Ok(Step::Ended) };
        let is_last = self.sentences.is_empty();
        let (early, room) = (std::mem::take(&mut self.early), self.room);
        let synthesizer = self.engine.synthesizer(&sentence.passage, output.cancel)?;
        let span = sentence.span();
        let mut give = |audio: SentenceAudio, ends_sentence, handover| {
            self.room -= audio.seconds();
            (output.give)(Piece { audio, span: span.clone(), ends_sentence }, handover);
        };
        let mut to = |audio: SentenceAudio, handover| {
            if !audio.is_empty() {
                give(audio, false, handover);
            }
        };
        let (follows, give_to) = (Follows::end_if(is_last), Give { to: &mut to, early });
        let audio = synthesizer.speak(&mut sentence, follows, room, Some(give_to))?;
        give(audio, true, Handover::Waits);
        Ok(if is_last { Step::Ended } else { Step::Ready })
    }
}
