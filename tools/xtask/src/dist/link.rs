//! What links for each platform.
//!
//! - Linux: zig, which has the symbol lists of every glibc, and musl. The library works with older systems than this one.
//! - Windows: zig, which has mingw-w64's libraries and LLVM's. With GCC, a part of GCC would be in what is shipped.
//! - macOS: Apple's own linker where there is one; elsewhere LLVM's, which comes with Rust, against lists of the system's symbols
//!   that come with zig.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::VERSION;
use super::gates::GLIBC;
use super::platform::{Platform, Processor, System, cargo_variable, rustc};
use super::sbom::Part;
use crate::process;
use crate::progress::Item;
use crate::python::Venv;
use crate::workspace::Workspace;

/// The oldest macOS that the library works on.
pub(crate) const MACOS: &str = "11.0";

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
            System::MacOs => apple(workspace, platform),
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
    if system == System::MacOs {
        return Ok(Vec::new());
    }
    let zig = (Path::new("LICENSE"), "zig.txt");
    let mut parts = vec![("compiler-rt of zig", "MIT", "lib/compiler_rt", zig)];
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
    let venv = venv(workspace);
    venv.ensure()?;
    let root = venv.package("ziglang")?;
    let requirements = include_str!("../../requirements-dist.in");
    let version = requirements.lines().find_map(|line| line.strip_prefix("ziglang=="));
    let version = version.context("requirements-dist.in has no version of zig")?;
    let part = |(name, licence, folder, (text, called)): (_, _, &str, (&Path, _))| Part {
        name,
        version: version.to_owned(),
        purl: format!("pkg:pypi/ziglang@{version}#{folder}"),
        licence,
        text: (root.join(text), called),
    };
    Ok(parts.into_iter().map(part).collect())
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
    let compiler = |language: &str| -> Result<PathBuf> {
        let script = format!(
            "#!/bin/sh\n{exports}exec '{}' {language} -target {} \"$@\"\n",
            zig.program.display(),
            target(platform),
        );
        let program = zig.folder.join(format!("user-{language}"));
        write_program(&program, &script)?;
        Ok(program)
    };
    Ok([compiler("cc")?, compiler("c++")?])
}

/// zig as a C compiler for a platform.
struct Zig {
    /// A line of a shell.
    line: String,
    program: PathBuf,
    environment: Vec<(String, OsString)>,
    folder: PathBuf,
}

impl Zig {
    /// The version is that of the C library, or empty.
    fn new(workspace: &Workspace, platform: &Platform, version: &str) -> Result<Self> {
        let venv = venv(workspace);
        venv.ensure()?;
        let folder = workspace.target().join("zig");
        let line = format!(
            "'{}' zig cc -- -g -fno-sanitize=all -target {}{version}",
            venv.program("cargo-zigbuild").display(),
            target(platform),
        );
        let program = zig(&venv)?;
        let environment = [
            ("CARGO_ZIGBUILD_ZIG_PATH", program.clone()),
            ("CARGO_ZIGBUILD_CACHE_DIR", folder.join("wrappers")),
            ("ZIG_GLOBAL_CACHE_DIR", folder.join("global")),
            ("ZIG_LOCAL_CACHE_DIR", folder.join("local")),
        ];
        Ok(Zig {
            line,
            program,
            environment: environment.map(|(name, value)| (name.into(), value.into())).into(),
            folder: folder.join(platform.triple()),
        })
    }

    /// Cargo compiles everything again where it is told another linker, so that this is one script for all.
    fn linker(self, platform: &Platform, files: &[OsString]) -> Result<Linker> {
        let files: Vec<_> = files.iter().map(|file| format!(" '{}'", file.display())).collect();
        let before = if platform.is_windows() { FOR_WINDOWS } else { "" };
        let script = format!("#!/bin/sh\n{before}exec {}{} \"$@\"\n", self.line, files.concat());
        let program = self.folder.join("cc");
        write_program(&program, &script)?;
        let mut linker = Linker::new(platform, &program);
        linker.environment.extend(self.environment);
        Ok(linker)
    }

