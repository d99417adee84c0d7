//! The native methods. Errors and panics become answers.

use std::error::Error as _;

use jni::objects::{JByteArray, JByteBuffer, JObject};
use jni::{Env, EnvUnowned, Outcome};
use serde::Serialize;
use speech_bindings::catch_panic;
use speech_core::{Advice, Error, ErrorDetail, ErrorKind, Result};

use crate::call;
use crate::request;
use crate::wire::encode;

/// Makes a call, given as JSON, and returns its answer in the format of `wire.rs`. A task passes
/// its answer to the completion. `_owners` are the Java objects that own the numbers in the call:
/// as an argument they cannot be collected, and the numbers not be freed, before the call returns.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_call<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    _owners: JObject<'local>,
    call: JByteArray<'local>,
    memory: JByteBuffer<'local>,
    completion: JObject<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let call = bytes(env, &call)?;
        call::run(env, &call, memory, &completion)
    })
}

/// Checks a request in JSON, as a service receives it, and returns all of its fields.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_parseRequest<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    json: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| request::complete(&bytes(env, &json)?))
}

/// Returns the result of `body`, or its error. Returns null, with a pending Java exception, if the
/// virtual machine cannot create the array.
fn answer<'local>(
    mut env: EnvUnowned<'local>,
    body: impl FnOnce(&mut Env<'local>) -> Result<Vec<u8>>,
) -> JByteArray<'local> {
    let outcome = env.with_env_no_catch(|env| {
        let result = catch_panic(|| body(env)).flatten();
        env.byte_array_from_slice(&answered(result))
    });
    match outcome.into_outcome() {
        Outcome::Ok(array) => array,
        Outcome::Err(_) | Outcome::Panic(_) => JByteArray::null(),
    }
}

fn bytes(env: &Env<'_>, array: &JByteArray<'_>) -> Result<Vec<u8>> {
    env.convert_byte_array(array).map_err(refused)
}

/// Converts an error of the virtual machine.
pub(crate) fn refused(error: jni::errors::Error) -> Error {
    Error::new(ErrorKind::Internal, format!("the virtual machine refused a call: {error}"))
}

/// The answer for a result: its bytes, or an object with the error.
pub(crate) fn answered(result: Result<Vec<u8>>) -> Vec<u8> {
    result.unwrap_or_else(|error| encode(&Failure { error: Described::from(&error) }))
}

#[derive(Serialize)]
struct Failure<'a> {
    error: Described<'a>,
}

/// An error of the core, with the fields of a `SpeechException`.
#[derive(Serialize)]
struct Described<'a> {
    kind: &'static str,
    message: &'a str,
    request_id: String,
    detail: Option<&'static str>,
    path: Option<String>,
    advice: Option<&'static str>,
    cause: Option<String>,
}

impl<'a> From<&'a Error> for Described<'a> {
    fn from(error: &'a Error) -> Self {
        Self {
            kind: error.kind().as_str(),
            message: error.message(),
            request_id: error.request_id().to_string(),
            detail: error.detail().map(ErrorDetail::as_str),
            path: error.path().map(|path| path.to_string_lossy().into_owned()),
            advice: error.advice().map(Advice::as_str),
            cause: error.source().map(ToString::to_string),
        }
    }
}
