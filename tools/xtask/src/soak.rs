//! `cargo xtask soak`: many syntheses in one process, whose memory must stay flat.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::cache::Cache;
use crate::dist::Dist;
use crate::process;
use crate::programs;
use crate::progress::note;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Soak {
    /// How many syntheses.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(100..))]
    count: u32,
}

impl Soak {
    pub(crate) fn usual() -> Self {
        Soak { count: 1000 }
    }

    /// Compiles the program against the package of the C library, and runs it with the real voices.
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        programs::require_compiler()?;
        let dist = Dist::whole().make(workspace, cache)?.directory;
        let program = compile(workspace, &dist)?;
        note(&format!("{} syntheses take minutes", self.count));
        let mut soak = Command::new(program);
        for variable in ["SPEECH_BUNDLE", "SPEECH_THREADS"] {
            soak.env_remove(variable);
        }
        process::shown(soak.arg(dist.join("share/libspeech/voices")).arg(self.count.to_string()))
    }
}

fn compile(workspace: &Workspace, dist: &Path) -> Result<PathBuf> {
    let scratch = scratch(workspace, "soak")?;
    let program = scratch.join("soak");
    let mut compiler = compiler(workspace, &scratch, &dist.join("include"));
    compiler
        .arg(source(workspace, "soak"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(dist.join("lib"))
        .arg("-lspeech")
        .arg(format!("-Wl,-rpath,{}", dist.join("lib").display()));
    process::shown(&mut compiler)?;
    Ok(program)
}

/// A C program among the tests.
pub(crate) fn source(workspace: &Workspace, name: &str) -> PathBuf {
    workspace.root().join("tests").join("c").join(name).with_extension("c")
}

/// The C compiler, as these programs need it.
pub(crate) fn compiler(workspace: &Workspace, scratch: &Path, include: &Path) -> Command {
    let mut compiler = Command::new("cc");
    compiler
        .args(["-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-pthread"])
        .arg("-I")
        .arg(include)
        .arg("-I")
        .arg(scratch)
        .current_dir(workspace.root());
    compiler
}

/// A directory for compiled programs, with the header that counts calls in the tests: here it counts
/// none.
pub(crate) fn scratch(workspace: &Workspace, name: &str) -> Result<PathBuf> {
    let directory = workspace.target().join(name);
    let context = || format!("cannot write to {}", directory.display());
    fs::create_dir_all(&directory).with_context(context)?;
    fs::write(directory.join("counted.h"), "").with_context(context)?;
    Ok(directory)
}
