//! Common imports of this tool.

pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::process::Command;

pub(crate) use anyhow::{Context as _, Result, bail, ensure};
pub(crate) use clap::Args;
/// Errors name the file.
pub(crate) use fs_err as fs;

pub(crate) use crate::artifacts::Artifacts;
pub(crate) use crate::bundle::Bundle;
pub(crate) use crate::dist::tree::Tree;
pub(crate) use crate::files::{all, clear, copy_all, listed, made, name_of, only, remove};
pub(crate) use crate::lock::Lock;
pub(crate) use crate::passed::Inputs;
pub(crate) use crate::progress::{Item, megabytes, note, seconds};
pub(crate) use crate::python::Venv;
pub(crate) use crate::workspace::{root, target};
pub(crate) use crate::{cache, digest, download, files, npm, process, python, workspace};
