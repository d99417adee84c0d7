//! What runs the programs of another platform on this machine.

use std::ffi::{OsStr, OsString};

use super::debian::{self, Suite};
use crate::dist::platform::{Processor, System};
use crate::dist::{Platform, link};
use crate::needs::Need;
use crate::prelude::*;

/// What runs programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emulator {
    /// This machine itself.
    Nothing,
    /// musl's loader.
    Musl,
    /// qemu's emulator of a processor.
    Qemu(&'static str),
    /// Wine, which has the functions of Windows.
    Wine,
}

/// Where Debian and others have Wine's program.
const WINE: [&str; 2] = ["/usr/bin/wine64", "/usr/lib/wine/wine64"];

/// Debian's Wine lacks this library of Windows 10, of which Rust's standard library calls one function. It is for tests alone.
const BCRYPT_PRIMITIVES: &str = "#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
  return SystemFunction036(bytes, (ULONG)length);
}
";

impl Emulator {
    /// That of a platform, if there is one.
    pub(super) fn of(platform: &Platform) -> Result<Option<Self>> {
        if platform.is_host()? {
            return Ok(Some(Emulator::Nothing));
        }
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Ok(None);
        }
        Ok(match (platform.system(), platform.processor()) {
            (System::Musl, Processor::X86_64) => Some(Emulator::Musl),
            (System::Glibc | System::Musl, Processor::Aarch64) => {
                Some(Emulator::Qemu("qemu-aarch64"))
            }
            (System::Glibc, Processor::Armv7) => Some(Emulator::Qemu("qemu-arm")),
            (System::Windows, Processor::X86_64) => Some(Emulator::Wine),
            _ => None,
        })
    }

    /// What this machine must have for it.
    pub(super) fn needs(self, platform: &Platform) -> &'static [Need] {
        const QEMU: Need = Need::File(&["/usr/bin/qemu-aarch64"], "qemu-user");
        match (self, platform.system(), platform.processor()) {
            (Emulator::Nothing | Emulator::Musl, ..) => &[],
            (Emulator::Qemu(_), System::Musl, _) => &[QEMU],
            (Emulator::Qemu(_), _, Processor::Aarch64) => &[
                QEMU,
                Need::File(&["/usr/aarch64-linux-gnu/lib/libc.so.6"], "libc6-arm64-cross"),
                Need::File(&["/usr/aarch64-linux-gnu/lib/libgcc_s.so.1"], "libgcc-s1-arm64-cross"),
                // Node's.
                Need::File(
                    &["/usr/aarch64-linux-gnu/lib/libstdc++.so.6"],
                    "libstdc++6-arm64-cross",
                ),
            ],
            (Emulator::Qemu(_), ..) => &[
                Need::File(&["/usr/bin/qemu-arm"], "qemu-user"),
                Need::File(&["/usr/arm-linux-gnueabihf/lib/libc.so.6"], "libc6-armhf-cross"),
                Need::File(
                    &["/usr/arm-linux-gnueabihf/lib/libgcc_s.so.1"],
                    "libgcc-s1-armhf-cross",
                ),
            ],
            (Emulator::Wine, ..) => &[Need::File(&WINE, "wine64")],
        }
    }

    /// What the table calls it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Emulator::Nothing => "this machine",
            Emulator::Musl => "musl's loader",
            Emulator::Qemu(_) => "qemu",
            Emulator::Wine => "Wine",
        }
    }

    /// Prepares it.
    pub(super) fn start(self, platform: &Platform) -> Result<Runner> {
        match self {
            Emulator::Nothing => Ok(Runner::default()),
            Emulator::Musl => {
                let loader = musl(platform)?.join("lib/ld-musl-x86_64.so.1");
                Ok(Runner::new([&loader]))
            }
            Emulator::Qemu(program) => {
                let root = match (platform.system(), platform.processor()) {
                    (System::Musl, _) => musl(platform)?,
                    // The C library of Debian's cross compiler.
                    (_, Processor::Armv7) => "/usr/arm-linux-gnueabihf".into(),
                    _ => "/usr/aarch64-linux-gnu".into(),
                };
                Ok(Runner::qemu(program, &root))
            }
            Emulator::Wine => wine(platform),
        }
    }
}

