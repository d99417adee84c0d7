//! What links for each platform.
//!
//! - Linux: zig, which has the symbol lists of every glibc, and musl. The library works with older systems than this one.
//! - Windows: zig, which has mingw-w64's libraries and LLVM's. With GCC, a part of GCC would be in what is shipped.
//! - macOS: Apple's own linker where there is one; elsewhere LLVM's, which comes with Rust, against lists of the system's symbols
//!   that come with zig.
//! - iOS: nothing. Its library is a static one, which Xcode links.
//! - Android: LLVM's, against a list of the functions of its oldest system that the library calls.

mod android;
mod apple;
mod zig;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) use self::android::{PAGE, called};
pub(crate) use self::apple::system_symbols;
use self::zig::Zig;
use super::gates::GLIBC;
use super::platform::{Platform, System, cargo_variable, rustc};
use super::sbom::Part;
use crate::python::Venv;
use crate::workspace::Workspace;

/// The oldest macOS that the library works on.
pub(crate) const MACOS: &str = "11.0";

/// The oldest iOS that it works on.
pub(crate) const IOS: &str = "13.0";

/// The environment with zig, and the tool that gives it what rustc gives a linker.
pub(crate) fn venv(workspace: &Workspace) -> Venv {
    let requirements = workspace.xtask().join("requirements-dist.txt");
    Venv::new(workspace, "venv-dist", &requirements)
}

/// What cargo is told about a linker.
#[derive(Debug, Default)]
pub(crate) struct Linker {
    pub(crate) environment: Vec<(String, OsString)>,
    /// Of rustc.
    pub(crate) flags: Vec<OsString>,
}

impl Linker {
    pub(crate) fn of(workspace: &Workspace, platform: &Platform) -> Result<Self> {
        match platform.system() {
            System::Glibc => {
                let zig = Zig::new(workspace, platform, &format!(".{GLIBC}"))?;
                let unwinder = zig.unwinder(platform)?;
                zig.linker(platform, &[unwinder.as_os_str().to_owned()])
            }
            System::Musl => {
                let mut linker = Zig::new(workspace, platform, "")?.linker(platform, &[])?;
                // The C library is the system's, as in every program there that loads libraries.
                linker.flags.push("-Ctarget-feature=-crt-static".into());
                Ok(linker)
            }
            System::MacOs if cfg!(target_os = "macos") => Ok(Linker {
                environment: vec![("MACOSX_DEPLOYMENT_TARGET".into(), MACOS.into())],
                flags: Vec::new(),
            }),
            System::MacOs => apple::linker(workspace, platform),
            System::Ios | System::IosSimulator => Ok(Linker {
                environment: vec![("IPHONEOS_DEPLOYMENT_TARGET".into(), IOS.into())],
                flags: Vec::new(),
            }),
            System::Android => android::linker(workspace, platform),
            System::Windows => {
                let zig = Zig::new(workspace, platform, "")?;
                let (version, node) = (zig.version_resource()?, zig.node()?);
                let mut linker = zig.linker(platform, &[version.into()])?;
                linker.environment.push(("LIBNODE_PATH".to_owned(), node.into()));
                Ok(linker)
            }
        }
    }

    fn new(platform: &Platform, program: &Path) -> Self {
        let environment = vec![(cargo_variable(platform.triple(), "LINKER"), program.into())];
        Linker { environment, flags: Vec::new() }
    }
}

/// What zig may put into a library: functions that a compiler expects, an unwinder, and what starts a library.
pub(crate) fn parts(workspace: &Workspace, platform: &Platform) -> Result<Vec<Part>> {
    let system = platform.system();
    if platform.is_apple() {
        return Ok(Vec::new());
    }
    let mut parts = Vec::new();
    // LLVM's linker adds nothing of its own.
    if system != System::Android {
        let text = (Path::new("LICENSE"), "zig.txt");
        parts.push(("compiler-rt of zig", "MIT", "lib/compiler_rt", text));
    }
    if system != System::Glibc {
        let text = (Path::new("lib/libunwind/LICENSE.TXT"), "libunwind.txt");
        let licence = "Apache-2.0 WITH LLVM-exception";
        parts.push(("libunwind of LLVM", licence, "lib/libunwind", text));
    }
    if system == System::Musl {
        let text = (Path::new("lib/libc/musl/COPYRIGHT"), "musl.txt");
        parts.push(("start files of musl", "MIT", "lib/libc/musl", text));
    }
    if system == System::Windows {
        let text = (Path::new("lib/libc/mingw/COPYING"), "mingw-w64.txt");
        parts.push(("runtime of mingw-w64", "ZPL-2.1", "lib/libc/mingw", text));
    }
    described(workspace, &parts)
}

