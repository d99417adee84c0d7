//! The site in Chromium.

use std::process::Command;

use anyhow::Result;

use crate::bindings::clear;
use crate::process;
use crate::programs;
use crate::progress::note;
use crate::workspace::Workspace;

use super::Site;

/// Opens the main pages, narrow and wide, light and dark: axe-core finds nothing, nothing is wider than the window, every
/// language is one click away, and the samples can be played.
pub(super) fn check(workspace: &Workspace, site: &Site) -> Result<()> {
    let tools = super::tools(workspace)?;
    let pictures = clear(workspace.target().join("docs-pictures"))?;
    let mut node = Command::new("node");
    programs::set_chromium(&mut node)?;
    node.arg("--test")
        .arg(tools.join("site.test.mjs"))
        .env("DOCS_SITE", &site.out)
        .env("DOCS_PICTURES", &pictures);
    process::shown(&mut node)?;
    note(&format!("pictures are in {}", pictures.display()));
    Ok(())
}