/// How a program is started.
#[derive(Clone, Debug, Default)]
pub(super) struct Runner {
    /// The words before it.
    pub(super) words: Vec<String>,
    pub(super) environment: Vec<(String, OsString)>,
    /// Whether its files are on the drives of Windows.
    has_drives: bool,
}

impl Runner {
    /// One with these words before a program.
    pub(super) fn new<const COUNT: usize>(words: [&Path; COUNT]) -> Self {
        Runner { words: words.map(|word| word.display().to_string()).into(), ..Runner::default() }
    }

    /// qemu's emulator of this name, with the system that is in a folder.
    pub(super) fn qemu(program: &str, root: &Path) -> Self {
        Runner::new([Path::new(program), Path::new("-L"), root])
    }

    /// What programs call a file of this machine.
    pub(super) fn path(&self, path: &Path) -> OsString {
        let drive = if self.has_drives { "Z:" } else { "" };
        let mut name = OsString::from(drive);
        name.push(path);
        name
    }

    /// The command that runs a program.
    pub(super) fn command(&self, program: &Path) -> Command {
        let words = self.words.iter().map(OsStr::new).chain([program.as_os_str()]);
        let words: Vec<_> = words.collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command.envs(self.environment.iter().cloned());
        command
    }
}

/// A root with musl's shared library. Programs for Alpine want 1.2.4 or newer, which relocates their libraries (`DT_RELR`).
fn musl(platform: &Platform) -> Result<PathBuf> {
    let folder = target().join("platforms").join(platform.triple()).join("musl");
    let architecture = match platform.processor() {
        Processor::Aarch64 => "arm64",
        _ => "amd64",
    };
    debian::unpacked(&folder, Suite::Stable, architecture, &["musl"])
}

/// Wine with a folder of its own as the disk of Windows.
fn wine(platform: &Platform) -> Result<Runner> {
    let program = WINE.into_iter().find(|program| Path::new(program).exists());
    let Some(program) = program else { bail!("there is no Wine") };
    let prefix = target().join("wine");
    let environment = vec![
        ("WINEPREFIX".to_owned(), prefix.clone().into_os_string()),
        // It has much to say about what it does not do.
        ("WINEDEBUG".to_owned(), "-all".into()),
        // No windows, and no programs of .NET or HTML.
        ("WINEDLLOVERRIDES".to_owned(), "mscoree,mshtml,winemenubuilder.exe=".into()),
        ("DISPLAY".to_owned(), OsString::new()),
    ];
    let runner = Runner { words: vec![program.to_owned()], environment, has_drives: true };
    let system = prefix.join("drive_c/windows/system32");
    let library = system.join("bcryptprimitives.dll");
    if !library.exists() {
        let item = Item::start("disk of Windows");
        fs::create_dir_all(&prefix)?;
        let mut boot = runner.command(Path::new("wineboot"));
        process::quiet(boot.arg("--init"), &item)?;
        // Node asks for it.
        let mut version = runner.command(Path::new("winecfg"));
        process::quiet(version.args(["-v", "win10"]), &item)?;
        item.finish("");
        compile_stand_in(platform, &library)?;
    }
    Ok(runner)
}

fn compile_stand_in(platform: &Platform, library: &PathBuf) -> Result<()> {
    let source = target().join("bcryptprimitives.c");
    fs::write(&source, BCRYPT_PRIMITIVES)?;
    let [compiler, _] = link::compilers(platform)?;
    let mut compiler = Command::new(compiler);
    process::shown(compiler.arg("-shared").arg("-o").arg(library).arg(&source).arg("-ladvapi32"))
}
