//! The data files of misaki-rs, where cargo unpacked them after verifying their checksum.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The phonemes of a word by part of speech, or only under `DEFAULT` if they do not depend on it.
pub(crate) type Readings = Vec<(String, Option<String>)>;

/// The folder of the data files.
pub(crate) struct Source(PathBuf);

impl Source {
    /// Asks cargo for the folder of the crate.
    pub(crate) fn locate() -> Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
            .output()
            .context("cannot run cargo metadata")?;
        ensure!(
            output.status.success(),
            "cargo metadata failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let metadata: Value = serde_json::from_slice(&output.stdout)?;
        let packages = metadata["packages"].as_array().context("cargo metadata lists packages")?;
        let manifest = packages
            .iter()
            .find(|package| package["name"] == "misaki-rs")
            .and_then(|package| package["manifest_path"].as_str())
            .context("misaki-rs is a dependency")?;
        Ok(Self(PathBuf::from(manifest).with_file_name("data")))
    }

    pub(crate) fn bytes(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.0.join(name);
        std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    pub(crate) fn text(&self, name: &str) -> Result<String> {
        Ok(String::from_utf8(self.bytes(name)?)?)
    }

    /// A lexicon, sorted by word.
    pub(crate) fn lexicon(&self, name: &str) -> Result<BTreeMap<String, Readings>> {
        let words: BTreeMap<String, Value> = serde_json::from_slice(&self.bytes(name)?)?;
        words.into_iter().map(|(word, value)| Ok((word, readings(value)?))).collect()
    }
}

fn readings(value: Value) -> Result<Readings> {
    let by_tag = match value {
        Value::String(phonemes) => return Ok(vec![("DEFAULT".into(), Some(phonemes))]),
        value => value.as_object().context("phonemes, or phonemes by tag")?.clone(),
    };
    let mut readings: Readings = by_tag
        .into_iter()
        .map(|(tag, phonemes)| Ok((tag, serde_json::from_value(phonemes)?)))
        .collect::<Result<_>>()?;
    readings.sort_by_key(|(tag, _)| (tag != "DEFAULT", tag.clone()));
    ensure!(readings[0].0 == "DEFAULT", "every word has a default reading");
    Ok(readings)
}
