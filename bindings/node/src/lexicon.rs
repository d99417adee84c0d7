//! Lexicons, which requests share.

use std::sync::Arc;

use napi::bindgen_prelude::{FromNapiValue, Object};
use napi::{Env, Result, sys};
use napi_derive::napi;

use crate::task;

/// Words and how they are read.
#[napi]
pub struct Lexicon(Arc<speech_core::Lexicon>);

#[napi]
impl Lexicon {
    /// The number of its entries.
    #[napi(getter)]
    pub fn size(&self) -> u32 {
        self.0.len() as u32
    }
}

/// Reads a line for each entry.
#[napi(ts_return_type = "Promise<Lexicon | NativeError>")]
pub fn parse_lexicon(env: &Env, text: String) -> Result<Object<'_>> {
    read(env, text, speech_core::Lexicon::parse)
}

/// Reads PLS.
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

/// The lexicon of a request, which keeps it, whatever becomes of JavaScript's object.
pub struct OfRequest(Arc<speech_core::Lexicon>);

impl OfRequest {
    /// The core's.
    pub(crate) fn to_core(&self) -> Arc<speech_core::Lexicon> {
        Arc::clone(&self.0)
    }
}

impl FromNapiValue for OfRequest {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        // SAFETY: the caller gives a value of this environment. The reference ends with this function, and the value is alive
        // until then.
        let lexicon = unsafe { <&Lexicon>::from_napi_value(env, value) }?;
        Ok(Self(Arc::clone(&lexicon.0)))
    }
}
