//! The core's tables of errors.

use jni::EnvUnowned;
use jni::objects::{JByteArray, JObject};
use speech_core::{Advice, ErrorDetail, ErrorKind};

use crate::boundary::answer;
use crate::wire::Writer;

/// The kinds of errors, the names of all details, and the keys of all advice.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_errors<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
) -> JByteArray<'local> {
    answer(env, |_| {
        let mut writer = Writer::new();
        writer.list(ErrorKind::ALL, |writer, kind| {
            writer.string(kind.as_str());
            writer.flag(kind.is_retryable());
            writer.int(kind.http_status().map_or(0, usize::from));
        });
        writer.list(ErrorDetail::ALL, |writer, detail| writer.string(detail.as_str()));
        writer.list(Advice::ALL, |writer, advice| writer.string(advice.as_str()));
        Ok(writer)
    })
}
