//! Endings that listed stems may take.

use std::collections::HashSet;

use speech_base::fork::LazyLock;

static ENDINGS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("../data/endings.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// Maximum bytes of an ending.
pub(super) const MAX_LENGTH: usize = 24;

/// Whether a stem can take this ending.
pub(super) fn is_ending(rest: &str) -> bool {
    rest.len() <= MAX_LENGTH && ENDINGS.contains(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_ending_is_over_the_limit() {
        let longer: Vec<_> = ENDINGS.iter().filter(|ending| !is_ending(ending)).collect();
        assert!(longer.is_empty(), "{longer:?}");
    }
}
