//! Raw samples.

/// 16-bit little-endian mono samples as bytes.
pub(crate) fn pcm(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}
