//! Adaptive instance normalization (AdaIN, Huang and Belongie 2017): normalizes each channel to
//! mean 0 and variance 1 over the utterance, then scales and shifts it by the style.

use std::ops::Range;

use super::layers::{Affine, Normalization, Statistics};
use super::signal::ChannelSums;

/// The shared context of an utterance's normalizations: the weights, the style, and the source of
/// the statistics.
pub(crate) struct AdainContext<'a> {
    /// The content of the weight file.
    pub(crate) file: &'a [u8],
    /// The half of the style vector for these layers.
    pub(crate) style: &'a [f32],
    /// The voice's average statistics, for use before the whole utterance is computed. None for the
    /// utterance's own statistics.
    pub(crate) averages: Option<&'a AverageStatistics>,
}

/// The average statistics of a voice: the channels of all normalizations, in order.
#[derive(Clone, Debug)]
pub struct AverageStatistics {
    mean: Vec<f32>,
    variance: Vec<f32>,
}

impl AverageStatistics {
    /// `values` contains all means, then all variances.
    pub fn new(values: &[f32]) -> Self {
        let (mean, variance) = values.split_at(values.len() / 2);
        Self { mean: mean.to_vec(), variance: variance.to_vec() }
    }

    /// The number of channels.
    pub fn channels(&self) -> usize {
        self.mean.len()
    }
}

/// The weights of an utterance's frames in its statistics: some frames represent similar ones that
/// were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameWeights {
    /// The number of frames in the whole utterance.
    pub(crate) frames: usize,
    /// Ranges of frames that represent others, and how many others each range represents.
    pub(crate) left_out: Vec<(Range<usize>, usize)>,
}

impl AdainContext<'_> {
    /// The normalization of a signal with these sums, as one scale and shift per channel.
    pub(crate) fn affine(&self, layer: &Normalization, channel_sums: &ChannelSums) -> Affine {
        let statistics = match self.averages {
            None => channel_sums.statistics(),
            Some(averages) => {
                let range = layer.statistics_offset..layer.statistics_offset + layer.channels;
                let wide =
                    |values: &[f32]| values[range.clone()].iter().map(|x| f64::from(*x)).collect();
                Statistics { mean: wide(&averages.mean), variance: wide(&averages.variance) }
            }
        };
        layer.affine(self.file, self.style, &statistics)
    }
}
