//! The sound of short texts that was computed, kept for the next time: those that were used last, up to a limit.

use std::collections::HashMap;
use std::sync::Arc;

use speech_core::Request;

/// The most that is kept, in samples: 24 MB, some nine minutes.
const MAX_SAMPLES: usize = 12 << 20;

/// Below this, in parts of full scale, all is silence: 50 dB down.
const SILENCE: u16 = 100;

/// Kept before the first sound and after the last, in samples: 8 and 80 ms.
const LEAD: usize = 176;
const TAIL: usize = 1764;

/// A short text as it sounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clip {
    /// Its samples.
    pub samples: Vec<i16>,
    /// Where each word begins: the byte of the text, and the sample.
    pub words: Vec<(usize, usize)>,
}

impl Clip {
    /// Leaves out most of the silence around it.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        let lead = lead(&self.samples);
        let last = self.samples.iter().rposition(|sample| sample.unsigned_abs() > SILENCE);
        let end = last.map_or(0, |last| (last + 1 + TAIL).min(self.samples.len()));
        self.samples.truncate(end);
        self.samples.drain(..lead.min(end));
        for (_, sample) in &mut self.words {
            *sample = sample.saturating_sub(lead).min(self.samples.len());
        }
        self
    }
}

/// How many of the first samples can be left out, as nothing is heard in them.
pub fn lead(samples: &[i16]) -> usize {
    let first = samples.iter().position(|sample| sample.unsigned_abs() > SILENCE);
    first.unwrap_or(samples.len()).saturating_sub(LEAD)
}

/// The clips by their requests.
#[derive(Debug, Default)]
pub struct Clips {
    clips: HashMap<String, (Arc<Clip>, u64)>,
    samples: usize,
    uses: u64,
}

/// A request as a key: two are equal where they sound the same.
pub fn key(request: &Request) -> String {
    format!("{request:?}")
}

impl Clips {
    /// The clip of a request.
    pub fn get(&mut self, key: &str) -> Option<Arc<Clip>> {
        self.uses += 1;
        let (clip, used) = self.clips.get_mut(key)?;
        *used = self.uses;
        Some(Arc::clone(clip))
    }

    /// Whether there is one.
    pub fn has(&self, key: &str) -> bool {
        self.clips.contains_key(key)
    }

    /// Keeps a clip, in place of those that were not used for longest.
    pub fn insert(&mut self, key: String, clip: Arc<Clip>) {
        self.insert_within(key, clip, MAX_SAMPLES);
    }

    fn insert_within(&mut self, key: String, clip: Arc<Clip>, most: usize) {
        self.uses += 1;
        self.samples += clip.samples.len();
        if let Some((old, _)) = self.clips.insert(key, (clip, self.uses)) {
            self.samples -= old.samples.len();
        }
        while self.samples > most {
            let oldest = self.clips.iter().min_by_key(|(_, (_, used))| *used);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { break };
            if let Some((old, _)) = self.clips.remove(&key) {
                self.samples -= old.samples.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(samples: usize) -> Arc<Clip> {
        Arc::new(Clip { samples: vec![0; samples], words: Vec::new() })
    }

    #[test]
    fn those_that_were_not_used_for_longest_go() {
        let mut clips = Clips::default();
        for name in ["a", "b", "c"] {
            clips.insert_within(name.to_owned(), clip(30), 100);
        }
        assert!(clips.get("a").is_some());
        clips.insert_within("d".to_owned(), clip(30), 100);
        let held = ["a", "b", "c", "d"].map(|name| clips.has(name));
        assert_eq!((held, clips.samples), ([true, false, true, true], 90));
        clips.insert_within("d".to_owned(), clip(10), 100);
        assert_eq!(clips.samples, 70);
        clips.insert_within("e".to_owned(), clip(101), 100);
        assert_eq!((clips.samples, clips.clips.len()), (0, 0));
    }

    #[test]
    fn silence_around_a_clip_is_left_out() {
        let mut samples = vec![3; 5000];
        samples[1000] = 2000;
        let clip = Clip { samples, words: vec![(0, 990), (4, 2000), (9, 4900)] }.trimmed();
        assert_eq!(clip.samples.len(), LEAD + 1 + TAIL);
        assert_eq!(clip.words, [(0, 166), (4, 1176), (9, 1941)]);
        let silent = Clip { samples: vec![0; 300], words: Vec::new() }.trimmed();
        assert!(silent.samples.is_empty());
    }
}
