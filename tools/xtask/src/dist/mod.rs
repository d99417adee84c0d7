//! `cargo xtask dist`: the library as it is shipped, a directory that works wherever it is put, and
//! a tar.gz of it.

mod archive;
mod assemble;
pub(crate) mod compile;
pub(crate) mod gates;
mod header;
pub(crate) mod library;
pub(crate) mod licences;
pub(crate) mod link;
pub(crate) mod pack;
pub(crate) mod packages;
pub(crate) mod platform;
pub(crate) mod sbom;
mod targets;
mod templates;
pub(crate) mod toolchain;
pub(crate) mod tree;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use self::assemble::{Checked, Parts};
use self::library::Glibc;
pub(crate) use self::platform::{PUBLISHED, Platform, android, published};
pub(crate) use self::targets::Targets;
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
    #[command(flatten)]
    targets: Targets,
}

impl Dist {
    /// The package with voices, at its usual place.
    pub(crate) fn whole() -> Self {
        Dist { without_voices: false, out: None, targets: Targets::default() }
    }

    /// The same for another platform.
    pub(crate) fn for_platform(platform: &Platform) -> Self {
        Dist { targets: Targets::these([platform]), ..Self::whole() }
    }

    /// Where the directory for this platform is made.
    pub(crate) fn directory(&self, workspace: &Workspace) -> Result<PathBuf> {
        self.directory_of(workspace, &Platform::of_host()?)
    }

    pub(crate) fn directory_of(
        &self,
        workspace: &Workspace,
        platform: &Platform,
    ) -> Result<PathBuf> {
        let out = match &self.out {
            Some(out) => std::path::absolute(out)?,
            None => workspace.target().join("dist"),
        };
        Ok(out.join(name(platform, !self.without_voices)))
    }

    /// Makes the directories and their archives, and shows the sizes.
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<Vec<Made>> {
        let platforms = self.targets.platforms(Platform::has_c_package)?;
        platforms
            .iter()
            .map(|platform| {
                let made = self.make_for(workspace, cache, platform)?;
                let packed = pack::pack(&workspace.xtask().join("pack.py"), &made.directory)?;
                made.report(&packed)?;
                Ok(made)
            })
            .collect()
    }

    /// Unpacks the archive that is published for this platform.
    pub(crate) fn unpack(&self, workspace: &Workspace) -> Result<()> {
        let directory = self.directory(workspace)?;
        let published = self.directory_of(workspace, &Platform::of_host()?.of_c_package()?)?;
        for old in [&directory, &published] {
            if old.exists() {
                fs::remove_dir_all(old)
                    .with_context(|| format!("cannot remove {}", old.display()))?;
            }
        }
        let mut archive = published.clone().into_os_string();
        archive.push(".tar.gz");
        let mut tar = Command::new("tar");
        tar.arg("-xzf").arg(&archive).arg("-C").arg(published.parent().unwrap_or(&published));
        process::shown(&mut tar)?;
        fs::rename(&published, &directory)
            .with_context(|| format!("cannot make {}", directory.display()))
    }

    /// Makes the directory for this platform, after checking the libraries that go into it.
    pub(crate) fn make(&self, workspace: &Workspace, cache: &Cache) -> Result<Made> {
        self.make_for(workspace, cache, &Platform::of_host()?)
    }

    fn make_for(&self, workspace: &Workspace, cache: &Cache, platform: &Platform) -> Result<Made> {
        let _lock = Lock::acquire(&workspace.target().join("dist.lock"))?;
        let tree = Tree::begin(&self.directory_of(workspace, platform)?)?;
        let parts = Parts::new(workspace, cache, platform.clone())?;
        let checked = parts.assemble(&tree, !self.without_voices)?;
        Ok(Made { directory: tree.finish()?, checked })
    }
}

/// What the directory for a platform is called. The archive has `.tar.gz` after it.
pub(crate) fn name(platform: &Platform, with_voices: bool) -> String {
    let suffix = if with_voices { "" } else { "-without-voices" };
    format!("libspeech-{VERSION}-{}{suffix}", platform.triple())
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
        link::venv(workspace).ensure()?;
    }
    sbom_venv(workspace).ensure()
}

fn sbom_venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-sbom", &workspace.xtask().join("requirements-sbom.txt"))
}
