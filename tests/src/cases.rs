//! `data/cases.json`: what every language must do alike.

use serde::Deserialize;

/// The whole table.
#[derive(Debug, Deserialize)]
pub struct Cases {
    /// Requests, and what comes of them.
    pub requests: Vec<RequestCase>,
    /// Requests that are streamed, and what comes of them.
    pub streams: Vec<RequestCase>,
    /// Texts that are cut into parts.
    pub splits: Vec<SplitCase>,
    /// Tiers that are resolved.
    pub tiers: Vec<TierCase>,
    /// Durations that are charged.
    pub charges: Vec<ChargeCase>,
    /// Requests with [`SECRET`] wherever a request can hold something of its author's.
    pub secrets: Vec<RequestCase>,
    /// Entries of a lexicon with it, all of which are refused.
    pub secret_pronunciations: Vec<PronunciationCase>,
    /// Texts that look like the markup of what they may be written into.
    pub hostile_texts: Vec<String>,
}

/// A word that no message, no cause and no log may hold.
pub const SECRET: &str = "ZQXMARKER";

/// Whether some text holds the secret word, in letters of any case.
pub fn has_secret(text: &str) -> bool {
    text.to_ascii_uppercase().contains(SECRET)
}

/// An entry of a lexicon.
#[derive(Debug, Deserialize)]
pub struct PronunciationCase {
    /// What the case shows.
    pub name: String,
    /// The words.
    pub words: String,
    /// How they are read.
    pub reading: String,
}

/// A request in the contract's JSON: it is spoken, or refused with an error.
#[derive(Debug, Deserialize)]
pub struct RequestCase {
    /// What the case shows.
    pub name: String,
    /// The body of the request. `@1000` in it stands for a text of a thousand characters.
    pub json: String,
    /// The metered quantity, if it is spoken.
    pub characters: Option<usize>,
    /// How many diagnostics say that something was skipped.
    #[serde(default)]
    pub skipped: usize,
    /// The contract's type of error, if it is refused.
    pub error: Option<String>,
    /// The message of the error.
    pub message: Option<String>,
}

impl RequestCase {
    /// The body with its long texts in place.
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
    /// The longest a part may be.
    pub max_characters: usize,
    /// The parts, in order.
    pub parts: Vec<String>,
}

/// A tier that a deployment resolves or refuses.
#[derive(Debug, Deserialize)]
pub struct TierCase {
    /// The context settings that the deployment can run.
    pub contexts: Vec<[u32; 2]>,
    /// The name that a request gives.
    pub name: String,
    /// The tier, if it is available.
    pub tier: Option<String>,
    /// The contract's type of error, if it is not.
    pub error: Option<String>,
}

/// What a duration of audio costs.
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
/// If it is not as this module has it.
pub fn read() -> Cases {
    serde_json::from_str(include_str!("../data/cases.json")).expect("cases.json is as expected")
}
