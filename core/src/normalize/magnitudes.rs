//! Numbers by the powers that a language names.

/// A power with a name of its own.
pub(crate) struct Scale {
    pub(crate) value: u128,
    pub(crate) name: &'static str,
}

/// The words of a number by named powers, largest first, and what stands below a hundred.
pub(crate) fn by_scales(
    n: u128,
    scales: &[Scale],
    below_hundred: fn(u128) -> Vec<&'static str>,
) -> Vec<&'static str> {
    let Some(scale) = scales.iter().find(|scale| n >= scale.value) else { return below_hundred(n) };
    let mut words = by_scales(n / scale.value, scales, below_hundred);
    words.push(scale.name);
    if !n.is_multiple_of(scale.value) {
        words.extend(by_scales(n % scale.value, scales, below_hundred));
    }
    words
}
