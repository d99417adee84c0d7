//! Requests, as the package hands them over.

use napi_derive::napi;
use speech_core::{Request, Result};

use crate::failure::{Outcome, outcome};

/// What is to be spoken, and how.
#[napi(object, object_to_js = false)]
pub struct Fields {
    /// 1 to 1,000 characters.
    pub text: String,
    /// A BCP 47 tag.
    pub language: String,
    /// The identifier of a voice.
    pub voice: String,
    /// `wav` or `pcm`.
    pub format: String,
    /// `standard` or `low`.
    pub latency: String,
    /// Whether emoji are read.
    pub read_emoji: bool,
}

impl Fields {
    /// The request with these fields.
    pub(crate) fn request(&self) -> Result<Request> {
        Ok(Request::new(&*self.text)
            .language(self.language.parse()?)
            .voice(self.voice.parse()?)
            .format(self.format.parse()?)
            .latency(self.latency.parse()?)
            .read_emoji(self.read_emoji))
    }
}

/// Whether a request in the contract's JSON is one.
#[napi]
pub fn check_request(json: &[u8]) -> Outcome<()> {
    outcome(Request::from_json(json).map(drop))
}

/// Whether a request would be spoken.
#[napi]
pub fn validate(request: Fields) -> Outcome<()> {
    outcome(request.request().and_then(|request| request.validate()).map(drop))
}