    /// Makes a library to link against in place of `libgcc_s.so.1`, with its names and versions and no code.
    ///
    /// zig would link an unwinder of its own, LLVM's. But when glibc ends a thread (`pthread_exit`, which CPython calls in
    /// threads that still run when the interpreter ends), it unwinds the stack with `libgcc_s.so.1`, whose frames the handlers
    /// of another unwinder cannot read: the process crashes.
    fn unwinder(&self, platform: &Platform) -> Result<PathBuf> {
        let library = self.folder.join("libgcc_s.so.1");
        let (source, versions) = (self.folder.join("libgcc_s.c"), self.folder.join("libgcc_s.map"));
        let (mut functions, mut version_script) = (String::new(), String::new());
        for (version, names) in unwinder(platform.processor()) {
            version_script.push_str(&format!("{version} {{ global: {}; }};\n", names.join("; ")));
            functions.extend(names.iter().map(|name| format!("void {name}(void) {{}}\n")));
        }
        if library.exists() && fs::read_to_string(&versions).is_ok_and(|old| old == version_script)
        {
            return Ok(library);
        }
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        fs::write(&source, functions)
            .with_context(|| format!("cannot write {}", source.display()))?;
        fs::write(&versions, version_script)
            .with_context(|| format!("cannot write {}", versions.display()))?;
        let mut compiler = Command::new("sh");
        compiler.envs(self.environment.clone()).arg("-c");
        compiler.arg(format!("exec {} \"$@\"", self.line)).arg("zig");
        compiler
            .args(["-shared", "-nostdlib", "-Wl,-soname,libgcc_s.so.1"])
            .arg(format!("-Wl,--version-script={}", versions.display()))
            .arg("-o")
            .args([&library, &source]);
        process::shown(&mut compiler)?;
        Ok(library)
    }

    /// Makes a folder with a library of Node in which nothing is: napi's build script asks for one, though the module looks Node's
    /// functions up in the program that loads it.
    fn node(&self) -> Result<PathBuf> {
        let folder = self.folder.join("node");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        fs::write(folder.join("libnode.dll"), "")?;
        fs::write(folder.join("libnode.a"), "!<arch>\n")?;
        Ok(folder)
    }

    /// Compiles what Windows shows of a file: its version, and who made it.
    fn version_resource(&self) -> Result<PathBuf> {
        let (source, resource) = (self.folder.join("version.rc"), self.folder.join("version.res"));
        let text = VERSION_RESOURCE
            .replace("@VERSION@", VERSION)
            .replace("@NUMBERS@", &VERSION.replace('.', ","));
        if resource.exists() && fs::read_to_string(&source).is_ok_and(|old| old == text) {
            return Ok(resource);
        }
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        fs::write(&source, text).with_context(|| format!("cannot write {}", source.display()))?;
        let item = Item::start("version for Windows (zig compiles its compiler first)");
        let mut compiler = Command::new(&self.program);
        compiler.envs(self.environment.clone()).args(["rc", "/:auto-includes", "none"]);
        process::quiet(compiler.args([&source, &resource]), &item)?;
        item.finish("");
        Ok(resource)
    }
}

/// A library for Windows says when it was linked, which would make it another file each time. And zig does not read the list of
/// exports that rustc gives the linker, and exports everything, unless it is given as an input.
const FOR_WINDOWS: &str = "\
export SOURCE_DATE_EPOCH=0
for argument do
    shift
    case $argument in
        -Wl,*.def) set -- \"$@\" \"${argument#-Wl,}\" ;;
        *) set -- \"$@\" \"$argument\" ;;
    esac
done
";

/// The program of zig.
fn zig(venv: &Venv) -> Result<PathBuf> {
    Ok(venv.package("ziglang")?.join(format!("zig{}", std::env::consts::EXE_SUFFIX)))
}

/// What zig calls a platform.
fn target(platform: &Platform) -> String {
    let processor = match platform.processor() {
        Processor::X86_64 => "x86_64",
        Processor::Aarch64 => "aarch64",
        Processor::Armv7 => "arm",
        Processor::Universal => "",
    };
    let system = match platform.system() {
        System::Glibc if platform.processor() == Processor::Armv7 => "linux-gnueabihf",
        System::Glibc => "linux-gnu",
        System::Musl => "linux-musl",
        System::MacOs => "macos",
        System::Windows => "windows-gnu",
    };
    format!("{processor}-{system}")
}

