//! A cache of utterances in front of an acoustic model. The same tokens with the same parameters
//! give the same audio from the cache: no network runs, and the request does not wait for one of
//! the model's permits.

use std::collections::{BTreeMap, HashMap};
use std::mem::size_of;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};
use speech_base::error::Result;

use crate::{
    AcousticModel, Backend, EarlyChunk, Spoken, SynthesisParameters, TokenControl, Utterance,
};

/// A digest of everything that the audio depends on, and of the tenant if the cache is not shared.
type Key = [u8; 32];

/// A model that keeps its most recent results.
pub struct CachedModel<M> {
    model: M,
    /// The capacity in bytes.
    capacity: usize,
    /// Whether tenants share results.
    is_shared: bool,
    entries: Mutex<Entries>,
}

/// The entries; the least recently used is dropped first.
#[derive(Default)]
struct Entries {
    entries: HashMap<Key, Entry>,
    /// The keys, ordered by their last use.
    order: BTreeMap<u64, Key>,
    bytes: usize,
    clock: u64,
}

struct Entry {
    answer: Arc<Answer>,
    used: u64,
}

/// A cached result of the model.
struct Answer {
    early: Vec<EarlyChunk>,
    utterance: Utterance,
    /// The frame limit with which it was computed.
    max_frames: usize,
}

impl<M: AcousticModel> CachedModel<M> {
    /// Keeps at most `capacity` bytes of the model's results, for all tenants together. `is_shared`
    /// says whether a tenant gets the results of the others.
    pub fn new(model: M, capacity: usize, is_shared: bool) -> Self {
        Self { model, capacity, is_shared, entries: Mutex::default() }
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of tokens and parameters: all parameters except the frame limit, the cancel token
    /// and the averages. The averages belong to the voice, which the style identifies.
    fn key(&self, tokens: &[i64], parameters: &SynthesisParameters<'_>, is_early: bool) -> Key {
        let SynthesisParameters {
            quality,
            style,
            controls,
            averages: _,
            tenant,
            max_frames: _,
            cancel: _,
        } = parameters;
        let mut hash = Sha256::new();
        let mut number = |number: u64| hash.update(number.to_le_bytes());
        number(if self.is_shared { 0 } else { tenant.number() });
        number(u64::from(is_early));
        number(*quality as u64);
        for part in [style.decoder, style.prosody, style.generator] {
            number(part.len() as u64);
            part.iter().for_each(|value| number(value.to_bits().into()));
        }
        number(tokens.len() as u64);
        tokens.iter().for_each(|token| number(token.cast_unsigned()));
        for control in controls.unwrap_or_default() {
            let TokenControl { rate, elasticity, pitch, frames } = *control;
            [rate, elasticity, pitch].iter().for_each(|value| number(value.to_bits().into()));
            number(frames.map_or(u64::MAX, |frames| frames as u64));
        }
        hash.finalize().into()
    }
}

impl<M: AcousticModel> AcousticModel for CachedModel<M> {
    fn speak(
        &self,
        tokens: &[i64],
        parameters: SynthesisParameters<'_>,
        on_early_chunk: Option<&mut dyn FnMut(EarlyChunk)>,
    ) -> Result<Spoken> {
        parameters.cancel.check()?;
        let key = self.key(tokens, &parameters, on_early_chunk.is_some());
        let found = self.entries().get(&key);
        // A result computed with a higher frame limit is not used; the model then decides whether
        // the utterance fits.
        let is_allowed = |answer: &Arc<Answer>| answer.max_frames <= parameters.max_frames;
        if let Some(answer) = found.filter(is_allowed) {
            if let Some(give) = on_early_chunk {
                answer.early.iter().cloned().for_each(give);
            }
            return Ok(Spoken::Utterance(answer.utterance.clone()));
        }
        let mut early = Vec::new();
        let spoken = match on_early_chunk {
            None => self.model.speak(tokens, parameters, None)?,
            Some(give) => {
                let mut keep = |chunk: EarlyChunk| {
                    early.push(chunk.clone());
                    give(chunk);
                };
                self.model.speak(tokens, parameters, Some(&mut keep))?
            }
        };
        if let Spoken::Utterance(utterance) = &spoken {
            let max_frames = parameters.max_frames;
            let answer = Answer { early, utterance: utterance.clone(), max_frames };
            self.entries().insert(key, answer, self.capacity);
        }
        Ok(spoken)
    }

    fn backend(&self) -> Backend {
        self.model.backend()
    }

