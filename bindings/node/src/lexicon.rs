//! Lexicons, shared by requests.

use std::sync::Arc;

use napi::bindgen_prelude::{FromNapiValue, Object};
use napi::{Env, Result, sys};
use napi_derive::napi;

use crate::task;

/// Words and their readings.
#[napi]
pub struct Lexicon(Arc<speech_core::Lexicon>);

#[napi]
impl Lexicon {
    /// The number of entries.
    #[napi(getter)]
    pub fn size(&self) -> u32 {
        self.0.len() as u32
    }
}

/// Reads a lexicon in the text format: one entry per line.
#[napi(ts_return_type = "Promise<Lexicon | NativeError>")]
pub fn parse_lexicon(env: &Env, text: String) -> Result<Object<'_>> {
    read(env, text, speech_core::Lexicon::parse)
}

/// Reads a PLS lexicon.
#[napi(ts_return_type = "Promise<Lexicon | NativeError>")]
pub fn parse_pls(env: &Env, document: String) -> Result<Object<'_>> {
    read(env, document, speech_core::Lexicon::from_pls)
}

fn read(
    env: &Env,
    text: String,
    read: fn(&str) -> speech_core::Result<speech_core::Lexicon>,
) -> Result<Object<'_>> {
    task::spawn(env, move || read(&text), |_, lexicon| Ok(Lexicon(Arc::new(lexicon))))
}

/// The lexicon of a request, which keeps it alive without the JavaScript object.
pub struct OfRequest(Arc<speech_core::Lexicon>);

impl OfRequest {
    /// The core's lexicon.
    pub(crate) fn to_core(&self) -> Arc<speech_core::Lexicon> {
        Arc::clone(&self.0)
    }
}

impl FromNapiValue for OfRequest {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        // SAFETY: the caller passes a value of this environment, which is alive until this function
        // returns. The reference ends before that.
        let lexicon = unsafe { <&Lexicon>::from_napi_value(env, value) }?;
        Ok(Self(Arc::clone(&lexicon.0)))
    }
}
