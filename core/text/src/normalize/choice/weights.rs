//! The weights of the choice model: a sorted table by kind and feature.

use super::kind::Kind;
use crate::named::Named;

/// Weights by kind and feature. Features without an entry have weight 0.
pub(crate) struct Weights(Vec<(u64, f32)>);

impl Weights {
    /// Parses a table with a kind, feature and weight per row. Lines that begin with `#` are
    /// comments.
    ///
    /// # Panics
    ///
    /// If the built-in table is malformed.
    pub(crate) fn parse(table: &str) -> Self {
        let row = |line: &str| {
            let mut columns = line.split('\t');
            let (kind, feature) = (columns.next()?, columns.next()?);
            let weight = columns.next()?.parse().ok()?;
            let kind = Kind::named(kind)?;
            Some((key(kind, feature), weight))
        };
        let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut weights: Vec<_> =
            lines.map(|line| row(line).unwrap_or_else(|| panic!("no weight: {line}"))).collect();
        weights.sort_unstable_by_key(|(key, _)| *key);
        Self(weights)
    }

    pub(crate) fn get(&self, kind: Kind, feature: &str) -> f32 {
        let found = self.0.binary_search_by_key(&key(kind, feature), |(key, _)| *key);
        found.map_or(0.0, |i| self.0[i].1)
    }
}

/// The 64-bit FNV-1a hash.
fn key(kind: Kind, feature: &str) -> u64 {
    let bytes = std::iter::once(kind as u8).chain(feature.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
