//! What must be true of the packages before anybody installs them.

use std::path::Path;

use anyhow::Result;

use super::Workshop;
use crate::dist::gates::{self, Kind};
use crate::dist::library::SharedLibrary;
use crate::dist::{Platform, compile};
use crate::process;

/// Checks the native module.
pub(super) fn module(shop: &Workshop<'_>, platform: &Platform, bytes: &[u8]) -> Result<()> {
    let private = compile::private_directories(shop.workspace);
    gates::no_private_paths("the module of Node", bytes, &private)?;
    gates::shared_library(platform, &SharedLibrary::read(bytes)?, Kind::Node)
}

/// Checks that every way to import the library finds it and its types.
pub(super) fn library(shop: &Workshop<'_>, packed: &Path) -> Result<()> {
    let stage = shop.stage("libspeech-sdk");
    process::shown(shop.program("publint").arg("--strict").arg(&stage))?;
    let mut types = shop.program("attw");
    process::shown(types.args(["--no-emoji", "--no-color"]).arg(packed))
}
