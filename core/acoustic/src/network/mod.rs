//! The building blocks of the acoustic model: layers, and the signals between them.

pub(crate) mod attention;
pub(crate) mod convolve;
pub(crate) mod layer_norm;
pub(crate) mod layers;
pub(crate) mod lstm;
pub(crate) mod norms;
pub(crate) mod residual;
pub(crate) mod signal;
pub(crate) mod stft;
pub(crate) mod transformer;