/// Functions of `libgcc_s.so.1` that Rust's standard library calls, by the version that each came with.
fn unwinder(processor: Processor) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut oldest = vec![
        "_Unwind_DeleteException",
        "_Unwind_GetDataRelBase",
        "_Unwind_GetLanguageSpecificData",
        "_Unwind_GetRegionStart",
        "_Unwind_GetTextRelBase",
        "_Unwind_RaiseException",
        "_Unwind_Resume",
    ];
    if processor == Processor::Armv7 {
        // The tables and the registers are those of the ABI of Arm (EHABI).
        let arm = vec![
            "_Unwind_Complete",
            "_Unwind_VRS_Get",
            "_Unwind_VRS_Set",
            "__aeabi_unwind_cpp_pr0",
            "__aeabi_unwind_cpp_pr1",
            "__gnu_unwind_frame",
        ];
        return vec![
            ("GCC_3.0", oldest),
            ("GCC_3.3", vec!["_Unwind_Resume_or_Rethrow"]),
            ("GCC_3.5", arm),
            ("GCC_4.3.0", vec!["_Unwind_Backtrace"]),
        ];
    }
    oldest.extend(["_Unwind_GetIP", "_Unwind_SetGR", "_Unwind_SetIP"]);
    let newer = vec![
        "_Unwind_Backtrace",
        "_Unwind_FindEnclosingFunction",
        "_Unwind_GetCFA",
        "_Unwind_Resume_or_Rethrow",
    ];
    vec![("GCC_3.0", oldest), ("GCC_3.3", newer), ("GCC_4.2.0", vec!["_Unwind_GetIPInfo"])]
}

/// In the language of resources: English, in Unicode.
const VERSION_RESOURCE: &str = r#"1 VERSIONINFO
FILEVERSION @NUMBERS@,0
PRODUCTVERSION @NUMBERS@,0
FILEFLAGSMASK 0x3f
FILEOS 0x40004
FILETYPE 2
BEGIN
  BLOCK "StringFileInfo"
  BEGIN
    BLOCK "040904b0"
    BEGIN
      VALUE "CompanyName", "The libspeech authors"
      VALUE "FileDescription", "Speech synthesis on the CPU, offline"
      VALUE "FileVersion", "@VERSION@"
      VALUE "LegalCopyright", "MIT OR Apache-2.0"
      VALUE "ProductName", "libspeech"
      VALUE "ProductVersion", "@VERSION@"
    END
  END
  BLOCK "VarFileInfo"
  BEGIN
    VALUE "Translation", 0x409, 1200
  END
END
"#;

/// LLVM's linker with lists of the symbols of macOS.
fn apple(workspace: &Workspace, platform: &Platform) -> Result<Linker> {
    let folder = workspace.target().join("macos-linker");
    let stub = folder.join("sdk");
    let venv = venv(workspace);
    venv.ensure()?;
    let symbols = venv.package("ziglang")?.join("lib").join("libc").join("darwin");
    let read = |name: &str| {
        let path = symbols.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let libraries = stub.join("usr").join("lib");
    fs::create_dir_all(&libraries)
        .with_context(|| format!("cannot make {}", libraries.display()))?;
    let write = |path: PathBuf, text: &str| {
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    // On macOS the parts of the C library are other names of one library.
    for name in ["libSystem.tbd", "libc.tbd", "libm.tbd"] {
        write(libraries.join(name), &read("libSystem.tbd")?)?;
    }
    write(libraries.join("libiconv.tbd"), ICONV)?;
    write(stub.join("SDKSettings.json"), &read("SDKSettings.json")?)?;
    let lld = PathBuf::from(rustc(&["--print", "target-libdir"])?).join("../bin/rust-lld");
    let program = folder.join("ld");
    write_program(&program, &LLD.replace("@LLD@", &lld.display().to_string()))?;
    let mut linker = Linker::new(platform, &program);
    linker.environment.extend([
        ("SDKROOT".to_owned(), stub.into_os_string()),
        ("MACOSX_DEPLOYMENT_TARGET".to_owned(), MACOS.into()),
    ]);
    linker.flags.push("-Clinker-flavor=ld64.lld".into());
    Ok(linker)
}

/// Rust's standard library asks for it, and calls nothing of it.
const ICONV: &str = "--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libiconv.2.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _iconv, _iconv_open, _iconv_close ]
...
";

/// Arguments for a C compiler become those for its linker, which rustc tells first for which system it is to link.
const LLD: &str = "#!/bin/sh
set -f
for argument do
    shift
    case $argument in
        -Wl) ;;
        -Wl,*)
            before=$IFS
            IFS=,
            set -- \"$@\" ${argument#-Wl,}
            IFS=$before
            ;;
        *) set -- \"$@\" \"$argument\" ;;
    esac
done
exec '@LLD@' \"$@\"
";

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
