//! The one place where native methods are entered: errors and panics become answers.

use std::error::Error as _;

use jni::objects::JByteArray;
use jni::{Env, EnvUnowned, Outcome};
use speech_bindings::catch_panic;
use speech_core::{Advice, Error, ErrorDetail, ErrorKind, Result};

use crate::wire::Writer;

/// The first byte of an answer.
const OK: u8 = 0;
const ERROR: u8 = 1;

/// Answers a native method with what its body writes, or with the error in its place. Null, with an exception of the virtual
/// machine, if that cannot make the array.
pub(crate) fn answer<'local>(
    mut env: EnvUnowned<'local>,
    body: impl FnOnce(&mut Env<'local>) -> Result<Writer>,
) -> JByteArray<'local> {
    let outcome = env.with_env_no_catch(|env| {
        let result = catch_panic(|| body(env)).flatten();
        env.byte_array_from_slice(&encode(result))
    });
    match outcome.into_outcome() {
        Outcome::Ok(array) => array,
        Outcome::Err(_) | Outcome::Panic(_) => JByteArray::null(),
    }
}

/// Runs a native method that answers nothing, and can fail only by a fault of the library.
pub(crate) fn run<'local>(mut env: EnvUnowned<'local>, body: impl FnOnce(&mut Env<'local>)) {
    let outcome = env.with_env_no_catch(|env| {
        // There is nobody to tell; the panic is in the log.
        let _ = catch_panic(|| body(env));
        Ok::<_, jni::errors::Error>(())
    });
    drop(outcome.into_outcome());
}

/// The bytes of an argument.
pub(crate) fn bytes(env: &Env<'_>, array: &JByteArray<'_>) -> Result<Vec<u8>> {
    env.convert_byte_array(array).map_err(refused)
}

/// What an error of the virtual machine is for its caller.
pub(crate) fn refused(error: jni::errors::Error) -> Error {
    Error::new(ErrorKind::Internal, format!("the virtual machine refused a call: {error}"))
}

/// An answer as bytes.
pub(crate) fn encode(result: Result<Writer>) -> Vec<u8> {
    let (tag, payload) = match result {
        Ok(payload) => (OK, payload),
        Err(error) => (ERROR, describe(&error)),
    };
    let mut bytes = vec![tag];
    bytes.extend(payload.into_bytes());
    bytes
}

fn describe(error: &Error) -> Writer {
    let mut writer = Writer::new();
    writer.string(error.kind().as_str());
    writer.string(error.message());
    writer.string(&error.request_id().to_string());
    writer.optional(error.detail().map(ErrorDetail::as_str));
    writer.optional(error.path().map(|path| path.to_string_lossy()).as_deref());
    writer.optional(error.advice().map(Advice::as_str));
    writer.optional(error.source().map(ToString::to_string).as_deref());
    writer
}
