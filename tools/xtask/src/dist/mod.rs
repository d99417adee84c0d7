//! `cargo xtask dist`: builds the package of the C library, a relocatable directory and a tar.gz of
//! it.

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
mod templates;
pub(crate) mod toolchain;
pub(crate) mod tree;

use self::assemble::{Checked, Parts};
use self::library::Glibc;
pub(crate) use self::platform::{Platform, android, published};
use crate::prelude::*;

/// The version of all packages of this repository.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
const SBOM: &str = "share/libspeech/sbom.cdx.json";

/// The platforms that a command makes packages for.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Targets {
    /// Build for another platform, named by its Rust target triple; may be repeated.
    #[arg(long = "target", value_name = "TRIPLE", conflicts_with = "all")]
    targets: Vec<String>,
    /// Build for every platform with published packages.
    #[arg(long)]
    all: bool,
}

impl Targets {
    pub(crate) fn these<'a>(platforms: impl IntoIterator<Item = &'a Platform>) -> Self {
        let targets = platforms.into_iter().map(|platform| platform.triple().to_owned()).collect();
        Targets { targets, all: false }
    }

    /// The selected platforms, if packages of this kind are published for them.
    pub(crate) fn platforms(&self, is_for: impl Fn(&Platform) -> bool) -> Result<Vec<Platform>> {
        if self.all {
            return Ok(published().into_iter().filter(is_for).collect());
        }
        if self.targets.is_empty() {
            return Ok(vec![Platform::of_host()?]);
        }
        self.targets.iter().map(|triple| Platform::named(triple)).collect()
    }
}

#[derive(Args)]
pub(crate) struct Dist {
    /// Omit the voice bundle, for applications that include or download it themselves.
    #[arg(long)]
    without_voices: bool,
    /// The output directory, for the package directory and the tar.gz [default: target/dist].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    targets: Targets,
}

impl Dist {
    /// The package with voices, in the default folder.
    pub(crate) fn whole() -> Self {
        Dist { without_voices: false, out: None, targets: Targets::default() }
    }

    /// The package with voices for another platform, in the default folder.
    pub(crate) fn for_platform(platform: &Platform) -> Self {
        Dist { targets: Targets::these([platform]), ..Self::whole() }
    }

    /// The path of the directory for this platform.
    pub(crate) fn directory(&self) -> Result<PathBuf> {
        self.directory_of(&Platform::of_host()?)
    }

    pub(crate) fn directory_of(&self, platform: &Platform) -> Result<PathBuf> {
        let out = match &self.out {
            Some(out) => std::path::absolute(out)?,
            None => target().join("dist"),
        };
        Ok(out.join(name(platform, !self.without_voices)))
    }

    /// Builds the directories and their archives, and prints the sizes.
    pub(crate) fn run(&self) -> Result<Vec<Made>> {
        let platforms = self.targets.platforms(Platform::has_c_package)?;
        let make = |platform| {
            let made = self.make_for(platform)?;
            made.report(&pack::pack(&made.directory, ".tar.gz")?)?;
            Ok(made)
        };
        platforms.iter().map(make).collect()
    }

    /// Unpacks the published archive of this platform.
    pub(crate) fn unpack(&self) -> Result<()> {
        let directory = self.directory()?;
        let published = self.directory_of(&Platform::of_host()?.of_c_package()?)?;
        [&directory, &published].into_iter().try_for_each(|old| remove(old))?;
        let mut tar = Command::new("tar");
        tar.arg("-xzf").arg(files::with_ending(&published, ".tar.gz"));
        process::shown(tar.arg("-C").arg(published.parent().unwrap_or(&published)))?;
        Ok(fs::rename(&published, &directory)?)
    }

    /// Builds the directory for this platform, after checking its libraries.
    pub(crate) fn make(&self) -> Result<Made> {
        self.make_for(&Platform::of_host()?)
    }

    fn make_for(&self, platform: &Platform) -> Result<Made> {
        let _lock = Lock::of("dist")?;
        let tree = Tree::begin(&self.directory_of(platform)?)?;
        let checked = Parts::new(platform.clone())?.assemble(&tree, !self.without_voices)?;
        Ok(Made { directory: tree.finish()?, checked })
    }
}

/// The name of the directory for a platform. The name of the archive adds `.tar.gz`.
pub(crate) fn name(platform: &Platform, with_voices: bool) -> String {
    let suffix = if with_voices { "" } else { "-without-voices" };
    format!("libspeech-{VERSION}-{}{suffix}", platform.triple())
}

/// A finished package directory.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) directory: PathBuf,
    checked: Checked,
}

impl Made {
    /// Checks the SBOM against the schema.
    pub(crate) fn validate_sbom(&self) -> Result<()> {
        SBOM_TOOLS.ensure()?;
        let mut python = SBOM_TOOLS.python();
        python.arg(root().join("tools/xtask/validate_sbom.py")).arg(self.directory.join(SBOM));
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
        let whole = megabytes(fs::metadata(&packed.path)?.len());
        println!("{:<34}{:>10}{whole:>12}", "the whole package", "");
        println!("{}\n{}", self.directory.display(), packed.path.display());
        Ok(())
    }
}

/// The environment of the SBOM validator.
static SBOM_TOOLS: Venv = Venv::new("venv-sbom", "tools/xtask/requirements-sbom.txt");

/// Downloads the dependencies that only this command has.
pub(crate) fn fetch() -> Result<()> {
    if Platform::of_host().is_ok_and(|platform| platform.has_glibc()) {
        link::TOOLS.ensure()?;
    }
    SBOM_TOOLS.ensure()
}
