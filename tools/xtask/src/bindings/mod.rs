//! Builds and tests the packages of other languages; the common parts for Maven, npm and pip.

pub(crate) mod go;
pub(crate) mod jvm;
pub(crate) mod node;
pub(crate) mod python;
pub(crate) mod web;

use crate::dist::{Platform, Targets};
use crate::prelude::*;

/// The maximum size in bytes of a package with the native module.
const MODULE: u64 = 20_000_000;
/// The maximum size in bytes of the voices package.
const VOICES: u64 = 100_000_000;

/// Environment variables that point to files of this machine.
const LEADS: [&str; 10] = [
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONHOME",
    "PYTHONPATH",
    "JAVA_TOOL_OPTIONS",
    "SPEECH_BUNDLE",
    "SPEECH_CACHE",
    "SPEECH_REFERENCE",
    "SPEECH_THREADS",
    "XDG_CACHE_HOME",
];

/// A factor for the rounds of the memory tests, so that they detect smaller leaks.
const MEMORY_ROUNDS: (&str, &str) = ("SPEECH_MEMORY_ROUNDS", "5");

/// How packages are made.
#[derive(Args, Default)]
pub(crate) struct Make {
    /// Omit the package of the voices.
    #[arg(long)]
    without_voices: bool,
    /// The output directory [default: a folder under target].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    targets: Targets,
}

impl Make {
    /// Options for building with voices, in the default folder.
    pub(crate) fn for_platforms(targets: Targets) -> Self {
        Make { targets, ..Self::default() }
    }

    /// The platforms that have modules: those with 64-bit processors.
    fn platforms(&self) -> Result<Vec<Platform>> {
        self.targets.platforms(Platform::has_modules)
    }

    /// The output folder: the requested one, or an empty default folder.
    fn folder(&self, usual: PathBuf) -> Result<PathBuf> {
        match &self.out {
            Some(out) => made(std::path::absolute(out)?),
            None => clear(usual),
        }
    }
}

/// Packs a folder with npm through an empty scratch folder, and returns the file.
fn pack_npm(package: &Path, scratch: PathBuf, out: &Path) -> Result<PathBuf> {
    let scratch = clear(scratch)?;
    let mut pack = npm::command()?;
    pack.args(["pack", "--pack-destination"]).arg(&scratch);
    process::titled(format!("package {}", name_of(package)), pack.current_dir(package))?;
    let packed = only(&scratch, ".tgz")?;
    let place = out.join(name_of(&packed));
    fs::rename(&packed, &place)?;
    Ok(place)
}

/// Prints the names and sizes of files.
fn show(files: &[PathBuf]) -> Result<()> {
    for file in files {
        println!("{} ({})", file.display(), megabytes(fs::metadata(file)?.len()));
    }
    Ok(())
}

/// Checks the size of a package.
fn small(package: &Path, limit: u64) -> Result<()> {
    let size = fs::metadata(package)?.len();
    let (found, most) = (megabytes(size), megabytes(limit));
    ensure!(size < limit, "{} has {found}, over the limit of {most}", package.display());
    Ok(())
}

/// Writes the bundle of the fake model with the last build of the program.
pub(crate) fn write_fake_model() -> Result<()> {
    let folder = clear(fake_model())?;
    process::shown(Command::new(workspace::release_program("fake_model")).arg(folder))
}

/// The path of that bundle.
pub(crate) fn fake_model() -> PathBuf {
    target().join("fake_model")
}

/// Removes variables that point to files of this machine from the environment of a command.
fn isolate(command: &mut Command) -> &mut Command {
    LEADS.iter().fold(command, |command, name| command.env_remove(name))
}

/// Sets the paths that the tests of a package need.
fn tell<'a>(command: &'a mut Command, artifacts: &Artifacts) -> Result<&'a mut Command> {
    Ok(command
        .env("SPEECH_FAKE_MODEL", fake_model())
        .env("SPEECH_PROGRAM", workspace::release_program("speech"))
        .env("SPEECH_REFERENCE_BUNDLE", artifacts.bundle())
        .env("SPEECH_CASES", root().join("tests/data/cases.json"))
        .env("SPEECH_PAGES", pages()?))
}

/// Writes the README and all pages of the documentation to one file. Each language tests the
/// programs in it.
fn pages() -> Result<PathBuf> {
    let mut all = String::new();
    for page in workspace::documents()? {
        all += &fs::read_to_string(&page)?;
        all.push('\n');
    }
    let file = target().join("pages.md");
    // Tests of another language may be reading the file.
    let _lock = Lock::of("pages")?;
    if !fs::read_to_string(&file).is_ok_and(|written| written == all) {
        fs::write(&file, all)?;
    }
    Ok(file)
}

/// Copies the sources of a TypeScript package to an empty folder, together with the sources that
/// all TypeScript packages share.
pub(crate) fn typescript(package: &str, to: PathBuf) -> Result<PathBuf> {
    let to = clear(to)?;
    let bindings = root().join("bindings");
    let package = bindings.join(package);
    for sources in [bindings.join("typescript"), package.join("ts")] {
        copy_all(&sources, &to.join("ts"))?;
    }
    for file in ["tsconfig.json", "package.json"] {
        fs::copy(package.join(file), to.join(file)).context(file)?;
    }
    Ok(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_is_too_large_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let wheel = scratch.path().join("a.whl");
        fs::write(&wheel, [0; 10]).unwrap();
        small(&wheel, 11).unwrap();
        assert!(small(&wheel, 10).unwrap_err().to_string().contains("a.whl"));
    }
}
