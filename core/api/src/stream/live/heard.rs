//! The end times of a stream's words.

/// The most words that are kept.
const MOST: usize = 1 << 16;

/// The ends of the words so far, in seconds and in bytes of the text. Memory is bounded even for an
/// endless stream: the older the words, the fewer are kept.
#[derive(Default)]
pub(super) struct Heard(Vec<(f64, usize)>);

impl Heard {
    /// Adds a word that ends after all others.
    pub(super) fn add(&mut self, seconds: f64, byte: usize) {
        if self.0.len() == MOST {
            let mut place = 0;
            self.0.retain(|_| {
                place += 1;
                place > MOST / 2 || place % 2 == 0
            });
        }
        self.0.push((seconds, byte));
    }

    /// The end, in bytes, of the last kept word that ends by this time; 0 if there is none.
    pub(super) fn at(&self, seconds: f64) -> usize {
        let count = self.0.partition_point(|(end, _)| *end <= seconds);
        count.checked_sub(1).map_or(0, |last| self.0[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_long_ago_are_thinned_out_and_new_ones_are_not() {
        let mut heard = Heard::default();
        let last = 5 * MOST;
        for word in 1..=last {
            heard.add(word as f64, word);
        }
        assert!(heard.0.len() <= MOST);
        for word in last - MOST / 2..=last {
            assert_eq!(heard.at(word as f64 + 0.5), word);
        }
        for word in (0..last).step_by(997) {
            assert!(heard.at(word as f64) <= word);
        }
        assert_eq!(heard.at(0.5), 0);
    }
}
