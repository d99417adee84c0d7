//! Selects the linker of each platform.
//!
//! - Linux: zig, which has the symbol lists of every glibc version, and musl. So the library runs
//!   on systems older than the build machine.
//! - Windows: zig, with the libraries of mingw-w64 and LLVM. GCC would add parts of itself to the
//!   library.
//! - macOS: Apple's linker if present, otherwise LLVM's, which comes with Rust; zig has the symbol
//!   lists.
//! - iOS: none. Xcode links the static library.
//! - Android: LLVM's linker, against a list of functions of the oldest supported system.

mod android;
mod apple;
mod zig;

use std::ffi::OsString;

pub(crate) use self::android::{PAGE, called};
pub(crate) use self::apple::system_symbols;
use self::zig::Zig;
use super::gates::GLIBC;
use super::platform::{Platform, System, cargo_variable, rustc};
use super::sbom::Part;
use crate::prelude::*;

/// The oldest supported macOS.
pub(crate) const MACOS: &str = "11.0";

/// The oldest supported iOS.
pub(crate) const IOS: &str = "13.0";

/// The environment with zig, and with the tool that translates rustc's arguments for a linker.
pub(crate) static TOOLS: Venv = Venv::new("venv-dist", "tools/xtask/requirements-dist.txt");

/// The folder of the zig installation.
fn zig_folder() -> Result<PathBuf> {
    TOOLS.ensure()?;
    TOOLS.package("ziglang")
}

/// The settings of a linker for cargo.
#[derive(Debug, Default)]
pub(crate) struct Linker {
    pub(crate) environment: Vec<(String, OsString)>,
    /// Flags of rustc.
    pub(crate) flags: Vec<OsString>,
}

impl Linker {
    pub(crate) fn of(platform: &Platform) -> Result<Self> {
        match platform.system() {
            System::Glibc => {
                let zig = Zig::new(platform, &format!(".{GLIBC}"))?;
                let unwinder = zig.unwinder(platform)?;
                zig.linker(platform, &[unwinder])
            }
            System::Musl => {
                let mut linker = Zig::new(platform, "")?.linker(platform, &[])?;
                // Links the system's C library dynamically, so that the library can be loaded by
                // other programs.
                linker.flags.push("-Ctarget-feature=-crt-static".into());
                Ok(linker)
            }
            System::MacOs if cfg!(target_os = "macos") => {
                Ok(Linker::with("MACOSX_DEPLOYMENT_TARGET", MACOS))
            }
            System::MacOs => apple::linker(platform),
            System::Ios | System::IosSimulator => {
                Ok(Linker::with("IPHONEOS_DEPLOYMENT_TARGET", IOS))
            }
            System::Android => android::linker(platform),
            System::Windows => {
                let zig = Zig::new(platform, "")?;
                let (version, node) = (zig.version_resource()?, zig.node()?);
                let mut linker = zig.linker(platform, &[version])?;
                linker.environment.push(("LIBNODE_PATH".to_owned(), node.into()));
                Ok(linker)
            }
        }
    }

    fn new(platform: &Platform, program: &Path) -> Self {
        Self::with(&cargo_variable(platform.triple(), "LINKER"), program)
    }

    fn with(name: &str, value: impl Into<OsString>) -> Self {
        Linker { environment: vec![(name.to_owned(), value.into())], flags: Vec::new() }
    }
}

/// The parts of zig that a library may contain: name, license, folder in zig, license text in zig,
/// and its file name in packages.
const PARTS: &str = "\
compiler-rt of zig|MIT|lib/compiler_rt|LICENSE|zig.txt
libunwind of LLVM|Apache-2.0 WITH LLVM-exception|lib/libunwind|lib/libunwind/LICENSE.TXT|libunwind.txt
start files of musl|MIT|lib/libc/musl|lib/libc/musl/COPYRIGHT|musl.txt
runtime of mingw-w64|ZPL-2.1|lib/libc/mingw|lib/libc/mingw/COPYING|mingw-w64.txt
wasi-libc|MIT|lib/libc/wasi|lib/libc/wasi/LICENSE-MIT|wasi-libc.txt
musl in wasi-libc|MIT|lib/libc/musl|lib/libc/musl/COPYRIGHT|musl.txt";

