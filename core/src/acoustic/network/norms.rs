//! Adaptive instance normalization: each channel brought to mean 0 and variance 1 over the utterance, then to the scale
//! and shift of the style.

use super::layers::{Affine, Normalization, Statistics};
use super::signal::Moments;

/// Which statistics normalize: the utterance's own, or others given.
pub(crate) struct Norms<'a> {
    /// The file that holds the weights.
    pub(crate) file: &'a [u8],
    /// Half a style vector: the one that the layers were made for.
    pub(crate) style: &'a [f32],
    /// The averages of a voice, where the utterance is not known as a whole.
    pub(crate) averages: Option<&'a Averages>,
}

/// The average statistics of a voice, of all normalizations one after another.
#[derive(Clone, Debug)]
pub(crate) struct Averages {
    mean: Vec<f32>,
    variance: Vec<f32>,
}

impl Averages {
    /// From a row of means and a row of variances.
    pub(crate) fn new(values: &[f32]) -> Self {
        let (mean, variance) = values.split_at(values.len() / 2);
        Self { mean: mean.to_vec(), variance: variance.to_vec() }
    }

    /// For how many channels there are statistics.
    pub(crate) fn channels(&self) -> usize {
        self.mean.len()
    }
}

impl Norms<'_> {
    /// What a normalization does to a signal with these moments.
    pub(crate) fn affine(&self, layer: &Normalization, moments: &Moments) -> Affine {
        let statistics = match self.averages {
            None => moments.statistics(),
            Some(averages) => {
                let places = layer.place..layer.place + layer.channels;
                let wide =
                    |values: &[f32]| values[places.clone()].iter().map(|x| f64::from(*x)).collect();
                Statistics { mean: wide(&averages.mean), variance: wide(&averages.variance) }
            }
        };
        layer.affine(self.file, self.style, &statistics)
    }
}
