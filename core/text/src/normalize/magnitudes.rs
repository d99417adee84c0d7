//! Numbers by the powers that a language names.

/// A power with a name of its own.
pub(crate) struct NamedPower {
    pub(crate) value: u128,
    pub(crate) name: &'static str,
}

/// The words of a number by named powers, largest first, and what stands below a hundred.
pub(crate) fn by_named_powers(
    n: u128,
    powers: &[NamedPower],
    below_hundred: fn(u128) -> Vec<&'static str>,
) -> Vec<&'static str> {
    let Some(scale) = powers.iter().find(|scale| n >= scale.value) else { return below_hundred(n) };
    let mut words = by_named_powers(n / scale.value, powers, below_hundred);
    words.push(scale.name);
    if !n.is_multiple_of(scale.value) {
        words.extend(by_named_powers(n % scale.value, powers, below_hundred));
    }
    words
}
