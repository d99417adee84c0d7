//! What the halves of the acoustic model are made of: layers, and signals between them.

pub(crate) mod convolve;
pub(crate) mod layers;
pub(crate) mod lstm;
pub(crate) mod norms;
pub(crate) mod residual;
pub(crate) mod signal;
pub(crate) mod stft;
