//! `data/cases.json`: cases with the same results in every language.

use serde::Deserialize;

/// The whole table.
#[derive(Debug, Deserialize)]
pub struct Cases {
    /// Requests, and their results.
    pub requests: Vec<RequestCase>,
    /// Streamed requests, and their results.
    pub streams: Vec<RequestCase>,
    /// Texts to split into parts.
    pub splits: Vec<SplitCase>,
    /// Tiers to resolve.
    pub tiers: Vec<TierCase>,
    /// Durations to charge.
    pub charges: Vec<ChargeCase>,
    /// Requests with [`SECRET`] in every field that can contain a user's text.
    pub secrets: Vec<RequestCase>,
    /// Lexicon entries with [`SECRET`]; all are rejected.
    pub secret_pronunciations: Vec<PronunciationCase>,
    /// Texts that resemble markup of the formats that may contain them.
    pub hostile_texts: Vec<String>,
}

/// A word that no message, no cause and no log may contain.
pub const SECRET: &str = "ZQXMARKER";

/// Whether a text contains [`SECRET`] in any case.
pub fn has_secret(text: &str) -> bool {
    text.to_ascii_uppercase().contains(SECRET)
}

/// A lexicon entry.
#[derive(Debug, Deserialize)]
pub struct PronunciationCase {
    /// The name of the case.
    pub name: String,
    /// The words.
    pub words: String,
    /// Their reading.
    pub reading: String,
}

/// A request in the contract's JSON, which is either spoken or rejected.
#[derive(Debug, Deserialize)]
pub struct RequestCase {
    /// The name of the case.
    pub name: String,
    /// The body of the request. `@1000` in it stands for a text of 1,000 characters.
    pub json: String,
    /// The metered quantity if it is spoken.
    pub characters: Option<usize>,
    /// The number of diagnostics for skipped text.
    #[serde(default)]
    pub skipped: usize,
    /// The contract's error type if it is rejected.
    pub error: Option<String>,
    /// The error message.
    pub message: Option<String>,
}

impl RequestCase {
    /// The body with the placeholders replaced.
    pub fn body(&self) -> String {
        let text = |length| "Ten chars. ".repeat(200).chars().take(length).collect::<String>();
        self.json.replace("@1000", &text(1000)).replace("@1001", &text(1001))
    }
}

/// A text and its parts.
#[derive(Debug, Deserialize)]
pub struct SplitCase {
    /// The text.
    pub text: String,
    /// The maximum length of a part.
    pub max_characters: usize,
    /// The parts, in order.
    pub parts: Vec<String>,
}

/// A tier that a deployment resolves or rejects.
#[derive(Debug, Deserialize)]
pub struct TierCase {
    /// The context settings that the deployment supports.
    pub contexts: Vec<[u32; 2]>,
    /// The name in the request.
    pub name: String,
    /// The tier, if it is available.
    pub tier: Option<String>,
    /// The contract's error type if it is not available.
    pub error: Option<String>,
}

/// The charge for a duration of audio.
#[derive(Debug, Deserialize)]
pub struct ChargeCase {
    /// The tier.
    pub tier: String,
    /// The duration.
    pub nanoseconds: u64,
    /// The charge in millionths of a US dollar.
    pub micros: u64,
}

/// Reads the table.
///
/// # Panics
///
/// If its format does not match this module.
pub fn read() -> Cases {
    serde_json::from_str(include_str!("../data/cases.json")).expect("cases.json is as expected")
}