/// Compiler runtime, unwinder and start files in a library. LLVM's linker adds none itself.
pub(crate) fn parts(platform: &Platform) -> Result<Vec<Part>> {
    described(match platform.system() {
        System::Glibc => &["compiler-rt of zig"],
        System::Musl => &["compiler-rt of zig", "libunwind of LLVM", "start files of musl"],
        System::Windows => &["compiler-rt of zig", "libunwind of LLVM", "runtime of mingw-w64"],
        System::Android => &["libunwind of LLVM"],
        System::MacOs | System::Ios | System::IosSimulator => return Ok(Vec::new()),
    })
}

/// Parts of a WebAssembly module: Rust's libraries for WASI have no license texts, but zig has
/// them.
pub(crate) fn parts_of_wasi() -> Result<Vec<Part>> {
    described(&["wasi-libc", "musl in wasi-libc"])
}

fn described(wanted: &[&str]) -> Result<Vec<Part>> {
    let root = zig_folder()?;
    let requirements = include_str!("../../../requirements-dist.in");
    let version = requirements.lines().find_map(|line| line.strip_prefix("ziglang=="));
    let version = version.context("requirements-dist.in has no version of zig")?;
    let part = |line: &'static str| {
        let [name, licence, folder, text, called] = line.split('|').collect::<Vec<_>>()[..] else {
            return None;
        };
        wanted.contains(&name).then(|| Part {
            name,
            version: version.to_owned(),
            purl: format!("pkg:pypi/ziglang@{version}#{folder}"),
            licence,
            text: (root.join(text), called),
        })
    };
    Ok(PARTS.lines().filter_map(part).collect())
}

/// The C and C++ compilers for a platform: those of this machine, or zig.
pub(crate) fn compilers(platform: &Platform) -> Result<[PathBuf; 2]> {
    if platform.is_host()? {
        return Ok(["cc".into(), "c++".into()]);
    }
    let zig = Zig::new(platform, "")?;
    let export =
        |(name, value): &(String, OsString)| format!("export {name}='{}'\n", value.display());
    let exports: String = zig.environment.iter().map(export).collect();
    // GCC and Clang link their unwinder to C programs that need one, for musl as a shared library.
    // zig does so for Windows, but not for Linux.
    let as_others_do = match platform.system() {
        System::Glibc => "-Wno-unused-command-line-argument -lunwind ",
        System::Musl => "-Wno-unused-command-line-argument -lunwind -dynamic ",
        _ => "",
    };
    let compiler = |language: &str| -> Result<PathBuf> {
        let script = format!(
            "#!/bin/sh\n{exports}exec '{}' {language} -target {} {as_others_do}\"$@\"\n",
            zig.program.display(),
            platform.zig,
        );
        let program = zig.folder.join(format!("user-{language}"));
        write_new(&program, &script)?;
        Ok(program)
    };
    Ok([compiler("cc")?, compiler("c++")?])
}

/// LLVM's linker, which comes with Rust.
fn lld() -> Result<PathBuf> {
    Ok(PathBuf::from(rustc(&["--print", "target-libdir"])?).join("../bin/rust-lld"))
}

/// Writes a file unless it already has this text. Returns whether it did: an unchanged file does
/// not cause a new link.
fn write_new(path: &Path, text: &str) -> Result<bool> {
    if fs::read_to_string(path).is_ok_and(|found| found == text) {
        return Ok(false);
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let partial = path.with_extension("partial");
    fs::write(&partial, text)?;
    #[cfg(unix)]
    fs::set_permissions(&partial, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    fs::rename(partial, path)?;
    Ok(true)
}
