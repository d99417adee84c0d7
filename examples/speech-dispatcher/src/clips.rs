//! A cache of the audio of short texts, which drops the least recently used.

use std::collections::HashMap;
use std::sync::Arc;

use speech_core::Request;

/// The capacity in samples: 24 MB, some nine minutes.
const MAX_SAMPLES: usize = 12 << 20;

/// The silence threshold: 50 dB below full scale.
const SILENCE: u16 = 100;

/// The samples kept before the first sound and after the last: 8 and 80 ms.
const LEAD: usize = 176;
const TAIL: usize = 1764;

/// The audio of a short text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clip {
    /// The samples.
    pub samples: Vec<i16>,
    /// The start of each word: the byte in the text, and the sample.
    pub words: Vec<(usize, usize)>,
}

impl Clip {
    /// Trims most of the silence around it.
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

/// The number of leading samples without audible sound, which can be left out.
pub fn lead(samples: &[i16]) -> usize {
    let first = samples.iter().position(|sample| sample.unsigned_abs() > SILENCE);
    first.unwrap_or(samples.len()).saturating_sub(LEAD)
}

/// The clips by request.
#[derive(Debug, Default)]
pub struct Clips {
    clips: HashMap<String, (Arc<Clip>, u64)>,
    samples: usize,
    uses: u64,
}

/// The key of a request. Requests that sound the same have equal keys.
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

    /// Whether there is a clip.
    pub fn has(&self, key: &str) -> bool {
        self.clips.contains_key(key)
    }

    /// Stores a clip, and drops the least recently used ones.
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
