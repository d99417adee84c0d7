//! For which platforms a command makes packages.

use anyhow::Result;
use clap::Args;

use super::platform::{Platform, published};

/// What is asked for.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Targets {
    /// For another platform than this one, by Rust's name of it; may be repeated.
    #[arg(long = "target", value_name = "TRIPLE", conflicts_with = "all")]
    targets: Vec<String>,
    /// For every platform that packages are published for.
    #[arg(long)]
    all: bool,
}

impl Targets {
    pub(crate) fn these<'a>(platforms: impl IntoIterator<Item = &'a Platform>) -> Self {
        let targets = platforms.into_iter().map(|platform| platform.triple().to_owned()).collect();
        Targets { targets, all: false }
    }

    /// The platforms, of those that the kind of package is published for.
    pub(crate) fn platforms(&self, is_for: impl Fn(&Platform) -> bool) -> Result<Vec<Platform>> {
        if self.all {
            return Ok(published()?.into_iter().filter(is_for).collect());
        }
        if self.targets.is_empty() {
            return Ok(vec![Platform::of_host()?]);
        }
        self.targets.iter().map(|triple| Platform::named(triple)).collect()
    }
}
