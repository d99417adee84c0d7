//! Runs programs of another platform on this machine.

use std::ffi::{OsStr, OsString};

use super::debian;
use crate::dist::platform::{Processor, System};
use crate::dist::{Platform, link};
use crate::needs::Need;
use crate::prelude::*;

/// The means to run programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emulator {
    /// No emulator: this machine.
    Nothing,
    /// musl's loader.
    Musl,
    /// qemu's emulator of a processor. Then the folder of the C library of Debian's cross compiler;
    /// `None` for musl.
    Qemu(&'static str, Option<&'static str>),
    /// Wine, which implements the Windows API.
    Wine,
}

/// The paths of Wine's program on Debian and other systems.
const WINE: [&str; 2] = ["/usr/bin/wine64", "/usr/lib/wine/wine64"];

impl Emulator {
    /// The emulator for a platform, if there is one.
    pub(super) fn of(platform: &Platform) -> Result<Option<Self>> {
        if platform.is_host()? {
            return Ok(Some(Emulator::Nothing));
        }
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Ok(None);
        }
        Ok(match (platform.system(), platform.processor()) {
            (System::Musl, Processor::X86_64) => Some(Emulator::Musl),
            (System::Musl, Processor::Aarch64) => Some(Emulator::Qemu("qemu-aarch64", None)),
            (System::Glibc, Processor::Aarch64) => {
                Some(Emulator::Qemu("qemu-aarch64", Some("/usr/aarch64-linux-gnu")))
            }
            (System::Glibc, Processor::Armv7) => {
                Some(Emulator::Qemu("qemu-arm", Some("/usr/arm-linux-gnueabihf")))
            }
            (System::Windows, Processor::X86_64) => Some(Emulator::Wine),
            _ => None,
        })
    }

    /// The requirements of the emulator.
    pub(super) fn needs(self) -> &'static [Need] {
        const QEMU: Need = Need::File(&["/usr/bin/qemu-aarch64"], "qemu-user");
        match self {
            Emulator::Nothing | Emulator::Musl => &[],
            Emulator::Qemu(_, None) => &[QEMU],
            Emulator::Qemu("qemu-arm", _) => &[
                QEMU,
                Need::File(&["/usr/arm-linux-gnueabihf/lib/libc.so.6"], "libc6-armhf-cross"),
                Need::File(
                    &["/usr/arm-linux-gnueabihf/lib/libgcc_s.so.1"],
                    "libgcc-s1-armhf-cross",
                ),
            ],
            Emulator::Qemu(..) => &[
                QEMU,
                Need::File(&["/usr/aarch64-linux-gnu/lib/libc.so.6"], "libc6-arm64-cross"),
                Need::File(&["/usr/aarch64-linux-gnu/lib/libgcc_s.so.1"], "libgcc-s1-arm64-cross"),
                // Node needs this.
                Need::File(
                    &["/usr/aarch64-linux-gnu/lib/libstdc++.so.6"],
                    "libstdc++6-arm64-cross",
                ),
            ],
            Emulator::Wine => &[Need::File(&WINE, "wine64")],
        }
    }

    /// Its name in the table.
    pub(super) fn title(self) -> &'static str {
        match self {
            Emulator::Nothing => "this machine",
            Emulator::Musl => "musl's loader",
            Emulator::Qemu(..) => "qemu",
            Emulator::Wine => "Wine",
        }
    }

    /// Prepares the emulator.
    pub(super) fn start(self, platform: &Platform) -> Result<Runner> {
        Ok(match self {
            Emulator::Nothing => Runner::default(),
            Emulator::Musl => Runner::new([&musl(platform)?.join("lib/ld-musl-x86_64.so.1")]),
            Emulator::Qemu(program, Some(root)) => Runner::qemu(program, Path::new(root)),
            Emulator::Qemu(program, None) => Runner::qemu(program, &musl(platform)?),
            Emulator::Wine => return wine(platform),
        })
    }
}

/// Starts programs in an emulator.
#[derive(Clone, Debug, Default)]
pub(super) struct Runner {
    /// The command line before the program.
    pub(super) words: Vec<String>,
    pub(super) environment: Vec<(String, OsString)>,
    /// Whether the program needs Windows paths with drive letters.
    has_drives: bool,
}

impl Runner {
    /// A runner with this command line before the program.
    pub(super) fn new<const COUNT: usize>(words: [&Path; COUNT]) -> Self {
        Runner { words: words.map(|word| word.display().to_string()).into(), ..Runner::default() }
    }

    /// qemu's emulator of this name, with the system in a folder.
    pub(super) fn qemu(program: &str, root: &Path) -> Self {
        Runner::new([Path::new(program), Path::new("-L"), root])
    }

    /// The path of a file as the programs see it.
    pub(super) fn path(&self, path: &Path) -> OsString {
        let drive = if self.has_drives { "Z:" } else { "" };
        let mut name = OsString::from(drive);
        name.push(path);
        name
    }

    /// The command that runs a program.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut words = self.words.iter().map(OsStr::new).chain([program.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command.envs(self.environment.iter().cloned());
        command
    }
}

/// A root folder with musl's shared library. Programs for Alpine need version 1.2.4 or newer, for
/// `DT_RELR` relocations.
fn musl(platform: &Platform) -> Result<PathBuf> {
    let folder = target().join("platforms").join(platform.triple()).join("musl");
    let architecture = match platform.processor() {
        Processor::Aarch64 => "arm64",
        _ => "amd64",
    };
    debian::unpacked(&folder, "stable", architecture, &["musl"])
}

/// Wine with its own folder as the Windows disk.
fn wine(platform: &Platform) -> Result<Runner> {
    let program = WINE.into_iter().find(|program| Path::new(program).exists());
    let Some(program) = program else { bail!("Wine is not installed") };
    let prefix = target().join("wine");
    let environment = vec![
        ("WINEPREFIX".to_owned(), prefix.clone().into_os_string()),
        // Suppresses warnings about unimplemented functions.
        ("WINEDEBUG".to_owned(), "-all".into()),
        // Disables windows, .NET and HTML.
        ("WINEDLLOVERRIDES".to_owned(), "mscoree,mshtml,winemenubuilder.exe=".into()),
        ("DISPLAY".to_owned(), OsString::new()),
    ];
    let runner = Runner { words: vec![program.to_owned()], environment, has_drives: true };
    let system = prefix.join("drive_c/windows/system32");
    let library = system.join("bcryptprimitives.dll");
    if !library.exists() {
        let item = Item::start("Windows disk for Wine");
        fs::create_dir_all(&prefix)?;
        let mut boot = runner.command(Path::new("wineboot"));
        process::quiet(boot.arg("--init"), &item)?;
        // Node requires this Windows version.
        let mut version = runner.command(Path::new("winecfg"));
        process::quiet(version.args(["-v", "win10"]), &item)?;
        item.finish("");
        compile_stand_in(platform, &library)?;
    }
    Ok(runner)
}

fn compile_stand_in(platform: &Platform, library: &PathBuf) -> Result<()> {
    let source = root().join("tools/xtask/linkers/bcryptprimitives.c");
    let [compiler, _] = link::compilers(platform)?;
    let mut compiler = Command::new(compiler);
    process::shown(compiler.arg("-shared").arg("-o").arg(library).arg(&source).arg("-ladvapi32"))
}
