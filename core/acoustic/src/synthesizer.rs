//! The networks of the acoustic model, computed with one set of kernels.

use std::ops::Range;

use speech_base::cancel::CancelToken;
use speech_base::error::{Error, Result};
use speech_base::threads::Threads;
use speech_kernels::Kernels;

use super::backend::Backend;
use super::network::convolve::{Convolver, Workspace};
use super::network::layers::damaged;
use super::network::norms::{AdainContext, AverageStatistics, FrameWeights};
use super::network::signal::Signal;
use super::prosody::{Prosody, padded};
use super::small::{SmallDecoder, SmallProsody};
use super::vocoder::{Hidden, Vocoder};
use super::{Features, Style, TokenControl};
use crate::bundle::{Blob, Part, Parts};

/// The networks of a bundle and their scratch memory.
pub(super) struct Synthesizer<K: Kernels> {
    backend: Backend,
    kernels: K,
    prosody: Option<Loaded<Prosody>>,
    vocoder: Option<Loaded<Vocoder>>,
    small_prosody: Option<Loaded<SmallProsody<K::Fp32>>>,
    small_decoder: Option<Loaded<SmallDecoder<K>>>,
    workspace: Workspace,
}

/// A network and the content of its weight file.
struct Loaded<N> {
    file: Blob,
    /// On the heap: any thread may load an engine, and some have small stacks.
    network: Box<N>,
}

impl<N> Loaded<N> {
    fn read(file: Option<Blob>, read: impl FnOnce(&[u8]) -> Result<N>) -> Result<Option<Self>> {
        file.map(|file| Ok(Self { network: Box::new(read(&file)?), file })).transpose()
    }
}

/// The network that a request needs. Requests for networks that the bundle lacks are rejected
/// earlier.
fn loaded<N>(network: &Option<Loaded<N>>) -> Result<&Loaded<N>> {
    network.as_ref().ok_or_else(|| Error::internal("the voice bundle lacks this network"))
}

/// The context of an utterance's computation: everything besides its input.
#[derive(Clone, Copy)]
pub(crate) struct ExecutionContext<'a> {
    pub(crate) style: Style<'a>,
    pub(crate) threads: &'a Threads,
    pub(crate) cancel: &'a CancelToken,
    /// The weights of the vocoder's input frames in its statistics; none if all weigh the same.
    pub(crate) frame_weights: Option<&'a FrameWeights>,
}

impl<'a> ExecutionContext<'a> {
    /// The context of an utterance whose frames all weigh the same.
    pub(crate) fn new(style: Style<'a>, threads: &'a Threads, cancel: &'a CancelToken) -> Self {
        Self { style, threads, cancel, frame_weights: None }
    }
}

/// The acoustic model, independent of the set of kernels. Every operation ends with `cancelled`
/// shortly after its context's token is cancelled.
pub(crate) trait Synthesize: Send + Sync {
    /// The kernels and the precision in use.
    fn backend(&self) -> Backend;

    /// The number of channels in a voice's average statistics; none without a vocoder.
    fn statistics_channels(&self) -> Option<usize>;

    /// The features of 1 to 510 tokens by one of the two prosodies, or the number of frames if it
    /// is over `max_frames`. `controls` has one element per token.
    fn predict(
        &self,
        execution: &ExecutionContext<'_>,
        parts: [Part; 2],
        tokens: &[i64],
        controls: Option<&[TokenControl]>,
        max_frames: usize,
    ) -> Result<Result<Features, usize>>;

    /// The hidden time steps of a range of frames, normalized with the utterance's own statistics
    /// or with averages.
    fn decode(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        frames: Range<usize>,
        averages: Option<&AverageStatistics>,
    ) -> Result<Hidden>;

    /// The harmonic source of a range of hidden time steps: 60 STFT frames per time step, and one
    /// more.
    fn source(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        range: Range<usize>,
    ) -> Result<Signal>;

    /// The samples of a range of hidden time steps, 300 each, normalized with the utterance's own
    /// statistics or with averages.
    fn generate(
        &self,
        execution: &ExecutionContext<'_>,
        source: &Signal,
        hidden: &Hidden,
        range: Range<usize>,
        averages: Option<&AverageStatistics>,
    ) -> Result<Vec<f32>>;

