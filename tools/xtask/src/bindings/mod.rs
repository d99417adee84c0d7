//! The packages of other languages, of Maven, of npm and of pip: what making and testing them has in common.

pub(crate) mod go;
pub(crate) mod jvm;
pub(crate) mod node;
pub(crate) mod python;
pub(crate) mod web;

use crate::dist::{Platform, Targets};
use crate::prelude::*;

/// The largest that a package with the module may be, in bytes.
const MODULE: u64 = 20_000_000;
/// The same of the voices.
const VOICES: u64 = 100_000_000;

/// Variables that lead to something of this machine's.
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

/// The tests of memory repeat what they watch this many times as often, to find smaller leaks.
const MEMORY_ROUNDS: (&str, &str) = ("SPEECH_MEMORY_ROUNDS", "5");

/// How packages are made.
#[derive(Args, Default)]
pub(crate) struct Make {
    /// Leave out the package of the voices.
    #[arg(long)]
    without_voices: bool,
    /// Where the files go, instead of a folder under target.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    targets: Targets,
}

impl Make {
    /// With voices, at the usual place.
    pub(crate) fn for_platforms(targets: Targets) -> Self {
        Make { targets, ..Self::default() }
    }

    /// The platforms for which there are modules: those of processors with 64 bits.
    fn platforms(&self) -> Result<Vec<Platform>> {
        self.targets.platforms(Platform::has_modules)
    }

    /// Where the files go: what was asked for, or an empty folder.
    fn folder(&self, usual: PathBuf) -> Result<PathBuf> {
        match &self.out {
            Some(out) => made(std::path::absolute(out)?),
            None => clear(usual),
        }
    }
}

/// Packs a folder as npm does, by way of an empty one, and returns the file.
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

/// Shows what was made.
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
    ensure!(size < limit, "{} has {found}; {most} is the limit", package.display());
    Ok(())
}

/// Makes the bundle of the fake model, with the program that was built last.
pub(crate) fn write_fake_model() -> Result<()> {
    let folder = clear(fake_model())?;
    process::shown(Command::new(workspace::release_program("fake_model")).arg(folder))
}

/// Where it is.
pub(crate) fn fake_model() -> PathBuf {
    target().join("fake_model")
}

/// Takes from a command what leads to something of this machine's.
fn isolate(command: &mut Command) -> &mut Command {
    LEADS.iter().fold(command, |command, name| command.env_remove(name))
}

/// Tells the tests of a package where things are.
fn tell<'a>(command: &'a mut Command, artifacts: &Artifacts) -> Result<&'a mut Command> {
    Ok(command
        .env("SPEECH_FAKE_MODEL", fake_model())
        .env("SPEECH_PROGRAM", workspace::release_program("speech"))
        .env("SPEECH_REFERENCE_BUNDLE", artifacts.bundle())
        .env("SPEECH_CASES", root().join("tests/data/cases.json"))
        .env("SPEECH_PAGES", pages()?))
}

/// The README and all pages of the documentation, in one file: their programs are tests of each language.
fn pages() -> Result<PathBuf> {
    let mut all = String::new();
    for page in workspace::documents()? {
        all += &fs::read_to_string(&page)?;
        all.push('\n');
    }
    let file = target().join("pages.md");
    // The tests of another language may be reading it.
    let _lock = Lock::of("pages")?;
    if !fs::read_to_string(&file).is_ok_and(|written| written == all) {
        fs::write(&file, all)?;
    }
    Ok(file)
}

/// Puts the sources of a package in TypeScript into an empty folder: its own, and beside them those that all packages share.
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
