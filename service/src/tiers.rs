//! The tiers that this deployment can run, by the context settings of its encoder.

use std::path::PathBuf;

use anyhow::{Context, bail};
use serde_json::Value;
use speech_core::TierCatalogue;

use crate::text_file;

#[derive(clap::Args)]
pub(crate) struct TierArgs {
    /// A context setting that the encoder can run, such as 70,6; repeatable
    #[arg(long, value_name = "LEFT,RIGHT", value_parser = context)]
    contexts: Vec<[u32; 2]>,
    /// The manifest of the encoder: JSON with its settings as `att_context_size`, at the top or in `encoder`
    #[arg(long, value_name = "FILE", conflicts_with = "contexts")]
    manifest: Option<PathBuf>,
}

impl TierArgs {
    pub(crate) fn catalogue(&self) -> anyhow::Result<TierCatalogue> {
        let Some(path) = &self.manifest else {
            return Ok(TierCatalogue::new(self.contexts.clone()));
        };
        let text = text_file::read(path);
        let settings = text.map_err(anyhow::Error::from).and_then(|text| settings(&text));
        Ok(TierCatalogue::new(settings.with_context(|| path.display().to_string())?))
    }
}

fn context(text: &str) -> Result<[u32; 2], String> {
    let numbers: Option<Vec<_>> =
        text.split(',').map(|number| number.trim().parse().ok()).collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| "must be two whole numbers, such as 70,6".into())
}

/// One setting, or a list of them.
fn settings(manifest: &str) -> anyhow::Result<Vec<[u32; 2]>> {
    const NAME: &str = "att_context_size";
    let manifest: Value = serde_json::from_str(manifest)?;
    let Some(found) = manifest.get(NAME).or_else(|| manifest.get("encoder")?.get(NAME)) else {
        bail!("{NAME} is not set");
    };
    let one = serde_json::from_value(found.clone()).map(|setting| vec![setting]);
    one.or_else(|_| serde_json::from_value(found.clone()))
        .with_context(|| format!("{NAME} must be a list of pairs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_from_options_and_manifests() {
        assert_eq!(context("70,6"), Ok([70, 6]));
        for text in ["70", "70,", "70,6,1", "70,-1", "a,b"] {
            assert!(context(text).is_err(), "{text}");
        }
        let found = [[70, 13], [70, 0]];
        assert_eq!(settings(r#"{"att_context_size": [[70, 13], [70, 0]]}"#).unwrap(), found);
        assert_eq!(settings(r#"{"encoder": {"att_context_size": [70, 13]}}"#).unwrap(), found[..1]);
        for manifest in ["", "{}", r#"{"att_context_size": [[70]]}"#, r#"{"att_context_size": 70}"#]
        {
            assert!(settings(manifest).is_err(), "{manifest}");
        }
    }
}
