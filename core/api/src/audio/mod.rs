//! Converts the model's samples to the library's output samples.

mod limiter;
mod loudness;
mod resample;
mod silence;

pub(crate) use loudness::Loudness;
pub(crate) use resample::Resampler;
pub(crate) use silence::{
    LEAD_MS, Margins, PAUSE_CLAUSE, Sounding, TAIL_MS, THRESHOLD, pause_after,
};

/// The magnitude of the largest sample; 0 if there is none.
pub(crate) fn peak(samples: &[f32]) -> f32 {
    samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
}
