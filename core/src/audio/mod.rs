//! From the model's samples to the samples that leave the library.

mod loudness;
mod resample;
mod silence;

pub(crate) use loudness::Loudness;
pub(crate) use resample::Resampler;
pub(crate) use silence::{
    LEAD_MS, Margins, PAUSE_CLAUSE, Sounding, TAIL_MS, THRESHOLD, pause_after, silence,
};
