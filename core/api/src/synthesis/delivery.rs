//! The prosody plan of an utterance: token controls and gains, from the request's settings and the
//! pauses in the text.

use speech_acoustic::{FRAME_SAMPLES, MODEL_RATE, TokenControl};
use speech_base::prosody_settings::ProsodySettings;
use speech_text::markup::Passage;
use speech_text::phonemize::{PhonemeToken, Phonemes, elasticity};

/// The least and the most frames that the model spends on a pause. The rest of a longer pause is
/// inserted silence.
const PAUSE_FRAMES: [usize; 2] = [2, 12];

/// The fastest rate requested of the model; the rest is time-scale modification of its audio. At
/// high rates most phonemes take a single frame, and vowels are no longer than consonants. Word
/// error rates of Whisper (base), English over 40 sentences:
///
/// | rate | method | English | Hindi |
/// |---|---|---|---|
/// | 1 | model | 4.5 % | 12 % |
/// | 1.5 | model | | 16 % |
/// | 1.5 | model, then time scale | | 14 % |
/// | 1.75 | model | 13 % | |
/// | 1.75 | model, then time scale | 6 % | |
const MAX_MODEL_RATE: f64 = 1.15;

/// The prosody plan of an utterance.
pub(super) struct Delivery {
    /// One per token; none if the prediction is unchanged.
    pub(super) controls: Option<Vec<TokenControl>>,
    /// The residual speed-up of each token's waveform, if any.
    pub(super) faster: Option<Vec<f32>>,
    /// The factor of the whole utterance's amplitude.
    pub(super) gain: f32,
    /// A further amplitude factor per token; none if all are equal.
    pub(super) gains: Option<Vec<f32>>,
}

impl Delivery {
    pub(super) fn new(part: &Phonemes, tokens: &[PhonemeToken], passage: &Passage) -> Self {
        let settings = settings(part, tokens, passage);
        let controls: Vec<_> = tokens
            .iter()
            .zip(&settings)
            .map(|(token, settings)| TokenControl {
                rate: settings.rate.min(MAX_MODEL_RATE) as f32,
                elasticity: elasticity(token.symbol),
                pitch: settings.pitch_factor() as f32,
                frames: token.unit.and_then(|unit| part.units[unit].pause).map(pause_frames),
            })
            .collect();
        let faster: Vec<_> = settings
            .iter()
            .zip(&controls)
            .map(|(settings, control)| {
                let is_pause = control.frames.is_some();
                if is_pause { 1.0 } else { (settings.rate / MAX_MODEL_RATE).max(1.0) as f32 }
            })
            .collect();
        let is_plain = |control: &TokenControl| {
            control.rate == 1.0 && control.pitch == 1.0 && control.frames.is_none()
        };
        let first = settings.first().map_or(passage.base.volume, |settings| settings.volume);
        let is_even = settings.iter().all(|settings| settings.volume == first);
        let gains = settings.iter().map(|settings| settings.gain() as f32).collect();
        Self {
            controls: (!controls.iter().all(is_plain)).then_some(controls),
            faster: faster.iter().any(|factor| *factor > 1.0).then_some(faster),
            gain: if is_even {
                ProsodySettings { volume: first, ..passage.base }.gain() as f32
            } else {
                1.0
            },
            gains: (!is_even).then_some(gains),
        }
    }
}

/// Adds a pause at each ellipsis and dash within an utterance: after one or two words the model
/// makes none.
pub(super) fn paced(part: &Phonemes, passage: &Passage) -> Phonemes {
    let mut part = part.clone();
    if let [_, inner @ .., _] = part.units.as_mut_slice() {
        for unit in inner.iter_mut().filter(|unit| unit.word.is_none()) {
            let milliseconds = match unit.symbols.as_str() {
                "…" => 200.0,
                "—" => 150.0,
                _ => continue,
            };
            let rate = passage.settings_at(unit.span.start).rate;
            unit.pause.get_or_insert((milliseconds / rate) as u32);
        }
    }
    part
}

/// The settings of each token. A space takes those of the unit after it.
fn settings(part: &Phonemes, tokens: &[PhonemeToken], passage: &Passage) -> Vec<ProsodySettings> {
    let mut settings: Vec<_> = Vec::with_capacity(tokens.len());
    let mut next = passage.base;
    let mut unit = None;
    for token in tokens.iter().rev() {
        if token.unit.is_some() && token.unit != unit {
            unit = token.unit;
            // Inside a passage a pause has no characters of its own.
            next = unit.map_or(next, |unit| passage.settings_at(part.units[unit].span.start));
        }
        settings.push(next);
    }
    settings.reverse();
    settings
}

fn pause_frames(milliseconds: u32) -> usize {
    let frames = milliseconds as usize * (MODEL_RATE as usize / 1000) / FRAME_SAMPLES;
    frames.clamp(PAUSE_FRAMES[0], PAUSE_FRAMES[1])
}