    /// Encodes tokens for the small decoder, with the padding tokens around them.
    fn encode_small(&self, execution: &ExecutionContext<'_>, tokens: &[i64]) -> Result<Signal>;

    /// The samples of a range of hidden time steps by the small decoder, 300 each. They do not
    /// depend on the range.
    fn decode_small(
        &self,
        execution: &ExecutionContext<'_>,
        text: &Signal,
        features: &Features,
        range: Range<usize>,
    ) -> Result<Vec<f32>>;

    /// Returns the memory of a signal to the pool.
    fn release(&self, signal: Signal);

    /// Frees the memory over the limit kept from utterance to utterance.
    fn trim(&self);

    /// Frees all memory not in use by an utterance.
    fn clear(&self);
}

impl<K: Kernels> Synthesizer<K> {
    /// Reads the layers of all networks in the bundle.
    ///
    /// # Errors
    ///
    /// `model_error`, which names the missing or damaged tensor.
    pub(crate) fn read(backend: Backend, kernels: K, parts: Parts) -> Result<Self> {
        let prosody = Loaded::read(parts.prosody, Prosody::read)?;
        let vocoder = Loaded::read(parts.vocoder, Vocoder::read)?;
        if let (Some(prosody), Some(vocoder)) = (&prosody, &vocoder)
            && prosody.network.text_channels() != vocoder.network.inputs()
        {
            return Err(damaged("decoder.text"));
        }
        let fp32 = kernels.fp32();
        Ok(Self {
            backend,
            kernels,
            prosody,
            vocoder,
            small_prosody: Loaded::read(parts.small_prosody, |file| {
                SmallProsody::read(file, fp32)
            })?,
            small_decoder: Loaded::read(parts.small_decoder, |file| {
                SmallDecoder::read(file, kernels)
            })?,
            workspace: Workspace::default(),
        })
    }

    fn convolver<'a>(
        &'a self,
        execution: &ExecutionContext<'a>,
        file: &'a [u8],
    ) -> Convolver<'a, K> {
        Convolver {
            kernels: self.kernels,
            threads: execution.threads,
            cancel: execution.cancel,
            workspace: &self.workspace,
            file,
            frame_weights: execution.frame_weights,
        }
    }

    /// The kernels and context of the vocoder.
    fn vocoder<'a>(
        &'a self,
        execution: &ExecutionContext<'a>,
    ) -> Result<(&'a Vocoder, Convolver<'a, K>)> {
        let Loaded { file, network } = loaded(&self.vocoder)?;
        Ok((network, self.convolver(execution, file)))
    }
}

impl<K: Kernels> Synthesize for Synthesizer<K> {
    fn backend(&self) -> Backend {
        self.backend
    }

    fn statistics_channels(&self) -> Option<usize> {
        self.vocoder.as_ref().map(|vocoder| vocoder.network.statistics_channels())
    }

    fn predict(
        &self,
        execution: &ExecutionContext<'_>,
        [prosody, decoder]: [Part; 2],
        tokens: &[i64],
        controls: Option<&[TokenControl]>,
        max_frames: usize,
    ) -> Result<Result<Features, usize>> {
        let style = execution.style.prosody;
        if prosody == Part::SmallProsody {
            let Loaded { file, network } = loaded(&self.small_prosody)?;
            let convolver = self.convolver(execution, file).fp32();
            let run = || network.run(&convolver, tokens, style, controls, max_frames);
            return execution.threads.run(run);
        }
        let Loaded { file, network } = loaded(&self.prosody)?;
        let convolver = self.convolver(execution, file).fp32();
        let with_text = decoder == Part::Vocoder;
        let run = || network.run(&convolver, tokens, style, controls, max_frames, with_text);
        execution.threads.run(run)
    }

    fn decode(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        frames: Range<usize>,
        averages: Option<&AverageStatistics>,
    ) -> Result<Hidden> {
        let (vocoder, convolver) = self.vocoder(execution)?;
        let norms = AdainContext { file: convolver.file, style: execution.style.decoder, averages };
        execution.threads.run(|| vocoder.decode(&convolver, &norms, features, frames))
    }

    fn source(
        &self,
        execution: &ExecutionContext<'_>,
        features: &Features,
        range: Range<usize>,
    ) -> Result<Signal> {
        let Loaded { file, network } = loaded(&self.prosody)?;
        let convolver = self.convolver(execution, file).fp32();
        execution.threads.run(|| network.source(&convolver, &features.pitch, range))
    }

    fn generate(
        &self,
        execution: &ExecutionContext<'_>,
        source: &Signal,
        hidden: &Hidden,
        range: Range<usize>,
        averages: Option<&AverageStatistics>,
    ) -> Result<Vec<f32>> {
        let (vocoder, convolver) = self.vocoder(execution)?;
        let norms =
            AdainContext { file: convolver.file, style: execution.style.generator, averages };
        execution.threads.run(|| vocoder.generate(&convolver, &norms, source, hidden, range))
    }

    fn encode_small(&self, execution: &ExecutionContext<'_>, tokens: &[i64]) -> Result<Signal> {
        let Loaded { file, network } = loaded(&self.small_decoder)?;
        let convolver = self.convolver(execution, file);
        execution.threads.run(|| network.encode(&convolver, &padded(tokens)))
    }

    fn decode_small(
        &self,
        execution: &ExecutionContext<'_>,
        text: &Signal,
        features: &Features,
        range: Range<usize>,
    ) -> Result<Vec<f32>> {
        let Loaded { file, network } = loaded(&self.small_decoder)?;
        let convolver = self.convolver(execution, file);
        let style = execution.style;
        execution.threads.run(|| network.run(&convolver, text, features, style, range))
    }

    fn release(&self, signal: Signal) {
        self.workspace.buffers.recycle(signal.values);
    }

    fn trim(&self) {
        self.workspace.buffers.trim();
    }

    fn clear(&self) {
        self.workspace.clear();
    }
}
