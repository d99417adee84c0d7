//! `cargo xtask dist`: the library as it is shipped, a directory that works wherever it is put, and
//! a tar.gz of it.

mod archive;
mod assemble;
pub(crate) mod compile;
pub(crate) mod elf;
pub(crate) mod gates;
mod header;
pub(crate) mod licences;
mod pack;
pub(crate) mod packages;
mod platform;
pub(crate) mod sbom;
mod templates;
pub(crate) mod toolchain;
pub(crate) mod tree;

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use self::assemble::{Checked, Parts};
use self::elf::Glibc;
pub(crate) use self::platform::Platform;
use self::tree::Tree;
use crate::cache::Cache;
use crate::lock::Lock;
use crate::process;
use crate::progress::megabytes;
use crate::python::Venv;
use crate::workspace::Workspace;

/// The version of everything in this repository.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
const SBOM: &str = "share/libspeech/sbom.cdx.json";

#[derive(Args)]
pub(crate) struct Dist {
    /// Leave out the voice bundle, for applications that bring or download it themselves.
    #[arg(long)]
    without_voices: bool,
    /// Where the directory and the tar.gz go, instead of target/dist.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Dist {
    /// The package with voices, at its usual place.
    pub(crate) fn whole() -> Self {
        Dist { without_voices: false, out: None }
    }

    /// Where the directory is made.
    pub(crate) fn directory(&self, workspace: &Workspace) -> Result<PathBuf> {
        let out = match &self.out {
            Some(out) => std::path::absolute(out)?,
            None => workspace.target().join("dist"),
        };
        let suffix = if self.without_voices { "-without-voices" } else { "" };
        Ok(out.join(format!("libspeech-{VERSION}-{}{suffix}", Platform::of_host()?.triple())))
    }

    /// Makes the directory and the tar.gz, and shows their sizes.
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<Made> {
        let made = self.make(workspace, cache)?;
        let packed = pack::pack(&workspace.xtask().join("pack.py"), &made.directory)?;
        made.report(&packed)?;
        Ok(made)
    }

    /// Makes the directory, after checking the libraries that go into it.
    pub(crate) fn make(&self, workspace: &Workspace, cache: &Cache) -> Result<Made> {
        let platform = Platform::of_host()?;
        let _lock = Lock::acquire(&workspace.target().join("dist.lock"))?;
        let tree = Tree::begin(&self.directory(workspace)?)?;
        let checked =
            Parts::new(workspace, cache, platform)?.assemble(&tree, !self.without_voices)?;
        Ok(Made { directory: tree.finish()?, checked })
    }
}

/// A finished directory.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) directory: PathBuf,
    checked: Checked,
}

impl Made {
    /// Checks the list of components against the schema.
    pub(crate) fn validate_sbom(&self, workspace: &Workspace) -> Result<()> {
        let venv = sbom_venv(workspace);
        venv.ensure()?;
        let mut python = venv.python();
        python.arg(workspace.xtask().join("validate_sbom.py")).arg(self.directory.join(SBOM));
        process::shown(&mut python)
    }

    fn report(&self, packed: &pack::Packed) -> Result<()> {
        println!("{:<34}{:>10}{:>12}  glibc", "", "size", "compressed");
        for (name, glibc) in &self.checked {
            let size = fs::metadata(self.directory.join(name))?.len();
            let share = packed.shares.get(name).copied().unwrap_or_default();
            let glibc = glibc.as_ref().map(Glibc::to_string).unwrap_or_default();
            println!("{name:<34}{:>10}{:>12}  {glibc}", megabytes(size), megabytes(share));
        }
        println!(
            "{:<34}{:>10}{:>12}",
            "the whole package",
            "",
            megabytes(fs::metadata(&packed.path)?.len())
        );
        println!("{}\n{}", self.directory.display(), packed.path.display());
        Ok(())
    }
}

/// Fetches what is needed beside what every other command needs.
pub(crate) fn fetch(workspace: &Workspace) -> Result<()> {
    if Platform::of_host().is_ok_and(|platform| platform.has_glibc()) {
        compile::linker_venv(workspace).ensure()?;
    }
    sbom_venv(workspace).ensure()
}

fn sbom_venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-sbom", &workspace.xtask().join("requirements-sbom.txt"))
}
