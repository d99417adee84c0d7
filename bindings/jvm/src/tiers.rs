//! The latency tiers of the audio-to-text side, by their names.

use std::num::NonZeroU32;
use std::time::Duration;

use jni::EnvUnowned;
use jni::objects::{JByteArray, JObject};
use speech_core::{Error, ErrorKind, Result, Tier, TierCatalogue, UseCase};

use crate::boundary::{answer, bytes};
use crate::wire::{Reader, Writer};

/// The core's table of tiers.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_tierTable<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
) -> JByteArray<'local> {
    answer(env, |_| {
        let mut writer = Writer::new();
        writer.list(Tier::ALL, |writer, tier| {
            let [left, right] = tier.att_context_size();
            writer.string(tier.as_str());
            writer.int(left as usize);
            writer.int(right as usize);
            writer.int(tier.rate_micros() as usize);
            writer.int(tier.lookahead().as_millis() as usize);
        });
        Ok(writer)
    })
}

/// The catalogue of a deployment that can run these attention contexts: its entries, and all of it as JSON.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_tiers<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    contexts: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let contexts = bytes(env, &contexts)?;
        let catalogue = catalogue(&mut Reader::new(&contexts));
        let mut writer = Writer::new();
        writer.list(catalogue.entries(), |writer, entry| {
            writer.string(entry.tier.as_str());
            writer.double(entry.rate_usd_per_second);
            writer.flag(entry.available);
        });
        writer.string(Tier::default().as_str());
        writer.string(&catalogue.to_json());
        Ok(writer)
    })
}

/// The tier of a name, if the deployment can run it.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_resolveTier<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    arguments: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let arguments = bytes(env, &arguments)?;
        let mut reader = Reader::new(&arguments);
        let catalogue = catalogue(&mut reader);
        let mut writer = Writer::new();
        writer.string(catalogue.resolve(reader.string())?.as_str());
        Ok(writer)
    })
}

/// The tiers that the deployment can run, the most suitable for a use case first.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_rankTiers<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    arguments: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let arguments = bytes(env, &arguments)?;
        let mut reader = Reader::new(&arguments);
        let catalogue = catalogue(&mut reader);
        let use_case: UseCase = reader.string().parse()?;
        let mut writer = Writer::new();
        let ranked = catalogue.ranked_for(use_case);
        writer.list(ranked, |writer, tier| writer.string(tier.as_str()));
        Ok(writer)
    })
}

/// The price of a duration in seconds and nanoseconds, in millionths of a US dollar.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_charge<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    arguments: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let arguments = bytes(env, &arguments)?;
        let mut reader = Reader::new(&arguments);
        let tier: Tier = reader.string().parse()?;
        let (seconds, nanoseconds) = (reader.long(), reader.int());
        let negative = |_| invalid("a duration must not be negative");
        let seconds = u64::try_from(seconds).map_err(negative)?;
        let nanoseconds = u32::try_from(nanoseconds).map_err(negative)?;
        if nanoseconds >= 1_000_000_000 {
            return Err(invalid("nanoseconds must be under 1,000,000,000"));
        }
        micros(tier.charge(Duration::new(seconds, nanoseconds)))
    })
}

/// The price of a number of samples at a sample rate in hertz, in millionths of a US dollar.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_libspeech_Native_chargeSamples<'local>(
    env: EnvUnowned<'local>,
    _: JObject<'local>,
    arguments: JByteArray<'local>,
) -> JByteArray<'local> {
    answer(env, |env| {
        let arguments = bytes(env, &arguments)?;
        let mut reader = Reader::new(&arguments);
        let tier: Tier = reader.string().parse()?;
        let samples = u64::try_from(reader.long());
        let samples = samples.map_err(|_| invalid("samples must not be negative"))?;
        let rate = u32::try_from(reader.int()).ok().and_then(NonZeroU32::new);
        let rate = rate.ok_or_else(|| invalid("sampleRate must be a whole number from 1 on"))?;
        micros(tier.charge_samples(samples, rate))
    })
}

fn micros(charge: u128) -> Result<Writer> {
    let charge = i64::try_from(charge).map_err(|_| invalid("the charge is too large"))?;
    let mut writer = Writer::new();
    writer.long(charge);
    Ok(writer)
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidRequest, message)
}

/// The catalogue of these attention contexts, which the package has checked.
fn catalogue(reader: &mut Reader<'_>) -> TierCatalogue {
    TierCatalogue::new(reader.list(|reader| [reader.int() as u32, reader.int() as u32]))
}
