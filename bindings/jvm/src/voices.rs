//! The listing of voices.

use jni::EnvUnowned;
use jni::objects::{JByteArray, JObject};

use crate::boundary::answer;
use crate::wire::Writer;

/// The voices listing of the contract: its fields, and all of it as JSON. The version of the library comes last.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_voices<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
) -> JByteArray<'local> {
    answer(env, |_| {
        let listing = speech_core::voices();
        let mut writer = Writer::new();
        writer.list(&listing.languages, |writer, language| writer.string(language.as_str()));
        writer.list(&listing.voices, |writer, voice| {
            writer.string(voice.id.as_str());
            writer.string(voice.name);
        });
        writer.string(listing.default_voice.as_str());
        writer.int(listing.sample_rate as usize);
        writer.int(listing.max_characters);
        writer.string(&listing.to_json());
        writer.string(env!("CARGO_PKG_VERSION"));
        Ok(writer)
    })
}
