//! Adaptive instance normalization (AdaIN, Huang and Belongie 2017): each channel is normalized to mean 0 and variance 1
//! over the utterance, then scaled and shifted as the style says.

use std::ops::Range;

use super::layers::{Affine, Normalization, Statistics};
use super::signal::ChannelSums;

/// What the normalizations of an utterance share: the weights, the style, and where the statistics come from.
pub(crate) struct AdainContext<'a> {
    /// The file that holds the weights.
    pub(crate) file: &'a [u8],
    /// The half of the style vector that these layers take.
    pub(crate) style: &'a [f32],
    /// The average statistics of the voice, where the utterance is not known as a whole. None for its own statistics.
    pub(crate) averages: Option<&'a AverageStatistics>,
}

/// The average statistics of a voice, for the channels of all normalizations in order.
#[derive(Clone, Debug)]
pub struct AverageStatistics {
    mean: Vec<f32>,
    variance: Vec<f32>,
}

impl AverageStatistics {
    /// From all means followed by all variances.
    pub fn new(values: &[f32]) -> Self {
        let (mean, variance) = values.split_at(values.len() / 2);
        Self { mean: mean.to_vec(), variance: variance.to_vec() }
    }

    /// How many channels it has statistics for.
    pub fn channels(&self) -> usize {
        self.mean.len()
    }
}

/// How much the frames of an utterance count in its statistics: some stand for others like them that were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameWeights {
    /// The frames of the utterance.
    pub(crate) frames: usize,
    /// Frames that stand for others, and for how many all of them do.
    pub(crate) left_out: Vec<(Range<usize>, usize)>,
}

impl AdainContext<'_> {
    /// The normalization of a signal with these sums, as one scale and shift for each channel.
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