    fn trim(&self) {
        *self.entries() = Entries::default();
        self.model.trim();
    }
}

impl Answer {
    /// The memory used by the result and its entry.
    fn bytes(&self) -> usize {
        /// The entry, its key in both maps, and the maps' spare capacity.
        const ENTRY: usize = 4 * (size_of::<Key>() + size_of::<Entry>()) + size_of::<Answer>();
        let Utterance { samples, tokens, early } = &self.utterance;
        let chunk = |chunk: &EarlyChunk| {
            size_of::<EarlyChunk>() + size_of_val(&*chunk.samples) + size_of_val(&*chunk.tokens)
        };
        let chunks: usize = self.early.iter().map(chunk).sum();
        ENTRY + size_of_val(&**samples) + size_of_val(&**tokens) + size_of_val(&**early) + chunks
    }
}

impl Entries {
    fn get(&mut self, key: &Key) -> Option<Arc<Answer>> {
        let entry = self.entries.get_mut(key)?;
        self.order.remove(&entry.used);
        self.clock += 1;
        entry.used = self.clock;
        self.order.insert(entry.used, *key);
        Some(Arc::clone(&entry.answer))
    }

    /// Adds a result, and drops others until the total is within the capacity. A result larger than
    /// the capacity is not kept.
    fn insert(&mut self, key: Key, answer: Answer, capacity: usize) {
        let bytes = answer.bytes();
        if bytes > capacity {
            return;
        }
        self.remove(&key);
        while self.bytes + bytes > capacity
            && let Some((_, oldest)) = self.order.pop_first()
        {
            self.remove(&oldest);
        }
        self.clock += 1;
        self.bytes += bytes;
        self.order.insert(self.clock, key);
        self.entries.insert(key, Entry { answer: Arc::new(answer), used: self.clock });
    }

    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.order.remove(&entry.used);
            self.bytes -= entry.answer.bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use speech_base::cancel::CancelToken;
    use speech_base::error::{Error, ErrorKind};
    use speech_base::fair_semaphore::Tenant;
    use speech_base::quality::Quality;

    use super::*;
    use crate::network::norms::AverageStatistics;
    use crate::{FRAME_SAMPLES, KernelSet, Precision, Style};

    /// Speaks each token for one frame, and counts inferences. Tokens that begin with 0 fail.
    #[derive(Default)]
    struct FakeModel(AtomicUsize);

    impl AcousticModel for FakeModel {
        fn speak(
            &self,
            tokens: &[i64],
            parameters: SynthesisParameters<'_>,
            on_early_chunk: Option<&mut dyn FnMut(EarlyChunk)>,
        ) -> Result<Spoken> {
            self.0.fetch_add(1, Ordering::Relaxed);
            if tokens.len() > parameters.max_frames {
                return Ok(Spoken::TooLong(tokens.len()));
            }
            if tokens[0] == 0 {
                return Err(Error::internal("it fails"));
            }
            let frame = |token: &i64| std::iter::repeat_n(*token as f32, FRAME_SAMPLES);
            let samples: Vec<f32> = tokens.iter().flat_map(frame).collect();
            if let Some(give) = on_early_chunk {
                let samples = samples[..FRAME_SAMPLES].to_vec();
                give(EarlyChunk { offset: 0, samples, tokens: Vec::new() });
            }
            Ok(Spoken::Utterance(Utterance { samples, tokens: Vec::new(), early: Vec::new() }))
        }

        fn backend(&self) -> Backend {
            Backend { kernels: KernelSet::Portable, precision: Precision::F32 }
        }

        fn trim(&self) {}
    }

    /// The inputs of a call.
    #[derive(Clone)]
    struct Call {
        tokens: Vec<i64>,
        tenant: &'static str,
        quality: Quality,
        style: [f32; 3],
        control: TokenControl,
        max_frames: usize,
        early: bool,
    }

    impl Default for Call {
        fn default() -> Self {
            Self {
                tokens: vec![1, 2],
                tenant: "a",
                quality: Quality::Full,
                style: [0.0; 3],
                control: TokenControl::default(),
                max_frames: 640,
                early: false,
            }
        }
    }

    impl Call {
        /// The audio, the early chunks, and the number of inferences.
        fn run(
            &self,
            model: &CachedModel<FakeModel>,
        ) -> (Result<Spoken, ErrorKind>, Vec<EarlyChunk>, usize) {
            let (cancel, averages) = (CancelToken::new(), AverageStatistics::new(&[]));
            let [decoder, prosody, generator] = &self.style;
            let parameters = SynthesisParameters {
                quality: self.quality,
                style: Style {
                    decoder: std::slice::from_ref(decoder),
                    prosody: std::slice::from_ref(prosody),
                    generator: std::slice::from_ref(generator),
                },
                controls: Some(&[self.control]),
                averages: &averages,
                max_frames: self.max_frames,
                tenant: Tenant::new(self.tenant),
                cancel: &cancel,
            };
            let before = model.model.0.load(Ordering::Relaxed);
            let mut early = Vec::new();
            let mut give = |chunk| early.push(chunk);
            let give = self.early.then_some(&mut give as &mut dyn FnMut(EarlyChunk));
            let spoken = model.speak(&self.tokens, parameters, give).map_err(|error| error.kind());
            (spoken, early, model.model.0.load(Ordering::Relaxed) - before)
        }
    }