/// What Rust's own libraries for WASI have in them. It comes with Rust without its licences: zig has them.
pub(crate) fn parts_of_wasi(workspace: &Workspace) -> Result<Vec<Part>> {
    let wasi = (Path::new("lib/libc/wasi/LICENSE-MIT"), "wasi-libc.txt");
    let musl = (Path::new("lib/libc/musl/COPYRIGHT"), "musl.txt");
    let parts = [
        ("wasi-libc", "MIT", "lib/libc/wasi", wasi),
        ("musl in wasi-libc", "MIT", "lib/libc/musl", musl),
    ];
    described(workspace, &parts)
}

/// A name, a licence, and in zig a folder and the text of the licence, which has another name in packages.
type InZig<'a> = (&'static str, &'static str, &'a str, (&'a Path, &'static str));

fn described(workspace: &Workspace, parts: &[InZig<'_>]) -> Result<Vec<Part>> {
    let venv = venv(workspace);
    venv.ensure()?;
    let root = venv.package("ziglang")?;
    let requirements = include_str!("../../../requirements-dist.in");
    let version = requirements.lines().find_map(|line| line.strip_prefix("ziglang=="));
    let version = version.context("requirements-dist.in has no version of zig")?;
    let part = |&(name, licence, folder, (text, called)): &InZig<'_>| Part {
        name,
        version: version.to_owned(),
        purl: format!("pkg:pypi/ziglang@{version}#{folder}"),
        licence,
        text: (root.join(text), called),
    };
    Ok(parts.iter().map(part).collect())
}

/// Compilers of C and C++ for a platform: this machine's own, or zig.
pub(crate) fn compilers(workspace: &Workspace, platform: &Platform) -> Result<[PathBuf; 2]> {
    if platform.is_host()? {
        return Ok(["cc".into(), "c++".into()]);
    }
    let zig = Zig::new(workspace, platform, "")?;
    let exports = zig
        .environment
        .iter()
        .map(|(name, value)| format!("export {name}='{}'\n", value.display()));
    let exports: String = exports.collect();
    // GCC and Clang link their unwinder with a program of C that needs one, and a program for musl with its shared library. So does
    // zig for Windows, but not for Linux.
    let as_others_do = match platform.system() {
        System::Glibc => "-Wno-unused-command-line-argument -lunwind ",
        System::Musl => "-Wno-unused-command-line-argument -lunwind -dynamic ",
        System::MacOs | System::Ios | System::IosSimulator | System::Android | System::Windows => {
            ""
        }
    };
    let compiler = |language: &str| -> Result<PathBuf> {
        let script = format!(
            "#!/bin/sh\n{exports}exec '{}' {language} -target {} {as_others_do}\"$@\"\n",
            zig.program.display(),
            zig::target(platform),
        );
        let program = zig.folder.join(format!("user-{language}"));
        write_program(&program, &script)?;
        Ok(program)
    };
    Ok([compiler("cc")?, compiler("c++")?])
}

/// LLVM's linker, which comes with Rust.
fn lld() -> Result<PathBuf> {
    Ok(PathBuf::from(rustc(&["--print", "target-libdir"])?).join("../bin/rust-lld"))
}

/// Writes a program, unless it is there: a file that did not change is no reason to link again.
fn write_program(path: &Path, script: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|found| found == script) {
        return Ok(());
    }
    write_executable(path, script).with_context(|| format!("cannot write {}", path.display()))
}

fn write_executable(path: &Path, script: &str) -> std::io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let partial = path.with_extension("partial");
    fs::write(&partial, script)?;
    #[cfg(unix)]
    fs::set_permissions(&partial, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    fs::rename(partial, path)
}