    fn cached(capacity: usize, is_shared: bool) -> CachedModel<FakeModel> {
        CachedModel::new(FakeModel::default(), capacity, is_shared)
    }

    #[test]
    fn the_same_is_computed_once() {
        for early in [false, true] {
            let (model, call) = (cached(1 << 20, false), Call { early, ..Call::default() });
            let (first, chunks, inferences) = call.run(&model);
            assert_eq!((chunks.len(), inferences), (usize::from(early), 1));
            assert_eq!(call.run(&model), (first.clone(), chunks.clone(), 0));
            model.trim();
            assert_eq!(call.run(&model), (first, chunks, 1));
        }
    }

    #[test]
    fn whatever_the_sound_depends_on_is_computed_anew() {
        let model = cached(1 << 20, false);
        let call = Call::default();
        call.run(&model).0.unwrap();
        let control = |change: fn(&mut TokenControl)| {
            let mut control = TokenControl::default();
            change(&mut control);
            Call { control, ..call.clone() }
        };
        let others = [
            Call { tokens: vec![1, 3], ..call.clone() },
            Call { tokens: vec![1], ..call.clone() },
            Call { tenant: "b", ..call.clone() },
            Call { quality: Quality::Fast, ..call.clone() },
            Call { style: [1.0, 0.0, 0.0], ..call.clone() },
            Call { style: [0.0, 1.0, 0.0], ..call.clone() },
            Call { style: [0.0, 0.0, 1.0], ..call.clone() },
            Call { early: true, ..call.clone() },
            control(|control| control.rate = 0.5),
            control(|control| control.elasticity = 0.5),
            control(|control| control.pitch = 0.5),
            control(|control| control.frames = Some(0)),
        ];
        for (n, other) in others.iter().enumerate() {
            assert_eq!((other.run(&model).2, other.run(&model).2), (1, 0), "{n}");
        }
        assert_eq!(call.run(&model).2, 0);
    }

    #[test]
    fn tenants_share_what_is_computed_if_they_may() {
        let model = cached(1 << 20, true);
        assert_eq!(Call::default().run(&model).2, 1);
        assert_eq!(Call { tenant: "b", ..Call::default() }.run(&model).2, 0);
    }

    #[test]
    fn what_is_too_long_or_fails_is_not_kept() {
        let model = cached(1 << 20, false);
        let short = Call { max_frames: 1, ..Call::default() };
        assert_eq!(short.run(&model), (Ok(Spoken::TooLong(2)), Vec::new(), 1));
        assert_eq!(Call::default().run(&model).2, 1);
        // The cached result is too long for a call with a lower limit.
        assert_eq!(short.run(&model), (Ok(Spoken::TooLong(2)), Vec::new(), 1));
        let just = Call { max_frames: 2, ..Call::default() };
        assert_eq!([&just, &just, &Call::default()].map(|call| call.run(&model).2), [1, 0, 0]);
        let fails = Call { tokens: vec![0], ..Call::default() };
        for _ in 0..2 {
            assert_eq!(fails.run(&model), (Err(ErrorKind::Internal), Vec::new(), 1));
        }
    }

    #[test]
    fn the_least_recently_used_make_room() {
        let call = |token| Call { tokens: vec![token], ..Call::default() };
        let one = cached(usize::MAX, false);
        call(1).run(&one).0.unwrap();
        let bytes = one.entries().bytes;
        assert!((FRAME_SAMPLES * 4..FRAME_SAMPLES * 5).contains(&bytes), "{bytes}");

        let model = cached(3 * bytes, false);
        for token in [1, 2, 3, 1, 4] {
            call(token).run(&model).0.unwrap();
            assert!(model.entries().bytes <= 3 * bytes);
        }
        let inferences = [1, 3, 4, 2].map(|token| call(token).run(&model).2);
        assert_eq!(inferences, [0, 0, 0, 1]);
        for token in 5..1000 {
            call(token).run(&model).0.unwrap();
        }
        let entries = model.entries();
        assert_eq!((entries.entries.len(), entries.order.len()), (3, 3));
        assert_eq!(entries.bytes, 3 * bytes);
    }

    #[test]
    fn what_is_larger_than_the_cache_is_not_kept() {
        let model = cached(1000, false);
        for _ in 0..2 {
            assert_eq!(Call::default().run(&model).2, 1);
        }
        assert_eq!(model.entries().bytes, 0);
    }
}
